// Thin wrapper of libutf8proc, linked from its static archive. It only chooses options.

#include "CUTF8Proc.h"

// Without this, the header declares the functions as imports from a shared library.
#define UTF8PROC_STATIC
#include <utf8proc.h>

int cutf8proc_width(int32_t scalar) {
    return utf8proc_charwidth(scalar);
}

ptrdiff_t cutf8proc_fold(const uint8_t *text, ptrdiff_t length, int32_t *scalars, ptrdiff_t capacity) {
    return utf8proc_decompose(
        text, length, scalars, capacity, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
}

ptrdiff_t cutf8proc_compose(int32_t *scalars, ptrdiff_t count) {
    return utf8proc_normalize_utf32(scalars, count, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}
