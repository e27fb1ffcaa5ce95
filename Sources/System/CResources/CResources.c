// Files embedded at compile time (#embed, C23).

#include "CResources.h"

static const unsigned char sample[] = {
#embed "sample.jsonl"
};
static const unsigned char prelude[] = {
#embed "prelude.lua"
};
static const unsigned char prelude_methods[] = {
#embed "prelude_methods.lua"
};
static const unsigned char prelude_tasks[] = {
#embed "prelude_tasks.lua"
};
static const unsigned char player_script[] = {
#embed "player.js"
};
static const unsigned char player_style[] = {
#embed "player.css"
};

static const cresources_file files[] = {
    [CRESOURCES_SAMPLE] = {sample, sizeof sample},
    [CRESOURCES_PRELUDE] = {prelude, sizeof prelude},
    [CRESOURCES_PRELUDE_METHODS] = {prelude_methods, sizeof prelude_methods},
    [CRESOURCES_PRELUDE_TASKS] = {prelude_tasks, sizeof prelude_tasks},
    [CRESOURCES_PLAYER_SCRIPT] = {player_script, sizeof player_script},
    [CRESOURCES_PLAYER_STYLE] = {player_style, sizeof player_style},
};

cresources_file cresources_get(cresources_name name) { return files[name]; }
