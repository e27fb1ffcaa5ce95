// `find`, `match`, `gmatch` and `gsub` of the string library on top of the matcher in patterns.c. Adapted from Lua
// 5.4's lstrlib.c, with the same behavior (its notice is in patterns.c); the steps of their own loops are counted as
// well.

// for memmem
#define _GNU_SOURCE

#include <ctype.h>
#include <string.h>

#include "patterns.h"

// ---- captures

/// Pushes capture `index`; the whole match when the pattern has no captures.
static void push_capture(Matcher *m, int index, const char *start, const char *end) {
    if (index >= m->captures) {
        if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
        lua_pushlstring(m->L, start, (size_t)(end - start));
        return;
    }
    ptrdiff_t length = m->capture[index].length;
    if (length == CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
    if (length == CAPTURE_POSITION) {
        lua_pushinteger(m->L, m->capture[index].start - m->text + 1);
    } else {
        lua_pushlstring(m->L, m->capture[index].start, (size_t)length);
    }
}

/// Pushes all captures, or the whole match when there are none and `start` is given.
static int push_captures(Matcher *m, const char *start, const char *end) {
    int count = m->captures == 0 && start != NULL ? 1 : m->captures;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++) push_capture(m, i, start, end);
    return count;
}

static void begin(Matcher *m, lua_State *L, const char *text, size_t length, const char *pattern_end) {
    m->L = L;
    m->text = text;
    m->text_end = text + length;
    m->pattern_end = pattern_end;
    m->steps = 0;
}

static void rewind_matcher(Matcher *m) {
    m->captures = 0;
    m->depth = MAX_DEPTH;
}

// ---- find and match

/// Converts a Lua start position, which may be negative, to an offset.
static size_t start_offset(lua_Integer position, size_t length) {
    if (position > 0) return (size_t)position - 1;
    if (position == 0) return 0;
    if (position < -(lua_Integer)length) return 0;
    return length + (size_t)position;
}

static bool has_no_specials(const char *pattern, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i]) != NULL) return false;
    }
    return true;
}

static int search(lua_State *L, bool find) {
    size_t text_length, pattern_length;
    const char *text = luaL_checklstring(L, 1, &text_length);
    const char *pattern = luaL_checklstring(L, 2, &pattern_length);
    size_t start = start_offset(luaL_optinteger(L, 3, 1), text_length);
    if (start > text_length) {
        luaL_pushfail(L);
        return 1;
    }
    bool plain = find && (lua_toboolean(L, 4) || has_no_specials(pattern, pattern_length));
    if (plain) {
        const char *found = pattern_length == 0 ? text + start : memmem(text + start, text_length - start, pattern, pattern_length);
        if (found == NULL) {
            luaL_pushfail(L);
            return 1;
        }
        lua_pushinteger(L, found - text + 1);
        lua_pushinteger(L, found - text + (lua_Integer)pattern_length);
        return 2;
    }
    Matcher m;
    bool anchored = pattern_length > 0 && *pattern == '^';
    begin(&m, L, text, text_length, pattern + pattern_length);
    const char *s = text + start;
    do {
        rewind_matcher(&m);
        step(&m);
        const char *end = clua_match(&m, s, pattern + anchored);
        if (end != NULL) {
            if (!find) return push_captures(&m, s, end);
            lua_pushinteger(L, s - text + 1);
            lua_pushinteger(L, end - text);
            return push_captures(&m, NULL, NULL) + 2;
        }
    } while (s++ < m.text_end && !anchored);
    luaL_pushfail(L);
    return 1;
}

static int string_find(lua_State *L) { return search(L, true); }
static int string_match(lua_State *L) { return search(L, false); }

// ---- gmatch

/// Upvalues: text, pattern, offset to continue from, offset where the last match ended or -1.
static int gmatch_next(lua_State *L) {
    size_t text_length, pattern_length;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &text_length);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    Matcher m;
    begin(&m, L, text, text_length, pattern + pattern_length);
    for (const char *s = text + lua_tointeger(L, lua_upvalueindex(3)); s <= m.text_end; s++) {
        rewind_matcher(&m);
        step(&m);
        const char *end = clua_match(&m, s, pattern);
        if (end != NULL && end - text != last) {
            lua_pushinteger(L, end - text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return push_captures(&m, s, end);
        }
    }
    return 0;
}

static int string_gmatch(lua_State *L) {
    size_t length;
    luaL_checklstring(L, 1, &length);
    luaL_checkstring(L, 2);
    size_t start = start_offset(luaL_optinteger(L, 3, 1), length);
    if (start > length) start = length + 1;
    lua_settop(L, 2);
    lua_tostring(L, 1);  // convert numbers, because the upvalues must be strings
    lua_tostring(L, 2);
    lua_pushinteger(L, (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_next, 4);
    return 1;
}

// ---- gsub

static void add_template(Matcher *m, luaL_Buffer *out, const char *start, const char *end) {
    size_t length;
    const char *text = lua_tolstring(m->L, 3, &length);
    const char *limit = text + length;
    while (text < limit) {
        const char *percent = memchr(text, '%', (size_t)(limit - text));
        if (percent == NULL) break;
        luaL_addlstring(out, text, (size_t)(percent - text));
        const char *kind = percent + 1;
        if (kind < limit && *kind == '%') {
            luaL_addchar(out, '%');
        } else if (kind < limit && *kind == '0') {
            luaL_addlstring(out, start, (size_t)(end - start));
        } else if (kind < limit && isdigit((unsigned char)*kind)) {
            push_capture(m, *kind - '1', start, end);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
        text = kind + 1;
    }
    luaL_addlstring(out, text, (size_t)(limit - text));
}

/// Appends the replacement of a match. Returns whether it differs from the match itself.
static bool add_replacement(Matcher *m, luaL_Buffer *out, const char *start, const char *end, int type) {
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        int count = push_captures(m, start, end);
        lua_call(L, count, 1);
    } else if (type == LUA_TTABLE) {
        push_capture(m, 0, start, end);
        lua_gettable(L, 3);
    } else {
        add_template(m, out, start, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, start, (size_t)(end - start));
        return false;
    }
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(out);
    return true;
}

static int string_gsub(lua_State *L) {
    size_t text_length, pattern_length;
    const char *text = luaL_checklstring(L, 1, &text_length);
    const char *pattern = luaL_checklstring(L, 2, &pattern_length);
    int type = lua_type(L, 3);
    luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                     "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)text_length + 1);
    if (type == LUA_TNUMBER) lua_tostring(L, 3);
    bool anchored = pattern_length > 0 && *pattern == '^';
    const char *last = NULL;
    lua_Integer count = 0;
    bool changed = false;
    Matcher m;
    begin(&m, L, text, text_length, pattern + pattern_length);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    const char *s = text;
    while (count < most) {
        rewind_matcher(&m);
        step(&m);
        const char *end = clua_match(&m, s, pattern + anchored);
        if (end != NULL && end != last) {
            count++;
            changed = add_replacement(&m, &out, s, end, type) || changed;
            s = last = end;
        } else if (s < m.text_end) {
            luaL_addchar(&out, *s++);
        } else {
            break;
        }
        if (anchored) break;
    }
    if (!changed) {
        lua_pushvalue(L, 1);
    } else {
        luaL_addlstring(&out, s, (size_t)(m.text_end - s));
        luaL_pushresult(&out);
    }
    lua_pushinteger(L, count);
    return 2;
}

const luaL_Reg clua_pattern_functions[] = {
    {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch}, {"gsub", string_gsub}, {NULL, NULL}};
