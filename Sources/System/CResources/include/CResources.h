// Files of other languages that are embedded in the program: data, Lua, JavaScript and CSS. Adding one is adding a name here,
// and the file and its row in CResources.c. Contents are UTF-8 and end with a line feed, not with NUL.

#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

typedef enum {
    /// The bundled sample library: one record a line.
    CRESOURCES_SAMPLE,
    /// The part of the `yt` API that is written in Lua, in the order in which a state loads it.
    CRESOURCES_PRELUDE,
    CRESOURCES_PRELUDE_METHODS,
    CRESOURCES_PRELUDE_TASKS,
    /// Script and style of the player page, whose policy names their hashes.
    CRESOURCES_PLAYER_SCRIPT,
    CRESOURCES_PLAYER_STYLE,
} cresources_name;

/// The bytes of a file, which are constant and never freed.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} cresources_file;

cresources_file cresources_get(cresources_name name);

#endif
