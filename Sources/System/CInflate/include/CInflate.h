// Decompresses a stream a block at a time: gzip (RFC 1952), zlib (RFC 1950) and bare deflate (RFC 1951) with zlib, which
// is linked, and brotli (RFC 7932) with
// libbrotlidec, which libcurl depends on and which is opened when first needed.

#ifndef CINFLATE_H
#define CINFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CINFLATE_GZIP,
    CINFLATE_ZLIB,
    CINFLATE_DEFLATE,
    CINFLATE_BROTLI,
} cinflate_coding;

/// A stream being read: one gzip member, or one brotli stream.
typedef struct cinflate cinflate;

typedef enum {
    /// All input is used up, or the room for output is.
    CINFLATE_MORE = 0,
    /// The stream ended; its checksum, if it has one, is right.
    CINFLATE_END = 1,
    CINFLATE_CORRUPT = -1,
    CINFLATE_NO_MEMORY = -2,
} cinflate_status;

/// Whether the library for a coding can be opened.
bool cinflate_is_available(cinflate_coding coding);

/// NULL when there is no memory or no library.
cinflate *cinflate_create(cinflate_coding coding);
void cinflate_free(cinflate *stream);

/// Begins another member of a gzip stream.
void cinflate_reset(cinflate *stream);

/// Reads input and writes output; `used` and `made` are the bytes of each.
cinflate_status cinflate_next(
    cinflate *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made);

/// Why the data is corrupt, as the library words it; never NULL.
const char *cinflate_reason(const cinflate *stream);

#endif
