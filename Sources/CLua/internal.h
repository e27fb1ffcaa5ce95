// What the C files of CLua share. Nothing here is seen by Swift.

#ifndef CLUA_INTERNAL_H
#define CLUA_INTERNAL_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

#include "CLua.h"

/// One a state, reached from every coroutine through its extra space.
typedef struct {
    CLuaHost host;
    lua_State *main;
    /// Lua code is running: the allocator may refuse.
    bool running;
    size_t used;
    size_t limit;
    int64_t allocations;
    int64_t fail_countdown;
    uint64_t seed;
    int yield_count;
    bool keep_frames;
    int frame_count;
    CLuaFrame frames[CLUA_MAX_FRAMES];
} CLuaState;

static inline CLuaState *state_of(lua_State *L) { return *(CLuaState **)lua_getextraspace(L); }

/// Control goes back from Swift to Lua with a host function's status: raises what there is to raise.
int clua_finish(lua_State *L, CLuaState *state, int32_t status);
/// Opens the allow-listed libraries into the globals; runs protected.
int clua_open_libraries(lua_State *L);
/// `tostring` without addresses: pushes the text of the value.
int clua_tostring(lua_State *L);

#endif
