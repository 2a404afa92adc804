/* SPDX-License-Identifier: MIT */
/* server.c - the thread that answers viewers.
 *
 * It asks the runtime's thread for a snapshot only while a viewer waits for one. It asks for the next one at least 50
 * ms later. All viewers that wait share it. While a part is being copied, this thread checks each millisecond whether
 * it is done. So the runtime's thread need not wake any thread. */
#if !defined(_GNU_SOURCE) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "inspecting.h"
#include "uflow/recorder_file.h"

#include <stdio.h>
#include <stdlib.h>

#define LOOK_AT_PART  UF_MS(1)
#define BETWEEN       UF_MS(50)  /* two snapshots */
#define ACCEPT_AGAIN  UF_MS(200) /* after the system had no descriptor left */
#define REFUSE_AFTER  UF_S(1)    /* without room for a viewer */
#define RESPONDS_IN   UF_MS(500) /* otherwise viewers get the last snapshot */
#define READ_EVENTS   UF_MS(50)
#define PATIENCE      UF_S(10) /* with a viewer that neither asks nor reads */
#define KEEP_RECORDER UF_S(10) /* after the last viewer */

#define OWN_MEMORY    (2u << 20) /* of its own recorder */
#define OWN_OBJECTS   8192
#define MOST_FLOWS    10000

struct uf_inspect {
    uf_runtime *runtime;
    uf_inspect_config config;
    char *path;
    ufp_listener listener;
    ufp_notifier wakeup;
    ufp_thread thread;
    uint32_t closing, ended; /* atomic. The rest is the server's thread's */
    ufi_viewers viewers;
    uf_time last_viewer; /* real time at which there was one */
    uf_time no_room;     /* real time at which the system had no descriptor left */
    uf_time had_room;    /* real time at which there was room for one more viewer */
    /* Snapshots. */
    ufi_part part;
    ufi_snapshot snapshot, next;
    ufi_snapshot recorded; /* of the recorder, while there is no other */
    bool taking;
    uf_time began; /* of the snapshot that is being taken, or the last one */
    uf_time asked; /* for the part */
    /* Events. */
    ufi_events *events;
    uf_time events_read;
    uf_recorder own;
    void *own_memory;
    bool own_attached, no_events; /* no_events: there was no memory for them */
};

/* -- the recorder -------------------------------------------------------------------------------------------------- */

static const uf_recorder *recorder_of(const uf_inspect *inspect)
{
    return inspect->config.recorder ? inspect->config.recorder : &inspect->own;
}

/* Requests that the server's own recorder is attached with the next part. Returns: false if memory is short. */
static bool attach_own(uf_inspect *inspect)
{
    if (!inspect->own_memory) inspect->own_memory = ufp_allocate(OWN_MEMORY);
    uf_status const status =
        uf_recorder_init(&inspect->own, &inspect->runtime->pump, inspect->own_memory, OWN_MEMORY, OWN_OBJECTS);
    if (status == UF_OK) inspect->part.recorder = &inspect->own;
    return status == UF_OK;
}

static void begin_events(uf_inspect *inspect)
{
    if (!inspect->config.recorder && !inspect->own_attached) inspect->own_attached = attach_own(inspect);
    if (inspect->config.recorder || inspect->own_attached)
        inspect->events = ufi_events_new(recorder_of(inspect), ufi_viewers_line, &inspect->viewers);
    inspect->no_events = !inspect->events;
    if (inspect->events) ufi_events_read(inspect->events, false);
}

static void end_events(uf_inspect *inspect)
{
    ufi_events_free(inspect->events);
    inspect->events = NULL;
    if (inspect->own_attached) inspect->part.remove = &inspect->own.observer;
    inspect->own_attached = false;
}

static void read_events(uf_inspect *inspect, uf_time now)
{
    if (!inspect->events) return;
    ufi_events_read(inspect->events, ufi_viewers_ask(&inspect->viewers, UFI_FOLLOWS) > 0);
    inspect->events_read = now;
}

/* Ends at the events that were there at the beginning, or a little later. */
static void give_trace(uf_inspect *inspect)
{
    uf_recorder_cursor cursor = {.began = false};
    ufi_buffer text = {.data = NULL};
    char *bytes = NULL;
    size_t size = 0;

    if (ufi_viewers_ask(&inspect->viewers, UFI_ASKS_TRACE) == 0) return;
    if (!inspect->events && !inspect->no_events) return; /* they begin soon */
    /* Does its own recorder not know the flows yet? It never will while the runtime's thread hangs. */
    if (inspect->part.recorder && (!inspect->taking || ufp_monotonic_now() - inspect->asked < RESPONDS_IN)) return;
    FILE *const out = inspect->events ? open_memstream(&bytes, &size) : NULL;
    bool const written = out && uf_recorder_write(recorder_of(inspect), &cursor, out);
    if (out && fclose(out) == 0 && written) ufi_buffer_add(&text, bytes, size);
    else text.failed = true;
    free(bytes);
    ufi_viewers_answer(&inspect->viewers, UFI_ASKS_TRACE, &text);
}

/* -- snapshots ----------------------------------------------------------------------------------------------------- */

static bool asks_for_snapshot(const uf_inspect *inspect)
{
    return ufi_viewers_ask(&inspect->viewers, UFI_ASKS_JSON) || ufi_viewers_ask(&inspect->viewers, UFI_ASKS_METRICS);
}

/* A recorder that was there before the viewers knows more than nothing. */
static const ufi_snapshot *best_snapshot(uf_inspect *inspect)
{
    if (ufi_is_taken(&inspect->snapshot) || !inspect->config.recorder || !inspect->events) return &inspect->snapshot;
    uf_time const now = uf_pump_now(&inspect->runtime->pump);
    return ufi_snapshot_of_recorder(&inspect->recorded, inspect->events, now) ? &inspect->recorded : &inspect->snapshot;
}

static void answer(uf_inspect *inspect, bool responds)
{
    if (!asks_for_snapshot(inspect)) return;
    read_events(inspect, ufp_monotonic_now());
    ufi_view const view = {
        .snapshot = best_snapshot(inspect),
        .events = inspect->events,
        .counters = inspect->config.counters,
        .runtime = inspect->runtime,
        .responds = responds,
        .silent = ufp_monotonic_now() - inspect->asked,
    };
    ufi_buffer text = {.data = NULL};

    if (ufi_viewers_ask(&inspect->viewers, UFI_ASKS_JSON)) {
        ufi_document(&view, &text);
        ufi_viewers_answer(&inspect->viewers, UFI_ASKS_JSON, &text);
    }
    if (ufi_viewers_ask(&inspect->viewers, UFI_ASKS_METRICS)) {
        ufi_metrics(&view, &text);
        ufi_viewers_answer(&inspect->viewers, UFI_ASKS_METRICS, &text);
    }
}

static void ask_for_part(uf_inspect *inspect, uint32_t first)
{
    uint32_t const left = inspect->config.flows - first;

    inspect->asked = ufp_monotonic_now();
    inspect->part.first = first;
    inspect->part.most = left < UFI_PART_FLOWS ? left : UFI_PART_FLOWS;
    ufi_part_ask(&inspect->part, inspect->runtime);
}

/* Takes the finished part, and requests the next one. */
static void take_part(uf_inspect *inspect)
{
    ufi_part *const part = &inspect->part;

    part->remove = NULL;
    bool const added = ufi_snapshot_add(&inspect->next, part);
    uint32_t const count = part->first + part->count;
    if (added && !part->is_last && count < inspect->config.flows) {
        ask_for_part(inspect, count);
        return;
    }
    part->recorder = NULL; /* it has noted all flows */
    inspect->taking = false;
    ufi_snapshot_finish(&inspect->next, !added || !part->is_last);
    ufi_snapshot const old = inspect->snapshot;
    inspect->snapshot = inspect->next;
    inspect->next = old;
    answer(inspect, true);
}

static void begin_snapshot(uf_inspect *inspect, uf_time now)
{
    inspect->taking = true;
    inspect->began = now;
    ask_for_part(inspect, 0);
}

static void advance_snapshot(uf_inspect *inspect, uf_time now)
{
    while (inspect->taking && !ufi_part_is_asked(&inspect->part)) take_part(inspect);
    bool const wanted = asks_for_snapshot(inspect) || inspect->part.recorder || inspect->part.remove;
    if (!inspect->taking && wanted && now - inspect->began >= BETWEEN) begin_snapshot(inspect, now);
    if (inspect->taking && now - inspect->asked >= RESPONDS_IN) answer(inspect, false);
}

/* -- the thread ---------------------------------------------------------------------------------------------------- */

/* Without room, viewers wait for a while, and are then refused. */
static bool accepts(const uf_inspect *inspect, uf_time now)
{
    bool const has_room = inspect->viewers.count < UFI_VIEWERS || now - inspect->had_room >= REFUSE_AFTER;
    return has_room && now - inspect->no_room >= ACCEPT_AGAIN;
}

/* Without room, accepts a single viewer, to refuse it: others may have made room since then. */
static void accept_viewers(uf_inspect *inspect, uf_time now)
{
    if (inspect->viewers.count < UFI_VIEWERS) inspect->had_room = now;
    for (bool is_full = false; !is_full && accepts(inspect, now);) {
        is_full = inspect->viewers.count == UFI_VIEWERS;
        int const fd = ufp_listener_accept(&inspect->listener);
        if (fd >= 0) ufi_viewers_add(&inspect->viewers, fd);
        else if (fd == UFP_NO_ROOM) inspect->no_room = now;
        else if (fd == UFP_NO_PEER) return;
    }
}

static uf_time timeout_of(const uf_inspect *inspect, uf_time now)
{
    if (inspect->taking) return now - inspect->asked < RESPONDS_IN ? LOOK_AT_PART : READ_EVENTS;
    if (asks_for_snapshot(inspect) || inspect->part.recorder || inspect->part.remove) {
        uf_time const left = inspect->began + BETWEEN - now;
        return left > LOOK_AT_PART ? left : LOOK_AT_PART;
    }
    if (inspect->events) return READ_EVENTS;
    if (!accepts(inspect, now)) return ACCEPT_AGAIN;
    return inspect->viewers.count > 0 ? UF_S(1) : UF_FOREVER;
}

/* Waits for viewers, serves the ready ones, and ends those that have not been ready for too long. */
static void serve(uf_inspect *inspect, uf_time now)
{
    ufp_waiting sockets[UFI_VIEWERS + 2];
    ufi_viewer *of[UFI_VIEWERS + 2];
    size_t count = 2;

    sockets[0] = (ufp_waiting){.fd = inspect->wakeup.fd, .want = UFP_READABLE};
    sockets[1] = (ufp_waiting){.fd = accepts(inspect, now) ? inspect->listener.fd : -1, .want = UFP_READABLE};
    for (unsigned i = 0; i < UFI_VIEWERS; i++) {
        ufi_viewer *const viewer = &inspect->viewers.all[i];
        if (viewer->fd < 0) continue;
        sockets[count] = (ufp_waiting){.fd = viewer->fd, .want = ufi_viewer_wants(viewer)};
        of[count++] = viewer;
    }
    ufp_socket_wait(sockets, count, timeout_of(inspect, now));
    for (size_t i = 2; i < count; i++) {
        bool const busy = of[i]->asks != UFI_ASKS_NOTHING && ufi_viewer_wants(of[i]) == 0; /* it waits for us */
        if (sockets[i].ready) ufi_viewer_serve(&inspect->viewers, of[i], sockets[i].ready);
        else if (!busy && now - of[i]->progress > PATIENCE) ufi_viewer_end(&inspect->viewers, of[i]);
    }
    if (sockets[0].ready) ufp_notifier_drain(&inspect->wakeup);
    if (sockets[1].ready) accept_viewers(inspect, ufp_monotonic_now());
}

static void keep_events(uf_inspect *inspect, uf_time now)
{
    bool const changes = inspect->taking || inspect->part.recorder || inspect->part.remove;

    if (inspect->viewers.count > 0) inspect->last_viewer = now;
    if (inspect->viewers.count > 0 && !inspect->events && !changes) begin_events(inspect);
    if (inspect->events && now - inspect->last_viewer > KEEP_RECORDER && !changes) end_events(inspect);
}

/* After the last viewer: the runtime's thread must not refer to this memory afterwards. */
static void wait_for_part(uf_inspect *inspect)
{
    while (inspect->taking) {
        if (ufi_part_is_asked(&inspect->part)) ufp_socket_wait(NULL, 0, LOOK_AT_PART);
        else take_part(inspect);
    }
}

static void run_server(void *argument)
{
    uf_inspect *const inspect = argument;

    ufp_thread_name("uflow-inspect");
    while (!ufp_load_acquire(&inspect->closing)) {
        serve(inspect, ufp_monotonic_now());
        uf_time const now = ufp_monotonic_now();
        keep_events(inspect, now);
        advance_snapshot(inspect, now);
        if (now - inspect->events_read >= READ_EVENTS) read_events(inspect, now);
        give_trace(inspect);
    }
    ufi_viewers_end(&inspect->viewers);
    wait_for_part(inspect);
    end_events(inspect);
    if (inspect->part.remove) begin_snapshot(inspect, ufp_monotonic_now());
    wait_for_part(inspect);
    ufp_store_release(&inspect->ended, 1);
}

/* -- life ---------------------------------------------------------------------------------------------------------- */

static void release(uf_inspect *inspect)
{
    ufi_snapshot_free(&inspect->snapshot);
    ufi_snapshot_free(&inspect->next);
    ufi_snapshot_free(&inspect->recorded);
    ufp_free(inspect->part.seen);
    ufp_free(inspect->part.waits);
    ufp_free(inspect->own_memory);
    ufp_free(inspect->path);
    ufp_free(inspect);
}

static uf_inspect *allocate(uf_runtime *runtime, const char *path, const uf_inspect_config *config)
{
    uf_inspect *const inspect = ufp_allocate(sizeof *inspect);
    size_t const length = strlen(path) + 1;

    if (!inspect) return NULL;
    inspect->runtime = runtime;
    if (config) inspect->config = *config;
    if (inspect->config.flows == 0) inspect->config.flows = MOST_FLOWS;
    inspect->path = ufp_allocate(length);
    inspect->part.seen = ufp_allocate(UFI_PART_FLOWS * sizeof *inspect->part.seen);
    inspect->part.waits = ufp_allocate(UFI_PART_WAITS * sizeof *inspect->part.waits);
    inspect->began = -BETWEEN;
    ufi_viewers_init(&inspect->viewers);
    if (!inspect->path || !inspect->part.seen || !inspect->part.waits) return release(inspect), NULL;
    memcpy(inspect->path, path, length);
    memset(inspect->part.seen, 0xff, UFI_PART_FLOWS * sizeof *inspect->part.seen); /* the pages are there from now on */
    memset(inspect->part.waits, 0xff, UFI_PART_WAITS * sizeof *inspect->part.waits);
    return inspect;
}

/* Opens the socket and starts the thread. Returns: an errno. */
static int start(uf_inspect *inspect)
{
    int error = ufp_notifier_open(&inspect->wakeup);
    if (error) return error;
    error = ufp_listener_open(&inspect->listener, inspect->path);
    if (!error) {
        error = ufp_thread_start(&inspect->thread, (ufp_thread_options){0}, run_server, inspect);
        if (error) ufp_listener_close(&inspect->listener, inspect->path);
    }
    if (error) ufp_notifier_close(&inspect->wakeup);
    return error;
}

uf_status uf_inspect_listen(uf_inspect **inspect, uf_runtime *runtime, const char *path,
                            const uf_inspect_config *config)
{
    if (inspect) *inspect = NULL;
    if (!inspect || !runtime || !path) return UF_INVALID;
    uf_inspect *const made = allocate(runtime, path, config);
    if (!made) return UF_NO_MEMORY;
    int const error = start(made);
    if (error) {
        release(made);
        return ufp_is_address_in_use(error) ? UF_BUSY : ufh_system_error(error);
    }
    *inspect = made;
    return UF_OK;
}

/* On the thread of the loop, between two polls: the server's thread may wait for a round. */
static void poll_until_ended(uf_inspect *inspect)
{
    while (!ufp_load_acquire(&inspect->ended)) {
        (void)uf_runtime_poll(inspect->runtime);
        ufp_socket_wait(NULL, 0, LOOK_AT_PART);
    }
}

uf_status uf_inspect_close(uf_inspect *inspect)
{
    if (!inspect) return UF_INVALID;
    if (ufi_on_pump_thread(&inspect->runtime->pump)) return UF_DEADLOCK;
    ufp_store_release(&inspect->closing, 1);
    ufp_notifier_notify(&inspect->wakeup);
    if (ufh_on_driver_thread(inspect->runtime)) poll_until_ended(inspect);
    ufp_thread_join(&inspect->thread);
    ufp_listener_close(&inspect->listener, inspect->path);
    ufp_notifier_close(&inspect->wakeup);
    release(inspect);
    return UF_OK;
}
