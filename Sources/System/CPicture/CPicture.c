// Image decoding: the table of formats, allocation and downscaling. The image size in a header is untrusted and is
// checked before allocation.

#include "CPicture.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const struct {
    bool (*load)(void);
    uint8_t *(*decode)(picture_job *);
    const char *package;
} formats[] = {
    [CPICTURE_JPEG] = {jpeg_load, jpeg_decode, "libturbojpeg0"},
    [CPICTURE_PNG] = {png_load, png_decode, "libpng16-16"},
    [CPICTURE_GIF] = {gif_load, gif_decode, "libgif7"},
    [CPICTURE_WEBP] = {webp_load, webp_decode, "libwebpdemux2"},
};
enum { FORMATS = sizeof formats / sizeof *formats };
static bool is_there[FORMATS];

void cpicture_load(void) {
    for (int i = 0; i < FORMATS; i++) is_there[i] = is_there[i] || formats[i].load();
}

const char *cpicture_package(int32_t kind) { return formats[kind].package; }

bool picture_function(void *library, const char *name, void *place) {
    void *function = dlsym(library, name);
    if (function == NULL) return false;
    memcpy(place, &function, sizeof function);
    return true;
}

uint8_t *picture_room(picture_job *job) {
    if (job->width < 1 || job->height < 1) {
        job->problem = "it has no size";
        return NULL;
    }
    if ((uint64_t)job->width > job->limit / (uint64_t)job->height) {
        job->problem = "it has too many pixels";
        return NULL;
    }
    uint8_t *room = calloc((size_t)job->width * (size_t)job->height, 4);
    if (room == NULL) job->problem = "it takes too much memory";
    return room;
}

/// Downscales in place by averaging, with colours weighted by alpha.
static void shrink(uint8_t *pixels, int32_t width, int32_t height, int32_t to_width, int32_t to_height) {
    for (int64_t y = 0; y < to_height; y++) {
        int64_t top = y * height / to_height, bottom = (y + 1) * height / to_height;
        for (int64_t x = 0; x < to_width; x++) {
            int64_t left = x * width / to_width, right = (x + 1) * width / to_width;
            uint64_t sums[3] = {0, 0, 0}, alpha = 0;
            for (int64_t v = top; v < bottom; v++) {
                const uint8_t *from = pixels + (v * width + left) * 4;
                for (int64_t u = left; u < right; u++, from += 4) {
                    for (int i = 0; i < 3; i++) sums[i] += (uint64_t)from[i] * from[3];
                    alpha += from[3];
                }
            }
            uint64_t count = (uint64_t)((bottom - top) * (right - left));
            // Output is always written before the input that is still unread.
            uint8_t *to = pixels + (y * to_width + x) * 4;
            for (int i = 0; i < 3; i++) to[i] = alpha == 0 ? 0 : (uint8_t)((sums[i] + alpha / 2) / alpha);
            to[3] = (uint8_t)((alpha + count / 2) / count);
        }
    }
}

uint8_t *cpicture_decode(
    int32_t kind, const uint8_t *bytes, size_t count, uint64_t limit, int32_t most_width, int32_t most_height,
    int32_t *width, int32_t *height, const char **problem
) {
    picture_job job = {bytes, count, limit, most_width, most_height, 0, 0, NULL};
    *problem = NULL;
    if (kind < 0 || kind >= FORMATS || !is_there[kind]) return NULL;
    uint8_t *pixels = formats[kind].decode(&job);
    if (pixels == NULL) {
        *problem = job.problem != NULL ? job.problem : "it is damaged";
        return NULL;
    }
    int64_t to_width = job.width, to_height = job.height;
    if (to_width > most_width) {
        to_height = to_height * most_width / to_width;
        to_width = most_width;
    }
    if (to_height > most_height) {
        to_width = to_width * most_height / to_height;
        to_height = most_height;
    }
    *width = (int32_t)(to_width > 0 ? to_width : 1);
    *height = (int32_t)(to_height > 0 ? to_height : 1);
    if (*width != job.width || *height != job.height) shrink(pixels, job.width, job.height, *width, *height);
    return pixels;
}
