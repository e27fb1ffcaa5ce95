// Undoes the codings that bodies have on the way, a block at a time: gzip (RFC 1952) with zlib, brotli (RFC 7932) with
// libbrotlidec. Both are libraries that libcurl brings along, so they are there where it is, and are opened when they
// are needed.

#ifndef CCODING_H
#define CCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CCODING_GZIP,
    CCODING_BROTLI,
} ccoding_name;

/// A stream being read.
typedef struct ccoding ccoding;

typedef enum {
    /// All input is used up, or the room for output is.
    CCODING_MORE = 0,
    /// The stream ended; a checksum, if it has one, is right.
    CCODING_END = 1,
    CCODING_CORRUPT = -1,
    CCODING_NO_MEMORY = -2,
} ccoding_status;

/// Whether the library can be opened.
bool ccoding_is_there(ccoding_name name);

/// NULL when there is no memory, or no library.
ccoding *ccoding_create(ccoding_name name);
void ccoding_free(ccoding *stream);

/// Begins another member of a gzip stream.
void ccoding_reset(ccoding *stream);

/// Takes input and gives output; `used` and `made` are bytes of each.
ccoding_status ccoding_next(
    ccoding *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made);

#endif
