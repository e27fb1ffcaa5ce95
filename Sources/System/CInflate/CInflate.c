// gzip decompression with zlib. zlib counts in `unsigned int`, so larger blocks are passed in parts.

#include "CInflate.h"

#include <limits.h>
#include <stdlib.h>

#include <zlib.h>

struct cinflate {
    z_stream stream;
};

/// Gzip format only, with the maximum window.
static const int window_bits = 15 + 16;

cinflate *cinflate_create(void) {
    cinflate *made = calloc(1, sizeof *made);
    if (made != NULL && inflateInit2(&made->stream, window_bits) != Z_OK) {
        free(made);
        made = NULL;
    }
    return made;
}

void cinflate_free(cinflate *stream) {
    if (stream == NULL) return;
    inflateEnd(&stream->stream);
    free(stream);
}

void cinflate_reset(cinflate *stream) { inflateReset(&stream->stream); }

cinflate_status cinflate_next(
    cinflate *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made) {
    z_stream *z = &stream->stream;
    z->next_in = (Bytef *)(uintptr_t)input;
    z->avail_in = input_count > UINT_MAX ? UINT_MAX : (uInt)input_count;
    z->next_out = output;
    z->avail_out = output_count > UINT_MAX ? UINT_MAX : (uInt)output_count;
    const uInt in_before = z->avail_in;
    const uInt out_before = z->avail_out;
    const int code = inflate(z, Z_NO_FLUSH);
    *used = in_before - z->avail_in;
    *made = out_before - z->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: return CINFLATE_MORE;
    case Z_STREAM_END: return CINFLATE_END;
    case Z_MEM_ERROR: return CINFLATE_NO_MEMORY;
    default: return CINFLATE_CORRUPT;
    }
}

const char *cinflate_reason(const cinflate *stream) {
    return stream->stream.msg != NULL ? stream->stream.msg : "the data is corrupt";
}
