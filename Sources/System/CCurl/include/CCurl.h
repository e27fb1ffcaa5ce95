// Many HTTP transfers on one thread, by libcurl's multi interface. libcurl is loaded when the first engine is made: most
// runs need none. An engine and its transfers belong to one thread; only `ccurl_wake` may be called from another.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libcurl and sets it up, once in a process. NULL when it is there, else why not.
const char *ccurl_load(void);

typedef struct ccurl_engine ccurl_engine;
typedef struct ccurl_transfer ccurl_transfer;

/// NULL without memory. `ccurl_load` must have succeeded.
ccurl_engine *ccurl_engine_new(void);
/// Closes all connections. No transfer may be left.
void ccurl_engine_free(ccurl_engine *engine);

/// Why a transfer ended.
typedef enum ccurl_ending {
    CCURL_DONE,
    CCURL_BAD_ADDRESS,
    CCURL_NO_PROXY,
    CCURL_NO_HOST,
    CCURL_NO_CONNECTION,
    CCURL_NO_TLS,
    CCURL_TIMEOUT,
    CCURL_RESET,
    CCURL_TRUNCATED,
    CCURL_BAD_ENCODING,
    CCURL_BAD_ANSWER,
    CCURL_STOPPED,
    CCURL_NO_MEMORY,
    CCURL_OTHER,
} ccurl_ending;

/// What to send. Everything is copied.
typedef struct ccurl_request {
    const char *method;
    const char *url;
    /// What bodies may be coded with, for Accept-Encoding. They are given as they come.
    const char *codings;
    /// `Name: value` lines, `header_count` of them.
    const char *const *headers;
    size_t header_count;
    /// NULL when there is none.
    const uint8_t *body;
    size_t body_length;
    /// "" for none.
    const char *proxy;
    /// NULL for libcurl's own.
    const char *ca_file;
    const char *ca_folder;
    long connect_milliseconds;
    long total_milliseconds;
    /// Fewer bytes a second than this, for so many seconds, end it.
    long slow_bytes;
    long slow_seconds;

    /// Given to the functions below, which answer whether to go on.
    void *context;
    /// A line of the header, without its end. A status line begins a new header.
    bool (*header)(void *context, const char *line, size_t length);
    bool (*body_part)(void *context, const uint8_t *bytes, size_t length);
    /// Before a connection is made: a `struct sockaddr` of that length.
    bool (*address)(void *context, const void *address, size_t length);
    /// Before each time the request is sent over a connection, which may have been there before: where it leads to.
    bool (*ready)(void *context, const char *address, int port);
} ccurl_request;

/// What became of a transfer.
typedef struct ccurl_result {
    /// The context of its request.
    void *context;
    ccurl_ending ending;
    /// libcurl's words for it: a constant, or valid until the transfer is dropped.
    const char *reason;
    /// The name of the host was found.
    bool resolved;
    /// A connection was there, with TLS where it was asked for.
    bool connected;
    /// Connections that were opened for it; 0 when one was used again.
    long connections;
    /// 10, 11, 20; 0 when there was no answer.
    int version;
} ccurl_result;

/// Begins a transfer; NULL without memory.
ccurl_transfer *ccurl_start(ccurl_engine *engine, const ccurl_request *request);
/// Ends it if it has not ended, and frees it.
void ccurl_drop(ccurl_engine *engine, ccurl_transfer *transfer);

/// Does what can be done without waiting; false when that went wrong.
bool ccurl_work(ccurl_engine *engine);
/// Waits until there is more to do, at most so long; false when it could not wait. Transfers that have ended are to be
/// taken before: nothing else would end the wait.
bool ccurl_wait(ccurl_engine *engine, int milliseconds);
/// Takes the next transfer that has ended; false when there is none. It has to be dropped.
bool ccurl_next(ccurl_engine *engine, ccurl_result *result);
/// Ends the wait in `ccurl_wait`. From any thread.
void ccurl_wake(ccurl_engine *engine);

#endif
