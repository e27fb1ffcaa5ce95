// The bundled sample library: sample.jsonl, embedded in the program as it stands in the repository.
// The bytes are not NUL-terminated; the length is all there is.

#ifndef C_SAMPLE_LIBRARY_H
#define C_SAMPLE_LIBRARY_H

#include <stddef.h>

/// The first byte of the lines: UTF-8, one record a line, each line ended by a line feed. Never freed, never changed.
const unsigned char *_Nonnull sample_library_bytes(void);

/// How many bytes there are.
size_t sample_library_length(void);

#endif
