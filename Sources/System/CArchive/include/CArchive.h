// Archives, through libarchive, which is opened by name when the first one is read. The bytes are a stranger's: a
// process that reads them has shut itself in before. Links, devices and pipes are told and never followed or made.

#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens the library, for good; false when it is not installed. A process that may open no file calls it before.
bool carchive_load(void);

/// The Debian package that has it.
#define CARCHIVE_PACKAGE "libarchive13"

typedef struct carchive carchive;

/// Begins to read: tar in all its forms and zip, packed with gzip, bzip2, xz, zstd or not at all. The bytes must stay
/// until it is closed. NULL when there is no library or no memory.
carchive *carchive_open(const void *bytes, size_t count);

void carchive_close(carchive *archive);

enum { CARCHIVE_FILE, CARCHIVE_FOLDER, CARCHIVE_LINK, CARCHIVE_OTHER };

/// Goes to the next entry: 1, and `*kind` is one of the above; 0 at the end; -1 when the archive cannot be read on.
int32_t carchive_next(carchive *archive, int32_t *kind);

/// The entry's path, as long as it is the current one; NULL when it has none that can be read.
const char *carchive_path(carchive *archive);

/// How many bytes the entry has; -1 where the archive does not say so before them.
int64_t carchive_size(carchive *archive);

/// The next bytes of the entry, at most so many; 0 at its end, -1 when it cannot be read on.
int64_t carchive_read(carchive *archive, void *bytes, size_t count);

/// Why something failed, as long as the archive is open.
const char *carchive_reason(carchive *archive);

#endif
