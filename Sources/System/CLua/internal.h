// Internal declarations of CLua, not visible to Swift.

#ifndef CLUA_INTERNAL_H
#define CLUA_INTERNAL_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

#include "CLua.h"

enum { CLUA_MAX_TYPES = 64 };

/// Limits of a run and their current use. Signal handlers write `spent`.
struct CLuaBudget {
    volatile int spent;
    /// Deadlines on the process's CPU clock and the monotonic clock, in seconds; 0 for none, or when signals are used.
    double cpu_end;
    double wall_end;
    bool counts;
    int64_t instructions;
    /// Bytes used by all states together.
    size_t memory_used;
    size_t memory_limit;
};

/// Per-state data, reachable from every coroutine through its extra space.
typedef struct {
    CLuaHost host;
    lua_State *main;
    CLuaBudget *budget;
    /// The coroutine whose Lua code is running.
    lua_State *volatile current;
    /// Lua code is running, so the allocator may fail.
    bool running;
    size_t used;
    size_t limit;
    /// Bytes reported to `clua_press` since its last collection.
    size_t pressure;
    int64_t allocations;
    int64_t fail_countdown;
    uint64_t seed;
    int yield_count;
    /// Whether the resume call above the running code forwards a wait, up to a task's `step`.
    bool may_wait;
    /// Where the native stack stood when Lua code was entered from outside. NULL while none runs.
    const char *stack_base;
    /// Swift read a field or ran a host function since this was cleared.
    bool asked;
    bool keep_frames;
    int frame_count;
    CLuaFrame frames[CLUA_MAX_FRAMES];
    /// Metatables of declared types, for comparison. The registry keeps them alive, so the addresses stay unique.
    const void *metatables[CLUA_MAX_TYPES];
} CLuaState;

/// A coroutine's extra space holds the address of the state. The lowest bit is set while the coroutine waits for the
/// host.
static inline uintptr_t *extra_of(lua_State *L) { return (uintptr_t *)lua_getextraspace(L); }
static inline CLuaState *state_of(lua_State *L) { return (CLuaState *)(*extra_of(L) & ~(uintptr_t)1); }
static inline bool is_waiting(lua_State *L) { return (*extra_of(L) & 1) != 0; }
static inline void set_waiting(lua_State *L, bool waits) { *extra_of(L) = (*extra_of(L) & ~(uintptr_t)1) | waits; }

/// Whether `more` additional bytes would exceed a limit.
static inline bool is_over(const CLuaState *state, size_t more) {
    return (state->limit != 0 && state->used + more > state->limit) ||
           (state->budget != NULL && state->budget->memory_limit != 0 &&
            state->budget->memory_used + more > state->budget->memory_limit);
}

/// Adds to the memory in use; negative when memory is freed.
static inline void charge(CLuaState *state, ptrdiff_t bytes) {
    state->used += (size_t)bytes;
    if (state->budget != NULL) state->budget->memory_used += (size_t)bytes;
}

/// Precedes every payload; its 16 bytes keep the payload aligned.
typedef struct {
    int32_t type;
    int32_t alive;
    /// Bytes that the payload retains elsewhere, counted toward the state's memory.
    int64_t charged;
} CLuaHeader;

/// The header if the value is a live userdata of the type, else NULL.
CLuaHeader *clua_header_at(lua_State *L, int index, int32_t type);
/// Looks up the key at index 2 among fields and methods of the value at index 1. Upvalues: the table of fields, the type.
int clua_read_field(lua_State *L);
int clua_write_field(lua_State *L);
/// Completes and registers the metatable on top, below which is the table of fields and methods. Pops both.
void clua_declare(lua_State *L, int32_t type, lua_CFunction read, lua_CFunction collect);
/// Pushes the metatable of a type.
void clua_push_type(lua_State *L, int32_t type);
/// Sets the metatable of the userdata on top to that of its type.
void clua_set_type(lua_State *L, int32_t type);
/// Calls a host function that may wait or yield.
int clua_cross(lua_State *L, int32_t function);
int clua_on_error(lua_State *L);

/// Called when a host function returns to Lua: raises pending errors, or returns the status.
int clua_finish(lua_State *L, CLuaState *state, int32_t status);
/// Opens the allow-listed libraries as globals; must run in protected mode.
int clua_open_libraries(lua_State *L);
/// `tostring` without addresses: pushes the text of the value.
int clua_tostring(lua_State *L);

/// The function that a replacement stands for: its first upvalue. Called without a frame of its own, so that errors name
/// the replacement. Only for functions without upvalues.
lua_CFunction clua_original(lua_State *L);

/// The state to restore when Lua code returns.
typedef struct {
    CLuaState *state;
    lua_State *current;
    bool running;
    const char *stack_base;
} CLuaTurn;

CLuaTurn clua_begin_lua(lua_State *L);
void clua_end_lua(CLuaState *state, CLuaTurn before);
/// Suspends the running coroutine until the awaited value, passed on top of the stack, is available; then calls `go_on`
/// with the value on top. Requires `clua_may_wait`.
int clua_wait(lua_State *L, lua_KContext context, lua_KFunction go_on);
/// Raises the budget's error if it is exhausted; for loops in C.
void clua_look(lua_State *L);
bool clua_is_spent(lua_State *L);
/// After a protected call in Lua: rethrows the budget's error, and marks the memory budget as exhausted on LUA_ERRMEM.
void clua_rethrow(lua_State *L, int status);
/// Sets the hook on a coroutine that was created before the budget was set.
void clua_inherit_hook(lua_State *coroutine, lua_State *from);
int clua_raise_spent(lua_State *L);
/// Raises an error if the native stack in use since Lua was entered leaves no room for another full chain of C calls.
void clua_check_stack(lua_State *L);

// Replacements for Lua's own functions.
extern const luaL_Reg clua_pattern_functions[];
extern const luaL_Reg clua_protected_functions[];
extern const luaL_Reg clua_coroutine_functions[];
extern const luaL_Reg clua_bounded_table[];
extern const luaL_Reg clua_bounded_string[];

#endif
