/* http_message.h - the part of an HTTP/1.1 file server that does not wait: requests, files and response heads.
 *
 * The caller owns an http_connection and all its input and output:
 *
 *     http_begin()
 *     repeat: receive into `in`, set `in_at` and `in_end`; while http_parse() returns true: send what it prepared,
 *             then http_answered(), or stop if `keep` is false
 *     http_end()
 *
 * Served: GET and HEAD of regular files, persistent connections, pipelining, one byte range, If-Modified-Since and
 * If-Range with the date that Last-Modified gave. A request's body is read and ignored. Refused: other methods (405),
 * paths with `..` or a NUL (400), long targets (414), heads (431) and bodies (413), expectations other than
 * 100-continue (417). Several ranges in one request are ignored: the response is the whole file.
 *
 * Thread: any, one at a time for a connection and for a site. */
#ifndef HTTP_MESSAGE_H
#define HTTP_MESSAGE_H

#include <http_parser.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

enum {
    HTTP_TARGET_MAX = 8000, /* bytes of a request's target */
    HTTP_HEAD_MAX = 16384,  /* bytes of all header fields of a request */
    HTTP_BODY_MAX = 65536,  /* bytes of a request's body */
    HTTP_IN_SIZE = 4096,
    HTTP_SMALL = 4096,    /* the contents of files up to this size are kept in memory */
    HTTP_OUT_SIZE = 5120, /* a head and a small file */
    HTTP_CACHED = 64,     /* files */
    HTTP_DATE_SIZE = 30,  /* "Sun, 06 Nov 1994 08:49:37 GMT" */
    HTTP_FIELD_SIZE = 64
};

typedef struct http_date {
    time_t at;
    char text[HTTP_DATE_SIZE]; /* of `at`, or "" */
} http_date;

/* An open file. Connections and the site own it together. */
typedef struct http_file {
    int fd;
    unsigned users;
    bool has_content;
    time_t opened_at;
    struct stat about;
    char path[128];
    char content[HTTP_SMALL];
} http_file;

/* The files. A file that was opened in this second stays open. Symbolic links do not lead out of the directory. */
typedef struct http_site {
    int root;
    bool lacks_openat2;
    http_date now, modified; /* the texts of the last response */
    http_file *cached[HTTP_CACHED];
} http_site;

/* Returns: false if the directory cannot be opened; errno says why. */
bool http_site_open(http_site *site, const char *directory);
void http_site_close(http_site *site);

/* Opens the file of a decoded path, which begins with a slash. Returns: NULL; errno says why. Used by http_parse(). */
http_file *http_file_open(http_site *site, char *path);
void http_file_release(http_file *file);

/* What a request says. */
typedef struct http_request {
    size_t target_length, head_length, body_length;
    size_t name_length, value_length;
    int status;   /* of the response, if the request is refused; or 0 */
    bool begun;   /* its first byte was received */
    bool in_name; /* the last piece of a header field belonged to its name */
    bool expects_continue, has_if_none_match;
    unsigned char hosts, ranges; /* header fields of these names */
    char name[HTTP_FIELD_SIZE], value[HTTP_FIELD_SIZE];
    char range[HTTP_FIELD_SIZE], if_range[HTTP_FIELD_SIZE], if_modified_since[HTTP_FIELD_SIZE];
    char target[HTTP_TARGET_MAX + 1];
} http_request;

typedef struct http_connection {
    /* The response: out[out_at] to out[out_end - 1], then `left` bytes of file->fd from `offset` on. */
    size_t out_at, out_end;
    http_file *file; /* or NULL */
    off_t offset, left;
    bool keep; /* whether another request may follow this response */
    bool last; /* the caller sets it: the next response says "Connection: close" */

    size_t in_at, in_end; /* received and not parsed: in[in_at] to in[in_end - 1] */
    http_site *site;
    http_parser parser;
    char in[HTTP_IN_SIZE];
    char out[HTTP_OUT_SIZE];
    http_request request;
} http_connection;

void http_begin(http_connection *c, http_site *site);
/* Releases the file, if there is one. */
void http_end(http_connection *c);

/* Parses what was received, up to the end of a request. Returns: true if a response is prepared; false if all input
 * is parsed and more is needed. */
bool http_parse(http_connection *c);

/* The response was sent: releases its file and prepares for the next request. */
void http_answered(http_connection *c);

/* Whether no byte of the next request was received. */
bool http_is_idle(const http_connection *c);

/* Opens the requested file, and writes the response head. Used by http_parse(). */
void http_answer(http_connection *c);

#endif
