// Plain stack accessors. Each forwards to one Lua API function that cannot raise under the conditions stated in the
// header.

#include "internal.h"

int clua_top(lua_State *L) { return lua_gettop(L); }
void clua_set_top(lua_State *L, int index) { lua_settop(L, index); }
bool clua_reserve(lua_State *L, int count) { return lua_checkstack(L, count); }
int clua_type(lua_State *L, int index) { return lua_type(L, index); }
bool clua_is_integer(lua_State *L, int index) { return lua_isinteger(L, index); }
bool clua_to_boolean(lua_State *L, int index) { return lua_toboolean(L, index); }
int64_t clua_to_integer(lua_State *L, int index) { return lua_tointeger(L, index); }
double clua_to_number(lua_State *L, int index) { return lua_tonumber(L, index); }
const void *clua_identity(lua_State *L, int index) { return lua_topointer(L, index); }
size_t clua_raw_length(lua_State *L, int index) { return lua_rawlen(L, index); }
bool clua_raw_equal(lua_State *L, int a, int b) { return lua_rawequal(L, a, b); }

const char *clua_to_bytes(lua_State *L, int index, size_t *length) {
    if (lua_type(L, index) != LUA_TSTRING) return NULL;  // lua_tolstring converts a number in place
    return lua_tolstring(L, index, length);
}

bool clua_has_metatable(lua_State *L, int index) {
    if (!lua_getmetatable(L, index)) return false;
    lua_pop(L, 1);
    return true;
}

void clua_push_nil(lua_State *L) { lua_pushnil(L); }
void clua_push_boolean(lua_State *L, bool value) { lua_pushboolean(L, value); }
void clua_push_integer(lua_State *L, int64_t value) { lua_pushinteger(L, value); }
void clua_push_number(lua_State *L, double value) { lua_pushnumber(L, value); }
void clua_push_bytes(lua_State *L, const void *bytes, size_t length) {
    lua_pushlstring(L, length == 0 ? "" : bytes, length);
}
void clua_push_value(lua_State *L, int index) { lua_pushvalue(L, index); }
void clua_push_table(lua_State *L, int list_size, int member_count) { lua_createtable(L, list_size, member_count); }
void clua_push_globals(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS); }
void clua_insert(lua_State *L, int index) { lua_insert(L, index); }
void clua_remove(lua_State *L, int index) { lua_remove(L, index); }

void clua_raw_get(lua_State *L, int index) { lua_rawget(L, index); }
void clua_raw_set(lua_State *L, int index) { lua_rawset(L, index); }
void clua_raw_get_index(lua_State *L, int index, int64_t key) { lua_rawgeti(L, index, key); }
void clua_raw_set_index(lua_State *L, int index, int64_t key) { lua_rawseti(L, index, key); }
bool clua_push_metafield(lua_State *L, int index, const char *name) {
    return luaL_getmetafield(L, index, name) != LUA_TNIL;
}

bool clua_next(lua_State *L, int index) { return lua_next(L, index); }
void clua_set_metatable(lua_State *L, int index) { lua_setmetatable(L, index); }

int clua_reference(lua_State *L) { return luaL_ref(L, LUA_REGISTRYINDEX); }
void clua_push_reference(lua_State *L, int reference) { lua_rawgeti(L, LUA_REGISTRYINDEX, reference); }
void clua_release_reference(lua_State *L, int reference) { luaL_unref(L, LUA_REGISTRYINDEX, reference); }
