// libcurl, loaded with dlopen. It is wrapped in C because Swift cannot call its variadic functions.

#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// curl's type-checking macros call the functions by name; here they are called through pointers.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_setopt) *multi_setopt;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_wakeup) *multi_wakeup;
    __typeof__(curl_multi_info_read) *multi_info_read;
} curl;

static const char *failure;

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        failure = "libcurl.so.4 is not installed";
        return;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"curl_global_init", &curl.global_init},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo},
        {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_slist_append", &curl.slist_append},
        {"curl_slist_free_all", &curl.slist_free_all},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_setopt", &curl.multi_setopt},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_perform", &curl.multi_perform},
        {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup},
        {"curl_multi_info_read", &curl.multi_info_read},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) {
            failure = "libcurl.so.4 is too old: 7.87 is needed";
            return;
        }
        memcpy(functions[i].place, &function, sizeof function);
    }
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) failure = "libcurl could not be set up";
}

const char *ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failure;
}

struct ccurl_engine {
    CURLM *multi;
};

struct ccurl_transfer {
    CURL *easy;
    struct curl_slist *headers;
    ccurl_request request;
    bool is_secure;
    char reason[CURL_ERROR_SIZE];
};

ccurl_engine *ccurl_engine_new(void) {
    ccurl_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return NULL;
    engine->multi = curl.multi_init();
    if (engine->multi == NULL) {
        free(engine);
        return NULL;
    }
    curl.multi_setopt(engine->multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl.multi_setopt(engine->multi, CURLMOPT_MAXCONNECTS, 128L);
    return engine;
}

void ccurl_engine_free(ccurl_engine *engine) {
    curl.multi_cleanup(engine->multi);
    free(engine);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count, shown = length;
    while (shown > 0 && (bytes[shown - 1] == '\n' || bytes[shown - 1] == '\r')) shown--;
    return transfer->request.header(transfer->request.context, bytes, shown) ? length : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count;
    return transfer->request.body_part(transfer->request.context, (const uint8_t *)bytes, length) ? length : 0;
}

static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    ccurl_transfer *transfer = context;
    if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
    if (!transfer->request.address(transfer->request.context, &address->addr, address->addrlen)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static int on_ready(void *context, char *address, char *local, int port, int local_port) {
    ccurl_transfer *transfer = context;
    (void)local;
    (void)local_port;
    bool goes_on = transfer->request.ready(transfer->request.context, address == NULL ? "" : address, port);
    return goes_on ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static void free_transfer(ccurl_transfer *transfer) {
    if (transfer->easy != NULL) curl.easy_cleanup(transfer->easy);
    curl.slist_free_all(transfer->headers);
    free(transfer);
}

static bool set_up(ccurl_transfer *transfer) {
    const ccurl_request *request = &transfer->request;
    CURL *easy = transfer->easy;
    bool ok = true;
#define SET(option, value) (ok = curl.easy_setopt(easy, option, value) == CURLE_OK && ok)
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->reason);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_NOPROGRESS, 1L);
    // Do not wait for the resolver thread of a cancelled transfer.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    // Wait for a host's first connection, because HTTP/2 lets requests share it.
    SET(CURLOPT_PIPEWAIT, transfer->is_secure ? 1L : 0L);
    SET(CURLOPT_ACCEPT_ENCODING, request->codings);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    // Send only what the request contains: no .netrc, cookies or stored credentials.
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    SET(CURLOPT_PROXY, request->proxy);
    SET(CURLOPT_NOPROXY, "");
    if (request->ca_file != NULL) SET(CURLOPT_CAINFO, request->ca_file);
    if (request->ca_folder != NULL) SET(CURLOPT_CAPATH, request->ca_folder);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    SET(CURLOPT_TIMEOUT_MS, request->total_milliseconds);
    SET(CURLOPT_LOW_SPEED_LIMIT, request->slow_bytes);
    SET(CURLOPT_LOW_SPEED_TIME, request->slow_seconds);
    if (request->body != NULL || strcmp(request->method, "POST") == 0) {
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        SET(CURLOPT_COPYPOSTFIELDS, request->body == NULL ? (const uint8_t *)"" : request->body);
    }
    if (strcmp(request->method, "HEAD") == 0) {
        SET(CURLOPT_NOBODY, 1L);
    } else if (strcmp(request->method, "GET") != 0 || request->body != NULL) {
        SET(CURLOPT_CUSTOMREQUEST, request->method);
    }
    for (size_t i = 0; i < request->header_count; i++) {
        struct curl_slist *longer = curl.slist_append(transfer->headers, request->headers[i]);
        if (longer == NULL) return false;
        transfer->headers = longer;
    }
    SET(CURLOPT_HTTPHEADER, transfer->headers);
    SET(CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    SET(CURLOPT_PREREQFUNCTION, on_ready);
    SET(CURLOPT_PREREQDATA, transfer);
#undef SET
    return ok;
}

ccurl_transfer *ccurl_start(ccurl_engine *engine, const ccurl_request *request) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL) return NULL;
    transfer->request = *request;
    transfer->is_secure = strncmp(request->url, "https:", 6) == 0;
    transfer->easy = curl.easy_init();
    if (transfer->easy == NULL || !set_up(transfer) ||
        curl.multi_add_handle(engine->multi, transfer->easy) != CURLM_OK) {
        free_transfer(transfer);
        return NULL;
    }
    // libcurl has copied these.
    transfer->request.method = transfer->request.url = transfer->request.proxy = NULL;
    transfer->request.ca_file = transfer->request.ca_folder = NULL;
    transfer->request.headers = NULL;
    transfer->request.body = NULL;
    return transfer;
}

void ccurl_drop(ccurl_engine *engine, ccurl_transfer *transfer) {
    curl.multi_remove_handle(engine->multi, transfer->easy);
    free_transfer(transfer);
}

bool ccurl_work(ccurl_engine *engine) {
    int running = 0;
    return curl.multi_perform(engine->multi, &running) == CURLM_OK;
}

bool ccurl_wait(ccurl_engine *engine, int milliseconds) {
    return curl.multi_poll(engine->multi, NULL, 0, milliseconds, NULL) == CURLM_OK;
}

static ccurl_ending ending(CURLcode code) {
    static const struct {
        CURLcode code;
        ccurl_ending ending;
    } table[] = {
        {CURLE_OK, CCURL_DONE},
        {CURLE_URL_MALFORMAT, CCURL_BAD_ADDRESS},
        {CURLE_UNSUPPORTED_PROTOCOL, CCURL_BAD_ADDRESS},
        {CURLE_COULDNT_RESOLVE_PROXY, CCURL_NO_PROXY},
        {CURLE_PROXY, CCURL_NO_PROXY},
        {CURLE_COULDNT_RESOLVE_HOST, CCURL_NO_HOST},
        {CURLE_COULDNT_CONNECT, CCURL_NO_CONNECTION},
        {CURLE_INTERFACE_FAILED, CCURL_NO_CONNECTION},
        {CURLE_SSL_CONNECT_ERROR, CCURL_NO_TLS},
        {CURLE_PEER_FAILED_VERIFICATION, CCURL_NO_TLS},
        {CURLE_SSL_CERTPROBLEM, CCURL_NO_TLS},
        {CURLE_SSL_CIPHER, CCURL_NO_TLS},
        {CURLE_SSL_CACERT_BADFILE, CCURL_NO_TLS},
        {CURLE_SSL_ISSUER_ERROR, CCURL_NO_TLS},
        {CURLE_SSL_INVALIDCERTSTATUS, CCURL_NO_TLS},
        {CURLE_OPERATION_TIMEDOUT, CCURL_TIMEOUT},
        {CURLE_SEND_ERROR, CCURL_RESET},
        {CURLE_RECV_ERROR, CCURL_RESET},
        {CURLE_GOT_NOTHING, CCURL_RESET},
        {CURLE_HTTP2, CCURL_RESET},
        {CURLE_HTTP2_STREAM, CCURL_RESET},
        {CURLE_PARTIAL_FILE, CCURL_TRUNCATED},
        {CURLE_BAD_CONTENT_ENCODING, CCURL_BAD_ENCODING},
        {CURLE_WEIRD_SERVER_REPLY, CCURL_BAD_ANSWER},
        {CURLE_WRITE_ERROR, CCURL_STOPPED},
        {CURLE_ABORTED_BY_CALLBACK, CCURL_STOPPED},
        {CURLE_OUT_OF_MEMORY, CCURL_NO_MEMORY},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].code == code) return table[i].ending;
    }
    return CCURL_OTHER;
}

bool ccurl_next(ccurl_engine *engine, ccurl_result *result) {
    int left = 0;
    CURLMsg *message;
    do {
        message = curl.multi_info_read(engine->multi, &left);
        if (message == NULL) return false;
    } while (message->msg != CURLMSG_DONE);
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result;
    ccurl_transfer *transfer = NULL;
    curl_off_t looked_up = 0, connected = 0, secured = 0;
    long version = 0, connections = 0;
    curl.easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    curl.easy_getinfo(easy, CURLINFO_NAMELOOKUP_TIME_T, &looked_up);
    curl.easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
    curl.easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &secured);
    curl.easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connections);
    curl.easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    if (transfer == NULL) return false;
    int versions[] = {[CURL_HTTP_VERSION_1_0] = 10, [CURL_HTTP_VERSION_1_1] = 11, [CURL_HTTP_VERSION_2_0] = 20};
    bool known = version >= 0 && version < (long)(sizeof versions / sizeof *versions);
    *result = (ccurl_result){
        .context = transfer->request.context,
        .ending = ending(code),
        .reason = transfer->reason[0] != 0 ? transfer->reason : curl.easy_strerror(code),
        .resolved = looked_up > 0,
        .connected = connected > 0 && (!transfer->is_secure || secured > 0),
        .connections = connections,
        .version = known ? versions[version] : 0,
    };
    return true;
}

void ccurl_wake(ccurl_engine *engine) { curl.multi_wakeup(engine->multi); }
