// The list of loadable libraries, and both sides of passing their files to a sandboxed process. The signal handler runs
// inside the dynamic loader, which holds its locks, so it may only use system calls.

#define _GNU_SOURCE

#include "CLibrary.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// ---- the list

static const struct {
    const char *file;
    const char *package;
} libraries[] = {
    [CLIBRARY_SIMDJSON] = {"libsimdjson.so.14", "libsimdjson14"},
};

/// Dependencies of those libraries. The C library is already loaded.
static const char *const needed[] = {"libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"};

enum { LIBRARY_COUNT = sizeof libraries / sizeof libraries[0], NEEDED_COUNT = sizeof needed / sizeof needed[0] };

static bool same(const char *listed, const uint8_t *name, size_t length) {
    return strlen(listed) == length && memcmp(listed, name, length) == 0;
}

static bool is_listed(const uint8_t *name, size_t length) {
    for (size_t i = 0; i < LIBRARY_COUNT; i++) {
        if (same(libraries[i].file, name, length)) return true;
    }
    for (size_t i = 0; i < NEEDED_COUNT; i++) {
        if (same(needed[i], name, length)) return true;
    }
    return false;
}

const char *clibrary_file(clibrary_name library) { return libraries[library].file; }
const char *clibrary_package(clibrary_name library) { return libraries[library].package; }

/// Set while this thread is inside `clibrary_open`, so that only the loader's calls are handled.
static _Thread_local volatile sig_atomic_t opening;

static void (*prepare)(void *context);
static void *prepare_context;

void clibrary_prepare(void (*function)(void *context), void *context) {
    prepare = function;
    prepare_context = context;
}

void *clibrary_open(clibrary_name library) {
    if (prepare != NULL) prepare(prepare_context);
    opening++;
    void *handle = dlopen(libraries[library].file, RTLD_NOW | RTLD_LOCAL);
    opening--;
    return handle;
}

/// Control data space for one descriptor.
typedef union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} one_descriptor;

bool clibrary_receive(int32_t socket, uint8_t *bytes, size_t count, int32_t *descriptor) {
    for (size_t filled = 0; filled < count;) {
        struct iovec into = {bytes + filled, count - filled};
        one_descriptor room;
        struct msghdr message = {
            .msg_iov = &into, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
        ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        filled += (size_t)got;
        struct cmsghdr *control = CMSG_FIRSTHDR(&message);
        if (control != NULL && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS) {
            memcpy(descriptor, CMSG_DATA(control), sizeof *descriptor);
        }
    }
    return true;
}

// ---- in a sandboxed process

#if defined(__x86_64__)
#define CALL_ARGUMENT(context, n)                                                                                   \
    ((context)->uc_mcontext.gregs[(n) == 0 ? REG_RDI : (n) == 1 ? REG_RSI : (n) == 2 ? REG_RDX : REG_R10])
#define CALL_RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define CALL_ARGUMENT(context, n) ((context)->uc_mcontext.regs[n])
#define CALL_RESULT(context) ((context)->uc_mcontext.regs[0])
#endif

#ifdef CALL_RESULT
static int asked_socket = -1;
static uint8_t asked_kind;

static bool send_all(const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(asked_socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

/// Requests a file from the parent. Returns its descriptor or a negative error number.
static int ask(const char *name, size_t length) {
    uint8_t start[9] = {asked_kind, 0, 0, 0, 0, (uint8_t)length};
    if (!send_all(start, sizeof start) || !send_all((const uint8_t *)name, length)) return -EPIPE;
    uint8_t answer[sizeof start];
    int32_t found = -ENOENT;
    return clibrary_receive(asked_socket, answer, sizeof answer, &found) ? found : -EPIPE;
}

/// Emulates the loader's `openat`. A listed file is found by its name, whatever folder the loader tries; the parent
/// knows the real folders. CPU-specific variants (glibc-hwcaps) are skipped.
static long open_for_loader(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(name);
    if (strstr(path, "/glibc-hwcaps/") != NULL || !is_listed((const uint8_t *)name, length)) return -ENOENT;
    return ask(name, length);
}

static void answer_call(int signal, siginfo_t *information, void *place) {
    (void)signal;
    if (information->si_code <= 0) return;  // sent by a process, not by the kernel
    int before = errno;
    ucontext_t *context = place;
    long result = -EPERM;
    if (opening) {
        const char *path = (const char *)CALL_ARGUMENT(context, 1);
        if (information->si_syscall == SYS_openat) {
            result = open_for_loader(path);
        } else if (information->si_syscall == SYS_newfstatat) {
            // Some versions of the C library implement `fstat` this way.
            bool is_descriptor = path[0] == '\0' && (CALL_ARGUMENT(context, 3) & AT_EMPTY_PATH) != 0;
            result = -ENOENT;
            if (is_descriptor) {
                result = syscall(SYS_fstat, (int)CALL_ARGUMENT(context, 0), (void *)CALL_ARGUMENT(context, 2));
                if (result < 0) result = -errno;
            }
        }
    }
    CALL_RESULT(context) = result;
    errno = before;
}

bool clibrary_ask(int32_t socket, uint8_t kind) {
    asked_socket = socket;
    asked_kind = kind;
    struct sigaction action = {.sa_sigaction = answer_call, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGSYS);
    return sigaction(SIGSYS, &action, NULL) == 0 && sigprocmask(SIG_UNBLOCK, &caught, NULL) == 0;
}
#else
bool clibrary_ask(int32_t socket, uint8_t kind) {
    (void)socket, (void)kind;
    return false;
}
#endif

// ---- in its parent

static const char *const folders[] = {
#if defined(__x86_64__)
    "/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/",
#elif defined(__aarch64__)
    "/lib/aarch64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/",
#endif
    "/lib64/", "/usr/lib64/", "/lib/", "/usr/lib/",
};

int32_t clibrary_find(const uint8_t *name, size_t length) {
    if (!is_listed(name, length)) return -1;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[128];
        size_t start = strlen(folders[i]);
        if (start + length >= sizeof path) continue;
        memcpy(path, folders[i], start);
        memcpy(path + start, name, length);
        path[start + length] = '\0';
        int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file < 0) continue;
        struct stat status;
        if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0 &&
            (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
            return file;
        }
        close(file);
    }
    return -1;
}

bool clibrary_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor) {
    one_descriptor room;
    struct iovec from = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &from, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&room, 0, sizeof room);
        room.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&room.header), &descriptor, sizeof(int));
        message.msg_control = room.bytes;
        message.msg_controllen = sizeof room.bytes;
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    // A stream socket may accept only a part; the descriptor is sent with the first part.
    for (size_t done = sent > 0 ? (size_t)sent : 0; sent > 0 && done < count; done += (size_t)sent) {
        do sent = send(socket, bytes + done, count - done, MSG_NOSIGNAL);
        while (sent < 0 && errno == EINTR);
    }
    return sent > 0;
}
