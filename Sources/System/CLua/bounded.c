// Library functions whose loops run in C, with size limits and budget checks. Sizes are checked before the work starts,
// and a length returned by `__len` is limited to what a table can hold.

#include <string.h>

#include "internal.h"

enum {
    /// Maximum number of positions that one call visits.
    MAX_POSITIONS = 10 * 1000 * 1000,
    /// Maximum number of elements for `table.sort`.
    MAX_SORTED = 1000 * 1000,
    POSITIONS_A_LOOK = 4096,
};

static inline void count(lua_State *L, lua_Integer position) {
    if ((position & (POSITIONS_A_LOOK - 1)) == 0) clua_look(L);
}

/// The length of argument `index`, using `__len` if present.
static lua_Integer checked_length(lua_State *L, int index, lua_Integer most) {
    luaL_checktype(L, index, LUA_TTABLE);
    lua_Integer length = luaL_len(L, index);
    if (length > most) luaL_error(L, "a table of %I elements is too long here; the most is %I", length, most);
    return length;
}

static int bounded_rep(lua_State *L) {
    size_t length, separator_length;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer times = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &separator_length);
    if (times <= 0 || length + separator_length == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)times > (lua_Unsigned)(SIZE_MAX / 2) / (length + separator_length)) {
        return luaL_error(L, "resulting string too large");
    }
    size_t total = (size_t)times * length + (size_t)(times - 1) * separator_length;
    luaL_Buffer out;
    char *to = luaL_buffinitsize(L, &out, total);
    for (lua_Integer i = 0; i < times; i++) {
        count(L, i);
        memcpy(to, text, length);
        to += length;
        if (i + 1 < times) {
            memcpy(to, separator, separator_length);
            to += separator_length;
        }
    }
    luaL_pushresultsize(&out, total);
    return 1;
}

static int bounded_concat(lua_State *L) {
    size_t separator_length;
    lua_Integer last = luaL_opt(L, luaL_checkinteger, 4, checked_length(L, 1, MAX_POSITIONS));
    const char *separator = luaL_optlstring(L, 2, "", &separator_length);
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_settop(L, 3);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (lua_Integer i = first; i <= last; i++) {
        count(L, i);
        lua_geti(L, 1, i);
        if (!lua_isstring(L, -1)) {
            return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
        }
        luaL_addvalue(&out);
        if (i < last) luaL_addlstring(&out, separator, separator_length);
        if (i == LUA_MAXINTEGER) break;
    }
    luaL_pushresult(&out);
    return 1;
}

static int bounded_insert(lua_State *L) {
    lua_Integer end = checked_length(L, 1, MAX_POSITIONS) + 1;
    lua_Integer position = end;
    switch (lua_gettop(L)) {
        case 2: break;
        case 3:
            position = luaL_checkinteger(L, 2);
            luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
            for (lua_Integer i = end; i > position; i--) {
                count(L, i);
                lua_geti(L, 1, i - 1);
                lua_seti(L, 1, i);
            }
            break;
        default: return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    lua_seti(L, 1, position);
    return 0;
}

static int bounded_remove(lua_State *L) {
    lua_Integer size = checked_length(L, 1, MAX_POSITIONS);
    lua_Integer position = luaL_optinteger(L, 2, size);
    // A position that is the length is valid, also 0 in an empty table.
    if (position != size) {
        luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
    }
    lua_geti(L, 1, position);
    for (; position < size; position++) {
        count(L, position);
        lua_geti(L, 1, position + 1);
        lua_seti(L, 1, position);
    }
    lua_pushnil(L);
    lua_seti(L, 1, position);
    return 1;
}

static int bounded_move(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer first = luaL_checkinteger(L, 2);
    lua_Integer last = luaL_checkinteger(L, 3);
    lua_Integer target = luaL_checkinteger(L, 4);
    int to = lua_isnoneornil(L, 5) ? 1 : 5;
    luaL_checktype(L, to, LUA_TTABLE);
    if (last >= first) {
        luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
        lua_Integer size = last - first + 1;
        luaL_argcheck(L, size <= MAX_POSITIONS, 3, "too many elements to move");
        luaL_argcheck(L, target <= LUA_MAXINTEGER - size + 1, 4, "destination wrap around");
        bool forward = target > last || target <= first || (to != 1 && !lua_compare(L, 1, to, LUA_OPEQ));
        for (lua_Integer n = 0; n < size; n++) {
            count(L, n);
            lua_Integer i = forward ? n : size - 1 - n;
            lua_geti(L, 1, first + i);
            lua_seti(L, to, target + i);
        }
    }
    lua_pushvalue(L, to);
    return 1;
}

static int bounded_unpack(lua_State *L) {
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
    if (first > last) return 0;
    lua_Unsigned size = (lua_Unsigned)last - (lua_Unsigned)first;
    if (size >= 100000 || !lua_checkstack(L, (int)(size + 1))) return luaL_error(L, "too many results to unpack");
    for (lua_Integer i = first; i < last; i++) lua_geti(L, 1, i);
    lua_geti(L, 1, last);
    return (int)size + 1;
}

/// Calls the original `table.sort` (the upvalue), which is safe with inconsistent comparators. Only the size is
/// limited.
static int bounded_sort(lua_State *L) {
    checked_length(L, 1, MAX_SORTED);
    return clua_original(L)(L);
}

const luaL_Reg clua_bounded_table[] = {{"concat", bounded_concat}, {"insert", bounded_insert}, {"remove", bounded_remove},
                                       {"move", bounded_move},     {"unpack", bounded_unpack}, {"sort", bounded_sort},
                                       {NULL, NULL}};
const luaL_Reg clua_bounded_string[] = {{"rep", bounded_rep}, {NULL, NULL}};
