// The prototypes of brotli are those of brotli/decode.h (1.0). zlib counts in `unsigned int`, so larger blocks are passed in
// parts.

#define _LARGEFILE64_SOURCE 1  // gzopen64

#include "CInflate.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include <zlib.h>

typedef struct brotli_state brotli_state;

static struct {
    brotli_state *(*create)(void *allocate, void *release, void *context);
    void (*destroy)(brotli_state *state);
    int (*decompress)(
        brotli_state *state, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output,
        size_t *total);
} brotli;

/// BrotliDecoderResult.
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

/// As inflateInit2 has them, with the largest window: 16 more for gzip, negative for bare deflate.
static const int window_bits[] = {[CINFLATE_GZIP] = 15 + 16, [CINFLATE_ZLIB] = 15, [CINFLATE_DEFLATE] = -15};

struct cinflate {
    z_stream zlib;
    /// NULL for all others.
    brotli_state *brotli;
};

static void open_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    *(void **)&brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
    *(void **)&brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
    *(void **)&brotli.decompress = dlsym(library, "BrotliDecoderDecompressStream");
}

bool cinflate_is_available(cinflate_coding coding) {
    if (coding != CINFLATE_BROTLI) return true;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_brotli);
    return brotli.create != NULL && brotli.destroy != NULL && brotli.decompress != NULL;
}

cinflate *cinflate_create(cinflate_coding coding) {
    if (!cinflate_is_available(coding)) return NULL;
    cinflate *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    bool is_ready;
    if (coding != CINFLATE_BROTLI) {
        is_ready = inflateInit2(&made->zlib, window_bits[coding]) == Z_OK;
    } else {
        made->brotli = brotli.create(NULL, NULL, NULL);
        is_ready = made->brotli != NULL;
    }
    if (is_ready) return made;
    free(made);
    return NULL;
}

void cinflate_free(cinflate *stream) {
    if (stream == NULL) return;
    if (stream->brotli != NULL) brotli.destroy(stream->brotli);
    else inflateEnd(&stream->zlib);
    free(stream);
}

void cinflate_reset(cinflate *stream) { inflateReset(&stream->zlib); }

static cinflate_status zlib_next(
    z_stream *z, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made) {
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

cinflate_status cinflate_next(
    cinflate *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made) {
    if (stream->brotli == NULL) {
        return zlib_next(&stream->zlib, input, input_count, used, output, output_count, made);
    }
    size_t input_left = input_count, output_left = output_count;
    const int result = brotli.decompress(stream->brotli, &input_left, &input, &output_left, &output, NULL);
    *used = input_count - input_left;
    *made = output_count - output_left;
    switch (result) {
    case BROTLI_ERROR: return CINFLATE_CORRUPT;
    case BROTLI_SUCCESS: return CINFLATE_END;
    default: return CINFLATE_MORE;
    }
}

/// What libxml2 uses of zlib. Its archive follows zlib's on the linker's line, too late for members that nothing before it
/// refers to.
__attribute__((used)) static void (*const for_libxml2[])(void) = {
    (void (*)(void))crc32,        (void (*)(void))deflate,      (void (*)(void))deflateEnd,
    (void (*)(void))deflateInit2_, (void (*)(void))gzclose,      (void (*)(void))gzdirect,
    (void (*)(void))gzdopen,      (void (*)(void))gzopen64,
    (void (*)(void))gzread,       (void (*)(void))gzwrite,      (void (*)(void))inflateReset,
};

const char *cinflate_reason(const cinflate *stream) {
    return stream->zlib.msg != NULL ? stream->zlib.msg : "the data is corrupt";
}
