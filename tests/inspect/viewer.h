/* SPDX-License-Identifier: MIT */
/* viewer.h - a viewer in the test: requests, and answers as JSON. */
#ifndef INSPECT_VIEWER_H
#define INSPECT_VIEWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A path for a socket, in a directory that exists until the process ends. */
const char *socket_path(void);

/* Returns: -1, with errno. */
int connect_to(const char *path);

/* The same in two parts, of which the second one needs no descriptor. */
int connect_to_later(void);
bool connect_now(int fd, const char *path);

/* Sends a text; does nothing if the connection has ended. */
void send_text(int fd, const char *text);

/* Reads to the end, and closes. Returns: a text to be freed. */
char *read_all(int fd, size_t *length);

/* Connects, asks and reads the answer. */
char *ask(const char *request, size_t *length);

/* Asks until the runtime responds: on a busy machine the answer may be an older one. */
json_t *ask_json(void);
json_t *ask_json_once(void);
bool responds(const json_t *document);

/* The flow of a document with this path; NULL: none. */
const json_t *flow_of(const json_t *document, const char *path);
const char *text_of(const json_t *object, const char *key);

#endif
