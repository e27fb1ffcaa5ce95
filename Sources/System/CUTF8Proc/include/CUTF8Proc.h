// The three questions ythost asks utf8proc. Scalars are UTF-32; utf8proc.h itself stays behind this header, so its
// many names and its macros do not reach Swift.

#ifndef CUTF8PROC_H
#define CUTF8PROC_H

#include <stddef.h>
#include <stdint.h>

/// Terminal columns of one scalar, 0 to 2, from East Asian Width and the general category. Knows no sequences.
int cutf8proc_width(int32_t scalar);

/// Case folds and decomposes (NFKD) UTF-8. Returns how many scalars that is. When it is more than `capacity` nothing
/// useful was written: call again with room for so many. Negative when the bytes are not UTF-8 or are too many.
ptrdiff_t cutf8proc_fold(const uint8_t *text, ptrdiff_t length, int32_t *scalars, ptrdiff_t capacity);

/// Composes scalars that are decomposed and in canonical order, in place. Returns how many are left, or negative.
ptrdiff_t cutf8proc_compose(int32_t *scalars, ptrdiff_t count);

#endif
