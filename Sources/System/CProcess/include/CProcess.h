// Process control and sandboxing that Swift cannot do itself.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Forks a child connected by a socket pair. Returns the child's id in the parent and 0 in the child, and stores each
/// side's end in `*socket`. Returns -1 and sets errno on failure. The process must have a single thread.
int32_t cprocess_fork(int32_t *socket);

/// Sandbox features, as bits.
#define CPROCESS_LANDLOCK 1
#define CPROCESS_SECCOMP 2
#define CPROCESS_LIMITS 4
#define CPROCESS_ALL 7

/// The sandbox features that this kernel supports.
int32_t cprocess_walls(void);

/// Sandboxes the calling process permanently. It cannot open files, create sockets or start processes, and only files
/// it was given can be mapped executable. All descriptors except the socket are closed (more may arrive through it),
/// the environment is cleared, it dies with its parent and writes no core dump. The socket must be above the standard
/// descriptors.
///
/// `traps_loader`: `openat` and `newfstatat` raise SIGSYS, to be handled by a signal handler, instead of failing.
/// Returns the sandbox features that are active.
int32_t cprocess_confine(int32_t socket, bool traps_loader);

/// Limits a newly forked child. `data` is how many bytes it may allocate beyond its size at the fork, `cpu` the CPU
/// time in seconds after which the kernel kills it; 0 means no limit. Returns false when the child is gone.
bool cprocess_limit(int32_t child, uint64_t data, uint64_t cpu);

/// Hides this process from other programs of the user: its memory cannot be read or traced, and the environment that
/// /proc shows has no key. Call this first in a process.
void cprocess_protect(void);

/// Lets other programs of the user open this process's files below /proc/PID/fd, until called with false as often.
void cprocess_open_files(bool begins);

/// Creates a memory file that the user's other programs can open as /proc/PID/fd/N. Returns -1 and sets errno on
/// failure.
int32_t cprocess_memory_file(void);

/// Lets a child of `cprocess_fork` outlive its parent as a daemon: a new session, terminal signals ignored, standard
/// streams closed. The socket must be above the standard descriptors.
void cprocess_outlive(void);

/// Ends the process immediately, without cleanup.
_Noreturn void cprocess_exit(int32_t code);

/// Waits for a child, killing it first if requested. Returns the signal that ended it, or 0; `*code` is its exit code.
int32_t cprocess_reap(int32_t child, bool kill_first, int32_t *code);

/// Waits for a child whose socket has closed, and kills it if it does not exit soon. Returns the signal that ended it,
/// or 0; `*seconds` is its CPU time, `*bytes` its peak memory.
int32_t cprocess_reap_gone(int32_t child, double *seconds, uint64_t *bytes);

/// Waits for an event. Returns 1 when the socket is readable, 2 when the reader of `output` is gone, 4 when `wake` is
/// readable, 0 on the timeout, and 3 on a spurious wakeup, after which the caller should retry. `output` and `wake` may
/// be -1 for none; `milliseconds` -1 means no timeout.
int32_t cprocess_wait(int32_t socket, int32_t output, int32_t wake, int32_t milliseconds);

/// Replaces this process by another program, with the same terminal and standard streams, no other descriptors, and
/// only the environment variables that graphical and audio programs need. Returns errno on failure.
int32_t cprocess_become(const char *path, char *const *arguments);

/// Starts a program with the environment of `cprocess_become`, detached in a new session. Returns 0 or an errno.
int32_t cprocess_launch(const char *path, char *const *arguments);

/// Starts a program in its own process group, with only PATH, LANG and HOME in its environment and no descriptors
/// except three pipes. `descriptors` receives the non-blocking ends for its stdin, stdout and stderr. Returns the id of
/// its keeper, or -1 and sets errno. The keeper is a child that exits as the program does (128 and the number of the
/// signal that ended it), but not before `cprocess_finish_program` or `cprocess_end_program`. Everything that the
/// program started ends with it, also in other sessions, and when the calling thread ends first.
int32_t cprocess_spawn(const char *path, char *const *arguments, int32_t descriptors[3]);

/// Writes to a program's input. Like write(2), but raises no SIGPIPE when the program has closed it.
ssize_t cprocess_feed(int32_t descriptor, const void *bytes, size_t count);

/// Kills a program and everything that it started.
void cprocess_end_program(int32_t child);

/// Kills what a program started and left, when the program has ended by itself.
void cprocess_finish_program(int32_t child);

/// Call this when the keeper of a program was waited for.
void cprocess_forget_program(int32_t child);

/// Kills all running programs and everything that they started. Async-signal-safe.
void cprocess_end_programs(void);

#endif
