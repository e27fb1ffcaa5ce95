// The three utf8proc functions that ythost uses. Scalars are UTF-32. utf8proc.h is not included here, so that its names
// and macros are not imported into Swift.

#ifndef CUTF8PROC_H
#define CUTF8PROC_H

#include <stddef.h>
#include <stdint.h>

/// Terminal columns of one scalar, 0 to 2, from East Asian Width and the general category. Does not handle sequences.
int cutf8proc_width(int32_t scalar);

/// Case folds and decomposes (NFKD) UTF-8. Returns the number of scalars; if it exceeds `capacity`, the output is not
/// valid, and the call must be repeated with a buffer of that size. Negative when the bytes are not UTF-8 or too long.
ptrdiff_t cutf8proc_fold(const uint8_t *text, ptrdiff_t length, int32_t *scalars, ptrdiff_t capacity);

/// Composes decomposed scalars in canonical order, in place. Returns the new count, or a negative error.
ptrdiff_t cutf8proc_compose(int32_t *scalars, ptrdiff_t count);

#endif
