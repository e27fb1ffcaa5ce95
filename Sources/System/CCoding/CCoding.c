// zlib and brotli, loaded with dlopen. The brotli prototypes match brotli/decode.h (1.0). zlib counts in `unsigned
// int`, so larger blocks are passed in parts.

#include "CCoding.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include <zlib.h>

typedef struct brotli_state brotli_state;

static struct {
    int (*init)(z_stream *stream, int window_bits, const char *version, int size);
    int (*inflate)(z_stream *stream, int flush);
    int (*reset)(z_stream *stream);
    int (*end)(z_stream *stream);
} gzip;

static struct {
    brotli_state *(*create)(void *allocate, void *release, void *context);
    void (*destroy)(brotli_state *state);
    int (*decompress)(
        brotli_state *state, size_t *input_count, const uint8_t **input, size_t *output_count, uint8_t **output,
        size_t *total);
} brotli;

/// Values of BrotliDecoderResult.
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };

/// Gzip format only, with the maximum window.
static const int window_bits = 15 + 16;

struct ccoding {
    z_stream gzip;
    /// NULL for gzip.
    brotli_state *brotli;
};

static void open_libraries(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        *(void **)&gzip.init = dlsym(library, "inflateInit2_");
        *(void **)&gzip.inflate = dlsym(library, "inflate");
        *(void **)&gzip.reset = dlsym(library, "inflateReset");
        *(void **)&gzip.end = dlsym(library, "inflateEnd");
    }
    library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        *(void **)&brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
        *(void **)&brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
        *(void **)&brotli.decompress = dlsym(library, "BrotliDecoderDecompressStream");
    }
}

bool ccoding_is_there(ccoding_name name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_libraries);
    if (name == CCODING_GZIP) {
        return gzip.init != NULL && gzip.inflate != NULL && gzip.reset != NULL && gzip.end != NULL;
    }
    return brotli.create != NULL && brotli.destroy != NULL && brotli.decompress != NULL;
}

ccoding *ccoding_create(ccoding_name name) {
    if (!ccoding_is_there(name)) return NULL;
    ccoding *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    bool is_ready;
    if (name == CCODING_GZIP) {
        is_ready = gzip.init(&made->gzip, window_bits, ZLIB_VERSION, (int)sizeof made->gzip) == Z_OK;
    } else {
        made->brotli = brotli.create(NULL, NULL, NULL);
        is_ready = made->brotli != NULL;
    }
    if (is_ready) return made;
    free(made);
    return NULL;
}

void ccoding_free(ccoding *stream) {
    if (stream == NULL) return;
    if (stream->brotli != NULL) brotli.destroy(stream->brotli);
    else gzip.end(&stream->gzip);
    free(stream);
}

void ccoding_reset(ccoding *stream) { gzip.reset(&stream->gzip); }

static ccoding_status gzip_next(
    z_stream *z, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made) {
    z->next_in = (Bytef *)(uintptr_t)input;
    z->avail_in = input_count > UINT_MAX ? UINT_MAX : (uInt)input_count;
    z->next_out = output;
    z->avail_out = output_count > UINT_MAX ? UINT_MAX : (uInt)output_count;
    const uInt in_before = z->avail_in;
    const uInt out_before = z->avail_out;
    const int code = gzip.inflate(z, Z_NO_FLUSH);
    *used = in_before - z->avail_in;
    *made = out_before - z->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: return CCODING_MORE;
    case Z_STREAM_END: return CCODING_END;
    case Z_MEM_ERROR: return CCODING_NO_MEMORY;
    default: return CCODING_CORRUPT;
    }
}

ccoding_status ccoding_next(
    ccoding *stream, const uint8_t *input, size_t input_count, size_t *used, uint8_t *output, size_t output_count,
    size_t *made) {
    if (stream->brotli == NULL) {
        return gzip_next(&stream->gzip, input, input_count, used, output, output_count, made);
    }
    size_t input_left = input_count, output_left = output_count;
    const int result = brotli.decompress(stream->brotli, &input_left, &input, &output_left, &output, NULL);
    *used = input_count - input_left;
    *made = output_count - output_left;
    switch (result) {
    case BROTLI_ERROR: return CCODING_CORRUPT;
    case BROTLI_SUCCESS: return CCODING_END;
    default: return CCODING_MORE;
    }
}
