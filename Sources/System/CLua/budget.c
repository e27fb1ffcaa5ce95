// Budgets that a plugin cannot catch. Once one is exhausted, every Lua instruction raises again: a count hook of 1 is
// set on the running coroutine, and the functions that could catch an error (pcall, xpcall, the coroutine library)
// rethrow it. One budget applies to all states of a run.
//
// A budget is exhausted in one of two ways. A signal handler may call `clua_budget_expire` at any time; it only sets a
// flag and a hook, both of which Lua allows in a signal handler. Without signals, the hook itself checks the clocks
// every thousand instructions.

// for clock_gettime and setitimer
#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "internal.h"

enum {
    /// Instructions between two checks of the clocks, without signals.
    INSTRUCTIONS_A_LOOK = 1000,
};

/// The state whose Lua code runs on this thread, for the signal handler.
static _Thread_local CLuaState *volatile running_state;

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

CLuaBudget *clua_budget_new(void) { return calloc(1, sizeof(CLuaBudget)); }
void clua_budget_free(CLuaBudget *budget) { free(budget); }

void clua_budget_limit(CLuaBudget *budget, double cpu, double wall, int64_t instructions) {
    budget->cpu_end = cpu > 0 ? seconds(CLOCK_PROCESS_CPUTIME_ID) + cpu : 0;
    budget->wall_end = wall > 0 ? seconds(CLOCK_MONOTONIC) + wall : 0;
    budget->instructions = instructions;
    budget->counts = instructions > 0;
}

void clua_budget_limit_memory(CLuaBudget *budget, size_t bytes) { budget->memory_limit = bytes; }

size_t clua_budget_memory(const CLuaBudget *budget) { return budget->memory_used; }

int clua_budget_spent(const CLuaBudget *budget) { return budget->spent; }

static void on_hook(lua_State *L, lua_Debug *frame);

void clua_inherit_hook(lua_State *coroutine, lua_State *from) {
    if (lua_gethook(coroutine) == NULL && lua_gethook(from) != NULL) {
        lua_sethook(coroutine, on_hook, LUA_MASKCOUNT, lua_gethookcount(from));
    }
}

static void arm(CLuaState *state) {
    if (state->current != NULL) lua_sethook(state->current, on_hook, LUA_MASKCOUNT, 1);
}

void clua_budget_expire(CLuaBudget *budget, int what) {
    if (budget->spent == CLUA_BUDGET_NONE) budget->spent = what;
    CLuaState *state = running_state;
    if (state != NULL && state->budget == budget) arm(state);
}

// ---- timers of a process that has one budget

static CLuaBudget *timed_budget;

static void on_timer(int signal) {
    clua_budget_expire(timed_budget, signal == SIGPROF ? CLUA_BUDGET_CPU : CLUA_BUDGET_WALL);
}

static void start_timer(int which, int signal, double seconds) {
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    sigaction(signal, &action, NULL);
    struct itimerval timer = {0};
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    // A zero value would disable the timer.
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
    // Repeat every tenth of a second, because the first signal may arrive while no Lua code runs.
    timer.it_interval.tv_usec = 100 * 1000;
    setitimer(which, &timer, NULL);
}

void clua_budget_use_timers(CLuaBudget *budget, double cpu, double wall) {
    timed_budget = budget;
    if (cpu > 0) start_timer(ITIMER_PROF, SIGPROF, cpu);
    if (wall > 0) start_timer(ITIMER_REAL, SIGALRM, wall);
}

// ---- checking

static bool looks_at_clocks(const CLuaBudget *budget) {
    return budget->cpu_end > 0 || budget->wall_end > 0 || budget->counts;
}

/// Checks the clocks and marks an exhausted budget.
static void look_at_clocks(CLuaBudget *budget) {
    if (budget->spent != CLUA_BUDGET_NONE) return;
    if (budget->cpu_end > 0 && seconds(CLOCK_PROCESS_CPUTIME_ID) > budget->cpu_end) {
        budget->spent = CLUA_BUDGET_CPU;
    } else if (budget->wall_end > 0 && seconds(CLOCK_MONOTONIC) > budget->wall_end) {
        budget->spent = CLUA_BUDGET_WALL;
    }
}

int clua_raise_spent(lua_State *L) {
    CLuaState *state = state_of(L);
    lua_sethook(L, on_hook, LUA_MASKCOUNT, 1);
    // A light userdata needs no allocation, and plugins cannot create this one.
    lua_pushlightuserdata(L, (void *)&state->budget);
    return lua_error(L);
}

bool clua_is_spent(lua_State *L) {
    CLuaState *state = state_of(L);
    return state->budget != NULL && state->budget->spent != CLUA_BUDGET_NONE;
}

void clua_look(lua_State *L) {
    CLuaState *state = state_of(L);
    if (state->budget == NULL) return;
    if (looks_at_clocks(state->budget)) look_at_clocks(state->budget);
    if (state->budget->spent != CLUA_BUDGET_NONE) clua_raise_spent(L);
}

static void on_hook(lua_State *L, lua_Debug *frame) {
    (void)frame;
    CLuaState *state = state_of(L);
    if (state->budget == NULL) return;
    if (state->budget->counts && state->budget->spent == CLUA_BUDGET_NONE) {
        state->budget->instructions -= INSTRUCTIONS_A_LOOK;
        if (state->budget->instructions <= 0) state->budget->spent = CLUA_BUDGET_INSTRUCTIONS;
    }
    clua_look(L);
}

void clua_set_budget(lua_State *L, CLuaBudget *budget) {
    CLuaState *state = state_of(L);
    state->budget = budget;
    if (budget != NULL) budget->memory_used += state->used;
    // New coroutines inherit the hook of their creator.
    if (budget != NULL && looks_at_clocks(budget)) lua_sethook(L, on_hook, LUA_MASKCOUNT, INSTRUCTIONS_A_LOOK);
}

// ---- switching between Lua and the host

CLuaTurn clua_begin_lua(lua_State *L) {
    CLuaState *state = state_of(L);
    CLuaTurn before = {running_state, state->current, state->running, state->stack_base};
    if (state->stack_base == NULL) state->stack_base = __builtin_frame_address(0);
    state->current = L;
    state->running = true;
    running_state = state;
    return before;
}

void clua_end_lua(CLuaState *state, CLuaTurn before) {
    state->current = before.current;
    state->running = before.running;
    state->stack_base = before.stack_base;
    running_state = before.state;
}

/// Lua's own limit, 200 C calls, needs about half a megabyte. Patterns of lpeg may use four more beyond this limit; a
/// thread has eight.
enum { MAX_STACK_USED = 1 << 20 };

void clua_check_stack(lua_State *L) {
    const char *base = state_of(L)->stack_base;
    if (base != NULL && base - (const char *)__builtin_frame_address(0) > MAX_STACK_USED) {
        luaL_error(L, "C stack overflow");
    }
}

// ---- functions that could catch an error

void clua_rethrow(lua_State *L, int status) {
    CLuaState *state = state_of(L);
    if (status == LUA_ERRMEM && state->budget != NULL && state->budget->spent == CLUA_BUDGET_NONE) {
        state->budget->spent = CLUA_BUDGET_MEMORY;
    }
    if (clua_is_spent(L)) clua_raise_spent(L);
}

static int finish_pcall(lua_State *L, int status, lua_KContext extra) {
    if (status != LUA_OK && status != LUA_YIELD) {
        clua_rethrow(L, status);
        lua_pushboolean(L, 0);
        lua_pushvalue(L, -2);
        return 2;
    }
    clua_rethrow(L, LUA_OK);
    return lua_gettop(L) - (int)extra;
}

static int safe_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
    return finish_pcall(L, status, 0);
}

/// Calls the plugin's message handler unless the error is the budget's: hooks are disabled inside a hook, so a handler
/// that loops there could not be stopped. Upvalue: the handler.
static int guarded_handler(lua_State *L) {
    if (clua_is_spent(L)) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int safe_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_pcall);
    return finish_pcall(L, status, 2);
}

const luaL_Reg clua_protected_functions[] = {{"pcall", safe_pcall}, {"xpcall", safe_xpcall}, {NULL, NULL}};
