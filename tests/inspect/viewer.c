/* SPDX-License-Identifier: MIT */
/* viewer.c - a viewer in the test. */
#include "viewer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char directory[64], path[96];

static void remove_directory(void)
{
    (void)rmdir(directory);
}

const char *socket_path(void)
{
    if (!*path) {
        strcpy(directory, "/tmp/uflow-inspect-XXXXXX");
        if (!mkdtemp(directory) || chmod(directory, 0755) != 0) abort();
        (void)atexit(remove_directory);
        snprintf(path, sizeof path, "%s/socket", directory);
    }
    return path;
}

int connect_to_later(void)
{
    int const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) abort();
    return fd;
}

bool connect_now(int fd, const char *to)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    strncpy(address.sun_path, to, sizeof address.sun_path - 1);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

int connect_to(const char *to)
{
    int const fd = connect_to_later();

    if (connect_now(fd, to)) return fd;
    int const error = errno;
    close(fd);
    errno = error;
    return -1;
}

void send_text(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

char *read_all(int fd, size_t *length)
{
    size_t capacity = 1 << 16, count = 0;
    char *text = malloc(capacity);

    for (;;) {
        if (!text) abort();
        ssize_t const got = recv(fd, text + count, capacity - count - 1, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        count += (size_t)got;
        if (count + 1 == capacity) text = realloc(text, capacity *= 2);
    }
    close(fd);
    text[count] = '\0';
    if (length) *length = count;
    return text;
}

char *ask(const char *request, size_t *length)
{
    int const fd = connect_to(socket_path());

    if (fd < 0) return NULL;
    send_text(fd, request);
    return read_all(fd, length);
}

json_t *ask_json_once(void)
{
    size_t length = 0;
    json_error_t error;
    char *const text = ask("json\n", &length);
    json_t *const document = text ? json_loadb(text, length, 0, &error) : NULL;

    if (!document) fprintf(stderr, "no document: %s\n%s\n", text ? error.text : "no answer", text ? text : "");
    free(text);
    return document;
}

bool responds(const json_t *document)
{
    return json_is_true(json_object_get(json_object_get(document, "runtime"), "responds"));
}

json_t *ask_json(void)
{
    for (;;) {
        json_t *const document = ask_json_once();
        if (!document || responds(document)) return document;
        json_decref(document);
    }
}

const json_t *flow_of(const json_t *document, const char *wanted)
{
    size_t i;
    json_t *flow;

    json_array_foreach(json_object_get(document, "flows"), i, flow)
    {
        if (strcmp(text_of(flow, "path"), wanted) == 0) return flow;
    }
    return NULL;
}

const char *text_of(const json_t *object, const char *key)
{
    char const *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
