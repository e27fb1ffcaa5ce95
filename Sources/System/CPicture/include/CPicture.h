// Image decoding with each format's system library, loaded with dlopen. The bytes are untrusted: the decoding process
// must be sandboxed first and should exit afterwards.

#ifndef CPICTURE_H
#define CPICTURE_H

#include <stddef.h>
#include <stdint.h>

enum { CPICTURE_JPEG, CPICTURE_PNG, CPICTURE_GIF, CPICTURE_WEBP };

/// Loads all available libraries permanently. A process must call this before it is sandboxed.
void cpicture_load(void);

/// The Debian package of the decoder for a format.
const char *cpicture_package(int32_t kind);

/// Decodes an image, or the first frame of an animation, and downscales it to fit into `most_width` by `most_height`
/// pixels; it is never enlarged. `limit` is the maximum number of pixels.
///
/// Returns RGBA rows with straight alpha, 4 bytes per pixel, to be released with `free`; `*width` and `*height` are the
/// resulting size. Returns NULL on failure: `*problem` is the reason, or NULL when the library is missing.
uint8_t *cpicture_decode(
    int32_t kind, const uint8_t *bytes, size_t count, uint64_t limit, int32_t most_width, int32_t most_height,
    int32_t *width, int32_t *height, const char **problem);

#endif
