// Rows of a batch: fields that C reads itself, cursors over rows, and loops that call a function for each row. Trap: the
// parsed data lives only as long as the pin, so every row carries its pin as a user value.

#include <string.h>

#include "internal.h"

// ---- reading fields

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

/// A number of `count` digits; -1 when they are not all digits.
static int64_t digits(const char *text, size_t count) {
    int64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

/// `YYYY-MM-DDTHH:MM:SSZ` as epoch seconds. Returns false for any other text.
static bool time_of(const char *text, size_t length, int64_t *seconds) {
    if (length != 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
        text[19] != 'Z') {
        return false;
    }
    int64_t year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    int64_t hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2);
    // A day that not every month has, and a leap second, are left to Swift.
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > 28 + 2 * (month != 2)) return false;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
    *seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return true;
}

/// Pushes a field. Returns false, without pushing, when Swift must read it.
static bool push_field(lua_State *L, const CLuaField *field, const CLuaPlan *plan, const CLuaPlace *place) {
    if (field->read == CLUA_READ_ASK) return false;
    if (field->read == CLUA_READ_CONSTANT) {
        lua_pushlstring(L, field->words[0].meaning, field->words[0].meaning_length);
        return true;
    }
    cfield_value value =
        plan->source.find(plan->source.data, place->document, place->index, field->path, field->path_length);
    // A negative number may not fit the field.
    if (value.kind == CFIELD_INTEGER && value.integer >= 0 && field->read == CLUA_READ_INTEGER) {
        lua_pushinteger(L, value.integer);
        return true;
    }
    if (value.kind != CFIELD_TEXT || value.length == 0) return false;
    int64_t number;
    switch (field->read) {
    case CLUA_READ_HTML:
        if (memchr(value.text, '&', value.length) != NULL) return false;
        break;
    case CLUA_READ_TEXT: break;
    case CLUA_READ_INTEGER:
        number = value.length <= 18 ? digits(value.text, value.length) : -1;
        if (number < 0) return false;
        lua_pushinteger(L, number);
        return true;
    case CLUA_READ_TIME:
        if (!time_of(value.text, value.length, &number)) return false;
        lua_pushinteger(L, number);
        return true;
    case CLUA_READ_WORD:
        for (size_t i = 0; i < field->word_count; i++) {
            const CLuaWord *word = &field->words[i];
            if (word->word_length != value.length || memcmp(word->word, value.text, value.length) != 0) continue;
            lua_pushlstring(L, word->meaning, word->meaning_length);
            return true;
        }
        return false;
    default: return false;
    }
    lua_pushlstring(L, value.text, value.length);
    return true;
}

/// `__index` of rows. Upvalues: the table of fields, the type.
static int read_row(lua_State *L) {
    int32_t type = (int32_t)lua_tointeger(L, lua_upvalueindex(2));
    CLuaHeader *header = clua_header_at(L, 1, type);
    if (header == NULL) return luaL_error(L, "not a living value of its type");
    const CLuaRow *row = (const CLuaRow *)(header + 1);
    const CLuaPlace *place = &row->rows->places[row->row];
    if (place->plan != 0) {
        lua_pushvalue(L, 2);
        int found = lua_rawget(L, lua_upvalueindex(1));
        if (found == LUA_TFUNCTION) return 1;
        if (found == LUA_TNUMBER) {
            const CLuaPlan *plan = &row->rows->plans[place->plan];
            size_t field = (size_t)lua_tointeger(L, -1);
            if (field < plan->field_count && push_field(L, &plan->fields[field], plan, place)) return 1;
        }
        lua_settop(L, 2);
    }
    return clua_read_field(L);
}

void clua_declare_rows(lua_State *L, int32_t type) { clua_declare(L, type, read_row, NULL); }

void clua_push_row(lua_State *L, int32_t type, CLuaRows *rows, uint32_t row, int pin) {
    pin = lua_absindex(L, pin);
    CLuaHeader *header = lua_newuserdatauv(L, sizeof(CLuaHeader) + sizeof(CLuaRow), 1);
    header->type = type;
    header->alive = 1;
    header->charged = 0;
    *(CLuaRow *)(header + 1) = (CLuaRow){rows, row};
    lua_pushvalue(L, pin);
    lua_setiuservalue(L, -2, 1);
    clua_set_type(L, type);
}

// ---- cursors

void clua_set_pin(lua_State *L, int index) { lua_setiuservalue(L, index, 1); }
void clua_push_pin(lua_State *L, int index) { lua_getiuservalue(L, index, 1); }

/// `__call` of cursors. Upvalues: the number of the host function that reads on, the type, the type of rows.
static int next_row(lua_State *L) {
    CLuaHeader *header = clua_header_at(L, 1, (int32_t)lua_tointeger(L, lua_upvalueindex(2)));
    if (header == NULL) return luaL_error(L, "not a living value of its type");
    CLuaCursor *cursor = (CLuaCursor *)(header + 1);
    bool has_row = cursor->next < cursor->end;
    if (has_row && cursor->next != cursor->half) {
        lua_settop(L, 1);
        clua_push_pin(L, 1);
        clua_push_row(L, (int32_t)lua_tointeger(L, lua_upvalueindex(3)), cursor->rows, cursor->next, 2);
        cursor->next++;
        return 1;
    }
    if (!has_row && lua_isboolean(L, 2) && lua_toboolean(L, 2)) return 0;
    return clua_cross(L, (int32_t)lua_tointeger(L, lua_upvalueindex(1)));
}

void clua_declare_cursor(lua_State *L, int32_t type, int32_t row_type) {
    clua_push_type(L, type);
    lua_getfield(L, -1, "__call");
    // The host function's own number.
    lua_getupvalue(L, -1, 1);
    lua_pushinteger(L, type);
    lua_pushinteger(L, row_type);
    lua_pushcclosure(L, next_row, 3);
    lua_setfield(L, -3, "__call");
    lua_pop(L, 2);
}

// ---- nil in expressions

/// What a calculation with nil raises: its address, so that no text is made for each record.
static const char nil_use;

bool clua_is_nil_use(lua_State *L) { return lua_islightuserdata(L, -1) && lua_touserdata(L, -1) == &nil_use; }

static int raise_nil_use(lua_State *L) {
    lua_pushlightuserdata(L, (void *)&nil_use);
    return lua_error(L);
}

void clua_guard_nil(lua_State *L) {
    static const char *const events[] = {
        "__index", "__newindex", "__call", "__add",  "__sub", "__mul", "__div", "__mod",    "__pow", "__idiv",
        "__band",  "__bor",      "__bxor", "__bnot", "__shl", "__shr", "__unm", "__concat", "__len", "__lt",
        "__le",
    };
    lua_pushnil(L);
    lua_createtable(L, 0, sizeof events / sizeof *events);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        lua_pushcfunction(L, raise_nil_use);
        lua_setfield(L, -2, events[i]);
    }
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

// ---- loops

/// Arguments: the function, its second argument, the pin, the loop.
static int run_loop(lua_State *L) {
    CLuaState *state = state_of(L);
    CLuaLoop *loop = lua_touserdata(L, 4);
    const int base = 4;
    while (loop->next < loop->rows->count && loop->accepted < loop->most) {
        if (clua_is_spent(L)) clua_raise_spent(L);
        state->asked = false;
        lua_pushvalue(L, 1);
        clua_push_row(L, loop->row_type, loop->rows, loop->next, 3);
        lua_pushvalue(L, 2);
        lua_call(L, 2, LUA_MULTRET);
        bool accepted = false;
        int type = lua_type(L, base + 1);
        if (loop->kind == CLUA_LOOP_FILTER) {
            loop->is_bad = type == LUA_TNONE;
            accepted = lua_toboolean(L, base + 1);
        } else if (type == LUA_TNUMBER) {
            lua_Number score = lua_tonumber(L, base + 1);
            loop->is_bad = loop->is_nan = score != score;
            loop->scores[loop->next] = score;
            accepted = true;
        } else {
            loop->is_bad = type != LUA_TNIL;
        }
        if (loop->is_bad) {
            loop->bad_type = type;
            return 0;
        }
        lua_settop(L, base);
        loop->verdicts[loop->next] = accepted;
        loop->accepted += accepted;
        if (state->asked) loop->after(loop->context, loop->next, accepted);
        loop->next++;
    }
    return 0;
}

int clua_run_loop(lua_State *L, CLuaLoop *loop) {
    if (!lua_checkstack(L, LUA_MINSTACK)) {
        lua_pop(L, 3);
        lua_pushliteral(L, "stack overflow");
        return LUA_ERRRUN;
    }
    lua_pushcfunction(L, run_loop);
    lua_insert(L, -4);
    lua_pushlightuserdata(L, loop);
    return clua_call(L, 4, 0);
}
