// What the files of this target share.

#ifndef CPICTURE_INTERNAL_H
#define CPICTURE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A picture to be decoded, and what became of it.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    /// Pixels that it may have.
    uint64_t limit;
    /// Pixels that are wanted: a decoder that can make it smaller while it reads may.
    int32_t most_width, most_height;
    int32_t width, height;
    const char *problem;
} picture_job;

/// Room for RGBA of the job's size, all 0; NULL with the problem when it may not be so large.
uint8_t *picture_room(picture_job *job);

bool jpeg_load(void);
uint8_t *jpeg_decode(picture_job *job);
bool png_load(void);
uint8_t *png_decode(picture_job *job);
bool gif_load(void);
uint8_t *gif_decode(picture_job *job);
bool webp_load(void);
uint8_t *webp_decode(picture_job *job);

/// A function of a library; false when it has none of that name.
bool picture_function(void *library, const char *name, void *place);

#endif
