// Concurrent HTTP transfers on one thread, with libcurl's multi interface. libcurl is loaded on first use, because most
// runs do not need it. An engine and its transfers belong to one thread; only `ccurl_wake` may be called from other
// threads.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads and initializes libcurl once per process. Returns NULL on success, otherwise the reason.
const char *ccurl_load(void);

typedef struct ccurl_engine ccurl_engine;
typedef struct ccurl_transfer ccurl_transfer;

/// Returns NULL when out of memory. `ccurl_load` must have succeeded.
ccurl_engine *ccurl_engine_new(void);
/// Closes all connections. There must be no transfers left.
void ccurl_engine_free(ccurl_engine *engine);

/// The outcome of a transfer.
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

/// A request. All fields are copied.
typedef struct ccurl_request {
    const char *method;
    const char *url;
    /// Content codings for Accept-Encoding. Bodies are delivered undecoded.
    const char *codings;
    /// `Name: value` lines, `header_count` of them.
    const char *const *headers;
    size_t header_count;
    /// NULL for no body.
    const uint8_t *body;
    size_t body_length;
    /// Proxy URL; "" for none.
    const char *proxy;
    /// CA certificates; NULL for libcurl's default.
    const char *ca_file;
    const char *ca_folder;
    long connect_milliseconds;
    long total_milliseconds;
    /// The transfer fails when it is slower than this many bytes per second for this many seconds.
    long slow_bytes;
    long slow_seconds;

    /// Passed to the callbacks below, which return whether to continue.
    void *context;
    /// A header line without its line end. A status line starts a new header block.
    bool (*header)(void *context, const char *line, size_t length);
    bool (*body_part)(void *context, const uint8_t *bytes, size_t length);
    /// Called before connecting, with a `struct sockaddr` of that length.
    bool (*address)(void *context, const void *address, size_t length);
    /// Called before each time the request is sent, with the peer's address, even on a reused connection.
    bool (*ready)(void *context, const char *address, int port);
} ccurl_request;

/// The result of a transfer.
typedef struct ccurl_result {
    /// The context of the request.
    void *context;
    ccurl_ending ending;
    /// libcurl's error message; valid at least until the transfer is dropped.
    const char *reason;
    /// Whether the host name was resolved.
    bool resolved;
    /// Whether a connection was established, including TLS for https.
    bool connected;
    /// Number of new connections; 0 when an existing one was reused.
    long connections;
    /// HTTP version: 10, 11 or 20; 0 when there was no reply.
    int version;
} ccurl_result;

/// Starts a transfer. Returns NULL when out of memory.
ccurl_transfer *ccurl_start(ccurl_engine *engine, const ccurl_request *request);
/// Cancels the transfer if it is still running, and frees it.
void ccurl_drop(ccurl_engine *engine, ccurl_transfer *transfer);

/// Performs all work that does not block. Returns false on an error.
bool ccurl_work(ccurl_engine *engine);
/// Waits for activity, up to that many milliseconds. Returns false on an error. Take all finished transfers first,
/// because they do not end the wait.
bool ccurl_wait(ccurl_engine *engine, int milliseconds);
/// Takes the next finished transfer, which the caller must drop. Returns false when there is none.
bool ccurl_next(ccurl_engine *engine, ccurl_result *result);
/// Interrupts `ccurl_wait`. Thread-safe.
void ccurl_wake(ccurl_engine *engine);

#endif
