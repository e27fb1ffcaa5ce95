// Pixels as text for terminals, through libchafa, which is opened by name when the first picture is drawn. The pixels come
// from a decoder that is shut in, and have no form that could be wrong.

#ifndef CCHAFA_H
#define CCHAFA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether there is the library, which is opened for good.
bool cchafa_available(void);

#define CCHAFA_PACKAGE "libchafa0"

enum { CCHAFA_SYMBOLS, CCHAFA_SIXEL, CCHAFA_KITTY };
enum { CCHAFA_NO_COLOURS, CCHAFA_8_COLOURS, CCHAFA_16_COLOURS, CCHAFA_256_COLOURS, CCHAFA_ALL_COLOURS };

typedef struct {
    /// What is drawn with, and how many colours symbols have.
    int32_t means, colours;
    /// The most cells, from 1, and pixels a cell has.
    int32_t columns, rows, cell_width, cell_height;
    /// Sets of symbols in libchafa's words, such as `block+border`.
    const char *symbols;
} cchafa_screen;

/// Whether libchafa knows these sets of symbols.
bool cchafa_knows(const char *symbols);

/// Draws rows of RGBA, 4 bytes a pixel, in their own shape. Returns text in UTF-8 for `free`, lines without the last
/// line's end, `*length` bytes; NULL when there is no library, no memory, or no such symbols.
char *cchafa_draw(const uint8_t *pixels, int32_t width, int32_t height, const cchafa_screen *screen, size_t *length);

#endif
