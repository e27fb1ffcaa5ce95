// Coroutine functions that rethrow budget errors, and tasks. A task is a coroutine driven by the host's Lua code with
// `step`: a host function inside it may wait by suspending it. The plugin's own coroutines in between, such as
// generators, do not see this: their resume call forwards the wait by yielding itself, and resumes them when the wait
// is over.

#include "internal.h"

enum {
    /// Results of `resume` other than a count.
    FAILED = -1,
    WAITS = -2,
};

/// Yielded before the awaited value. A light userdata that plugins cannot create.
static const char wait_mark;

static lua_State *coroutine_at(lua_State *L) {
    lua_State *coroutine = lua_tothread(L, 1);
    luaL_argexpected(L, coroutine, 1, "coroutine");
    return coroutine;
}

bool clua_may_wait(lua_State *L) { return state_of(L)->may_wait && lua_isyieldable(L); }

int clua_wait(lua_State *L, lua_KContext context, lua_KFunction go_on) {
    lua_pushlightuserdata(L, (void *)&wait_mark);
    lua_insert(L, -2);
    set_waiting(L, true);
    return lua_yieldk(L, 2, context, go_on);
}

/// Whether the yielded values are a wait.
static bool yielded_wait(lua_State *coroutine, int results) {
    return results == 2 && lua_islightuserdata(coroutine, -2) && lua_touserdata(coroutine, -2) == &wait_mark;
}

/// Moves the arguments over, resumes, and moves the results back. Returns FAILED with the error on top, or WAITS with
/// the awaited value on top, which the caller must forward.
///
/// `may_wait`: whether the caller forwards waits. `goes_on`: the coroutine was suspended for a wait that is over.
static int resume(lua_State *L, lua_State *coroutine, int arguments, bool may_wait, bool goes_on) {
    if (!goes_on && is_waiting(coroutine)) {
        lua_pushliteral(L, "cannot resume a coroutine that waits for the host; it belongs to another task");
        return FAILED;
    }
    if (!lua_checkstack(coroutine, arguments)) {
        lua_pushliteral(L, "too many arguments to resume");
        return FAILED;
    }
    lua_xmove(L, coroutine, arguments);
    CLuaState *state = state_of(L);
    clua_inherit_hook(coroutine, L);
    set_waiting(coroutine, false);
    int results;
    bool before_wait = state->may_wait;
    state->may_wait = may_wait;
    CLuaTurn before = clua_begin_lua(coroutine);
    int status = lua_resume(coroutine, L, arguments, &results);
    clua_end_lua(state, before);
    state->may_wait = before_wait;
    clua_rethrow(L, status);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(coroutine, L, 1);
        return FAILED;
    }
    if (status == LUA_YIELD && yielded_wait(coroutine, results)) {
        lua_xmove(coroutine, L, 1);
        lua_pop(coroutine, 1);
        return WAITS;
    }
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(coroutine, results);
        lua_pushliteral(L, "too many results to resume");
        return FAILED;
    }
    lua_xmove(coroutine, L, results);
    return results;
}

/// Closes the coroutine's variables and leaves its stack as `lua_resetthread` does. A closed coroutine starts to count
/// its C calls anew, so `__close` methods that close the next coroutine would multiply them; the native stack itself is
/// measured instead.
static int reset(lua_State *L, lua_State *coroutine) {
    CLuaState *state = state_of(L);
    clua_check_stack(L);
    set_waiting(coroutine, false);
    bool before_wait = state->may_wait;
    state->may_wait = false;
    CLuaTurn before = clua_begin_lua(coroutine);
    int status = lua_resetthread(coroutine);
    clua_end_lua(state, before);
    state->may_wait = before_wait;
    clua_rethrow(L, status);
    return status;
}

// ---- the coroutine library

static int go_on_resume(lua_State *L, int status, lua_KContext context);

static int resume_first(lua_State *L, bool goes_on) {
    int results = resume(L, coroutine_at(L), lua_gettop(L) - 1, clua_may_wait(L), goes_on);
    if (results == WAITS) return clua_wait(L, 0, go_on_resume);
    lua_pushboolean(L, results != FAILED);
    if (results == FAILED) results = 1;
    lua_insert(L, -(results + 1));
    return results + 1;
}

static int go_on_resume(lua_State *L, int status, lua_KContext context) {
    (void)status, (void)context;
    return resume_first(L, true);
}

static int safe_resume(lua_State *L) { return resume_first(L, false); }

static int go_on_wrapped(lua_State *L, int status, lua_KContext context);

static int resume_wrapped(lua_State *L, bool goes_on) {
    lua_State *coroutine = lua_tothread(L, lua_upvalueindex(1));
    int results = resume(L, coroutine, lua_gettop(L), clua_may_wait(L), goes_on);
    if (results == WAITS) return clua_wait(L, 0, go_on_wrapped);
    if (results != FAILED) return results;
    int status = lua_status(coroutine);
    if (status != LUA_OK && status != LUA_YIELD) {
        status = reset(L, coroutine);  // closes its to-be-closed variables
        lua_xmove(coroutine, L, 1);
    }
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int go_on_wrapped(lua_State *L, int status, lua_KContext context) {
    (void)status, (void)context;
    return resume_wrapped(L, true);
}

static int wrapped(lua_State *L) { return resume_wrapped(L, false); }

static int safe_create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *coroutine = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, coroutine, 1);
    return 1;
}

static int safe_wrap(lua_State *L) {
    safe_create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

static int safe_close(lua_State *L) {
    lua_State *coroutine = coroutine_at(L);
    int status = lua_status(coroutine);
    lua_Debug frame;
    if (coroutine == L || (status == LUA_OK && lua_getstack(coroutine, 0, &frame))) {
        return luaL_error(L, "cannot close a running coroutine");
    }
    status = reset(L, coroutine);
    if (status == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushboolean(L, 0);
    lua_xmove(coroutine, L, 1);
    return 2;
}

const luaL_Reg clua_coroutine_functions[] = {
    {"create", safe_create}, {"wrap", safe_wrap}, {"resume", safe_resume}, {"close", safe_close}, {NULL, NULL}};

// ---- tasks

static int step(lua_State *L) {
    lua_State *task = coroutine_at(L);
    int results = resume(L, task, lua_gettop(L) - 1, true, is_waiting(task));
    if (results == WAITS) {
        lua_pushliteral(L, "waits");
        lua_insert(L, -2);
        return 2;
    }
    if (results == FAILED) {
        int status = lua_status(task);
        if (status != LUA_OK && status != LUA_YIELD) {
            lua_pop(L, 1);
            reset(L, task);
            lua_xmove(task, L, 1);
        }
        lua_pushliteral(L, "failed");
        lua_insert(L, -2);
        return 2;
    }
    if (lua_status(task) == LUA_YIELD) {
        reset(L, task);
        lua_pushliteral(L, "yields");
        return 1;
    }
    if (results == 0) lua_pushnil(L);
    if (results > 1) lua_pop(L, results - 1);
    lua_pushliteral(L, "done");
    lua_insert(L, -2);
    return 2;
}

void clua_push_step(lua_State *L) { lua_pushcfunction(L, step); }
