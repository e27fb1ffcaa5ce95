// An HTTP server with libmicrohttpd, loaded with dlopen. It listens on the loopback interface only.

#ifndef CSERVE_H
#define CSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A request. The strings are valid during the callback; NULL where the request has no such header.
typedef struct {
    const char *method, *path, *host, *origin;
} cserve_request;

/// The reply. `body` is copied.
typedef struct {
    uint32_t status;
    const char *type;
    const uint8_t *body;
    size_t length;
    /// Called with the context when the reply was sent or has failed; may be NULL.
    void (*sent)(void *context);
} cserve_reply;

/// Handles a request, on a server thread.
typedef void (*cserve_answer)(void *context, const cserve_request *request, cserve_reply *reply);

typedef struct cserve cserve;

/// Whether the library is available.
bool cserve_available(void);

/// Listens on a port of 127.0.0.1; 0 for any free port. Returns NULL and sets `*error` to an errno on failure.
cserve *cserve_start(uint16_t port, cserve_answer answer, void *context, int32_t *error);

uint16_t cserve_port(const cserve *server);

/// Stops the server after pending replies have been sent.
void cserve_stop(cserve *server);

#endif
