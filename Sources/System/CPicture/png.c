// PNG decoding with libpng. For an animated PNG this is its still image.

#include <dlfcn.h>
#include <png.h>
#include <stdlib.h>

#include "internal.h"

static struct {
    __typeof__(png_image_begin_read_from_memory) *begin;
    __typeof__(png_image_finish_read) *finish;
} png;

bool png_load(void) {
    void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && picture_function(library, "png_image_begin_read_from_memory", &png.begin) &&
           picture_function(library, "png_image_finish_read", &png.finish);
}

uint8_t *png_decode(picture_job *job) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png.begin(&image, job->bytes, job->count)) return NULL;
    if (image.width > INT32_MAX || image.height > INT32_MAX) return NULL;
    job->width = (int32_t)image.width;
    job->height = (int32_t)image.height;
    uint8_t *pixels = picture_room(job);
    if (pixels == NULL) return NULL;
    image.format = PNG_FORMAT_RGBA;
    if (png.finish(&image, NULL, pixels, 0, NULL)) return pixels;
    free(pixels);
    return NULL;
}
