// Process isolation for the plugin worker. Landlock and seccomp apply to the calling thread and its children only, so
// `cprocess_confine` must run while there is a single thread. A child must not outlive its parent, even if the parent
// died between fork and prctl.

#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/// Moves a new child to another CPU if possible. Otherwise the kernel may queue it behind its parent until the parent
/// is idle.
static void part(pid_t child) {
    cpu_set_t allowed, others;
    int here = sched_getcpu();
    if (here < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
    others = allowed;
    CPU_CLR(here, &others);
    // Restore the full affinity mask afterwards.
    if (sched_setaffinity(child, sizeof others, &others) == 0) sched_setaffinity(child, sizeof allowed, &allowed);
}

int32_t cprocess_fork(int32_t *socket) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        close(pair[0]);
        close(pair[1]);
        return -1;
    }
    *socket = pair[child == 0];
    close(pair[child != 0]);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        // The parent's signal handlers are not for the child, which may not even be allowed to signal itself.
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
    } else {
        part(child);
    }
    return child;
}

void cprocess_outlive(void) {
    prctl(PR_SET_PDEATHSIG, 0);
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int i = 0; i < 3; i++) close(i);
}

// ---- Landlock. Debian's header lacks the newer rights, so the numbers are written out (linux/landlock.h).

struct landlock_ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

enum {
    LANDLOCK_CREATE_RULESET = 444,
    LANDLOCK_RESTRICT_SELF = 446,
    LANDLOCK_VERSION = 1,
};

static int landlock_version(void) { return (int)syscall(LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_VERSION); }

/// Handles every access right and grants none.
static bool forbid_files(void) {
    int version = landlock_version();
    if (version < 1) return false;
    struct landlock_ruleset rules = {0};
    size_t size = sizeof rules.fs;
    rules.fs = (1ull << 13) - 1;                   // version 1: thirteen rights
    if (version >= 2) rules.fs |= 1ull << 13;      // linking across folders
    if (version >= 3) rules.fs |= 1ull << 14;      // truncate
    if (version >= 5) rules.fs |= 1ull << 15;      // device ioctl
    if (version >= 4) {
        rules.net = 3;  // bind and connect
        size = 2 * sizeof rules.fs;
    }
    if (version >= 6) {
        rules.scoped = 3;  // abstract sockets and signals outside
        size = sizeof rules;
    }
    int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return false;
    bool done = syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0;
    close(ruleset);
    return done;
}

// ---- seccomp: an allow-list. Other calls fail with EPERM, so that a library that merely probes can continue.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
static const int allowed_calls[] = {
    // memory (mmap and mprotect are filtered by their arguments below)
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
    // I/O on inherited descriptors
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_sendto, SYS_recvfrom, SYS_sendmsg,
    SYS_recvmsg, SYS_ppoll,
#ifdef SYS_poll
    SYS_poll,
#endif
    // time
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_setitimer, SYS_getitimer,
#ifdef SYS_time
    SYS_time,
#endif
    // the process itself
    SYS_exit, SYS_exit_group, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_futex, SYS_getpid, SYS_gettid, SYS_getrandom, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_getrusage, SYS_membarrier, SYS_rseq, SYS_set_robust_list,
};

enum { CALL_COUNT = sizeof allowed_calls / sizeof allowed_calls[0] };

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/// Calls per group. At installation the kernel evaluates the filter for every call number to build a cache. A linear
/// list of comparisons makes that ten times slower than jumping to a group of numbers first.
enum { GROUP = 6 };

static bool forbid_calls(bool traps_loader) {
    int calls[CALL_COUNT];
    memcpy(calls, allowed_calls, sizeof calls);
    qsort(calls, CALL_COUNT, sizeof *calls, by_number);
    struct sock_filter filter[32 + 3 * CALL_COUNT];
    size_t n = 0;
#define STATEMENT(code, k) filter[n++] = (struct sock_filter)BPF_STMT(code, k)
#define JUMP(code, k, yes, no) filter[n++] = (struct sock_filter)BPF_JUMP(code, k, yes, no)
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    size_t ends[CALL_COUNT / GROUP + 1];
    size_t groups = 0;
    for (size_t first = 0; first < CALL_COUNT; first += GROUP) {
        size_t last = first + GROUP < CALL_COUNT ? first + GROUP : CALL_COUNT;
        // Larger numbers jump to the next group.
        if (last < CALL_COUNT) {
            JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)calls[last], (uint8_t)(2 * (last - first) + 1), 0);
        }
        for (size_t i = first; i < last; i++) {
            JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
            STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        }
        ends[groups++] = n;
        STATEMENT(BPF_JMP | BPF_JA, 0);
    }
    for (size_t i = 0; i < groups; i++) filter[ends[i]].k = (uint32_t)(n - ends[i] - 1);
    // Executable mappings: private file mappings only, never writable. Checks the low words of the third and fourth
    // argument.
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 9);
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]));
    JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 4, 0);
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3]));
    STATEMENT(BPF_ALU | BPF_AND | BPF_K, MAP_TYPE | MAP_ANONYMOUS);
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_PRIVATE, 0, 1);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4);
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]));
    JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    // The dynamic loader's file calls raise SIGSYS; a handler in this process emulates them, and the kernel does not
    // execute them.
    if (traps_loader) {
        JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0);
        JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 1);
        STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
#undef STATEMENT
#undef JUMP
    struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool forbid_calls(bool traps_loader) {
    (void)traps_loader;
    return false;
}
#endif

int32_t cprocess_walls(void) {
    int32_t walls = CPROCESS_LIMITS;
    if (landlock_version() >= 1) walls |= CPROCESS_LANDLOCK;
#ifdef ARCHITECTURE
    if (prctl(PR_GET_SECCOMP) >= 0) walls |= CPROCESS_SECCOMP;
#endif
    return walls;
}

// ---- other restrictions

/// Lowers a resource limit of a process; 0 is the calling one.
static bool limit(pid_t process, int what, uint64_t most) {
    struct rlimit bound;
    if (prlimit(process, what, NULL, &bound) != 0) return false;
    if (bound.rlim_max == RLIM_INFINITY || most < bound.rlim_max) bound.rlim_cur = bound.rlim_max = most;
    return prlimit(process, what, &bound, NULL) == 0;
}

/// Bytes of private writable memory, as counted by RLIMIT_DATA; 0 when unknown.
static uint64_t data_in_use(void) {
    char text[256];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = '\0';
    // The sixth field.
    const char *at = text;
    for (int i = 0; i < 5 && at != NULL; i++) at = strchr(at + (i > 0), ' ');
    return at == NULL ? 0 : strtoul(at, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/// Closes all descriptors except one. The standard streams are redirected to /dev/null.
static void keep_descriptor(int kept) {
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && nowhere >= 0; fd++) dup2(nowhere, fd);
    unsigned ranges[2][2] = {{3, (unsigned)kept - 1}, {(unsigned)kept + 1, ~0u}};
    for (int i = 0; i < 2; i++) {
        if (ranges[i][0] > ranges[i][1] || syscall(SYS_close_range, ranges[i][0], ranges[i][1], 0) == 0) continue;
        int highest = (int)sysconf(_SC_OPEN_MAX);
        for (int fd = (int)ranges[i][0]; fd < (i == 0 ? kept : highest); fd++) close(fd);
    }
}

/// Overwrites the environment, which may contain keys, and clears it.
static void forget_environment(void) {
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        explicit_bzero(*entry, strlen(*entry));
    }
    environ = NULL;
}

int32_t cprocess_confine(int32_t socket, bool traps_loader) {
    int32_t walls = 0;
    prctl(PR_SET_DUMPABLE, 0);
    forget_environment();
    keep_descriptor(socket);
    limit(0, RLIMIT_CORE, 0);
    limit(0, RLIMIT_FSIZE, 0);
    limit(0, RLIMIT_NPROC, 0);
    limit(0, RLIMIT_MSGQUEUE, 0);
    limit(0, RLIMIT_MEMLOCK, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) walls |= CPROCESS_LIMITS;
    if (forbid_files()) walls |= CPROCESS_LANDLOCK;
    if (forbid_calls(traps_loader)) walls |= CPROCESS_SECCOMP;
    return walls;
}

bool cprocess_limit(int32_t child, uint64_t data, uint64_t cpu) {
    uint64_t in_use = data == 0 ? 0 : data_in_use();
    return (cpu == 0 || limit(child, RLIMIT_CPU, cpu)) &&
           (in_use == 0 || limit(child, RLIMIT_DATA, in_use + data));
}

_Noreturn void cprocess_exit(int32_t code) { _exit(code); }

int32_t cprocess_reap(int32_t child, bool kill_first, int32_t *code) {
    int status = 0;
    if (kill_first) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int32_t cprocess_reap_gone(int32_t child, double *seconds, uint64_t *bytes) {
    int status = 0;
    struct rusage used = {0};
    // The socket closes slightly before the process can be reaped. Give it time to exit by itself, so that its own exit
    // signal is reported.
    for (int i = 0; i < 200; i++) {
        pid_t gone = wait4(child, &status, WNOHANG, &used);
        if (gone == child || (gone < 0 && errno != EINTR)) break;
        if (i == 199) {
            kill(child, SIGKILL);
            while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
            }
            status = 0;
            break;
        }
        usleep(1000);
    }
    *seconds = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6 + (double)used.ru_stime.tv_sec +
               (double)used.ru_stime.tv_usec / 1e6;
    *bytes = (uint64_t)used.ru_maxrss * 1024;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int32_t cprocess_wait(int32_t socket, int32_t output, int32_t wake, int32_t milliseconds) {
    struct pollfd watched[3] = {
        {.fd = socket, .events = POLLIN}, {.fd = output, .events = 0}, {.fd = wake, .events = POLLIN}};
    int ready = poll(watched, 3, milliseconds);
    if (ready < 0) return errno == EINTR ? 3 : 0;
    if (watched[0].revents != 0) return 1;
    if (watched[1].revents & POLLERR) return 2;
    if (watched[2].revents != 0) return 4;
    return ready == 0 ? 0 : 3;
}
