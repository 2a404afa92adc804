/* SPDX-License-Identifier: MIT */
/* socket.c - requests to the process. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "top.h"

#define PATIENCE    5000 /* ms without a byte; also for the whole answer, and 1 ms more for each KB of it */
#define TRACE_MOST  ((size_t)1 << 30)
#define MEMORY_MOST ((size_t)512 << 20) /* of a document, */
#define MEMORY_BASE ((size_t)4 << 20)   /* which may need this, */
#define MEMORY_RATE 24                  /* and so many bytes for each byte of its text */
#define FLOWS_MOST  ((size_t)1 << 18)

static int close_with(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

int top_ask(const char *path, const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char line[512];
    int const length = snprintf(line, sizeof line, "%s\n", request);

    if (strlen(path) >= sizeof address.sun_path) return errno = ENAMETOOLONG, -1;
    memcpy(address.sun_path, path, strlen(path) + 1);
    int const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) return close_with(fd, errno);
    errno = EPIPE; /* the connection has ended already: the answer has the reason */
    if (send(fd, line, (size_t)length, MSG_NOSIGNAL) != length && errno != EPIPE) return close_with(fd, errno);
    return fd;
}

static int64_t now_in_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns: the number of bytes; 0: the end; -1, with errno. */
static ssize_t receive(int fd, char *bytes, size_t size, int64_t deadline)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};

    for (;;) {
        int64_t const left = deadline - now_in_ms();
        int const ready = left <= 0 ? 0 : poll(&one, 1, left < PATIENCE ? (int)left : PATIENCE);
        if (ready == 0) return errno = ETIMEDOUT, -1;
        ssize_t const count = ready < 0 ? -1 : recv(fd, bytes, size, 0);
        if (count >= 0 || errno != EINTR) return count;
    }
}

bool top_is_refusal(const char *answer)
{
    return strncmp(answer, "error: ", 7) == 0;
}

/* Returns: NULL, with errno; 0 if the answer is a refusal, which `error` then has. */
static char *fetch(const char *path, const char *request, size_t most, size_t *length, char error_text[TOP_ERROR])
{
    int64_t const deadline = now_in_ms() + PATIENCE;
    size_t capacity = 1 << 16;
    int const fd = top_ask(path, request);
    ssize_t count = 1;

    if (fd < 0) return NULL;
    char *text = tool_resize(NULL, capacity, 1);
    for (*length = 0; count > 0 && *length < most; *length += (size_t)count) {
        if (*length + 1 == capacity) text = tool_resize(text, capacity *= 2, 1);
        count = receive(fd, text + *length, capacity - *length - 1, deadline + (int64_t)(*length >> 10));
        if (count <= 0) break;
    }
    if (count == 0 && *length == 0) count = -1, errno = EPIPE;
    if (count > 0) count = -1, errno = EFBIG;
    int const error = errno;
    close(fd);
    text[*length] = '\0';
    bool const is_refused = top_is_refusal(text);
    if (is_refused) tool_format(error_text, TOP_ERROR, "%s: %.*s", path, (int)strcspn(text + 7, "\n"), text + 7);
    if (is_refused || count < 0) return free(text), errno = is_refused ? 0 : error, NULL;
    return text;
}

static bool is_socket(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISSOCK(status.st_mode);
}

void top_explain(const char *path, int number, char error[TOP_ERROR])
{
    char const *const refused = is_socket(path) ? "nobody listens there any more: the process has ended"
                                                : "this is no socket. uflow-trace shows traces and core dumps";
    char const *const why = number == ENOENT ? "there is no such socket: has the process called uf_inspect_listen()?"
                            : number == ECONNREFUSED                  ? refused
                            : number == EACCES                        ? "it belongs to another user"
                            : number == EPIPE || number == ECONNRESET ? "the process has closed the connection"
                            : number == ETIMEDOUT                     ? "the process does not answer"
                                                                      : strerror(number);
    snprintf(error, TOP_ERROR, "%s: %s", path, why);
}

char *top_fetch(const char *path, const char *request, size_t most, size_t *length, char error[TOP_ERROR])
{
    char *const text = fetch(path, request, most, length, error);
    if (!text && errno) top_explain(path, errno, error);
    return text;
}

static size_t memory_left;

/* For a document. */
static void *take_memory(size_t size)
{
    if (size > memory_left) return memory_left = 0, NULL;
    memory_left -= size;
    return malloc(size);
}

/* A short text can make a large document, such as that of many empty flows. Returns: NULL, and the reason. */
static json_t *load(const char *text, size_t length, json_error_t *why)
{
    size_t const wanted = MEMORY_BASE + MEMORY_RATE * length;

    memory_left = wanted < MEMORY_MOST ? wanted : MEMORY_MOST;
    json_set_alloc_funcs(take_memory, free);
    json_t *const document = json_loadb(text, length, 0, why);
    json_set_alloc_funcs(malloc, free);
    if (document && json_array_size(json_object_get(document, "flows")) <= FLOWS_MOST) return document;
    if (document || memory_left == 0) snprintf(why->text, sizeof why->text, "it has too many parts");
    json_decref(document);
    return NULL;
}

json_t *top_fetch_document(const char *path, char error[TOP_ERROR])
{
    size_t length;
    json_error_t where;
    char *const text = top_fetch(path, "json", TOP_TEXT_MOST, &length, error);

    if (!text) return NULL;
    json_t *const document = load(text, length, &where);
    if (!document) tool_format(error, TOP_ERROR, "%s: the answer is no document: %s", path, where.text);
    free(text);
    return document;
}

bool top_write_trace(const char *path, const char *file, char error[TOP_ERROR])
{
    size_t length;
    char *const bytes = top_fetch(path, "trace", TRACE_MOST, &length, error);
    FILE *const out = bytes ? fopen(file, "wb") : NULL;

    if (bytes && !out) snprintf(error, TOP_ERROR, "%s: %s", file, strerror(errno));
    bool written = out && fwrite(bytes, 1, length, out) == length;
    if (out && fclose(out) != 0) written = false;
    if (out && !written) snprintf(error, TOP_ERROR, "%s: %s", file, strerror(errno));
    free(bytes);
    return written;
}
