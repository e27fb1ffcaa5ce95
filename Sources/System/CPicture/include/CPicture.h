// Pictures as pixels, through the libraries of their formats, which are opened by name. The bytes are a stranger's: a
// process that decodes them has shut itself in before, and ends when it is done.

#ifndef CPICTURE_H
#define CPICTURE_H

#include <stddef.h>
#include <stdint.h>

enum { CPICTURE_JPEG, CPICTURE_PNG, CPICTURE_GIF, CPICTURE_WEBP };

/// Opens what libraries there are, for good. A process that may open no file calls it before.
void cpicture_load(void);

/// The Debian package that decodes a kind.
const char *cpicture_package(int32_t kind);

/// Decodes a picture, of one that moves the first frame, and makes it smaller until it fits into `most_width` by
/// `most_height` pixels; it is never made larger. `limit` is how many pixels it may have.
///
/// Returns rows of RGBA, alpha not multiplied in, 4 bytes a pixel, for `free`; `*width` and `*height` are its size. NULL
/// where it cannot be: `*problem` says why, or is NULL when the library is missing.
uint8_t *cpicture_decode(
    int32_t kind, const uint8_t *bytes, size_t count, uint64_t limit, int32_t most_width, int32_t most_height,
    int32_t *width, int32_t *height, const char **problem);

#endif
