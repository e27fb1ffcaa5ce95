// Data, Lua, JavaScript and CSS files embedded in the program. To add one, add a name here, and the file and its row in
// CResources.c. Contents are UTF-8 and end with a line feed, not with NUL.

#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

typedef enum {
    /// The bundled sample library, one record per line.
    CRESOURCES_SAMPLE,
    /// The Lua part of the `yt` API, in loading order.
    CRESOURCES_PRELUDE,
    CRESOURCES_PRELUDE_METHODS,
    CRESOURCES_PRELUDE_TASKS,
    /// Script and style of the player page. The page's content security policy contains their hashes.
    CRESOURCES_PLAYER_SCRIPT,
    CRESOURCES_PLAYER_STYLE,
} cresources_name;

/// The contents of a file; constant, never freed.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} cresources_file;

cresources_file cresources_get(cresources_name name);

#endif
