// Archive reading with libarchive, which is loaded on first use. The bytes are untrusted, so the process must be
// sandboxed before reading. Links, devices and pipes are reported but never followed or created.

#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library permanently. Returns false when it is not installed. A process must call this before it is
/// sandboxed.
bool carchive_load(void);

/// The Debian package that contains libarchive.
#define CARCHIVE_PACKAGE "libarchive13"

typedef struct carchive carchive;

/// Opens an archive: any tar variant or zip, uncompressed or compressed with gzip, bzip2, xz or zstd. The bytes must
/// stay valid until it is closed. Returns NULL when the library is missing or memory is short.
carchive *carchive_open(const void *bytes, size_t count);

void carchive_close(carchive *archive);

enum { CARCHIVE_FILE, CARCHIVE_FOLDER, CARCHIVE_LINK, CARCHIVE_OTHER };

/// Advances to the next entry. Returns 1 and sets `*kind` to one of the values above; 0 at the end; -1 on an error.
int32_t carchive_next(carchive *archive, int32_t *kind);

/// Path of the current entry, valid until the next one; NULL when it is missing or unreadable.
const char *carchive_path(carchive *archive);

/// Size of the entry in bytes; -1 when the archive does not state it in advance.
int64_t carchive_size(carchive *archive);

/// Reads up to `count` bytes of the entry. Returns 0 at its end and -1 on an error.
int64_t carchive_read(carchive *archive, void *bytes, size_t count);

/// The last error message, valid while the archive is open.
const char *carchive_reason(carchive *archive);

#endif
