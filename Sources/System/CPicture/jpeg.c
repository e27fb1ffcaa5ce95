// JPEG decoding with libturbojpeg, which can downscale while decoding.

#include <dlfcn.h>
#include <stdlib.h>
#include <turbojpeg.h>

#include "internal.h"

static struct {
    __typeof__(tjInitDecompress) *init;
    __typeof__(tjDecompressHeader3) *head;
    __typeof__(tjGetScalingFactors) *factors;
    __typeof__(tjDecompress2) *decompress;
    __typeof__(tjGetErrorCode) *error;
} turbo;

bool jpeg_load(void) {
    void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && picture_function(library, "tjInitDecompress", &turbo.init) &&
           picture_function(library, "tjDecompressHeader3", &turbo.head) &&
           picture_function(library, "tjGetScalingFactors", &turbo.factors) &&
           picture_function(library, "tjDecompress2", &turbo.decompress) &&
           picture_function(library, "tjGetErrorCode", &turbo.error);
}

/// Converts inverted CMYK, as written by photo programs, to RGBA in place.
static void print_to_light(uint8_t *pixels, size_t count) {
    for (uint8_t *at = pixels; at < pixels + count * 4; at += 4) {
        for (int i = 0; i < 3; i++) at[i] = (uint8_t)(at[i] * at[3] / 255);
        at[3] = 255;
    }
}

uint8_t *jpeg_decode(picture_job *job) {
    int width, height, sampling, colours, factor_count = 0;
    tjhandle handle = turbo.init();
    if (handle == NULL) return NULL;
    if (turbo.head(handle, job->bytes, job->count, &width, &height, &sampling, &colours) != 0) return NULL;
    job->width = width;
    job->height = height;
    if (width > 0 && height > 0 && (uint64_t)width > job->limit / (uint64_t)height) {
        job->problem = "it has too many pixels";
        return NULL;
    }
    // Choose the smallest scale that still has the requested size.
    tjscalingfactor *factors = turbo.factors(&factor_count);
    for (int i = 0; i < factor_count; i++) {
        int32_t across = TJSCALED(width, factors[i]), down = TJSCALED(height, factors[i]);
        if (across > job->width || across > width) continue;
        if (across >= job->most_width || down >= job->most_height) {
            job->width = across;
            job->height = down;
        }
    }
    uint8_t *pixels = picture_room(job);
    if (pixels == NULL) return NULL;
    bool is_print = colours == TJCS_CMYK || colours == TJCS_YCCK;
    int result = turbo.decompress(
        handle, job->bytes, job->count, pixels, job->width, 0, job->height, is_print ? TJPF_CMYK : TJPF_RGBA,
        TJFLAG_LIMITSCANS);
    // After a warning, at least part of the image was decoded.
    if (result != 0 && turbo.error(handle) != TJERR_WARNING) {
        free(pixels);
        return NULL;
    }
    if (is_print) print_to_light(pixels, (size_t)job->width * (size_t)job->height);
    return pixels;
}
