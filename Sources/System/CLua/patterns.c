// Lua's pattern matcher with budget checks, adapted from Lua 5.4's lstrlib.c with the same rules. Lua's own matcher
// cannot be interrupted, so a pattern such as `.-.-.-.-b` on a long text would run past every budget. Here steps are
// counted, and the budgets are checked every few thousand steps. The string functions are in pattern_functions.c.
//
// Lua is Copyright (C) 1994-2022 Lua.org, PUC-Rio. Permission is hereby granted, free of charge, to any person
// obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software
// without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute,
// sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
// subject to the following conditions: The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
// EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE
// AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
// SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

#include <ctype.h>
#include <string.h>

#include "patterns.h"

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
        case 'z': result = c == '\0'; break;  // of Lua 5.1; later versions still accept it
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
        const char *result = clua_match(m, s + count, end + 1);
        if (result != NULL) return result;
    }
    return NULL;
}

static const char *match_least(Matcher *m, const char *s, const char *p, const char *end) {
    for (;;) {
        step(m);
        const char *result = clua_match(m, s, end + 1);
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
    const char *result = clua_match(m, s, p);
    if (result == NULL) m->captures--;
    return result;
}

static const char *close_capture(Matcher *m, const char *s, const char *p) {
    int level = m->captures;
    while (--level >= 0 && m->capture[level].length != CAPTURE_OPEN) {
    }
    if (level < 0) luaL_error(m->L, "invalid pattern capture");
    m->capture[level].length = s - m->capture[level].start;
    const char *result = clua_match(m, s, p);
    if (result == NULL) m->capture[level].length = CAPTURE_OPEN;
    return result;
}

static const char *match_again(Matcher *m, const char *s, int digit) {
    int level = digit - '1';
    if (level < 0 || level >= m->captures || m->capture[level].length == CAPTURE_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", level + 1);
    }
    // A position capture has no text. Lua's matcher compares an impossible length here, so it never matches.
    if (m->capture[level].length == CAPTURE_POSITION) return NULL;
    size_t length = (size_t)m->capture[level].length;
    m->steps += (int)(length >> 6);
    step(m);
    if ((size_t)(m->text_end - s) >= length && memcmp(m->capture[level].start, s, length) == 0) return s + length;
    return NULL;
}

const char *clua_match(Matcher *m, const char *s, const char *p) {
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
                const char *result = clua_match(m, s + 1, end + 1);
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
