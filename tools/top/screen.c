/* SPDX-License-Identifier: MIT */
/* screen.c - the terminal: pages that come by themselves, and keys. */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "top.h"

#define FOLLOWED    512 /* lines that are kept */
#define TICK        100 /* ms */

#define LEAST_TABLE 4 /* lines: its head, two rows, and how many more there are */

typedef struct screen {
    top_options *options;
    top_model model;
    top_page state, table, flow;
    char selected[256]; /* path of the selected flow */
    size_t first;       /* line of the table at the top */
    bool paused, helping;
    char error[TOP_ERROR];   /* of the last page */
    char message[TOP_ERROR]; /* about the last key */
    /* Following. */
    int follow;         /* the connection; -1: none */
    char pending[4096]; /* the beginning of a line */
    size_t pending_length;
    char *followed[FOLLOWED]; /* a ring */
    size_t follow_count;
} screen;

static const char *const help[] = {"up, down, page up, page down, home, end   select a flow",
                                   "s   sort by another key                   t   tree of sub-flows and pools",
                                   "/   filter; an empty text ends it         b   busiest steps",
                                   "f   follow the selected flow              w   write a trace for uflow-trace",
                                   "p   pause                                 q   quit",
                                   NULL};

static attr_t style_of(top_style style)
{
    switch (style) {
    case TOP_TITLE: return A_BOLD;
    case TOP_ALERT: return A_BOLD | (has_colors() ? COLOR_PAIR(1) : 0);
    case TOP_HEAD: return A_UNDERLINE | A_BOLD;
    case TOP_DIM: return A_DIM;
    case TOP_PLAIN: break;
    }
    return A_NORMAL;
}

/* The bytes of a text in UTF-8 that fit into this many columns. */
static int cut(const char *text, int most)
{
    int bytes = 0;

    for (int columns = 0; text[bytes] && columns < most; columns++) {
        do bytes++;
        while ((text[bytes] & 0xc0) == 0x80);
    }
    return bytes;
}

/* A line that does not fit ends with "...". */
static void put(int y, const char *text, attr_t style)
{
    int bytes = cut(text, COLS);
    bool const is_cut = text[bytes + (int)strspn(text + bytes, " ")] && COLS > 3;

    if (is_cut) bytes = cut(text, COLS - 3);
    attrset((int)style);
    if (style & A_REVERSE) mvhline(y, 0, ' ', COLS);
    mvaddnstr(y, 0, text, bytes);
    if (is_cut) mvaddstr(y, COLS - 3, "...");
    attrset(A_NORMAL);
}

/* -- following ----------------------------------------------------------------------------------------------------- */

static void end_following(screen *s)
{
    if (s->follow >= 0) close(s->follow);
    s->follow = -1;
    for (size_t i = 0; i < FOLLOWED; i++) free(s->followed[i]), s->followed[i] = NULL;
    s->follow_count = 0;
}

static void begin_following(screen *s)
{
    char request[sizeof s->selected + 8];

    if (!*s->selected) return;
    snprintf(request, sizeof request, "follow %s", s->selected);
    s->follow = top_ask(s->options->socket, request);
    s->pending_length = 0;
    if (s->follow < 0) top_explain(s->options->socket, errno, s->message);
}

static void keep_line(screen *s, const char *line)
{
    char **const place = &s->followed[s->follow_count++ % FOLLOWED];
    char text[1024];

    top_follow_text(line, text, sizeof text);
    free(*place);
    *place = tool_copy(text, strlen(text));
}

/* Takes whole lines out of what has come. */
static void split_pending(screen *s)
{
    char *from = s->pending, *end;

    while ((end = memchr(from, '\n', s->pending_length)) != NULL) {
        *end = '\0';
        keep_line(s, from);
        s->pending_length -= (size_t)(end + 1 - from);
        from = end + 1;
    }
    if (s->pending_length == sizeof s->pending) s->pending_length = 0; /* no line is so long */
    memmove(s->pending, from, s->pending_length);
}

static void read_followed(screen *s)
{
    while (s->follow >= 0) {
        size_t const room = sizeof s->pending - s->pending_length;
        ssize_t const count = recv(s->follow, s->pending + s->pending_length, room, MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            end_following(s);
            top_write(s->message, sizeof s->message, "the process has closed the connection");
            return;
        }
        s->pending_length += (size_t)count;
        split_pending(s);
    }
}

static void draw_followed(const screen *s, int top)
{
    int const room = LINES - top - 1;

    if (s->follow_count == 0) put(top, "nothing has happened yet", style_of(TOP_DIM));
    size_t const count = s->follow_count < FOLLOWED ? s->follow_count : FOLLOWED;
    size_t const shown = room > 0 && count > (size_t)room ? (size_t)room : count;

    for (size_t i = 0; i < shown; i++)
        put(top + (int)i, s->followed[(s->follow_count - shown + i) % FOLLOWED], A_NORMAL);
}

/* -- the page ------------------------------------------------------------------------------------------------------ */

static size_t selected_row(const screen *s)
{
    for (size_t i = 0; i < s->model.shown_count; i++) {
        if (strcmp(s->model.shown[i]->path, s->selected) == 0) return i;
    }
    return 0;
}

static void select_row(screen *s, long row)
{
    long const last = (long)s->model.shown_count - 1;

    if (row > last) row = last;
    if (row < 0) row = 0;
    if (last >= 0) snprintf(s->selected, sizeof s->selected, "%s", s->model.shown[row]->path);
}

/* The lines of the selected flow, below the table, which begins at line `top`. Returns: how many. */
static int draw_details(screen *s, int top)
{
    int const left = LINES - 1 - top - LEAST_TABLE, most = left < LINES / 3 ? left : LINES / 3;

    top_page_clear(&s->flow);
    if (s->options->steps || s->model.shown_count == 0 || most < 2) return 0;
    top_page_flow(&s->flow, s->model.shown[selected_row(s)]);
    int const count = (int)s->flow.count, height = count < most ? count : most;
    char more[64];
    snprintf(more, sizeof more, "    and %d more lines: --json shows all", count - height + 1);
    for (int i = 0; i < height; i++) {
        bool const is_cut = i == height - 1 && height < count;
        put(LINES - 1 - height + i, is_cut ? more : s->flow.lines[i].text, style_of(s->flow.lines[i].style));
    }
    return height;
}

/* The line after the rows of a table of which not all find room. */
static void draw_more(const screen *s, int y, size_t hidden)
{
    char more[64];

    top_write(more, sizeof more, "and %zu more: %s", hidden,
              s->options->steps ? "--steps --once shows all" : "up and down show them");
    put(y, more, style_of(TOP_DIM));
}

static void draw_table(screen *s, int top, int bottom)
{
    size_t const room = bottom - top > 1 ? (size_t)(bottom - top - 1) : 0, selected = selected_row(s);

    if (s->table.count == 0 || room == 0) return;
    size_t const count = s->table.count - 1, rows = count > room ? room - 1 : count;
    put(top, s->table.lines[0].text, style_of(TOP_HEAD));
    if (!s->options->steps && selected < s->first) s->first = selected;
    if (!s->options->steps && selected >= s->first + rows) s->first = selected + 1 - rows;
    if (s->first + rows > count) s->first = count - rows;
    for (size_t i = 0; i < rows; i++) {
        top_line const *const line = &s->table.lines[s->first + i + 1];
        bool const is_selected = line->row == (int)selected;
        put(top + 1 + (int)i, line->text, style_of(line->style) | (is_selected ? A_REVERSE : 0));
    }
    if (rows < count) draw_more(s, top + 1 + (int)rows, count - rows);
}

static void draw_status(const screen *s)
{
    char text[TOP_ERROR + 64];

    if (*s->error) top_write(text, sizeof text, "%s", s->error);
    else if (*s->message) top_write(text, sizeof text, "%s", s->message);
    else if (s->follow >= 0) top_write(text, sizeof text, "following %s; f ends it", s->selected);
    else
        top_write(text, sizeof text, "sorted by %s%s%s   ? help   q quit", top_sort_names[s->options->sort],
                  s->options->tree ? ", tree" : "", s->paused ? ", paused" : "");
    put(LINES - 1, tool_make_printable(text), A_REVERSE);
}

/* The lines above the table: at least the title, and at most as many as leave room for it. Returns: their number. */
static int draw_state(const screen *s)
{
    int const left = LINES - 1 - LEAST_TABLE, room = left > LINES / 2 ? left : LINES / 2, whole = (int)s->state.count;
    int const count = whole > room ? whole - 1 : whole; /* the last one is empty */
    int const height = count < room ? count : room;
    char more[64];

    top_write(more, sizeof more, "and %d more lines: --once shows all", count - height + 1);
    for (int i = 0; i < height; i++) {
        bool const is_cut = i > 0 && i == height - 1 && height < count;
        put(i, is_cut ? more : s->state.lines[i].text, style_of(s->state.lines[i].style));
    }
    return height;
}

static void draw(screen *s)
{
    int y;

    erase();
    y = draw_state(s);
    if (s->helping) {
        for (size_t i = 0; help[i] && y < LINES - 1; i++) put(y++, help[i], A_NORMAL);
    } else if (s->follow >= 0) {
        draw_followed(s, y);
    } else {
        draw_table(s, y, LINES - 1 - draw_details(s, y));
    }
    draw_status(s);
    refresh();
}

/* Orders and formats what was fetched last. */
static void arrange(screen *s)
{
    if (!s->model.document) return;
    top_model_order(&s->model, s->options);
    select_row(s, (long)selected_row(s));
    top_page_clear(&s->state);
    top_page_clear(&s->table);
    top_page_state(&s->state, &s->model, s->options, (unsigned)COLS);
    top_page_table(&s->table, &s->model, s->options, (unsigned)COLS);
}

static void fetch(screen *s)
{
    json_t *const document = top_fetch_document(s->options->socket, s->error);
    if (!document) return;
    s->error[0] = '\0';
    top_model_set(&s->model, document);
    arrange(s);
}

/* -- keys ---------------------------------------------------------------------------------------------------------- */

/* Waits for a key, but no longer than a tick. Returns: ERR if there is none; sets `gone` if there will be none: the
 * terminal was hung up, or gives no key again and again although it has some. */
static int wait_for_key(bool *gone)
{
    static int failures;
    struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};

    timeout(0);
    int key = getch(); /* curses may have read more than one */
    if (key != ERR) return key;
    int const ready = poll(&terminal, 1, TICK);
    key = getch(); /* also after a signal: the size has changed */
    failures = ready > 0 && key == ERR ? failures + 1 : 0;
    *gone = (ready > 0 && terminal.revents & (POLLHUP | POLLERR | POLLNVAL)) || failures > 10;
    return key;
}

/* Asks for a text in the last line. Returns: false if it was given up. */
static bool prompt(const char *question, char *text, size_t size)
{
    size_t length = strlen(text);

    timeout(-1);
    for (;;) {
        move(LINES - 1, 0);
        clrtoeol();
        mvprintw(LINES - 1, 0, "%s%s", question, text);
        refresh();
        int const key = getch();
        if (key == '\n' || key == KEY_ENTER) break;
        if (key == 27 || key == ERR) return false;
        if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && length > 0) text[--length] = '\0';
        else if (key >= ' ' && key < 256 && key != 127 && length + 1 < size)
            text[length++] = (char)key, text[length] = '\0';
    }
    return true;
}

static void write_trace(screen *s)
{
    char path[TOP_ERROR - 32] = "trace.uftrace";

    if (!prompt("write the trace to: ", path, sizeof path) || !*path) return;
    if (top_write_trace(s->options->socket, path, s->message))
        top_write(s->message, sizeof s->message, "%s is written", path);
}

static void set_filter(screen *s)
{
    char before[sizeof s->options->filter];

    memcpy(before, s->options->filter, sizeof before);
    if (!prompt("only with: ", s->options->filter, sizeof s->options->filter))
        memcpy(s->options->filter, before, sizeof before);
}

/* Returns: false to quit. */
static bool press(screen *s, int key)
{
    long const selected = (long)selected_row(s), page = LINES > 8 ? LINES - 8 : 1;

    s->helping = false;
    if (key != KEY_RESIZE) s->message[0] = '\0';
    switch (key) {
    case 'q': return false;
    case KEY_UP: select_row(s, selected - 1); break;
    case KEY_DOWN: select_row(s, selected + 1); break;
    case KEY_PPAGE: select_row(s, selected - page); break;
    case KEY_NPAGE: select_row(s, selected + page); break;
    case KEY_HOME: select_row(s, 0); break;
    case KEY_END: select_row(s, (long)s->model.shown_count - 1); break;
    case 's': s->options->sort = (top_sort)((s->options->sort + 1) % TOP_SORTS); break;
    case 't': s->options->tree = !s->options->tree; break;
    case 'b': s->options->steps = !s->options->steps, s->first = 0; break;
    case 'p': s->paused = !s->paused; break;
    case '/': set_filter(s); break;
    case 'w': write_trace(s); break;
    case '?': s->helping = true; break;
    case 'f':
        if (s->follow >= 0) end_following(s);
        else begin_following(s);
        break;
    default: break;
    }
    arrange(s);
    return true;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void release(screen *s)
{
    top_page *const pages[] = {&s->state, &s->table, &s->flow};

    end_following(s);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        top_page_clear(pages[i]);
        free(pages[i]->lines);
    }
    top_model_free(&s->model);
}

/* Returns: false if this terminal cannot show pages. */
static bool begin_screen(void)
{
    if (!newterm(NULL, stdout, stdin)) return false;
    char const *const move_cursor = tigetstr("cup");
    if (!move_cursor || move_cursor == (const char *)-1) return endwin(), false;
    cbreak();
    noecho();
    keypad(stdscr, true);
    curs_set(0);
    set_escdelay(25);
    if (!has_colors()) return true;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_RED, -1);
    return true;
}

int top_screen(top_options *options)
{
    screen s = {.options = options, .follow = -1};
    bool gone = false;

    json_t *const document = top_fetch_document(options->socket, s.error); /* the terminal shows an error unchanged */
    if (!document) {
        fprintf(stderr, "uflow-top: %s\n", s.error);
        return 1;
    }
    if (!begin_screen()) {
        char const *const name = getenv("TERM");
        fprintf(stderr, "uflow-top: the terminal \"%s\" cannot show pages: use --once\n", name ? name : "");
        json_decref(document);
        return 1;
    }
    top_model_set(&s.model, document);
    arrange(&s);
    double next = now() + options->delay;
    for (int key = ERR; !gone && (key == ERR || press(&s, key)); key = wait_for_key(&gone)) {
        if (!s.paused && now() >= next) {
            fetch(&s);
            next = now() + options->delay;
        }
        read_followed(&s);
        draw(&s);
    }
    endwin();
    release(&s);
    return gone;
}
