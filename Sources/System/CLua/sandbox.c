// The libraries available to plugins: an allow-list, with safe replacements for some functions. Functions that are not
// listed do not exist in a state, so a new Lua release cannot open a hole.

#include <string.h>
#include <time.h>

#include "internal.h"

extern int luaopen_lpeg(lua_State *L);

lua_CFunction clua_original(lua_State *L) {
    return lua_tocfunction(L, lua_upvalueindex(1));
}

// ---- base

/// `tostring` without addresses, so that output is reproducible and no pointer leaks.
int clua_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_callmeta(L, 1, "__tostring")) {
        if (!lua_isstring(L, -1)) return luaL_error(L, "'__tostring' must return a string");
        return 1;
    }
    switch (lua_type(L, 1)) {
        case LUA_TNIL:
        case LUA_TBOOLEAN:
        case LUA_TNUMBER:
        case LUA_TSTRING:
            luaL_tolstring(L, 1, NULL);
            return 1;
        default:
            if (luaL_getmetafield(L, 1, "__name") == LUA_TSTRING) return 1;
            lua_pushstring(L, luaL_typename(L, 1));
            return 1;
    }
}

/// `load` for source text only, in the plugin's own globals unless an environment is given.
static int safe_load(lua_State *L) {
    const char *mode = luaL_optstring(L, 3, "t");
    if (strchr(mode, 't') == NULL) return luaL_argerror(L, 3, "only text can be loaded");
    lua_settop(L, lua_isnoneornil(L, 4) ? 3 : 4);
    if (lua_isnil(L, 2)) {
        lua_pushliteral(L, "=(load)");
        lua_replace(L, 2);
    }
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    int count = clua_original(L)(L);
    clua_look(L);  // `load` returns errors of a reader function as values
    return count;
}

/// `setmetatable` without `__gc`: finalizers run with hooks disabled, so budgets could not stop them.
static int safe_setmetatable(lua_State *L) {
    int type = lua_type(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    lua_settop(L, 2);
    if (type == LUA_TTABLE) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "'__gc' is not available to plugins");
        lua_pop(L, 1);
    }
    lua_setmetatable(L, 1);
    return 1;
}

/// `collectgarbage("count")`, the only option without side effects.
static int count_memory(lua_State *L) {
    const char *what = luaL_optstring(L, 1, "count");
    if (strcmp(what, "count") != 0) return luaL_argerror(L, 1, "only \"count\" is available");
    lua_pushnumber(L, (lua_Number)state_of(L)->used / 1024.0);
    return 1;
}

// ---- string

/// `string.format` without `%p`, and with a `%s` that shows no addresses.
static int safe_format(lua_State *L) {
    size_t length;
    const char *format = luaL_checklstring(L, 1, &length);
    int argument = 1;
    int count = lua_gettop(L);
    for (size_t i = 0; i + 1 < length; i++) {
        if (format[i] != '%') continue;
        size_t j = i + 1;
        while (j < length && strchr("-+ #0123456789.", format[j]) != NULL && format[j] != '\0') j++;
        i = j;
        if (j == length || format[j] == '%') continue;
        if (format[j] == 'p') return luaL_argerror(L, 1, "'%p' is not available to plugins");
        argument++;
        if (format[j] != 's' || argument > count) continue;
        int type = lua_type(L, argument);
        if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TUSERDATA && type != LUA_TTHREAD) continue;
        lua_pushcfunction(L, clua_tostring);
        lua_pushvalue(L, argument);
        lua_call(L, 1, 1);
        lua_replace(L, argument);
    }
    return clua_original(L)(L);
}

// ---- math

/// `math.randomseed()` without arguments restores the run's seed instead of a random one.
static int safe_randomseed(lua_State *L) {
    if (lua_gettop(L) == 0) lua_pushinteger(L, (lua_Integer)state_of(L)->seed);
    // The original has its state in upvalues, so it is called. Its errors would not name a function.
    luaL_checknumber(L, 1);
    luaL_optinteger(L, 2, 0);
    int count = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 0);
    return 0;
}

// ---- os: clocks only, in UTC

static lua_Integer now(lua_State *L) {
    CLuaState *state = state_of(L);
    return state->host.now(state->host.context);
}

static int date_part(lua_State *L, const char *key, int fallback, int offset) {
    int type = lua_getfield(L, 1, key);
    int is_integer;
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer) {
        if (type != LUA_TNIL) return luaL_error(L, "field '%s' is not an integer", key);
        if (fallback < 0) return luaL_error(L, "field '%s' missing in date table", key);
        value = fallback + (lua_Integer)offset;
    }
    if (value < -1000000 || value > 1000000) return luaL_error(L, "field '%s' is out of range", key);
    lua_pop(L, 1);
    return (int)value - offset;
}

static int os_time(lua_State *L) {
    if (lua_isnoneornil(L, 1)) {
        lua_pushinteger(L, now(L));
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    struct tm parts = {0};
    parts.tm_year = date_part(L, "year", -1, 1900);
    parts.tm_mon = date_part(L, "month", -1, 1);
    parts.tm_mday = date_part(L, "day", -1, 0);
    parts.tm_hour = date_part(L, "hour", 12, 0);
    parts.tm_min = date_part(L, "min", 0, 0);
    parts.tm_sec = date_part(L, "sec", 0, 0);
    lua_pushinteger(L, (lua_Integer)timegm(&parts));
    return 1;
}

/// `os.date` in UTC, with or without a leading `!` in the format.
static int os_date(lua_State *L) {
    const char *format = luaL_optstring(L, 1, "%c");
    lua_Integer time = luaL_opt(L, luaL_checkinteger, 2, now(L));
    lua_settop(L, 2);
    if (format[0] == '!') {
        lua_pushstring(L, format);
    } else {
        lua_pushfstring(L, "!%s", format);
    }
    lua_replace(L, 1);
    lua_pushinteger(L, time);
    lua_replace(L, 2);
    return clua_original(L)(L);
}

static int os_clock(lua_State *L) {
    CLuaState *state = state_of(L);
    lua_pushnumber(L, state->host.cpu(state->host.context));
    return 1;
}

// ---- the list

typedef struct {
    const char *name;
    lua_CFunction open;
    /// Functions copied unchanged.
    const char *const *allowed;
    /// Lists of replacement functions. Each has the original as its upvalue.
    const luaL_Reg *const *replaced;
} Library;

static const char *const base_names[] = {"assert", "error",  "getmetatable", "ipairs",   "next",   "pairs",    "select",
                                         "rawequal", "rawget", "rawlen", "rawset", "tonumber", "type", "_VERSION", NULL};
static const luaL_Reg base_replaced[] = {{"load", safe_load},
                                         {"setmetatable", safe_setmetatable},
                                         {"tostring", clua_tostring},
                                         {"collectgarbage", count_memory},
                                         {NULL, NULL}};
static const luaL_Reg *const base_lists[] = {base_replaced, clua_protected_functions, NULL};
static const char *const string_names[] = {"byte",  "char",     "len",     "lower", "pack",   "packsize",
                                           "reverse", "sub", "unpack", "upper", NULL};
static const luaL_Reg string_replaced[] = {{"format", safe_format}, {NULL, NULL}};
static const luaL_Reg *const string_lists[] = {string_replaced, clua_pattern_functions, clua_bounded_string, NULL};
static const char *const table_names[] = {"pack", NULL};
static const luaL_Reg *const table_lists[] = {clua_bounded_table, NULL};
static const char *const math_names[] = {"abs",  "acos", "asin", "atan", "ceil",   "cos", "deg",  "exp",       "floor",
                                         "fmod", "huge", "log",  "max",  "maxinteger", "min", "mininteger", "modf", "pi",
                                         "rad",  "random", "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL};
static const luaL_Reg math_replaced[] = {{"randomseed", safe_randomseed}, {NULL, NULL}};
static const luaL_Reg *const math_lists[] = {math_replaced, NULL};
static const char *const utf8_names[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};
static const char *const coroutine_names[] = {"isyieldable", "running", "status", "yield", NULL};
static const luaL_Reg *const coroutine_lists[] = {clua_coroutine_functions, NULL};
static const char *const os_names[] = {"difftime", NULL};
static const luaL_Reg os_replaced[] = {
    {"time", os_time}, {"date", os_date}, {"clock", os_clock}, {NULL, NULL}};
static const luaL_Reg *const os_lists[] = {os_replaced, NULL};
static const luaL_Reg *const no_lists[] = {NULL};

static const Library libraries[] = {
    {"string", luaopen_string, string_names, string_lists},
    {"table", luaopen_table, table_names, table_lists},
    {"math", luaopen_math, math_names, math_lists},
    {"utf8", luaopen_utf8, utf8_names, no_lists},
    {"coroutine", luaopen_coroutine, coroutine_names, coroutine_lists},
    {"os", luaopen_os, os_names, os_lists},
};

/// Copies the allowed part of the library at `from` into the table at `to`.
static void copy_allowed(lua_State *L, int from, int to, const char *const *allowed, const luaL_Reg *const *lists) {
    for (; *allowed != NULL; allowed++) {
        lua_getfield(L, from, *allowed);
        lua_setfield(L, to, *allowed);
    }
    for (; *lists != NULL; lists++) {
        for (const luaL_Reg *replaced = *lists; replaced->name != NULL; replaced++) {
            lua_getfield(L, from, replaced->name);
            lua_pushcclosure(L, replaced->func, 1);
            lua_setfield(L, to, replaced->name);
        }
    }
}

/// Opens one library and pushes its allowed part.
static void push_library(lua_State *L, const Library *library) {
    lua_pushcfunction(L, library->open);
    lua_call(L, 0, 1);
    lua_newtable(L);
    copy_allowed(L, lua_gettop(L) - 1, lua_gettop(L), library->allowed, library->replaced);
    lua_remove(L, -2);
}

int clua_open_libraries(lua_State *L) {
    lua_newtable(L);  // the new globals
    int globals = lua_gettop(L);
    lua_pushcfunction(L, luaopen_base);  // fills the original globals, which are replaced below
    lua_call(L, 0, 1);
    copy_allowed(L, lua_gettop(L), globals, base_names, base_lists);
    lua_pop(L, 1);
    // Errors look up the names of functions in this table.
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushvalue(L, globals);
    lua_setfield(L, -2, LUA_GNAME);
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        push_library(L, &libraries[i]);
        lua_pushvalue(L, -1);
        lua_setfield(L, globals, libraries[i].name);
        lua_setfield(L, -2, libraries[i].name);
    }
    lua_pop(L, 1);

    // String methods come from a separate table, so that assigning to `string` does not affect them, and the metatable
    // is protected.
    lua_newtable(L);
    lua_getfield(L, globals, "string");
    for (lua_pushnil(L); lua_next(L, -2) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 3);

    lua_getfield(L, globals, "math");
    lua_getfield(L, -1, "randomseed");
    lua_call(L, 0, 0);
    lua_pop(L, 1);

    lua_pushvalue(L, globals);
    lua_setfield(L, globals, "_G");
    lua_pushvalue(L, globals);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}

// ---- lpeg

/// Functions that create and run patterns, without those that print their trees or raise the stack limit.
static const char *const lpeg_names[] = {"Carg", "Cb", "Cc", "Cp", "R", "S", "V", "locale", "type", "version", NULL};

/// How the arguments of an lpeg function are checked.
enum { CHECK_FIRST, CHECK_BOTH, CHECK_REPEAT };

/// A function whose arguments are patterns.
typedef struct {
    const char *name;
    int check;
    /// Whether it may create a capture that builds text, the only kind whose nesting lpeg does not limit.
    bool nests;
} Taker;

static const Taker lpeg_takers[] = {{"B", CHECK_FIRST, false},   {"C", CHECK_FIRST, false}, {"Cf", CHECK_FIRST, false},
                                    {"Cg", CHECK_FIRST, false},  {"Cmt", CHECK_FIRST, false}, {"Cs", CHECK_FIRST, true},
                                    {"Ct", CHECK_FIRST, false},  {"P", CHECK_FIRST, false},
                                    {"match", CHECK_FIRST, false}, {NULL, 0, false}};
static const Taker lpeg_operators[] = {{"__div", CHECK_FIRST, true},   {"__len", CHECK_FIRST, false},
                                       {"__unm", CHECK_FIRST, false},  {"__add", CHECK_BOTH, false},
                                       {"__mul", CHECK_BOTH, false},   {"__sub", CHECK_BOTH, false},
                                       {"__pow", CHECK_REPEAT, false}, {NULL, 0, false}};
static const char *const lpeg_taker_names[] = {"B", "C", "Cf", "Cg", "Cmt", "Cs", "Ct", "P", "match", NULL};
static const char *const lpeg_operator_names[] = {"__div", "__len", "__unm", "__add", "__mul", "__sub", "__pow", NULL};

enum {
    /// The largest number accepted as a pattern or repetition count.
    LPEG_MAX_NUMBER = 1 << 16,
    /// Maximum number of tree nodes that a repetition may create.
    LPEG_MAX_NODES = 1 << 22,
    LPEG_NODE_SIZE = 8,
    /// Maximum depth of a pattern, with the rules of a grammar in a row: lpeg walks it recursively.
    LPEG_MAX_DEPTH = 8000,
    /// Maximum number of captures that build text inside of each other, with a buffer on the stack for each.
    LPEG_MAX_NESTING = 3200,
    /// How deeply the rules of a grammar can call each other: lpeg's own limit (MAXBACK).
    LPEG_MAX_CALLS = 400,
};

/// What a pattern needs of the native stack.
typedef struct {
    lua_Integer depth;
    lua_Integer nesting;
    bool is_recursive;
} Shape;

static const char lpeg_shapes;

static void check_number(lua_State *L, int index, int argument) {
    if (lua_type(L, index) != LUA_TNUMBER) return;
    lua_Number number = lua_tonumber(L, index);
    luaL_argcheck(L, number >= -LPEG_MAX_NUMBER && number <= LPEG_MAX_NUMBER, argument, "number out of range");
}

/// Checks an argument that stands for a pattern: a number, or a grammar whose rules may be numbers.
static void check_pattern(lua_State *L, int index) {
    check_number(L, index, index);
    if (lua_type(L, index) != LUA_TTABLE) return;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        check_number(L, -1, index);
        lua_pop(L, 1);
    }
}

static void widen(Shape *shape, Shape other) {
    if (other.depth > shape->depth) shape->depth = other.depth;
    if (other.nesting > shape->nesting) shape->nesting = other.nesting;
    if (other.is_recursive) shape->is_recursive = true;
}

/// The shape of a value that stands for a pattern. Shapes of patterns are kept in a table with weak keys; one that is not
/// there is a leaf.
static Shape shape_at(lua_State *L, int index) {
    Shape shape = {1, 0, false};
    if (lua_type(L, index) == LUA_TUSERDATA) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &lpeg_shapes);
        lua_pushvalue(L, index);
        if (lua_rawget(L, -2) == LUA_TNUMBER) {
            lua_Integer packed = lua_tointeger(L, -1);
            shape = (Shape){packed >> 32, (packed >> 1) & 0x7FFFFFFF, (packed & 1) != 0};
        }
        lua_pop(L, 2);
    } else if (lua_type(L, index) == LUA_TTABLE) {
        // A rule can call every other one, but walks visit each of them once.
        lua_Integer depth = 1;
        lua_pushnil(L);
        while (lua_next(L, index)) {
            if (lua_type(L, -1) != LUA_TTABLE) {
                Shape rule = shape_at(L, lua_gettop(L));
                depth += rule.depth;
                widen(&shape, rule);
            }
            lua_pop(L, 1);
        }
        shape.depth = depth;
        shape.is_recursive = true;
    }
    return shape;
}

static void check_shape(lua_State *L, Shape shape) {
    if (shape.depth > LPEG_MAX_DEPTH) luaL_error(L, "pattern too deep");
    if (shape.nesting * (shape.is_recursive ? LPEG_MAX_CALLS : 1) > LPEG_MAX_NESTING) {
        luaL_error(L, "pattern with captures nested too deeply");
    }
}

/// Calls an lpeg function after checking its numbers and what it needs of the native stack. lpeg computes pattern sizes in
/// a C `int`; on overflow it writes far beyond its allocation. Upvalues: the function, the kind of check, whether it nests.
static int checked_lpeg(lua_State *L) {
    int count = lua_gettop(L);
    lua_Integer check = lua_tointeger(L, lua_upvalueindex(2));
    clua_check_stack(L);
    Shape shape = {0, 0, false};
    if (count >= 1) {
        check_pattern(L, 1);
        widen(&shape, shape_at(L, 1));
    }
    if (count >= 2 && check != CHECK_FIRST) {
        check_pattern(L, 2);
        widen(&shape, shape_at(L, 2));
    }
    shape.depth++;
    if (lua_toboolean(L, lua_upvalueindex(3)) && (count < 2 || lua_type(L, 2) == LUA_TSTRING)) shape.nesting++;
    check_shape(L, shape);
    if (check == CHECK_REPEAT) {
        luaL_checktype(L, 1, LUA_TUSERDATA);
        lua_Integer nodes = (lua_Integer)(lua_rawlen(L, 1) / LPEG_NODE_SIZE) + 1;
        lua_Integer times = luaL_checkinteger(L, 2);
        luaL_argcheck(L, times >= -LPEG_MAX_NUMBER && times <= LPEG_MAX_NUMBER, 2, "number out of range");
        lua_Integer copies = (times < 0 ? -times : times) + 1;
        luaL_argcheck(L, nodes * copies <= LPEG_MAX_NODES, 2, "pattern too large");
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    for (int i = 1; i <= count; i++) lua_pushvalue(L, i);
    lua_call(L, count, LUA_MULTRET);
    int results = lua_gettop(L) - count;
    // A result that is one of the arguments keeps its own shape.
    if (results == 1 && lua_type(L, -1) == LUA_TUSERDATA && !lua_rawequal(L, -1, 1) &&
        !(count >= 2 && lua_rawequal(L, -1, 2))) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &lpeg_shapes);
        lua_pushvalue(L, -2);
        lua_pushinteger(L, shape.depth << 32 | shape.nesting << 1 | (shape.is_recursive ? 1 : 0));
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    return results;
}

/// Copies functions that take patterns from one table to another, each wrapped in its check.
static void copy_checked(lua_State *L, int from, int to, const Taker *takers) {
    for (; takers->name != NULL; takers++) {
        lua_getfield(L, from, takers->name);
        lua_pushinteger(L, takers->check);
        lua_pushboolean(L, takers->nests);
        lua_pushcclosure(L, checked_lpeg, 3);
        lua_setfield(L, to, takers->name);
    }
}

static int open_lpeg(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lpeg_shapes);
    lua_pushcfunction(L, luaopen_lpeg);
    lua_call(L, 0, 1);
    lua_newtable(L);
    copy_allowed(L, 1, 2, lpeg_names, no_lists);
    copy_checked(L, 1, 2, lpeg_takers);
    // The metatable of patterns is reachable through any pattern: protect it, and limit its methods to the allowed
    // ones. `re` reads the operators from it, so it gets a copy.
    lua_getfield(L, 2, "P");
    lua_pushboolean(L, 1);
    lua_call(L, 1, 1);
    if (lua_getmetatable(L, -1)) {
        copy_checked(L, 4, 4, lpeg_operators);
        lua_newtable(L);
        copy_allowed(L, 4, 5, lpeg_operator_names, no_lists);
        lua_setfield(L, 4, "__metatable");
        lua_newtable(L);
        copy_allowed(L, 2, 5, lpeg_names, no_lists);
        copy_allowed(L, 2, 5, lpeg_taker_names, no_lists);
        lua_setfield(L, 4, "__index");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

bool clua_push_lpeg(lua_State *L) {
    lua_pushcfunction(L, open_lpeg);
    return clua_call(L, 0, 1) == LUA_OK;
}
