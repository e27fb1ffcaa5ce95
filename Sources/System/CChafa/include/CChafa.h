// Renders pixels as terminal text with libchafa, which is loaded on first use. The pixels come from a sandboxed
// decoder; any pixel data is valid input.

#ifndef CCHAFA_H
#define CCHAFA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library permanently. Returns whether it is available.
bool cchafa_available(void);

#define CCHAFA_PACKAGE "libchafa0"

enum { CCHAFA_SYMBOLS, CCHAFA_SIXEL, CCHAFA_KITTY };
enum { CCHAFA_NO_COLOURS, CCHAFA_8_COLOURS, CCHAFA_16_COLOURS, CCHAFA_256_COLOURS, CCHAFA_ALL_COLOURS };

typedef struct {
    /// The output method, and the number of colours of symbols.
    int32_t means, colours;
    /// Maximum size in cells, at least 1, and the size of a cell in pixels.
    int32_t columns, rows, cell_width, cell_height;
    /// Symbol sets in libchafa's syntax, such as `block+border`.
    const char *symbols;
} cchafa_screen;

/// Whether libchafa knows these symbol sets.
bool cchafa_knows(const char *symbols);

/// Renders RGBA rows, 4 bytes per pixel, preserving the aspect ratio. Returns UTF-8 text of `*length` bytes, to be
/// released with `free`, without a final line break. Returns NULL when the library is missing, memory is short or the
/// symbol sets are unknown.
char *cchafa_draw(const uint8_t *pixels, int32_t width, int32_t height, const cchafa_screen *screen, size_t *length);

#endif
