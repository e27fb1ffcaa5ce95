// Runs external programs without a shell. They must not inherit descriptors or the environment, and a failed exec is
// known only in the child, which reports it through a pipe. A program can leave its process group with setsid(2), so a
// process between the host and each program, its keeper, adopts all that the program starts and ends it.

#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// Sets up the child and executes the program. On failure, writes errno to `report` and exits.
static _Noreturn void become(const char *path, char *const *arguments, const int ends[3], int report, pid_t parent,
                             const sigset_t *mask) {
    static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", NULL};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // A separate process group, so that the program's own children can be killed with it; default signal handlers.
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    bool ready = true;
    for (int i = 0; i < 3; i++) ready = ready && dup2(ends[i], i) == i;
    // All other descriptors close on exec. That includes `report`, so end-of-file there means that the exec succeeded.
    if (ready && syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC) == 0) execve(path, arguments, environment);
    int failure = errno;
    ssize_t told = write(report, &failure, sizeof failure);
    _exit(told < 0);
}

/// Kills the children of this process once. They may have children, which are this process's next.
static void kill_children(void) {
    char text[4096];
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length;
    pid_t child = 0;
    // Numbers, each followed by a space.
    while ((length = read(file, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                child = child * 10 + (text[i] - '0');
            } else if (child > 0) {
                kill(child, SIGKILL);
                child = 0;
            }
        }
    }
    close(file);
}

/// Signals to a keeper: end everything now, and end what is left after the program.
enum { END = SIGTERM, FINISH = SIGUSR1 };

/// The keeper of one program. It exits as the program does, with 128 and the number of the signal that ended it.
static _Noreturn void keep(const char *path, char *const *arguments, const int ends[3], int report, pid_t parent) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    prctl(PR_SET_PDEATHSIG, END);
    if (getppid() != parent) _exit(1);
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_DFL);
    pid_t keeper = getpid();
    pid_t program = fork();
    if (program == 0) become(path, arguments, ends, report, keeper, &before);
    if (program < 0) {
        int failure = errno;
        ssize_t told = write(report, &failure, sizeof failure);
        _exit(told < 0);
    }
    // All pipes, and the host's own output.
    if (syscall(SYS_close_range, 0, ~0u, 0) != 0) {
        for (int fd = (int)sysconf(_SC_OPEN_MAX) - 1; fd >= 0; fd--) close(fd);
    }
    int status = 0, ended = 0;
    bool finishes = false, ends_now = false;
    while (!ends_now && !(ended && finishes)) {
        siginfo_t told;
        int number = sigwaitinfo(&all, &told);
        finishes = finishes || number == FINISH;
        ends_now = number == END;
        int code;
        pid_t gone;
        while ((gone = waitpid(-1, &code, WNOHANG)) > 0) {
            if (gone == program) ended = 1, status = code;
        }
    }
    if (!ended) kill(-program, SIGKILL);
    // At most two seconds, against programs that start others faster than they are ended.
    for (int i = 0; i < 2000; i++) {
        kill_children();
        int code;
        pid_t gone;
        while ((gone = waitpid(-1, &code, WNOHANG)) > 0) {
            if (gone == program) status = code;
        }
        if (gone < 0) break;
        usleep(1000);
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/// Moves a descriptor above the standard ones, so that dup2 does not overwrite it.
static void lift(int *descriptor) {
    int lifted = fcntl(*descriptor, F_DUPFD_CLOEXEC, 3);
    close(*descriptor);
    *descriptor = lifted;
}

/// Keepers of running programs; 0 marks a free slot. Read by signal handlers.
enum { MOST_PROGRAMS = 256 };
static volatile pid_t programs[MOST_PROGRAMS];

static void replace_program(pid_t old, pid_t new) {
    for (int i = 0; i < MOST_PROGRAMS; i++) {
        if (__sync_bool_compare_and_swap(&programs[i], old, new)) return;
    }
}

ssize_t cprocess_feed(int32_t descriptor, const void *bytes, size_t count) {
    sigset_t pipe, before, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t written = write(descriptor, bytes, count);
    int failure = errno;
    if (written < 0 && failure == EPIPE && !sigismember(&pending, SIGPIPE)) {
        sigtimedwait(&pipe, NULL, &(struct timespec){0, 0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}

void cprocess_end_program(int32_t child) { kill(child, END); }

void cprocess_finish_program(int32_t child) { kill(child, FINISH); }

void cprocess_forget_program(int32_t child) { replace_program(child, 0); }

void cprocess_end_programs(void) {
    for (int i = 0; i < MOST_PROGRAMS; i++) {
        pid_t program = programs[i];
        if (program > 0) kill(program, END);
    }
}

int32_t cprocess_spawn(const char *path, char *const *arguments, int32_t descriptors[3]) {
    // Pipes for stdin, stdout and stderr, and one that reports a failed start.
    int ends[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    int failure = 0;
    for (int i = 0; i < 4 && failure == 0; i++) {
        if (pipe2(ends[i], O_CLOEXEC) != 0) failure = errno;
        for (int j = 0; j < 2 && failure == 0; j++) {
            if (ends[i][j] < 3) lift(&ends[i][j]);
            if (ends[i][j] < 0) failure = errno;
        }
    }
    pid_t parent = getpid();
    pid_t child = failure == 0 ? fork() : -1;
    if (child == 0) keep(path, arguments, (int[]){ends[0][0], ends[1][1], ends[2][1]}, ends[3][1], parent);
    if (failure == 0 && child < 0) failure = errno;
    if (ends[3][1] >= 0) close(ends[3][1]);
    if (child > 0) {
        setpgid(child, child);
        ssize_t count;
        do count = read(ends[3][0], &failure, sizeof failure);
        while (count < 0 && errno == EINTR);
        if (count != sizeof failure) failure = 0;
        if (failure != 0) {
            kill(child, END);
            waitpid(child, NULL, 0);
        } else {
            replace_program(0, child);
        }
    }
    if (ends[3][0] >= 0) close(ends[3][0]);
    for (int i = 0; i < 3; i++) {
        int ours = i == 0 ? 1 : 0;
        if (ends[i][1 - ours] >= 0) close(ends[i][1 - ours]);
        if (failure != 0 && ends[i][ours] >= 0) close(ends[i][ours]);
        descriptors[i] = failure == 0 ? ends[i][ours] : -1;
        if (failure == 0) fcntl(ends[i][ours], F_SETFL, O_NONBLOCK);
    }
    if (failure == 0) return child;
    errno = failure;
    return -1;
}

/// Whether an interactive program needs this environment variable. Variables that may contain keys are excluded.
static bool is_for_programs(const char *entry) {
    static const char *const names[] = {
        "PATH",          "HOME",          "USER",           "LOGNAME",         "SHELL",
        "LANG",          "LANGUAGE",      "TERM",           "COLORTERM",       "TMPDIR",
        "DISPLAY",       "XAUTHORITY",    "WAYLAND_DISPLAY", "BROWSER",        "DESKTOP_SESSION",
        "PULSE_SERVER",  "TZ",            "DBUS_SESSION_BUS_ADDRESS",
    };
    if (strncmp(entry, "LC_", 3) == 0 || strncmp(entry, "XDG_", 4) == 0) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(entry, names[i], length) == 0 && entry[length] == '=') return true;
    }
    return false;
}

int32_t cprocess_become(const char *path, char *const *arguments) {
    size_t count = 0;
    while (environ[count]) count++;
    char **environment = calloc(count + 1, sizeof *environment);
    if (!environment) return ENOMEM;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_for_programs(environ[i])) environment[kept++] = environ[i];
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Close all descriptors except the standard streams on exec.
    syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
    int failure;
    // ETXTBSY: another process may still hold a freshly written executable open.
    for (int tries = 0; tries < 10; tries++) {
        execve(path, arguments, environment);
        failure = errno;
        if (failure != ETXTBSY) break;
        usleep(20000);
    }
    free(environment);
    return failure;
}

int32_t cprocess_launch(const char *path, char *const *arguments) {
    const pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) {
        // Fork twice: the program is detached, and only the intermediate child is waited for.
        const pid_t program = fork();
        if (program == 0) {
            setsid();
            cprocess_become(path, arguments);
        }
        _exit(program < 0 ? 1 : 127 * (program == 0));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EAGAIN;
}

/// Whether the process is protected, and how many of its files other programs are to open.
static bool is_protected;
static int opened;

static bool is_secret(const char *entry) { return strncasecmp(entry, "YTHOST", 6) == 0; }

void cprocess_protect(void) {
    // The kernel shows the memory that the environment had at the start (/proc/PID/environ), not these copies.
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        char *copy = is_secret(*entry) ? strdup(*entry) : NULL;
        if (copy == NULL) continue;
        explicit_bzero(*entry, strlen(*entry));
        *entry = copy;
    }
    is_protected = true;
    prctl(PR_SET_DUMPABLE, 0);
}

void cprocess_open_files(bool begins) {
    int count = __sync_add_and_fetch(&opened, begins ? 1 : -1);
    if (is_protected) prctl(PR_SET_DUMPABLE, count > 0);
}

int32_t cprocess_memory_file(void) { return memfd_create("ythost", MFD_CLOEXEC); }
