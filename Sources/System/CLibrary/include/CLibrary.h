// System libraries loaded on first use, also in a sandboxed process that cannot open files: there the loader's calls
// are trapped, and the parent supplies the file. The sandboxed process may be compromised, so the parent opens only
// files on the list below.

#ifndef CLIBRARY_H
#define CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// To add a library, add a row here and in CLibrary.c, including its own dependencies.
typedef enum {
    CLIBRARY_SIMDJSON,
} clibrary_name;

/// Loads a library permanently. Returns NULL when it is not available.
void *clibrary_open(clibrary_name library);

/// The file's name, such as libsimdjson.so.14.
const char *clibrary_file(clibrary_name library);

/// The Debian package that contains it.
const char *clibrary_package(clibrary_name library);

// ---- in a process before it is sandboxed

/// Installs the SIGSYS handler, so that `clibrary_open` requests files from the parent where seccomp traps `openat` and
/// `newfstatat`. Outside `clibrary_open` these calls fail with EPERM.
///
/// A request is one message: the byte `kind`, four zero bytes, the length of the name in four bytes (little-endian),
/// and the file name. The reply is nine bytes, whose content is ignored, with a descriptor if the file exists.
bool clibrary_ask(int32_t socket, uint8_t kind);

/// Sets a function to call before a library is loaded. It must read pushed messages that are pending in the socket, so
/// that the next message is the reply to the file request.
void clibrary_prepare(void (*function)(void *context), void *context);

// ---- in its parent

/// Opens a listed file for reading, by its name without a folder. It must be a regular file in one of the loader's
/// standard folders, owned by root and not writable by others. Returns -1 for any other name or when there is no such
/// file.
int32_t clibrary_find(const uint8_t *name, size_t length);

// ---- on both sides

/// Receives bytes from `clibrary_send`. `*descriptor` is set if one was passed and left unchanged otherwise. Returns
/// false when the peer has closed the socket. Async-signal-safe.
bool clibrary_receive(int32_t socket, uint8_t *bytes, size_t count, int32_t *descriptor);

/// Sends bytes, with a descriptor unless it is -1. Returns false when the peer has closed the socket.
bool clibrary_send(int32_t socket, const uint8_t *bytes, size_t count, int32_t descriptor);

#ifdef __cplusplus
}
#endif

#endif
