// libmicrohttpd, opened by name: a server of HTTP on the loopback interface of this machine, and nowhere else.

#ifndef CSERVE_H
#define CSERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a request says. Texts live as long as the call; NULL where the request lacks one.
typedef struct {
    const char *method, *path, *host, *origin;
} cserve_request;

/// What is answered. `body` is copied.
typedef struct {
    uint32_t status;
    const char *type;
    const uint8_t *body;
    size_t length;
    /// Called with the context once the reply is on its way, or cannot be sent; NULL for nothing.
    void (*sent)(void *context);
} cserve_reply;

/// Answers a request, on a thread of the server's.
typedef void (*cserve_answer)(void *context, const cserve_request *request, cserve_reply *reply);

typedef struct cserve cserve;

/// Whether the library can be had.
bool cserve_available(void);

/// Listens at a port of 127.0.0.1, any free one for 0. NULL with `*error` set to an errno.
cserve *cserve_start(uint16_t port, cserve_answer answer, void *context, int32_t *error);

uint16_t cserve_port(const cserve *server);

/// Ends it, once what is being answered is sent.
void cserve_stop(cserve *server);

#endif
