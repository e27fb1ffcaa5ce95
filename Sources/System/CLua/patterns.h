// What the matcher (patterns.c) and the functions of the string library over it (pattern_functions.c) share.

#ifndef CLUA_PATTERNS_H
#define CLUA_PATTERNS_H

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

/// The end of a match of the pattern at `p` with the text at `s`; NULL when there is none. Raises on a bad pattern.
const char *clua_match(Matcher *m, const char *s, const char *p);

/// Counts a step, and looks at the budgets every few thousand.
static inline void step(Matcher *m) {
    if (++m->steps >= STEPS_A_LOOK) {
        m->steps = 0;
        clua_look(m->L);
    }
}

#endif
