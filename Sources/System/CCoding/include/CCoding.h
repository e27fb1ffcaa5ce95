// Streaming decoders for HTTP content codings: gzip (RFC 1952) with zlib, brotli (RFC 7932) with libbrotlidec. libcurl
// depends on both libraries, so they are installed wherever it is. They are loaded on first use.

#ifndef CCODING_H
#define CCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    CCODING_GZIP,
    CCODING_BROTLI,
} ccoding_name;

/// Decoder state of a stream.
typedef struct ccoding ccoding;

typedef enum {
    /// All input is consumed, or the output buffer is full.
    CCODING_MORE = 0,
    /// The stream is complete, and its checksum, if any, is correct.
    CCODING_END = 1,
    CCODING_CORRUPT = -1,
    CCODING_NO_MEMORY = -2,
} ccoding_status;

/// Whether the library can be loaded.
bool ccoding_is_there(ccoding_name name);

/// Returns NULL when out of memory or the library is missing.
ccoding *ccoding_create(ccoding_name name);
void ccoding_free(ccoding *stream);

/// Starts the next member of a gzip stream.
void ccoding_reset(ccoding *stream);

/// Decodes a block. `*used` and `*made` are the bytes consumed and produced.
ccoding_status ccoding_next(
    ccoding *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made);

#endif
