// WebP decoding with libwebp and libwebpdemux (for animations).

#include <dlfcn.h>
#include <stdlib.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "internal.h"

static struct {
    __typeof__(WebPDemuxInternal) *demux;
    __typeof__(WebPDemuxGetFrame) *frame;
    __typeof__(WebPGetInfo) *info;
    __typeof__(WebPDecodeRGBAInto) *decode;
} webp;

bool webp_load(void) {
    void *frames = dlopen("libwebpdemux.so.2", RTLD_NOW | RTLD_LOCAL);
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    return frames != NULL && library != NULL && picture_function(frames, "WebPDemuxInternal", &webp.demux) &&
           picture_function(frames, "WebPDemuxGetFrame", &webp.frame) &&
           picture_function(library, "WebPGetInfo", &webp.info) &&
           picture_function(library, "WebPDecodeRGBAInto", &webp.decode);
}

uint8_t *webp_decode(picture_job *job) {
    WebPData data = {job->bytes, job->count};
    WebPDemuxer *demuxer = webp.demux(&data, 0, NULL, WEBP_DEMUX_ABI_VERSION);
    WebPIterator first;
    if (demuxer == NULL || !webp.frame(demuxer, 1, &first)) return NULL;
    int width, height;
    if (!webp.info(first.fragment.bytes, first.fragment.size, &width, &height)) return NULL;
    job->width = width;
    job->height = height;
    uint8_t *pixels = picture_room(job);
    if (pixels == NULL) return NULL;
    size_t row = (size_t)width * 4;
    if (webp.decode(first.fragment.bytes, first.fragment.size, pixels, row * (size_t)height, (int)row) != NULL) return pixels;
    free(pixels);
    return NULL;
}
