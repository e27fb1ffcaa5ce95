// Declarations shared by the decoders.

#ifndef CPICTURE_INTERNAL_H
#define CPICTURE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A decoding job and its result.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    /// Maximum number of pixels.
    uint64_t limit;
    /// The requested size. A decoder that can downscale while decoding may use it.
    int32_t most_width, most_height;
    int32_t width, height;
    const char *problem;
} picture_job;

/// Allocates zeroed RGBA memory of the job's size. Returns NULL and sets the problem when it is too large.
uint8_t *picture_room(picture_job *job);

bool jpeg_load(void);
uint8_t *jpeg_decode(picture_job *job);
bool png_load(void);
uint8_t *png_decode(picture_job *job);
bool gif_load(void);
uint8_t *gif_decode(picture_job *job);
bool webp_load(void);
uint8_t *webp_decode(picture_job *job);

/// Looks up a function of a library. Returns false when it is missing.
bool picture_function(void *library, const char *name, void *place);

#endif
