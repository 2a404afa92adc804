/* http_request.c - parses requests. Bytes may arrive in pieces of any size. */
#include <string.h>
#include <strings.h>

#include "http_message.h"

/* Returns: what makes the parser stop, from any of its callbacks. */
static int refuse(http_connection *c, int status)
{
    c->request.status = status;
    return -1;
}

static int on_message_begin(http_parser *parser)
{
    http_connection *const c = parser->data;
    http_request *const r = &c->request;

    memset(r, 0, offsetof(http_request, name));
    r->begun = true;
    r->range[0] = r->if_range[0] = r->if_modified_since[0] = '\0';
    return 0;
}

static int on_url(http_parser *parser, const char *at, size_t length)
{
    http_connection *const c = parser->data;
    http_request *const r = &c->request;

    if (length > HTTP_TARGET_MAX - r->target_length) return refuse(c, 414);
    memcpy(r->target + r->target_length, at, length);
    r->target_length += length;
    return 0;
}

static int count_head(http_connection *c, size_t length)
{
    c->request.head_length += length;
    return c->request.head_length > HTTP_HEAD_MAX ? refuse(c, 431) : 0;
}

/* Appends to a text what fits. A text that was cut equals none that matters. */
static void append(char text[HTTP_FIELD_SIZE], size_t *length, const char *at, size_t more)
{
    size_t const room = HTTP_FIELD_SIZE - 1 - *length;
    size_t const taken = more < room ? more : room;

    memcpy(text + *length, at, taken);
    *length += taken;
    text[*length] = '\0';
}

/* Takes notice of a complete header field. */
static int end_field(http_connection *c)
{
    http_request *const r = &c->request;
    bool const whole = r->value_length < HTTP_FIELD_SIZE - 1;

    if (r->name_length == 0) return 0;
    r->head_length += strlen(": \r\n");
    if (strcasecmp(r->name, "host") == 0) {
        if (r->hosts++ > 0 || strpbrk(r->value, " \t,/@") != NULL) return refuse(c, 400);
    } else if (strcasecmp(r->name, "range") == 0) {
        r->ranges = (unsigned char)(r->ranges > 0 || !whole ? 2 : 1);
        strcpy(r->range, r->value);
    } else if (strcasecmp(r->name, "if-range") == 0) {
        strcpy(r->if_range, r->value);
    } else if (strcasecmp(r->name, "if-modified-since") == 0) {
        strcpy(r->if_modified_since, r->value);
    } else if (strcasecmp(r->name, "if-none-match") == 0) {
        r->has_if_none_match = true;
    } else if (strcasecmp(r->name, "expect") == 0 && c->parser.http_minor > 0) {
        if (strcasecmp(r->value, "100-continue") != 0) return refuse(c, 417);
        r->expects_continue = true;
    }
    r->name_length = r->value_length = 0;
    r->name[0] = r->value[0] = '\0';
    return 0;
}

static int on_header_field(http_parser *parser, const char *at, size_t length)
{
    http_connection *const c = parser->data;
    http_request *const r = &c->request;

    if ((parser->flags & F_TRAILING) != 0) return count_head(c, length);
    if (!r->in_name && end_field(c) != 0) return -1;
    r->in_name = true;
    if (memchr(at, ' ', length) != NULL) return refuse(c, 400);
    append(r->name, &r->name_length, at, length);
    return count_head(c, length);
}

static int on_header_value(http_parser *parser, const char *at, size_t length)
{
    http_connection *const c = parser->data;
    http_request *const r = &c->request;

    if ((parser->flags & F_TRAILING) != 0) return count_head(c, length);
    r->in_name = false;
    append(r->value, &r->value_length, at, length);
    return count_head(c, length);
}

static int on_headers_complete(http_parser *parser)
{
    http_connection *const c = parser->data;
    http_request *const r = &c->request;
    bool const has_length = parser->content_length != UINT64_MAX && parser->content_length > 0;
    bool const has_body = has_length || (parser->flags & F_CHUNKED) != 0;

    if (end_field(c) != 0) return -1;
    if (parser->http_major != 1) return refuse(c, 505);
    if (parser->http_minor > 0 && r->hosts == 0) return refuse(c, 400);
    if (parser->method == HTTP_CONNECT) return refuse(c, 501);
    if (has_length && parser->content_length > HTTP_BODY_MAX) return refuse(c, 413);
    /* The client waits before it sends the body. The final response comes at once, and the connection is closed. */
    if (has_body && r->expects_continue) {
        c->last = true;
        http_answer(c);
        return -1;
    }
    return 0;
}

static int on_body(http_parser *parser, const char *at, size_t length)
{
    http_connection *const c = parser->data;

    (void)at;
    c->request.body_length += length;
    return c->request.body_length > HTTP_BODY_MAX ? refuse(c, 413) : 0;
}

/* Pauses the parser, so that the next request stays in `in`. */
static int on_message_complete(http_parser *parser)
{
    http_answer(parser->data);
    http_parser_pause(parser, 1);
    return 0;
}

static int status_of(enum http_errno error)
{
    if (error == HPE_HEADER_OVERFLOW) return 431;
    if (error == HPE_INVALID_METHOD) return 501;
    return error == HPE_INVALID_VERSION ? 505 : 400;
}

bool http_parse(http_connection *c)
{
    static const http_parser_settings settings = {
        .on_message_begin = on_message_begin,
        .on_url = on_url,
        .on_header_field = on_header_field,
        .on_header_value = on_header_value,
        .on_headers_complete = on_headers_complete,
        .on_body = on_body,
        .on_message_complete = on_message_complete,
    };
    if (c->in_at == c->in_end) return false;
    c->request.begun = true;
    c->in_at += http_parser_execute(&c->parser, &settings, c->in + c->in_at, c->in_end - c->in_at);
    if (HTTP_PARSER_ERRNO(&c->parser) != HPE_OK && c->out_end == 0) {
        if (c->request.status == 0) c->request.status = status_of(HTTP_PARSER_ERRNO(&c->parser));
        c->last = true;
        http_answer(c);
    }
    return c->out_end > 0;
}

void http_answered(http_connection *c)
{
    http_end(c);
    c->out_at = c->out_end = 0;
    c->offset = c->left = 0;
    c->request.begun = false;
    http_parser_pause(&c->parser, 0);
}

bool http_is_idle(const http_connection *c)
{
    return !c->request.begun && c->in_at == c->in_end;
}

void http_begin(http_connection *c, http_site *site)
{
    c->site = site;
    c->file = NULL;
    c->out_at = c->out_end = c->in_at = c->in_end = 0;
    c->offset = c->left = 0;
    c->keep = true;
    c->last = false;
    c->request.begun = false;
    c->request.status = 0;
    http_parser_init(&c->parser, HTTP_REQUEST);
    c->parser.data = c;
}
