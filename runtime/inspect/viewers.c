/* SPDX-License-Identifier: MIT */
/* viewers.c - the connections of viewers: one line of request for each, then an answer, then the end.
 *
 * Nothing grows with the data that a viewer sends or does not read. A request has UFI_REQUEST bytes at most, and
 * several viewers share an answer. Lines that a follower does not read in time are dropped and counted. */
#include "inspecting.h"

#include <inttypes.h>

#define MOST_QUEUED (64u << 10) /* bytes of lines for a follower */
#define MOST_TRACES 4           /* at once: they are large */

static const struct {
    const char *name;
    ufi_request request;
} requests[] = {{"json", UFI_ASKS_JSON}, {"prometheus", UFI_ASKS_METRICS}, {"trace", UFI_ASKS_TRACE}};

static const char help[] = "error: the requests are: json, prometheus, trace, follow PATTERN\n";
static const char full[] = "error: too many viewers are connected: try again when one has ended\n";

void ufi_viewers_init(ufi_viewers *viewers)
{
    for (unsigned i = 0; i < UFI_VIEWERS; i++) viewers->all[i].fd = -1;
}

/* Closes a connection. A peer would see a reset instead of the end if something it has sent were still unread. */
static void close_connection(int fd)
{
    char rest[4096];

    for (unsigned i = 0; i < 16 && ufp_socket_receive(fd, rest, sizeof rest) > 0; i++) {}
    (void)ufp_descriptor_close(fd);
}

void ufi_viewers_add(ufi_viewers *viewers, int fd)
{
    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        if (viewers->all[i].fd >= 0) continue;
        viewers->all[i] = (ufi_viewer){.fd = fd, .progress = ufp_monotonic_now()};
        viewers->count++;
        return;
    }
    (void)ufp_socket_send(fd, full, sizeof full - 1);
    close_connection(fd);
}

static void release(ufi_answer *answer)
{
    if (!answer || --answer->references > 0) return;
    ufi_buffer_free(&answer->text);
    ufp_free(answer);
}

void ufi_viewer_end(ufi_viewers *viewers, ufi_viewer *viewer)
{
    close_connection(viewer->fd);
    release(viewer->answer);
    ufi_buffer_free(&viewer->queue);
    *viewer = (ufi_viewer){.fd = -1};
    viewers->count--;
}

void ufi_viewers_end(ufi_viewers *viewers)
{
    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        if (viewers->all[i].fd >= 0) ufi_viewer_end(viewers, &viewers->all[i]);
    }
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

/* Takes a text of `length` bytes, which is moved, for `references` viewers. Returns: NULL if there is no memory. */
static ufi_answer *make_answer(ufi_buffer *text, uint32_t references)
{
    ufi_answer *const answer = text->failed ? NULL : ufp_allocate(sizeof *answer);

    if (!answer) return ufi_buffer_free(text), NULL;
    *answer = (ufi_answer){.references = references, .text = *text};
    *text = (ufi_buffer){.data = NULL};
    return answer;
}

static void refuse(ufi_viewer *viewer)
{
    ufi_buffer text = {.data = NULL};

    ufi_buffer_add(&text, help, sizeof help - 1);
    viewer->asks = UFI_ASKS_NOTHING;
    viewer->answer = make_answer(&text, 1);
    viewer->answered = true;
}

/* `request` ends with a NUL. */
static void read_request(ufi_viewer *viewer)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(viewer->request, requests[i].name) == 0) viewer->asks = requests[i].request;
    }
    if (strncmp(viewer->request, "follow ", 7) == 0) viewer->asks = UFI_FOLLOWS;
    if (viewer->asks == UFI_ASKS_NOTHING) refuse(viewer);
}

/* Reads up to the end of the line, or to the end of the data, and ignores the rest. Returns: false if the connection
 * has ended without a request. */
static bool receive(ufi_viewer *viewer)
{
    size_t const room = sizeof viewer->request - 1 - viewer->received;
    ptrdiff_t const count = ufp_socket_receive(viewer->fd, viewer->request + viewer->received, room);

    if (count == 0 || (count < 0 && viewer->received == 0)) return count == 0;
    viewer->progress = ufp_monotonic_now();
    if (count > 0) viewer->received += (size_t)count;
    char *const end = count < 0 ? viewer->request + viewer->received : memchr(viewer->request, '\n', viewer->received);
    if (end) *end = '\0';
    if (end) read_request(viewer);
    else if (viewer->received == sizeof viewer->request - 1) refuse(viewer);
    return true;
}

static bool reads(const ufi_viewer *viewer)
{
    return viewer->asks == UFI_ASKS_NOTHING && !viewer->answered;
}

/* -- answers ------------------------------------------------------------------------------------------------------- */

static bool waits_for(const ufi_viewer *viewer, ufi_request kind)
{
    return viewer->fd >= 0 && viewer->asks == kind && !viewer->answered;
}

uint32_t ufi_viewers_ask(const ufi_viewers *viewers, ufi_request kind)
{
    uint32_t count = 0, sending = 0;

    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        ufi_viewer const *const viewer = &viewers->all[i];
        count += waits_for(viewer, kind);
        sending += viewer->fd >= 0 && viewer->asks == UFI_ASKS_TRACE && viewer->answered;
    }
    return kind == UFI_ASKS_TRACE && sending >= MOST_TRACES ? 0 : count;
}

void ufi_viewers_answer(ufi_viewers *viewers, ufi_request kind, ufi_buffer *text)
{
    uint32_t const count = ufi_viewers_ask(viewers, kind);
    ufi_answer *const answer = count > 0 ? make_answer(text, count) : NULL;

    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        if (!waits_for(&viewers->all[i], kind)) continue;
        viewers->all[i].answer = answer;
        viewers->all[i].answered = true;
        viewers->all[i].progress = ufp_monotonic_now();
    }
    ufi_buffer_free(text);
}

/* `*` in a pattern matches any text, and `?` any character. After a mismatch, the last `*` takes one more character. */
static bool matches(const char *pattern, const char *text)
{
    char const *star = NULL, *from = NULL;

    while (*text) {
        if (*pattern == '*') star = pattern++, from = text;
        else if (*pattern == '?' || *pattern == *text) pattern++, text++;
        else if (!star) return false;
        else pattern = star + 1, text = ++from;
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

void ufi_viewers_line(void *context, const char *path, const char *line, size_t length)
{
    ufi_viewers *const viewers = context;

    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        ufi_viewer *const viewer = &viewers->all[i];
        if (viewer->fd < 0 || viewer->asks != UFI_FOLLOWS || !matches(viewer->request + 7, path)) continue;
        if (viewer->queue.length + length > MOST_QUEUED) {
            viewer->lost++;
            continue;
        }
        if (viewer->lost > 0) ufi_buffer_print(&viewer->queue, "{\"lost\":%" PRIu64 "}\n", viewer->lost);
        viewer->lost = 0;
        ufi_buffer_add(&viewer->queue, line, length);
    }
}

/* -- sending ------------------------------------------------------------------------------------------------------- */

static const ufi_buffer *text_of(const ufi_viewer *viewer)
{
    static const ufi_buffer none;

    if (viewer->asks == UFI_FOLLOWS) return &viewer->queue;
    return viewer->answer ? &viewer->answer->text : &none;
}

/* Returns: false if the connection has ended, or its answer is complete. */
static bool send_text(ufi_viewer *viewer)
{
    ufi_buffer const *const text = text_of(viewer);

    while (viewer->sent < text->length) {
        ptrdiff_t const count = ufp_socket_send(viewer->fd, text->data + viewer->sent, text->length - viewer->sent);
        if (count <= 0) return count == 0;
        viewer->sent += (size_t)count;
        viewer->progress = ufp_monotonic_now();
    }
    if (viewer->asks != UFI_FOLLOWS) return !viewer->answered;
    viewer->sent = 0;
    viewer->queue.length = 0;
    return true;
}

int ufi_viewer_wants(const ufi_viewer *viewer)
{
    if (reads(viewer)) return UFP_READABLE;
    return viewer->sent < text_of(viewer)->length ? UFP_WRITABLE : 0;
}

/* The end of what a viewer sends is not the end of the connection; a hang-up makes its socket writable, too. */
void ufi_viewer_serve(ufi_viewers *viewers, ufi_viewer *viewer, int ready)
{
    bool goes_on = true;

    if (reads(viewer) && ready & UFP_READABLE) goes_on = receive(viewer);
    else if (!reads(viewer) && ready & UFP_WRITABLE && ufi_viewer_wants(viewer) == 0) goes_on = false;
    if (goes_on && !reads(viewer)) goes_on = send_text(viewer);
    if (!goes_on) ufi_viewer_end(viewers, viewer);
}
