// Processes: the child that runs plugins, and the walls around it. Only what Swift cannot call itself is here.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes a child connected by a pair of sockets. In the parent `*socket` is its end and the child's id is returned; in
/// the child 0 is returned. -1 with errno when it cannot be had. No thread may exist but the caller.
int32_t cprocess_fork(int32_t *socket);

/// Walls that hold, as bits.
#define CPROCESS_LANDLOCK 1
#define CPROCESS_SECCOMP 2
#define CPROCESS_LIMITS 4
#define CPROCESS_ALL 7

/// Which walls this kernel has.
int32_t cprocess_walls(void);

/// Shuts the calling process in, for good: no file can be opened, no socket made, no process started, no memory made
/// executable but what a file it is handed holds; keeps no descriptor but the socket, and those that come through it;
/// forgets the environment; dies with its parent; leaves no core. The socket's number is above the standard ones.
///
/// `traps_loader`: the calls `openat` and `newfstatat` raise SIGSYS, for which there is a handler, instead of failing.
/// Returns the walls that stand.
int32_t cprocess_confine(int32_t socket, bool traps_loader);

/// Limits a child that was made a moment ago: `data` is how many bytes it may add to the memory it was made with, 0 for
/// no limit; `cpu` seconds of CPU time after which the kernel kills it, 0 for no limit. False when it is gone.
bool cprocess_limit(int32_t child, uint64_t data, uint64_t cpu);

/// A file in memory that other programs of the user may open as /proc/PID/fd/N; -1 and errno when there is none to be had.
int32_t cprocess_memory_file(void);

/// Has a child of `cprocess_fork` outlive its parent, unheard and unseen: signals of the terminal are not for it, and it
/// holds none of the standard streams. The socket's number is above these.
void cprocess_outlive(void);

/// Ends the process at once, without running anything of it.
_Noreturn void cprocess_exit(int32_t code);

/// Kills a child if it still runs and waits for it. Returns the signal that ended it, or 0; `*code` is its exit code.
int32_t cprocess_reap(int32_t child, bool kill_first, int32_t *code);

/// Waits for a child whose socket has closed, and kills it when it does not end by itself soon. Returns the signal that
/// ended it, or 0; `*seconds` is the CPU time it took, `*bytes` the most memory it had.
int32_t cprocess_reap_gone(int32_t child, double *seconds, uint64_t *bytes);

/// Waits until the socket can be read: 1; until the reader of `output` has gone: 2; until the time is over: 0; until
/// `wake` can be read: 4. Gives 3 when it was woken for nothing, and should be called again.
/// `output` and `wake` are -1 for none, `milliseconds` -1 for any time.
int32_t cprocess_wait(int32_t socket, int32_t output, int32_t wake, int32_t milliseconds);

/// Becomes another program, with this one's terminal and standard streams and no other descriptor, and of its environment
/// what a program with windows and sound needs. Returns errno when that does not come about.
int32_t cprocess_become(const char *path, char *const *arguments);

/// Starts a program as `cprocess_become` does, in a session of its own, and forgets it. Returns errno, or 0.
int32_t cprocess_launch(const char *path, char *const *arguments);

/// Starts a program in a group of its own, with an environment of PATH, LANG and HOME alone and no descriptors but three
/// pipes, whose other ends are given back: to its input, from its output, from its errors, none of which block. Returns
/// its id, or -1 with errno. The program is killed when the calling thread ends first.
int32_t cprocess_spawn(const char *path, char *const *arguments, int32_t descriptors[3]);

/// Kills a program, if it still runs, and whatever it started and left running.
void cprocess_end_program(int32_t child);

/// Does so with all programs that run. For signal handlers.
void cprocess_end_programs(void);

#endif
