// The only door between Swift and Lua. Lua's own header is not included on purpose: what may raise a Lua error is then
// out of Swift's reach, so no error can unwind a Swift frame. Everything declared here either cannot raise or is
// protected and returns a status.
//
// The allocator refuses memory only while Lua code runs. While Swift runs (a host function, a field, a finaliser, or
// outside any call) it always grants, and the cap is checked when control goes back to Lua.

#ifndef CLUA_H
#define CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;

/// What a host function returns: a count of results on the top of the stack, or one of these.
/// RAISE: the error value is on the top of the stack. YIELD: the values to yield are, and their number was told to
/// `clua_set_yield_count`. (Macros, because Swift imports them as Int32.)
#define CLUA_RAISE (-1)
#define CLUA_YIELD (-2)
/// WAIT: what to wait for is on the top of the stack. The function is called again, `resumed`, when that is there, and
/// finds it on the top. Only where `clua_may_wait` says so.
#define CLUA_WAIT (-3)

/// Statuses of calls and loads, as in lua.h.
#define CLUA_OK 0
#define CLUA_YIELDED 1
#define CLUA_ERROR_RUN 2
#define CLUA_ERROR_SYNTAX 3
#define CLUA_ERROR_MEMORY 4

/// Types of values, as in lua.h.
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

/// Swift's side of a state. Every callback returns; none may raise.
typedef struct {
    void *context;
    /// A host function was called; `resumed` when it goes on after it yielded.
    int32_t (*call)(void *context, lua_State *L, int32_t function, bool resumed);
    /// Pushes the field of a userdata.
    int32_t (*read)(void *context, lua_State *L, int32_t type, int32_t field, void *payload);
    /// Stores the value at stack index 3 into the field.
    int32_t (*write)(void *context, lua_State *L, int32_t type, int32_t field, void *payload);
    /// The key at stack index 2 names no field; pushes an error.
    int32_t (*unknown)(void *context, lua_State *L, int32_t type, bool writing);
    /// The userdata is collected: deinitialise its payload, touch nothing of Lua.
    void (*release)(void *context, int32_t type, void *payload);
    /// Seconds since the epoch, for `os.time` and `os.date`.
    int64_t (*now)(void *context);
    /// CPU seconds, for `os.clock`.
    double (*cpu)(void *context);
} CLuaHost;

#define CLUA_MAX_FRAMES 16
#define CLUA_SOURCE_SIZE 256
#define CLUA_NAME_SIZE 64

/// A frame of Lua code below an error, innermost first. Frames of chunks named `=[…]` are left out.
typedef struct {
    /// The chunk's name without its `@`.
    char source[CLUA_SOURCE_SIZE];
    /// The name as Lua prints it in front of messages.
    char shown[CLUA_NAME_SIZE];
    /// The function's name if Lua knows one.
    char name[CLUA_NAME_SIZE];
    int32_t line;
} CLuaFrame;

/// Opens a state with the allow-listed libraries, or returns NULL when memory is short.
/// `memory_limit` is in bytes, 0 for none; `seed` is for math.random.
lua_State *clua_open(const CLuaHost *host, size_t memory_limit, uint64_t seed);
/// Sets what the callbacks are handed as `context`; before any other use of the state.
void clua_set_context(lua_State *L, void *context);
void clua_close(lua_State *L);

size_t clua_memory_used(lua_State *L);
/// For tests: the `countdown`th allocation from now that Lua code makes is refused, once; 0 for none.
void clua_fail_allocation(lua_State *L, int64_t countdown);
/// How many allocations were asked for while Lua code ran.
int64_t clua_allocation_count(lua_State *L);
void clua_collect(lua_State *L);

// Budgets. What is spent cannot be caught: every step of Lua raises again.

typedef struct CLuaBudget CLuaBudget;

#define CLUA_BUDGET_NONE 0
#define CLUA_BUDGET_CPU 1
#define CLUA_BUDGET_WALL 2
#define CLUA_BUDGET_INSTRUCTIONS 3
#define CLUA_BUDGET_MEMORY 4
/// Something that the host counts: output, requests, calls.
#define CLUA_BUDGET_HOST 5

CLuaBudget *clua_budget_new(void);
void clua_budget_free(CLuaBudget *budget);
/// Seconds and instructions from now on, looked at while Lua runs; 0 for no limit. Costs time: where signals can tell,
/// `clua_budget_expire` does better.
void clua_budget_limit(CLuaBudget *budget, double cpu, double wall, int64_t instructions);
/// Says that something is spent; the first reason stands. May be called from a signal handler.
void clua_budget_expire(CLuaBudget *budget, int what);
/// Bytes that all states of the budget may have together; 0 for no limit.
void clua_budget_limit_memory(CLuaBudget *budget, size_t bytes);
size_t clua_budget_memory(const CLuaBudget *budget);
int clua_budget_spent(const CLuaBudget *budget);
/// Has signals of this process's timers tell when the time is over, at no cost to Lua: SIGPROF for seconds of CPU time,
/// SIGALRM for real ones; 0 for no limit. For a process that runs nothing but this budget's states.
void clua_budget_use_timers(CLuaBudget *budget, double cpu, double wall);
/// Makes a state obey a budget, which must outlive it. Before any of its code runs.
void clua_set_budget(lua_State *L, CLuaBudget *budget);

// Calls. Each is protected.

/// Compiles text (never bytecode) and pushes the function, or the error message.
int clua_load(lua_State *L, const char *text, size_t length, const char *chunk_name);
/// Calls the function under its `arguments`; pushes the results or the error value.
int clua_call(lua_State *L, int arguments, int results);
/// Starts or goes on with a coroutine; the values it gave lie on its own stack.
int clua_resume(lua_State *coroutine, lua_State *from, int arguments, int *results);
/// A coroutine for the function on the top of the stack, which it replaces.
lua_State *clua_new_coroutine(lua_State *L);
lua_State *clua_to_coroutine(lua_State *L, int index);
void clua_set_yield_count(lua_State *L, int count);
bool clua_is_yieldable(lua_State *L);
/// Whether a host function may wait by suspending its coroutine: it runs in a task, and nothing between the two is in the
/// way, such as a comparator of `table.sort`. Coroutines of the plugin's own between the two never see the wait.
bool clua_may_wait(lua_State *L);
/// Pushes `step(coroutine, …)`, which starts a coroutine as a task or goes on with one. It gives "waits" and what for,
/// "done" and a value, "failed" and an error, or "yields" when the plugin yielded out of it, which ends it.
void clua_push_step(lua_State *L);
/// Moves values between the stacks of two coroutines of one state.
void clua_move(lua_State *from, lua_State *to, int count);

/// The frames below the last error that a protected call caught.
int clua_frames(lua_State *L, const CLuaFrame **frames);
/// The next error passes on through this host function: keep the frames of where it came from.
void clua_keep_frames(lua_State *L);
/// Pushes `file:line: ` of the nearest Lua code that is not the host's own, or an empty string.
void clua_push_position(lua_State *L);
/// The line of that code; 0 when there is none. `shown` gets its chunk's name.
int clua_position(lua_State *L, char *shown, size_t size);

/// The line at which the Lua function at that place begins, and its chunk's name without `@`; 0 for anything else.
int clua_definition(lua_State *L, int index, char *source, size_t size);

// Values. None of these can raise.

int clua_top(lua_State *L);
void clua_set_top(lua_State *L, int index);
/// Makes room for `count` more values; false when the stack is at its limit.
bool clua_reserve(lua_State *L, int count);
int clua_type(lua_State *L, int index);
bool clua_is_integer(lua_State *L, int index);
bool clua_to_boolean(lua_State *L, int index);
int64_t clua_to_integer(lua_State *L, int index);
double clua_to_number(lua_State *L, int index);
/// Only for values of type string; the bytes live as long as the value does.
const char *clua_to_bytes(lua_State *L, int index, size_t *length);
/// Identity of a table, function or the like, to find cycles with. Never shown to Lua.
const void *clua_identity(lua_State *L, int index);
size_t clua_raw_length(lua_State *L, int index);
bool clua_raw_equal(lua_State *L, int a, int b);
bool clua_has_metatable(lua_State *L, int index);
/// Pushes a field of the value's metatable; false, and nothing is pushed, when there is none.
bool clua_push_metafield(lua_State *L, int index, const char *name);

void clua_push_nil(lua_State *L);
void clua_push_boolean(lua_State *L, bool value);
void clua_push_integer(lua_State *L, int64_t value);
void clua_push_number(lua_State *L, double value);
void clua_push_bytes(lua_State *L, const void *bytes, size_t length);
void clua_push_value(lua_State *L, int index);
void clua_push_table(lua_State *L, int list_size, int member_count);
void clua_push_globals(lua_State *L);
/// A host function; Swift is called back with its number.
void clua_push_function(lua_State *L, int32_t function);
void clua_insert(lua_State *L, int index);
void clua_remove(lua_State *L, int index);

/// Pops a key, pushes the value. The key may not be nil.
void clua_raw_get(lua_State *L, int index);
/// Pops a value and a key, which may be neither nil nor NaN.
void clua_raw_set(lua_State *L, int index);
void clua_raw_get_index(lua_State *L, int index, int64_t key);
void clua_raw_set_index(lua_State *L, int index, int64_t key);
/// Pops a key, pushes the next key and value; false and nothing pushed at the end.
bool clua_next(lua_State *L, int index);
/// Sets the metatable on the top of the stack, which is popped.
void clua_set_metatable(lua_State *L, int index);

/// Keeps the popped value; `clua_push_reference` gives it back.
int clua_reference(lua_State *L);
void clua_push_reference(lua_State *L, int reference);
void clua_release_reference(lua_State *L, int reference);

// Userdata with a Swift payload.

/// Declares type number `type` (0, 1, 2 … in order). On the stack: a table of field numbers and methods by name, then a
/// table of metamethods, which becomes the metatable; both are popped. Its own `__index` or `__newindex` is kept.
void clua_declare_type(lua_State *L, int32_t type);
/// Pushes a userdata of the type and returns its payload memory, aligned to 16 bytes, to be initialised at once.
/// `charged` bytes that it keeps alive elsewhere count as the state's.
void *clua_push_userdata(lua_State *L, int32_t type, size_t size, size_t charged);
/// Tells of bytes that a userdata keeps alive elsewhere: when they have become many, all is collected.
void clua_press(lua_State *L, size_t bytes);
/// The payload if the value is a living userdata of the type, else NULL.
void *clua_to_userdata(lua_State *L, int index, int32_t type);

/// Pushes the `lpeg` library, or an error message and returns false.
bool clua_push_lpeg(lua_State *L);

#endif
