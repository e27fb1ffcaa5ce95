// The only interface between Swift and Lua. It deliberately does not include Lua's header, so that Swift cannot call a
// function that may raise a Lua error and unwind a Swift frame. Every function here either cannot raise or is protected
// and returns a status.
//
// The allocator fails only while Lua code runs. While Swift runs (a host function, a field access, a finalizer, or
// outside any call) it always succeeds, and the limit is checked on return to Lua.

#ifndef CLUA_H
#define CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CField.h>

typedef struct lua_State lua_State;

/// Return value of a host function: the number of results on top of the stack, or one of these. RAISE: the error value
/// is on top. YIELD: the values to yield are on top, and their number was set with `clua_set_yield_count`. (Macros,
/// because Swift imports them as Int32.)
#define CLUA_RAISE (-1)
#define CLUA_YIELD (-2)
/// WAIT: a description of the awaited value is on top of the stack. The function is called again with `resumed` set and
/// the value on top when it is available. Requires `clua_may_wait`.
#define CLUA_WAIT (-3)

/// Statuses of calls and loads, as in lua.h.
#define CLUA_OK 0
#define CLUA_YIELDED 1
#define CLUA_ERROR_RUN 2
#define CLUA_ERROR_SYNTAX 3
#define CLUA_ERROR_MEMORY 4

/// Value types, as in lua.h.
#define CLUA_NONE (-1)
#define CLUA_NIL 0
#define CLUA_BOOLEAN 1
#define CLUA_LIGHT_USERDATA 2
#define CLUA_NUMBER 3
#define CLUA_STRING 4
#define CLUA_TABLE 5
#define CLUA_FUNCTION 6
#define CLUA_USERDATA 7
#define CLUA_THREAD 8

/// Swift callbacks of a state. They must return normally and never raise.
typedef struct {
    void *context;
    /// Calls a host function; `resumed` is set when it continues after a yield.
    int32_t (*call)(void *context, lua_State *L, int32_t function, bool resumed);
    /// Pushes a field of a userdata.
    int32_t (*read)(void *context, lua_State *L, int32_t type, int32_t field, void *payload);
    /// Assigns the value at stack index 3 to the field.
    int32_t (*write)(void *context, lua_State *L, int32_t type, int32_t field, void *payload);
    /// The key at stack index 2 is not a field; pushes an error.
    int32_t (*unknown)(void *context, lua_State *L, int32_t type, bool writing);
    /// Deinitializes the payload of a collected userdata; must not use Lua.
    void (*release)(void *context, int32_t type, void *payload);
    /// Epoch seconds, for `os.time` and `os.date`.
    int64_t (*now)(void *context);
    /// CPU seconds, for `os.clock`.
    double (*cpu)(void *context);
} CLuaHost;

#define CLUA_MAX_FRAMES 16
#define CLUA_SOURCE_SIZE 256
#define CLUA_NAME_SIZE 64

/// A stack frame of Lua code below an error, innermost first. Frames of chunks named `=[…]` are omitted.
typedef struct {
    /// The chunk name without its `@`.
    char source[CLUA_SOURCE_SIZE];
    /// The chunk name as Lua prints it in messages.
    char shown[CLUA_NAME_SIZE];
    /// The function's name, if Lua knows it.
    char name[CLUA_NAME_SIZE];
    int32_t line;
} CLuaFrame;

/// Opens a state with the allow-listed libraries. Returns NULL when out of memory. `memory_limit` is in bytes, 0 for
/// none; `seed` is for math.random.
lua_State *clua_open(const CLuaHost *host, size_t memory_limit, uint64_t seed);
/// Sets the `context` passed to the callbacks. Call it before using the state.
void clua_set_context(lua_State *L, void *context);
void clua_close(lua_State *L);

size_t clua_memory_used(lua_State *L);
/// For tests: makes the `countdown`th allocation of Lua code from now fail, once; 0 for none.
void clua_fail_allocation(lua_State *L, int64_t countdown);
/// Number of allocations requested while Lua code ran.
int64_t clua_allocation_count(lua_State *L);
void clua_collect(lua_State *L);

// Budgets. An exhausted budget cannot be caught: every Lua instruction raises again.

typedef struct CLuaBudget CLuaBudget;

#define CLUA_BUDGET_NONE 0
#define CLUA_BUDGET_CPU 1
#define CLUA_BUDGET_WALL 2
#define CLUA_BUDGET_INSTRUCTIONS 3
#define CLUA_BUDGET_MEMORY 4
/// A resource counted by the host: output, requests, calls.
#define CLUA_BUDGET_HOST 5

CLuaBudget *clua_budget_new(void);
void clua_budget_free(CLuaBudget *budget);
/// Sets limits in seconds and instructions from now, checked by a hook while Lua runs; 0 for no limit. The hook slows
/// Lua down; prefer `clua_budget_use_timers` where signals can be used.
void clua_budget_limit(CLuaBudget *budget, double cpu, double wall, int64_t instructions);
/// Marks a resource as exhausted; only the first call has an effect. Async-signal-safe.
void clua_budget_expire(CLuaBudget *budget, int what);
/// Maximum memory of all states of the budget together, in bytes; 0 for no limit.
void clua_budget_limit_memory(CLuaBudget *budget, size_t bytes);
size_t clua_budget_memory(const CLuaBudget *budget);
int clua_budget_spent(const CLuaBudget *budget);
/// Enforces time limits with process timers, at no cost to Lua: SIGPROF for CPU seconds, SIGALRM for real seconds; 0
/// for no limit. For a process that runs nothing but this budget's states.
void clua_budget_use_timers(CLuaBudget *budget, double cpu, double wall);
/// Attaches a budget to a state before any of its code runs. The budget must outlive the state.
void clua_set_budget(lua_State *L, CLuaBudget *budget);

// Calls. All are protected.

/// Compiles source text (never bytecode) and pushes the function, or the error message.
int clua_load(lua_State *L, const char *text, size_t length, const char *chunk_name);
/// Calls the function below its `arguments`; pushes the results or the error value.
int clua_call(lua_State *L, int arguments, int results);
/// Starts or continues a coroutine; its results are on its own stack.
int clua_resume(lua_State *coroutine, lua_State *from, int arguments, int *results);
/// Creates a coroutine for the function on top of the stack, which it replaces.
lua_State *clua_new_coroutine(lua_State *L);
lua_State *clua_to_coroutine(lua_State *L, int index);
void clua_set_yield_count(lua_State *L, int count);
bool clua_is_yieldable(lua_State *L);
/// Whether a host function may wait by suspending its coroutine: it runs in a task, and no C call such as a
/// `table.sort` comparator is in between. The plugin's own coroutines in between never see the wait.
bool clua_may_wait(lua_State *L);
/// Pushes `step(coroutine, …)`, which starts a coroutine as a task or continues one. It returns "waits" and what it
/// waits for, "done" and a value, "failed" and an error, or "yields" when the plugin yielded out of the task, which
/// ends it.
void clua_push_step(lua_State *L);
/// Moves values between the stacks of two coroutines of one state.
void clua_move(lua_State *from, lua_State *to, int count);

/// The stack frames of the last error caught by a protected call.
int clua_frames(lua_State *L, const CLuaFrame **frames);
/// Preserves the recorded frames, because the host function is about to rethrow the error they belong to.
void clua_keep_frames(lua_State *L);
/// Pushes `file:line: ` of the nearest plugin code, or an empty string.
void clua_push_position(lua_State *L);
/// The line of the nearest plugin code; 0 when there is none. `shown` receives the chunk name.
int clua_position(lua_State *L, char *shown, size_t size);

/// The line where a Lua function is defined, and its chunk name without `@`; 0 for other values.
int clua_definition(lua_State *L, int index, char *source, size_t size);

// Values. These functions cannot raise.

int clua_top(lua_State *L);
void clua_set_top(lua_State *L, int index);
/// Reserves stack slots for `count` more values; false when the stack is at its limit.
bool clua_reserve(lua_State *L, int count);
int clua_type(lua_State *L, int index);
bool clua_is_integer(lua_State *L, int index);
bool clua_to_boolean(lua_State *L, int index);
int64_t clua_to_integer(lua_State *L, int index);
double clua_to_number(lua_State *L, int index);
/// Strings only, NULL for other types. The bytes are valid as long as the value exists.
const char *clua_to_bytes(lua_State *L, int index, size_t *length);
/// Identity of a table, function or similar value, for cycle detection. Never exposed to Lua.
const void *clua_identity(lua_State *L, int index);
size_t clua_raw_length(lua_State *L, int index);
bool clua_raw_equal(lua_State *L, int a, int b);
bool clua_has_metatable(lua_State *L, int index);
/// Pushes a field of the value's metatable. Returns false, without pushing, when there is none.
bool clua_push_metafield(lua_State *L, int index, const char *name);

void clua_push_nil(lua_State *L);
void clua_push_boolean(lua_State *L, bool value);
void clua_push_integer(lua_State *L, int64_t value);
void clua_push_number(lua_State *L, double value);
void clua_push_bytes(lua_State *L, const void *bytes, size_t length);
void clua_push_value(lua_State *L, int index);
void clua_push_table(lua_State *L, int list_size, int member_count);
void clua_push_globals(lua_State *L);
/// Pushes a function that calls host function number `function`.
void clua_push_function(lua_State *L, int32_t function);
void clua_insert(lua_State *L, int index);
void clua_remove(lua_State *L, int index);

/// Pops a key, pushes the value. The key must not be nil.
void clua_raw_get(lua_State *L, int index);
/// Pops a value and a key, which must be neither nil nor NaN.
void clua_raw_set(lua_State *L, int index);
void clua_raw_get_index(lua_State *L, int index, int64_t key);
void clua_raw_set_index(lua_State *L, int index, int64_t key);
/// Pops a key, pushes the next key and value. Returns false, without pushing, at the end.
bool clua_next(lua_State *L, int index);
/// Pops the table on top and sets it as the metatable of the value at `index`.
void clua_set_metatable(lua_State *L, int index);

/// Pops a value and stores it; `clua_push_reference` pushes it again.
int clua_reference(lua_State *L);
void clua_push_reference(lua_State *L, int reference);
void clua_release_reference(lua_State *L, int reference);

// Userdata with a Swift payload.

/// Declares type number `type` (0, 1, 2 … in order). Pops two tables: field numbers and methods by name, then (on top)
/// the metamethods, which becomes the metatable. Existing `__index` and `__newindex` are preserved.
void clua_declare_type(lua_State *L, int32_t type);
/// Pushes a userdata of the type and returns its payload memory, aligned to 16 bytes, which the caller must initialize
/// immediately. `charged` bytes that it keeps alive elsewhere count toward the state's memory.
void *clua_push_userdata(lua_State *L, int32_t type, size_t size, size_t charged);
/// Reports bytes that userdata keep alive elsewhere; runs a full collection when enough was reported.
void clua_press(lua_State *L, size_t bytes);
/// The payload if the value is a live userdata of the type, else NULL.
void *clua_to_userdata(lua_State *L, int index, int32_t type);

// Rows: userdata that refer to a record of a batch. They have no finalizer. A pin, which is a userdata of its own type
// with one, keeps the batch alive and is the user value of every row.
//
//     row ──user value──> pin ──payload──> owner (Swift) ──owns──> CLuaRows ──> places, plans ──> parsed data

/// How a field of a row is read. All but ASK read the value at `path`; whatever they do not understand is left to Swift.
typedef enum {
    CLUA_READ_ASK,
    /// A text that is not empty.
    CLUA_READ_TEXT,
    /// The same, if it holds no `&`.
    CLUA_READ_HTML,
    /// An integer, or at most 18 decimal digits.
    CLUA_READ_INTEGER,
    /// `YYYY-MM-DDTHH:MM:SSZ`, as epoch seconds.
    CLUA_READ_TIME,
    /// One of `words`, replaced by its meaning.
    CLUA_READ_WORD,
    /// The meaning of the first of `words`, whatever the data.
    CLUA_READ_CONSTANT,
} CLuaRead;

typedef struct {
    const char *word;
    size_t word_length;
    const char *meaning;
    size_t meaning_length;
} CLuaWord;

typedef struct {
    CLuaRead read;
    const uint8_t *path;
    size_t path_length;
    const CLuaWord *words;
    size_t word_count;
} CLuaField;

/// Fields by number, and the data they are read from.
typedef struct {
    const CLuaField *fields;
    /// Fields from here on are asked of Swift.
    size_t field_count;
    cfield_source source;
} CLuaPlan;

typedef struct {
    /// Index into the plans. 0: every field is left to Swift.
    uint32_t plan;
    uint32_t document;
    uint32_t index;
} CLuaPlace;

typedef struct {
    /// The Swift object that owns this.
    void *owner;
    uint32_t count;
    const CLuaPlan *plans;
    CLuaPlace *places;
} CLuaRows;

/// The payload of a row.
typedef struct {
    CLuaRows *rows;
    uint32_t row;
} CLuaRow;

/// As `clua_declare_type`, for rows.
void clua_declare_rows(lua_State *L, int32_t type);
/// Pushes a row. `pin` is the stack index of the userdata that keeps the rows alive.
void clua_push_row(lua_State *L, int32_t type, CLuaRows *rows, uint32_t row, int pin);

/// The start of a cursor's payload: the rows that it gives before it calls Swift. The cursor's user value is their pin.
typedef struct {
    CLuaRows *rows;
    uint32_t next;
    uint32_t end;
    /// The row for which Swift is called although it is here.
    uint32_t half;
} CLuaCursor;

/// Makes a calculation with nil, a call of it, and an access to its fields raise a value that `clua_is_nil_use` knows.
void clua_guard_nil(lua_State *L);
/// Whether the error on top is that of a use of nil.
bool clua_is_nil_use(lua_State *L);

/// Replaces the cursor type's `__call`: rows are pushed without a call into Swift. Called with `true` as its argument, a
/// cursor gives a row only if it has one.
void clua_declare_cursor(lua_State *L, int32_t type, int32_t row_type);
/// Pops a pin and makes it the one of the cursor at `index`.
void clua_set_pin(lua_State *L, int index);
/// Pushes the pin of a cursor or a row.
void clua_push_pin(lua_State *L, int index);

typedef enum {
    /// Accepts rows for which the result is true.
    CLUA_LOOP_FILTER,
    /// Accepts rows with a number, which goes to `scores`; nil is no score.
    CLUA_LOOP_SCORE,
} CLuaLoopKind;

/// A function that is called for one row after the other.
typedef struct {
    CLuaLoopKind kind;
    int32_t row_type;
    CLuaRows *rows;
    /// The next row. The loop ends at the last one, when `most` rows are accepted, or after a bad result.
    uint32_t next;
    uint32_t most;
    uint32_t accepted;
    /// One byte a row: whether it was accepted.
    uint8_t *verdicts;
    double *scores;
    /// Set when the function returned something else: the type of the result (CLUA_NONE for no result), and whether it
    /// is NaN.
    bool is_bad;
    bool is_nan;
    int32_t bad_type;
    /// Called after a row of which Swift read a field.
    void (*after)(void *context, uint32_t row, bool accepted);
    void *context;
} CLuaLoop;

/// Runs the loop. Pops the function, its second argument and the pin (on top); pushes an error value on failure. Returns
/// a status.
int clua_run_loop(lua_State *L, CLuaLoop *loop);

/// Pushes the `lpeg` library and returns true, or pushes an error message and returns false.
bool clua_push_lpeg(lua_State *L);

#endif
