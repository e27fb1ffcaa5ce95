// libmicrohttpd, loaded with dlopen. It is wrapped in C because Swift cannot call its variadic functions.

#include "CServe.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_lookup_connection_value) *lookup;
    __typeof__(MHD_create_response_from_buffer) *create_response;
    __typeof__(MHD_add_response_header) *add_header;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_destroy_response) *destroy_response;
} mhd;

static bool available;

static void load(void) {
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"MHD_start_daemon", &mhd.start_daemon},
        {"MHD_stop_daemon", &mhd.stop_daemon},
        {"MHD_lookup_connection_value", &mhd.lookup},
        {"MHD_create_response_from_buffer", &mhd.create_response},
        {"MHD_add_response_header", &mhd.add_header},
        {"MHD_queue_response", &mhd.queue_response},
        {"MHD_destroy_response", &mhd.destroy_response},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) return;
        memcpy(functions[i].place, &function, sizeof function);
    }
    available = true;
}

bool cserve_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return available;
}

struct cserve {
    struct MHD_Daemon *daemon;
    cserve_answer answer;
    void *context;
    uint16_t port;
};

/// Marker stored as the request state after the header; replaced later by the `sent` callback.
static char seen;

static void completed(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code
) {
    cserve *server = context;
    (void)connection;
    (void)code;
    if (*state == NULL || *state == &seen) return;
    void (*sent)(void *context);
    memcpy(&sent, state, sizeof sent);
    sent(server->context);
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state
) {
    cserve *server = context;
    (void)version;
    (void)upload;
    // The first call has only the header. A request body is read and discarded.
    if (*state == NULL) {
        *state = &seen;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    cserve_request request = {
        method, url, mhd.lookup(connection, MHD_HEADER_KIND, "Host"),
        mhd.lookup(connection, MHD_HEADER_KIND, "Origin"),
    };
    cserve_reply reply = {404, "text/plain; charset=utf-8", NULL, 0, NULL};
    server->answer(server->context, &request, &reply);
    if (reply.sent != NULL) memcpy(state, &reply.sent, sizeof reply.sent);
    struct MHD_Response *response =
        mhd.create_response(reply.length, (void *)reply.body, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) return MHD_NO;
    mhd.add_header(response, "Content-Type", reply.type);
    mhd.add_header(response, "Cache-Control", "no-store");
    mhd.add_header(response, "X-Content-Type-Options", "nosniff");
    mhd.add_header(response, "Referrer-Policy", "strict-origin-when-cross-origin");
    mhd.add_header(response, "Content-Security-Policy", "frame-ancestors 'none'");
    enum MHD_Result result = mhd.queue_response(connection, reply.status, response);
    mhd.destroy_response(response);
    return result;
}

static void quiet(void *context, const char *format, va_list arguments) {
    (void)context;
    (void)format;
    (void)arguments;
}

cserve *cserve_start(uint16_t port, cserve_answer answer, void *context, int32_t *error) {
    *error = ENOSYS;
    if (!cserve_available()) return NULL;
    // The socket is created here, so that a bind error is known.
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof place;
    const int one = 1;
    cserve *server = calloc(1, sizeof *server);
    if (socket_ < 0 || server == NULL) goto failed;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(socket_, (struct sockaddr *)&place, sizeof place) != 0 || listen(socket_, 16) != 0) goto failed;
    if (getsockname(socket_, (struct sockaddr *)&place, &length) != 0) goto failed;
    *server = (cserve){NULL, answer, context, ntohs(place.sin_port)};
    errno = ENOMEM;
    server->daemon = mhd.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, server,
        MHD_OPTION_EXTERNAL_LOGGER, quiet, NULL, MHD_OPTION_NOTIFY_COMPLETED, completed, server, MHD_OPTION_LISTEN_SOCKET, socket_,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)32, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)20,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(32 << 10), MHD_OPTION_END);
    if (server->daemon != NULL) return server;
failed:
    *error = errno;
    if (socket_ >= 0) close(socket_);
    free(server);
    return NULL;
}

uint16_t cserve_port(const cserve *server) { return server->port; }

void cserve_stop(cserve *server) {
    mhd.stop_daemon(server->daemon);
    free(server);
}
