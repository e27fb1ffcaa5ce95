// What the C files of CLua share. Nothing here is seen by Swift.

#ifndef CLUA_INTERNAL_H
#define CLUA_INTERNAL_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

#include "CLua.h"

enum { CLUA_MAX_TYPES = 64 };

/// What all states of a run may use, and what of it is used up. `spent` is written by signal handlers.
struct CLuaBudget {
    volatile int spent;
    /// Ends on the process's CPU clock and on the monotonic clock, in seconds; 0 for none, or where signals tell.
    double cpu_end;
    double wall_end;
    bool counts;
    int64_t instructions;
    /// Bytes of all states together.
    size_t memory_used;
    size_t memory_limit;
};

/// One a state, reached from every coroutine through its extra space.
typedef struct {
    CLuaHost host;
    lua_State *main;
    CLuaBudget *budget;
    /// The coroutine whose Lua code runs.
    lua_State *volatile current;
    /// Lua code is running: the allocator may refuse.
    bool running;
    size_t used;
    size_t limit;
    /// Bytes that `clua_press` was told of since it last collected.
    size_t pressure;
    int64_t allocations;
    int64_t fail_countdown;
    uint64_t seed;
    int yield_count;
    /// Whoever resumed what runs now passes a wait on, up to a task's `step`.
    bool may_wait;
    /// Coroutines whose variables are being closed.
    int closing;
    bool keep_frames;
    int frame_count;
    CLuaFrame frames[CLUA_MAX_FRAMES];
    /// The metatables of declared types, to compare with. The registry keeps them alive, so an address stays theirs.
    const void *metatables[CLUA_MAX_TYPES];
} CLuaState;

/// The extra space of a coroutine: the state's address, whose lowest bit says that the coroutine waits for the host.
static inline uintptr_t *extra_of(lua_State *L) { return (uintptr_t *)lua_getextraspace(L); }
static inline CLuaState *state_of(lua_State *L) { return (CLuaState *)(*extra_of(L) & ~(uintptr_t)1); }
static inline bool is_waiting(lua_State *L) { return (*extra_of(L) & 1) != 0; }
static inline void set_waiting(lua_State *L, bool waits) { *extra_of(L) = (*extra_of(L) & ~(uintptr_t)1) | waits; }

/// Whether so many bytes more are over a limit.
static inline bool is_over(const CLuaState *state, size_t more) {
    return (state->limit != 0 && state->used + more > state->limit) ||
           (state->budget != NULL && state->budget->memory_limit != 0 &&
            state->budget->memory_used + more > state->budget->memory_limit);
}

/// Counts bytes taken (or given back, when negative).
static inline void charge(CLuaState *state, ptrdiff_t bytes) {
    state->used += (size_t)bytes;
    if (state->budget != NULL) state->budget->memory_used += (size_t)bytes;
}

/// Control goes back from Swift to Lua with a host function's status: raises what there is to raise.
int clua_finish(lua_State *L, CLuaState *state, int32_t status);
/// Opens the allow-listed libraries into the globals; runs protected.
int clua_open_libraries(lua_State *L);
/// `tostring` without addresses: pushes the text of the value.
int clua_tostring(lua_State *L);

/// Whose turn it was before Lua code began to run.
typedef struct {
    CLuaState *state;
    lua_State *current;
    bool running;
} CLuaTurn;

CLuaTurn clua_begin_lua(lua_State *L);
void clua_end_lua(CLuaState *state, CLuaTurn before);
/// Suspends the coroutine that runs until what it waits for, the value on top, is there; then `go_on` is called, with it
/// on top again. Only where `clua_may_wait` says so.
int clua_wait(lua_State *L, lua_KContext context, lua_KFunction go_on);
/// Raises the budget's error if one is spent; for loops in C.
void clua_look(lua_State *L);
bool clua_is_spent(lua_State *L);
/// After a protected call in Lua: the budget's error goes on, and running out of memory is one.
void clua_rethrow(lua_State *L, int status);
/// A coroutine that was made before the budget was set has no hook yet.
void clua_inherit_hook(lua_State *coroutine, lua_State *from);
int clua_raise_spent(lua_State *L);

// Functions that take the place of Lua's own.
extern const luaL_Reg clua_pattern_functions[];
extern const luaL_Reg clua_protected_functions[];
extern const luaL_Reg clua_coroutine_functions[];
extern const luaL_Reg clua_bounded_table[];
extern const luaL_Reg clua_bounded_string[];

#endif
