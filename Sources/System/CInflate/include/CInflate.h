// Streaming gzip decompression with zlib.

#ifndef CINFLATE_H
#define CINFLATE_H

#include <stddef.h>
#include <stdint.h>

/// Decompression state of a gzip member.
typedef struct cinflate cinflate;

typedef enum {
    /// All input is consumed, or the output buffer is full.
    CINFLATE_MORE = 0,
    /// The member is complete and its checksum is correct.
    CINFLATE_END = 1,
    CINFLATE_CORRUPT = -1,
    CINFLATE_NO_MEMORY = -2,
} cinflate_status;

/// Returns NULL when out of memory.
cinflate *cinflate_create(void);
void cinflate_free(cinflate *stream);

/// Starts the next member.
void cinflate_reset(cinflate *stream);

/// Decompresses a block. `*used` and `*made` are the bytes consumed and produced.
cinflate_status cinflate_next(
    cinflate *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made);

/// zlib's error message; never NULL.
const char *cinflate_reason(const cinflate *stream);

#endif
