// GIF decoding with giflib: the first frame, placed on its logical screen.

#include <dlfcn.h>
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static struct {
    __typeof__(DGifOpen) *open;
    __typeof__(DGifGetRecordType) *record;
    __typeof__(DGifGetImageDesc) *frame;
    __typeof__(DGifGetLine) *line;
    __typeof__(DGifGetExtension) *extension;
    __typeof__(DGifGetExtensionNext) *next;
} gif;

bool gif_load(void) {
    void *library = dlopen("libgif.so.7", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && picture_function(library, "DGifOpen", &gif.open) &&
           picture_function(library, "DGifGetRecordType", &gif.record) &&
           picture_function(library, "DGifGetImageDesc", &gif.frame) &&
           picture_function(library, "DGifGetLine", &gif.line) &&
           picture_function(library, "DGifGetExtension", &gif.extension) &&
           picture_function(library, "DGifGetExtensionNext", &gif.next);
}

typedef struct {
    const uint8_t *bytes;
    size_t left;
} reader;

static int read_bytes(GifFileType *file, GifByteType *into, int count) {
    reader *from = file->UserData;
    size_t part = count < 0 ? 0 : (size_t)count < from->left ? (size_t)count : from->left;
    memcpy(into, from->bytes, part);
    from->bytes += part;
    from->left -= part;
    return (int)part;
}

/// Draws the next frame. Returns false when it is damaged before the first row.
static bool draw(GifFileType *file, picture_job *job, uint8_t *pixels, int transparent) {
    const GifImageDesc *frame = &file->Image;
    const ColorMapObject *colours = frame->ColorMap != NULL ? frame->ColorMap : file->SColorMap;
    if (colours == NULL || frame->Width < 1 || frame->Height < 1 || frame->Width > 65535) return false;
    GifPixelType row[65536];
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    bool drawn = false;
    for (int pass = 0; pass < (frame->Interlace ? 4 : 1); pass++) {
        int step = frame->Interlace ? steps[pass] : 1;
        for (int y = frame->Interlace ? starts[pass] : 0; y < frame->Height; y += step) {
            if (gif.line(file, row, frame->Width) != GIF_OK) return drawn;
            drawn = true;
            int down = frame->Top + y;
            if (down < 0 || down >= job->height) continue;
            for (int x = 0; x < frame->Width; x++) {
                int across = frame->Left + x;
                if (across < 0 || across >= job->width || row[x] == transparent || row[x] >= colours->ColorCount) continue;
                const GifColorType *colour = &colours->Colors[row[x]];
                uint8_t *to = pixels + ((size_t)down * (size_t)job->width + (size_t)across) * 4;
                to[0] = colour->Red;
                to[1] = colour->Green;
                to[2] = colour->Blue;
                to[3] = 255;
            }
        }
    }
    return drawn;
}

uint8_t *gif_decode(picture_job *job) {
    reader from = {job->bytes, job->count};
    int error = 0, transparent = -1;
    GifFileType *file = gif.open(&from, read_bytes, &error);
    if (file == NULL) return NULL;
    job->width = file->SWidth;
    job->height = file->SHeight;
    uint8_t *pixels = picture_room(job);
    if (pixels == NULL) return NULL;
    GifRecordType record;
    while (gif.record(file, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
        if (record == IMAGE_DESC_RECORD_TYPE) {
            if (gif.frame(file) == GIF_OK && draw(file, job, pixels, transparent)) return pixels;
            break;
        }
        if (record != EXTENSION_RECORD_TYPE) continue;
        int code;
        GifByteType *part;
        if (gif.extension(file, &code, &part) != GIF_OK) break;
        // The first byte is the number of bytes that follow.
        if (code == GRAPHICS_EXT_FUNC_CODE && part != NULL && part[0] >= 4) transparent = part[1] & 1 ? part[4] : -1;
        bool is_whole = true;
        while (part != NULL && is_whole) is_whole = gif.next(file, &part) == GIF_OK;
        if (!is_whole) break;
    }
    free(pixels);
    return NULL;
}
