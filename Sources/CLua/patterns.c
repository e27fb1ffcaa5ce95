// Lua's patterns with a step count: `find`, `match`, `gmatch` and `gsub` of the string library. Lua's own matcher runs in
// C without ever looking up, so a pattern such as `.-.-.-.-b` on a long text cannot be stopped there. The rules are
// those of Lua 5.4's lstrlib.c, from which this is adapted; every step counts, and every few thousand the budgets are
// looked at.
//
// Lua is Copyright (C) 1994-2022 Lua.org, PUC-Rio. Permission is hereby granted, free of charge, to any person obtaining
// a copy of this software and associated documentation files (the "Software"), to deal in the Software without
// restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
// and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
// following conditions: The above copyright notice and this permission notice shall be included in all copies or
// substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
// NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
// SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

// memmem
#define _GNU_SOURCE

#include <ctype.h>
#include <string.h>

#include "internal.h"

enum {
    MAX_CAPTURES = 32,
    /// Nested repetitions and captures; more would use up the C stack.
    MAX_DEPTH = 200,
    /// Steps between two looks at the budgets.
    STEPS_A_LOOK = 4096,
    CAPTURE_OPEN = -1,
    CAPTURE_POSITION = -2,
};

typedef struct {
    lua_State *L;
    const char *text;
    const char *text_end;
    const char *pattern_end;
    int depth;
    int steps;
    int captures;
    struct {
        const char *start;
        ptrdiff_t length;
    } capture[MAX_CAPTURES];
} Matcher;

static const char *match(Matcher *m, const char *s, const char *p);

static inline void step(Matcher *m) {
    if (++m->steps >= STEPS_A_LOOK) {
        m->steps = 0;
        clua_look(m->L);
    }
}

// ---- single characters

static const char *class_end(Matcher *m, const char *p) {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first == '[') {
        if (p < m->pattern_end && *p == '^') p++;
        do {
            if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
            if (*p++ == '%') {
                if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
                p++;
            }
        } while (p == m->pattern_end || *p != ']');
        return p + 1;
    }
    return p;
}

static bool in_class(int c, int class) {
    bool result;
    switch (tolower(class)) {
        case 'a': result = isalpha(c); break;
        case 'c': result = iscntrl(c); break;
        case 'd': result = isdigit(c); break;
        case 'g': result = isgraph(c); break;
        case 'l': result = islower(c); break;
        case 'p': result = ispunct(c); break;
        case 's': result = isspace(c); break;
        case 'u': result = isupper(c); break;
        case 'w': result = isalnum(c); break;
        case 'x': result = isxdigit(c); break;
        default: return class == c;
    }
    return isupper(class) ? !result : result;
}

/// `p` is at `[`, `end` at the closing `]`.
static bool in_set(int c, const char *p, const char *end) {
    bool wanted = true;
    if (p[1] == '^') {
        wanted = false;
        p++;
    }
    while (++p < end) {
        if (*p == '%') {
            p++;
            if (in_class(c, (unsigned char)*p)) return wanted;
        } else if (p[1] == '-' && p + 2 < end) {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) return wanted;
            p += 2;
        } else if ((unsigned char)*p == c) {
            return wanted;
        }
    }
    return !wanted;
}

static bool matches_one(Matcher *m, const char *s, const char *p, const char *end) {
    if (s >= m->text_end) return false;
    int c = (unsigned char)*s;
    switch (*p) {
        case '.': return true;
        case '%': return in_class(c, (unsigned char)p[1]);
        case '[': return in_set(c, p, end - 1);
        default: return (unsigned char)*p == c;
    }
}

// ---- items

static const char *match_balanced(Matcher *m, const char *s, const char *p) {
    if (p >= m->pattern_end - 1) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->text_end || *s != p[0]) return NULL;
    int open = 1;
    while (++s < m->text_end) {
        step(m);
        if (*s == p[1]) {
            if (--open == 0) return s + 1;
        } else if (*s == p[0]) {
            open++;
        }
    }
    return NULL;
}

static const char *match_most(Matcher *m, const char *s, const char *p, const char *end) {
    ptrdiff_t count = 0;
    while (matches_one(m, s + count, p, end)) {
        step(m);
        count++;
    }
    for (; count >= 0; count--) {
        step(m);
        const char *result = match(m, s + count, end + 1);
        if (result != NULL) return result;
    }
    return NULL;
}

static const char *match_least(Matcher *m, const char *s, const char *p, const char *end) {
    for (;;) {
        step(m);
        const char *result = match(m, s, end + 1);
        if (result != NULL) return result;
        if (!matches_one(m, s, p, end)) return NULL;
        s++;
    }
}

static const char *open_capture(Matcher *m, const char *s, const char *p, ptrdiff_t length) {
    if (m->captures >= MAX_CAPTURES) luaL_error(m->L, "too many captures");
    m->capture[m->captures].start = s;
    m->capture[m->captures].length = length;
    m->captures++;
    const char *result = match(m, s, p);
    if (result == NULL) m->captures--;
    return result;
}

static const char *close_capture(Matcher *m, const char *s, const char *p) {
    int level = m->captures;
    while (--level >= 0 && m->capture[level].length != CAPTURE_OPEN) {
    }
    if (level < 0) luaL_error(m->L, "invalid pattern capture");
    m->capture[level].length = s - m->capture[level].start;
    const char *result = match(m, s, p);
    if (result == NULL) m->capture[level].length = CAPTURE_OPEN;
    return result;
}

static const char *match_again(Matcher *m, const char *s, int digit) {
    int level = digit - '1';
    if (level < 0 || level >= m->captures || m->capture[level].length == CAPTURE_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", level + 1);
    }
    // A position capture has no text; Lua's matcher compares a length that no text has, so it never matches.
    if (m->capture[level].length == CAPTURE_POSITION) return NULL;
    size_t length = (size_t)m->capture[level].length;
    m->steps += (int)(length >> 6);
    step(m);
    if ((size_t)(m->text_end - s) >= length && memcmp(m->capture[level].start, s, length) == 0) return s + length;
    return NULL;
}

static const char *match(Matcher *m, const char *s, const char *p) {
    if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
    while (p != m->pattern_end) {
        step(m);
        const char *end = NULL;
        if (*p == '(') {
            s = p + 1 < m->pattern_end && p[1] == ')' ? open_capture(m, s, p + 2, CAPTURE_POSITION)
                                                      : open_capture(m, s, p + 1, CAPTURE_OPEN);
            break;
        }
        if (*p == ')') {
            s = close_capture(m, s, p + 1);
            break;
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            if (s != m->text_end) s = NULL;
            break;
        }
        if (*p == '%' && p + 1 < m->pattern_end) {
            char kind = p[1];
            if (kind == 'b') {
                s = match_balanced(m, s, p + 2);
                if (s == NULL) break;
                p += 4;
                continue;
            }
            if (kind == 'f') {
                p += 2;
                if (p == m->pattern_end || *p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
                end = class_end(m, p);
                int before = s == m->text ? '\0' : (unsigned char)s[-1];
                int here = s < m->text_end ? (unsigned char)*s : '\0';
                if (in_set(before, p, end - 1) || !in_set(here, p, end - 1)) {
                    s = NULL;
                    break;
                }
                p = end;
                continue;
            }
            if (isdigit((unsigned char)kind)) {
                s = match_again(m, s, (unsigned char)kind);
                if (s == NULL) break;
                p += 2;
                continue;
            }
        }
        end = class_end(m, p);
        char suffix = end < m->pattern_end ? *end : '\0';
        if (suffix == '?') {
            if (matches_one(m, s, p, end)) {
                const char *result = match(m, s + 1, end + 1);
                if (result != NULL) {
                    s = result;
                    break;
                }
            }
            p = end + 1;
            continue;
        }
        if (suffix == '*' || suffix == '+') {
            if (suffix == '+') s = matches_one(m, s, p, end) ? s + 1 : NULL;
            if (s != NULL) s = match_most(m, s, p, end);
            break;
        }
        if (suffix == '-') {
            s = match_least(m, s, p, end);
            break;
        }
        if (!matches_one(m, s, p, end)) {
            s = NULL;
            break;
        }
        s++;
        p = end;
    }
    m->depth++;
    return s;
}

// ---- captures

/// Pushes capture `index`; the whole match when the pattern has none.
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

/// A start position as Lua counts it, from the end when negative, as an offset.
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
        const char *end = match(&m, s, pattern + anchored);
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

/// Upvalues: text, pattern, offset to go on from, offset where the last match ended or -1.
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
        const char *end = match(&m, s, pattern);
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
    lua_tostring(L, 1);  // numbers become the strings that the upvalues must be
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

/// Adds what replaces a match; true when it is something else than the match itself.
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
        const char *end = match(&m, s, pattern + anchored);
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
