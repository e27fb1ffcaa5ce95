// Declarations shared by the matcher (patterns.c) and the string library functions (pattern_functions.c).

#ifndef CLUA_PATTERNS_H
#define CLUA_PATTERNS_H

#include "internal.h"

enum {
    MAX_CAPTURES = 32,
    /// Maximum nesting of repetitions and captures, to protect the C stack.
    MAX_DEPTH = 200,
    /// Steps between two budget checks.
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

/// Matches the pattern at `p` against the text at `s`. Returns the end of the match, or NULL. Raises on a malformed
/// pattern.
const char *clua_match(Matcher *m, const char *s, const char *p);

/// Counts a step, and checks the budgets every few thousand steps.
static inline void step(Matcher *m) {
    if (++m->steps >= STEPS_A_LOOK) {
        m->steps = 0;
        clua_look(m->L);
    }
}

#endif
