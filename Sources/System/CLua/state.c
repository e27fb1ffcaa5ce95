// Lua states, the allocator, and the transitions between Lua and Swift. The flag `running` is set while Lua code runs
// and cleared while Swift runs; only while it is set may an allocation fail or an error be raised.

#include <stdlib.h>
#include <string.h>

#include "internal.h"

// ---- memory

static bool plugin_frame(lua_State *L, lua_Debug *frame);
static void record_frames(lua_State *L, CLuaState *state);

/// Fails an allocation. Lua calls no message handler on a memory error, so the frames are recorded here, which needs no
/// memory. While the error unwinds, Lua may allocate again for a smaller stack when there are no frames left; those
/// recorded before are then preserved.
static void *refuse(CLuaState *state) {
    lua_Debug frame;
    if (state->current != NULL && plugin_frame(state->current, &frame)) record_frames(state->current, state);
    return NULL;
}

static void *allocate(void *data, void *block, size_t old_size, size_t new_size) {
    CLuaState *state = data;
    if (block == NULL) old_size = 0;  // for a new block, old_size is the object's type
    if (new_size == 0) {
        free(block);
        charge(state, -(ptrdiff_t)old_size);
        return NULL;
    }
    if (state->running && new_size > old_size) {
        state->allocations++;
        if (state->fail_countdown > 0 && --state->fail_countdown == 0) return refuse(state);
        if (is_over(state, new_size - old_size)) return refuse(state);
    }
    void *moved = realloc(block, new_size);
    if (moved != NULL) charge(state, (ptrdiff_t)new_size - (ptrdiff_t)old_size);
    return moved;
}

size_t clua_memory_used(lua_State *L) { return state_of(L)->used; }
void clua_fail_allocation(lua_State *L, int64_t countdown) { state_of(L)->fail_countdown = countdown; }
int64_t clua_allocation_count(lua_State *L) { return state_of(L)->allocations; }

static int collect(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT);
    return 0;
}

void clua_collect(lua_State *L) {
    CLuaState *state = state_of(L);
    bool was_running = state->running;
    state->running = false;
    lua_pushcfunction(L, collect);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    state->running = was_running;
}

// ---- errors

/// Whether a frame is the host's own Lua code.
static bool is_internal(const lua_Debug *frame) { return frame->source[0] == '=' && frame->source[1] == '['; }

static void copy_text(char *to, size_t size, const char *from) {
    size_t length = from == NULL ? 0 : strlen(from);
    if (length >= size) length = size - 1;
    if (length > 0) memcpy(to, from, length);
    to[length] = '\0';
}

static void record_frames(lua_State *L, CLuaState *state) {
    lua_Debug frame;
    state->frame_count = 0;
    for (int level = 0; state->frame_count < CLUA_MAX_FRAMES && lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sln", &frame);
        if (frame.currentline < 0 || is_internal(&frame)) continue;
        CLuaFrame *kept = &state->frames[state->frame_count++];
        copy_text(kept->source, sizeof kept->source, frame.source + (frame.source[0] == '@' || frame.source[0] == '='));
        copy_text(kept->shown, sizeof kept->shown, frame.short_src);
        copy_text(kept->name, sizeof kept->name, frame.name);
        kept->line = frame.currentline;
    }
}

int clua_on_error(lua_State *L) {
    CLuaState *state = state_of(L);
    if (clua_is_nil_use(L)) return 1;
    if (!state->keep_frames) record_frames(L, state);
    state->keep_frames = false;
    return 1;
}

int clua_frames(lua_State *L, const CLuaFrame **frames) {
    *frames = state_of(L)->frames;
    return state_of(L)->frame_count;
}

void clua_keep_frames(lua_State *L) { state_of(L)->keep_frames = true; }

static bool plugin_frame(lua_State *L, lua_Debug *frame) {
    for (int level = 0; lua_getstack(L, level, frame); level++) {
        lua_getinfo(L, "Sl", frame);
        if (frame->currentline >= 0 && !is_internal(frame)) return true;
    }
    return false;
}

void clua_push_position(lua_State *L) {
    lua_Debug frame;
    if (plugin_frame(L, &frame)) {
        lua_pushfstring(L, "%s:%d: ", frame.short_src, frame.currentline);
    } else {
        lua_pushliteral(L, "");
    }
}

int clua_position(lua_State *L, char *shown, size_t size) {
    lua_Debug frame;
    if (!plugin_frame(L, &frame)) {
        copy_text(shown, size, NULL);
        return 0;
    }
    copy_text(shown, size, frame.short_src);
    return frame.currentline;
}

int clua_definition(lua_State *L, int index, char *source, size_t size) {
    lua_Debug function;
    copy_text(source, size, NULL);
    if (!lua_isfunction(L, index) || lua_iscfunction(L, index)) return 0;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &function);
    copy_text(source, size, function.source + (function.source[0] == '@' || function.source[0] == '='));
    return function.linedefined;
}

// ---- from Lua into Swift

/// Returns to Lua after Swift ran. Raises a memory error if Swift exceeded the limit, and any error of the host
/// function.
int clua_finish(lua_State *L, CLuaState *state, int32_t status) {
    if (is_over(state, 0)) {
        lua_gc(L, LUA_GCCOLLECT);
        if (is_over(state, 0)) {
            state->running = true;
            if (state->budget != NULL) {
                clua_budget_expire(state->budget, CLUA_BUDGET_MEMORY);
                return clua_raise_spent(L);
            }
            return luaL_error(L, "not enough memory");
        }
    }
    state->running = true;
    if (clua_is_spent(L)) return clua_raise_spent(L);
    if (status == CLUA_RAISE) return lua_error(L);
    return status;
}

static int go_on(lua_State *L, int status, lua_KContext context);

static int cross(lua_State *L, int32_t function, bool resumed) {
    CLuaState *state = state_of(L);
    state->running = false;
    state->asked = true;
    int32_t status = state->host.call(state->host.context, L, function, resumed);
    status = clua_finish(L, state, status);
    if (status == CLUA_YIELD) {
        if (!lua_isyieldable(L)) return luaL_error(L, "attempt to yield from outside a coroutine");
        return lua_yieldk(L, state->yield_count, (lua_KContext)function, go_on);
    }
    if (status == CLUA_WAIT) {
        if (!clua_may_wait(L)) return luaL_error(L, "attempt to wait from outside a task");
        return clua_wait(L, (lua_KContext)function, go_on);
    }
    return status;
}

int clua_cross(lua_State *L, int32_t function) { return cross(L, function, false); }

static int go_on(lua_State *L, int status, lua_KContext context) {
    (void)status;
    return cross(L, (int32_t)context, true);
}

static int call_function(lua_State *L) {
    return cross(L, (int32_t)lua_tointeger(L, lua_upvalueindex(1)), false);
}

void clua_push_function(lua_State *L, int32_t function) {
    lua_pushinteger(L, function);
    lua_pushcclosure(L, call_function, 1);
}

void clua_set_yield_count(lua_State *L, int count) { state_of(L)->yield_count = count; }
bool clua_is_yieldable(lua_State *L) { return lua_isyieldable(L); }

// ---- from Swift into Lua

int clua_load(lua_State *L, const char *text, size_t length, const char *chunk_name) {
    CLuaState *state = state_of(L);
    CLuaTurn before = clua_begin_lua(L);
    int status = luaL_loadbufferx(L, text, length, chunk_name, "t");
    clua_end_lua(state, before);
    return status;
}

int clua_call(lua_State *L, int arguments, int results) {
    CLuaState *state = state_of(L);
    int handler = lua_gettop(L) - arguments;
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        lua_settop(L, handler - 1);
        lua_pushliteral(L, "stack overflow");
        return LUA_ERRRUN;
    }
    lua_pushcfunction(L, clua_on_error);
    lua_insert(L, handler);
    state->frame_count = 0;
    state->keep_frames = false;
    CLuaTurn before = clua_begin_lua(L);
    int status = lua_pcall(L, arguments, results, handler);
    clua_end_lua(state, before);
    lua_remove(L, handler);
    return status;
}

lua_State *clua_new_coroutine(lua_State *L) {
    lua_State *coroutine = lua_newthread(L);
    lua_pushvalue(L, -2);
    lua_xmove(L, coroutine, 1);
    lua_remove(L, -2);
    return coroutine;
}

lua_State *clua_to_coroutine(lua_State *L, int index) { return lua_tothread(L, index); }

int clua_resume(lua_State *coroutine, lua_State *from, int arguments, int *results) {
    CLuaState *state = state_of(coroutine);
    state->frame_count = 0;
    state->keep_frames = false;
    // A coroutine resumed from Swift cannot forward waits.
    bool may_wait = state->may_wait;
    state->may_wait = false;
    CLuaTurn before = clua_begin_lua(coroutine);
    int status = lua_resume(coroutine, from, arguments, results);
    clua_end_lua(state, before);
    state->may_wait = may_wait;
    if (status > LUA_YIELD && state->frame_count == 0) record_frames(coroutine, state);
    return status;
}

void clua_move(lua_State *from, lua_State *to, int count) {
    if (from != to) lua_xmove(from, to, count);
}

// ---- opening and closing

/// In kilobytes.
enum { FREE_OF_COLLECTION = 512 };

lua_State *clua_open(const CLuaHost *host, size_t memory_limit, uint64_t seed) {
    CLuaState *state = calloc(1, sizeof *state);
    if (state == NULL) return NULL;
    state->host = *host;
    state->seed = seed;
    lua_State *L = lua_newstate(allocate, state);
    if (L == NULL) {
        free(state);
        return NULL;
    }
    state->main = L;
    *(CLuaState **)lua_getextraspace(L) = state;
    // Records are short-lived and hold native memory that the collector does not see. The incremental collector falls
    // behind with their finalizers: three million records in a loop grew to 900 MB, compared to 13 MB in generational
    // mode. Set it now, while the heap is nearly empty.
    lua_gc(L, LUA_GCGEN, 0, 0);
    lua_pushcfunction(L, clua_open_libraries);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        clua_close(L);
        return NULL;
    }
    // Delay the first collection by half a megabyte (a negative step size postpones it): a short run ends before that,
    // and nothing is ever traversed.
    lua_gc(L, LUA_GCSTEP, -FREE_OF_COLLECTION);
    state->limit = memory_limit;
    return L;
}

void clua_set_context(lua_State *L, void *context) { state_of(L)->host.context = context; }

void clua_close(lua_State *L) {
    CLuaState *state = state_of(L);
    state->running = false;
    lua_close(L);
    free(state);
}
