/* http_answer.c - prepares responses. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "http_message.h"

_Static_assert(HTTP_OUT_SIZE >= HTTP_SMALL + 1024, "a head and a small file fit");

static const char *reason_of(int status)
{
    switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".htm", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".txt", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".jpeg", "image/jpeg"},
        {".gif", "image/gif"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".pdf", "application/pdf"},
        {".wasm", "application/wasm"},
    };
    const char *const dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcasecmp(dot, types[i].ending) == 0) return types[i].type;
    }
    return "application/octet-stream";
}

/* -- dates: strftime() depends on the locale ----------------------------------------------------------------------- */

static const char *date_text(http_date *date, time_t at)
{
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct tm t;

    if (date->text[0] != '\0' && date->at == at) return date->text;
    if (gmtime_r(&at, &t) == NULL || t.tm_year < -1900 || t.tm_year > 9999 - 1900)
        return "Thu, 01 Jan 1970 00:00:00 GMT";
    date->at = at;
    (void)snprintf(date->text, sizeof date->text, "%.3s, %02u %.3s %04u %02u:%02u:%02u GMT",
                   days + (size_t)t.tm_wday * 3, (unsigned)t.tm_mday & 31u, months + (size_t)t.tm_mon * 3,
                   (unsigned)(t.tm_year + 1900) % 10000u, (unsigned)t.tm_hour % 100u, (unsigned)t.tm_min % 100u,
                   (unsigned)t.tm_sec % 100u);
    return date->text;
}

/* -- paths --------------------------------------------------------------------------------------------------------- */

static int hex_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Makes the target a path relative to the root, in place: decodes %XX, and drops the query and an absolute target's
 * scheme and host. Returns NULL if it is malformed, or if `..` is part of the path. */
static char *path_of(char *target, size_t length)
{
    struct http_parser_url url;

    http_parser_url_init(&url);
    if (http_parser_parse_url(target, length, 0, &url) != 0) return NULL;
    if ((url.field_set & (1u << UF_PATH)) == 0) {
        if ((url.field_set & (1u << UF_HOST)) == 0) return NULL;
        strcpy(target, "/");
        return target;
    }
    char *const path = target + url.field_data[UF_PATH].off;
    char *const end = path + url.field_data[UF_PATH].len;
    char *to = path;
    for (const char *at = path; at < end; at++) {
        int c = (unsigned char)*at;
        if (c == '%') {
            int const high = end - at > 2 ? hex_of(at[1]) : -1, low = high >= 0 ? hex_of(at[2]) : -1;
            if (low < 0) return NULL;
            c = high * 16 + low;
            at += 2;
        }
        if (c == '\0') return NULL;
        *to++ = (char)c;
    }
    *to = '\0';
    if (path[0] != '/') return NULL;
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment++;
        if (strncmp(segment, "..", 2) == 0 && (segment[2] == '/' || segment[2] == '\0')) return NULL;
    }
    return path;
}

static int status_of_errno(void)
{
    switch (errno) {
    case EACCES:
    case EPERM: return 403;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN: return 503;
    case EIO: return 500;
    default: return 404;
    }
}

/* Opens the path, or index.html in it if it is a directory. Returns: the status. 301: it lacks a slash at its end. */
static int open_file(http_connection *c, char *path, size_t size)
{
    for (int depth = 0; depth < 2; depth++) {
        c->file = http_file_open(c->site, path);
        if (c->file == NULL) return status_of_errno();
        if (S_ISREG(c->file->about.st_mode)) return 200;
        bool const is_directory = S_ISDIR(c->file->about.st_mode);
        http_end(c);
        if (!is_directory) return 403;
        size_t const length = strlen(path);
        if (path[length - 1] != '/') return 301;
        if (length + sizeof "index.html" > size) return 414;
        strcpy(path + length, "index.html");
    }
    return 404;
}

/* -- ranges -------------------------------------------------------------------------------------------------------- */

/* Reads digits at *text. Returns: -1 if there are none; a number that does not fit becomes the largest. */
static off_t number_at(const char **text)
{
    off_t const most = (off_t)(INT64_MAX / 2);
    off_t value = 0;

    if (**text < '0' || **text > '9') return -1;
    for (; **text >= '0' && **text <= '9'; ++*text) value = value > most / 10 - 1 ? most : value * 10 + (**text - '0');
    return value;
}

/* Sets `offset` and `left` from a Range field. Returns: 200: the field is to be ignored; 206; or 416. */
static int range_of(http_connection *c, const char *text, off_t size)
{
    if (strncasecmp(text, "bytes=", 6) != 0) return 200;
    text += 6;
    off_t first = number_at(&text);
    if (*text++ != '-') return 200;
    off_t last = number_at(&text);
    if (*text != '\0' || (first < 0 && last < 0) || (first >= 0 && last >= 0 && last < first)) return 200;
    if (first < 0) { /* the last bytes */
        if (last == 0) return 416;
        first = last < size ? size - last : 0;
        last = size - 1;
    }
    if (first >= size) return 416;
    if (last < 0 || last >= size) last = size - 1;
    c->offset = first;
    c->left = last - first + 1;
    return 206;
}

/* -- responses ----------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void add(http_connection *c, const char *format, ...)
{
    va_list arguments;
    size_t const room = sizeof c->out - c->out_end;

    va_start(arguments, format);
    int const length = vsnprintf(c->out + c->out_end, room, format, arguments);
    va_end(arguments);
    c->out_end += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

static void add_head(http_connection *c, int status)
{
    c->keep = !c->last && http_should_keep_alive(&c->parser) != 0;
    add(c, "HTTP/1.1 %d %s\r\nDate: %s\r\n", status, reason_of(status), date_text(&c->site->now, time(NULL)));
    if (!c->keep) add(c, "Connection: close\r\n");
    else if (c->parser.http_minor == 0) add(c, "Connection: keep-alive\r\n");
}

/* The directory that was requested without a slash at its end, relative to the request. */
static void add_location(http_connection *c, const char *path)
{
    add(c, "Location: ./");
    for (const char *at = strrchr(path, '/') + 1; *at != '\0'; at++) {
        bool const is_plain =
            (*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') || strchr("-._~", *at) != NULL;
        add(c, is_plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    add(c, "/\r\n");
}

/* A response without a file. */
static void add_notice(http_connection *c, int status, const char *path, off_t size)
{
    http_end(c);
    c->left = 0;
    add_head(c, status);
    if (status == 301) add_location(c, path);
    if (status == 405) add(c, "Allow: GET, HEAD\r\n");
    if (status == 416) add(c, "Content-Range: bytes */%lld\r\n", (long long)size);
    if (status == 503) add(c, "Retry-After: 1\r\n");
    add(c, "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n", strlen(reason_of(status)) + 1);
    if (c->parser.method != HTTP_HEAD) add(c, "%s\n", reason_of(status));
}

static void add_file(http_connection *c, const char *path)
{
    struct stat const *const about = &c->file->about;
    http_request const *const r = &c->request;
    const char *const modified = date_text(&c->site->modified, about->st_mtime);
    bool const is_get = c->parser.method == HTTP_GET;
    int status = 200;

    if (!r->has_if_none_match && strcmp(r->if_modified_since, modified) == 0) status = 304;
    c->offset = 0;
    c->left = about->st_size;
    if (status == 200 && is_get && r->ranges == 1 && (r->if_range[0] == '\0' || strcmp(r->if_range, modified) == 0)) {
        status = range_of(c, r->range, about->st_size);
    }
    if (status == 416) {
        add_notice(c, status, path, about->st_size);
        return;
    }
    add_head(c, status);
    add(c, "Last-Modified: %s\r\n", modified);
    if (status != 304) {
        add(c, "Accept-Ranges: bytes\r\nContent-Type: %s\r\nContent-Length: %lld\r\n", type_of(path),
            (long long)c->left);
    }
    if (status == 206) {
        add(c, "Content-Range: bytes %lld-%lld/%lld\r\n", (long long)c->offset, (long long)(c->offset + c->left - 1),
            (long long)about->st_size);
    }
    add(c, "\r\n");
    if (status == 304 || !is_get) c->left = 0;
    if (c->left > 0 && c->file->has_content) {
        memcpy(c->out + c->out_end, c->file->content + c->offset, (size_t)c->left);
        c->out_end += (size_t)c->left;
        c->left = 0;
    }
}

void http_answer(http_connection *c)
{
    http_request *const r = &c->request;
    int status = r->status;
    char *path = NULL;

    if (status == 0 && c->parser.method != HTTP_GET && c->parser.method != HTTP_HEAD) status = 405;
    if (status == 0) {
        r->target[r->target_length] = '\0';
        path = path_of(r->target, r->target_length);
        status = path == NULL ? 400 : open_file(c, path, sizeof r->target - (size_t)(path - r->target));
    }
    if (status == 200) add_file(c, path);
    else add_notice(c, status, path, 0);
}

void http_end(http_connection *c)
{
    if (c->file != NULL) http_file_release(c->file);
    c->file = NULL;
}
