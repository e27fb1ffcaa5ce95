// A scalar found in parsed data, and the function that finds it: the contract between a parser (CSimdjson) and a reader
// of its data that must not depend on it (CLua).
#ifndef CFIELD_H
#define CFIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    /// Nothing, null, a container, or a number that is not an int64.
    CFIELD_OTHER,
    CFIELD_TEXT,
    CFIELD_INTEGER,
} cfield_kind;

typedef struct {
    cfield_kind kind;
    int64_t integer;
    /// Valid UTF-8, which may contain NUL. Valid as long as the data.
    const char *text;
    size_t length;
} cfield_value;

/// Follows a path, in the format of `sj_find`, from an element of a document.
typedef cfield_value (*cfield_finder)(
    const void *data, uint32_t document, uint32_t index, const uint8_t *path, size_t length);

/// Parsed data with its finder.
typedef struct {
    const void *data;
    cfield_finder find;
} cfield_source;

#ifdef __cplusplus
}
#endif

#endif
