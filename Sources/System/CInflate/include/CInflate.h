// Inflates gzip data with zlib, a block at a time.

#ifndef CINFLATE_H
#define CINFLATE_H

#include <stddef.h>
#include <stdint.h>

/// A gzip member being read.
typedef struct cinflate cinflate;

typedef enum {
    /// All input is used up, or the room for output is.
    CINFLATE_MORE = 0,
    /// The member ended, and its checksum is right.
    CINFLATE_END = 1,
    CINFLATE_CORRUPT = -1,
    CINFLATE_NO_MEMORY = -2,
} cinflate_status;

/// NULL when there is no memory.
cinflate *cinflate_create(void);
void cinflate_free(cinflate *stream);

/// Begins another member.
void cinflate_reset(cinflate *stream);

/// Takes input and gives output; `used` and `made` are bytes of each.
cinflate_status cinflate_next(
    cinflate *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made);

/// zlib's words for what is corrupt, never NULL.
const char *cinflate_reason(const cinflate *stream);

#endif
