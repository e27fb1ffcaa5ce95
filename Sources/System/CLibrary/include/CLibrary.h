// Libraries of the system that are opened by name when they are first needed, also in a process that may open no file:
// there the loader's calls are caught, and its parent is asked for the file. What is easily got wrong: the process that
// asks may be taken over, so the parent hands out what is on the list below and nothing else, whatever it is asked.

#ifndef CLIBRARY_H
#define CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Adding a library is adding a row here and to the list in CLibrary.c, with the libraries it needs itself.
typedef enum {
    CLIBRARY_SIMDJSON,
} clibrary_name;

/// Opens a library, for good. NULL when it cannot be had.
void *clibrary_open(clibrary_name library);

/// The file's name, such as libsimdjson.so.14.
const char *clibrary_file(clibrary_name library);

/// The Debian package that has it.
const char *clibrary_package(clibrary_name library);

// ---- in a process that will be shut in

/// Has `clibrary_open` ask the parent for files from now on, where seccomp answers the calls `openat` and `newfstatat`
/// with a signal. At any other time than inside `clibrary_open` these calls fail with EPERM, as others do.
///
/// A request is one message: the byte `kind`, four bytes of zero, four of the name's length, least first, and the name
/// of the file. The answer is nine bytes, whose content does not matter, with the descriptor if there is one.
bool clibrary_ask(int32_t socket, uint8_t kind);

/// Has a function called before a library is opened. It reads what lies in the socket and was sent unasked, so that the
/// next thing that comes is the answer.
void clibrary_prepare(void (*function)(void *context), void *context);

// ---- in its parent

/// Opens a file of the list for reading, by its name without a folder: one of the loader's standard folders, a regular
/// file that root owns and nobody else may write. -1 for any other name, and where there is no such file.
int32_t clibrary_find(const uint8_t *name, size_t length);

// ---- on both sides

/// Reads bytes that `clibrary_send` sent. `*descriptor` is the one that came with them, else left alone. False when the
/// other side is gone. May run in a signal handler.
bool clibrary_receive(int32_t socket, uint8_t *bytes, size_t count, int32_t *descriptor);

/// Sends bytes and, unless it is -1, a descriptor. False when the other side is gone.
bool clibrary_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor);

#ifdef __cplusplus
}
#endif

#endif
