// Userdata whose payload is a Swift value in Lua memory. A field read is a table lookup by name and one call into Swift
// with the field's number. A payload is deinitialized exactly once, by the collector or when the state closes.

#include "internal.h"

/// Registry keys of the metatables: one address per type.
static const char type_keys[CLUA_MAX_TYPES];

CLuaHeader *clua_header_at(lua_State *L, int index, int32_t type) {
    CLuaHeader *header = lua_touserdata(L, index);
    if (header == NULL || lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
    bool same = lua_topointer(L, -1) == state_of(L)->metatables[type];
    lua_pop(L, 1);
    return same && header->alive ? header : NULL;
}

void *clua_to_userdata(lua_State *L, int index, int32_t type) {
    if (type < 0 || type >= CLUA_MAX_TYPES) return NULL;
    CLuaHeader *header = clua_header_at(L, index, type);
    return header == NULL ? NULL : header + 1;
}

/// Looks up the key at index 2 among fields and methods. Upvalues: the table of fields, the type.
static int access_field(lua_State *L, bool writing) {
    CLuaState *state = state_of(L);
    int32_t type = (int32_t)lua_tointeger(L, lua_upvalueindex(2));
    CLuaHeader *header = clua_header_at(L, 1, type);
    if (header == NULL) return luaL_error(L, "not a living value of its type");
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TFUNCTION && !writing) return 1;
    state->running = false;
    state->asked = true;
    int32_t status;
    if (found == LUA_TNUMBER) {
        int32_t field = (int32_t)lua_tointeger(L, -1);
        lua_settop(L, writing ? 3 : 2);
        status = writing ? state->host.write(state->host.context, L, type, field, header + 1)
                         : state->host.read(state->host.context, L, type, field, header + 1);
    } else {
        status = state->host.unknown(state->host.context, L, type, writing);
    }
    return clua_finish(L, state, status);
}

int clua_read_field(lua_State *L) { return access_field(L, false); }
int clua_write_field(lua_State *L) { return access_field(L, true); }

static int collect_userdata(lua_State *L) {
    CLuaState *state = state_of(L);
    CLuaHeader *header = lua_touserdata(L, 1);
    if (header == NULL || !header->alive) return 0;
    header->alive = 0;
    bool was_running = state->running;
    state->running = false;
    state->host.release(state->host.context, header->type, header + 1);
    charge(state, -(ptrdiff_t)header->charged);
    state->running = was_running;
    return 0;
}

/// Sets an access metamethod, unless the type has its own.
static void set_access(lua_State *L, int metatable, const char *name, lua_CFunction access, int32_t type) {
    if (lua_getfield(L, metatable, name) == LUA_TNIL) {
        lua_pushvalue(L, metatable - 1);
        lua_pushinteger(L, type);
        lua_pushcclosure(L, access, 2);
        lua_setfield(L, metatable, name);
    }
    lua_pop(L, 1);
}

void clua_declare(lua_State *L, int32_t type, lua_CFunction read, lua_CFunction collect) {
    int metatable = lua_gettop(L);
    set_access(L, metatable, "__index", read, type);
    set_access(L, metatable, "__newindex", clua_write_field, type);
    if (collect != NULL) {
        lua_pushcfunction(L, collect);
        lua_setfield(L, metatable, "__gc");
    }
    lua_pushboolean(L, 0);
    lua_setfield(L, metatable, "__metatable");
    state_of(L)->metatables[type] = lua_topointer(L, metatable);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &type_keys[type]);
    lua_pop(L, 1);
}

void clua_declare_type(lua_State *L, int32_t type) { clua_declare(L, type, clua_read_field, collect_userdata); }

void clua_push_type(lua_State *L, int32_t type) { lua_rawgetp(L, LUA_REGISTRYINDEX, &type_keys[type]); }

void clua_set_type(lua_State *L, int32_t type) {
    clua_push_type(L, type);
    lua_setmetatable(L, -2);
}

void *clua_push_userdata(lua_State *L, int32_t type, size_t size, size_t charged) {
    CLuaHeader *header = lua_newuserdatauv(L, sizeof(CLuaHeader) + size, 1);
    header->type = type;
    header->alive = 1;
    header->charged = (int64_t)charged;
    charge(state_of(L), (ptrdiff_t)charged);
    clua_set_type(L, type);
    return header + 1;
}

/// Reported bytes that trigger a full collection. In generational mode an object that survives two minor collections is
/// promoted to old, and large records usually do, so a minor collection would not free them.
static const size_t most_pressure = 1 << 20;

void clua_press(lua_State *L, size_t bytes) {
    CLuaState *state = state_of(L);
    state->pressure += bytes;
    // The larger the heap, the more must have been reported, so that collections stay proportionate.
    if (state->pressure < most_pressure || state->pressure < state->used) return;
    state->pressure = 0;
    lua_gc(L, LUA_GCCOLLECT);
}
