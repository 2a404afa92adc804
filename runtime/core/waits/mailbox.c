/* SPDX-License-Identifier: MIT */
/* mailbox.c - bounded MPSC queues, as rings with a turn number per cell (Dmitry Vyukov's bounded queue).
 *
 * A cell is free if it has the turn of the current lap. A sender then takes the position with a compare-and-exchange of
 * `head`, owns the cell, fills it, and publishes the next turn. The cell at `head` or `tail` is of this lap or of the
 * one before, so the low bits of a lap distinguish them: a turn has 8 bits. Positions wrap below 2^31, where turns wrap
 * too. A sender confuses two positions only if it sleeps while that many others send. */
#include "waits/room.h"

static uf_mailbox *mailbox_of(const uf_arm *arm)
{
    return (uf_mailbox *)((uintptr_t)arm->on.signal - offsetof(uf_mailbox, filled));
}

static uf_mailbox *mailbox_of_room(const uf_room *room)
{
    return (uf_mailbox *)((uintptr_t)room - offsetof(uf_mailbox, room));
}

static uf_status check_room(const uf_room *room, uint32_t *free);
static void drop_items(uf_mailbox *mailbox, bool but_the_last);
static const struct ufi_mail_hooks hooks;

/* A pump knows the mailboxes of its flows, for its graceful shutdown. */
static void enlist(uf_mailbox *mailbox, uf_pump *pump)
{
    if (!UF_USES_STOP) return;
    mailbox->pump = pump;
    ufp_critical_enter(pump);
    if (!pump->mail) ufi_list_init(&pump->mailboxes);
    pump->mail = &hooks;
    ufi_list_insert(&pump->mailboxes, &mailbox->in_pump);
    ufp_critical_leave(pump);
}

static void delist(uf_mailbox *mailbox)
{
    if (!mailbox->pump) return;
    ufp_critical_enter(mailbox->pump);
    if (mailbox->in_pump.next) ufi_list_remove(&mailbox->in_pump);
    mailbox->in_pump.next = NULL;
    ufp_critical_leave(mailbox->pump);
}

/* Laps after which positions wrap. After 128 laps, the turn has wrapped as well. */
static uint32_t laps_of(uint32_t capacity)
{
    uint32_t const laps = (UINT32_C(1) << 31) / capacity;
    return laps < 128 ? laps : laps / 128 * 128;
}

void uf_mailbox_init(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint8_t *turns,
                     uint32_t capacity, uint32_t item_size)
{
    if (!mailbox || !owner || !items || !turns || capacity == 0 || capacity > UINT32_C(1) << 30) return;
    *mailbox = (uf_mailbox){
        .name = name,
        .owner = owner,
        .items = items,
        .turns = turns,
        .capacity = capacity,
        .item_size = item_size,
        .limit = laps_of(capacity) * capacity,
        .room = {.check = check_room},
    };
    (void)memset(turns, 0, capacity);
    ufp_note_shared(turns, capacity);
    ufp_note_shared(&mailbox->head, offsetof(uf_mailbox, room) - offsetof(uf_mailbox, head));
    ufp_note_shared(&mailbox->room.queued, sizeof mailbox->room.queued);
    if (owner->pump) enlist(mailbox, owner->pump);
}

/* False for NULL and zeroed storage. */
static bool is_mailbox(const uf_mailbox *mailbox)
{
    return mailbox && mailbox->capacity > 0;
}

static void mark_closed(uf_mailbox *mailbox)
{
    if (!ufi_signal_closed(&mailbox->filled)) (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UFI_CLOSED);
}

/* Sends, and waits for room, are counted in `firing`: uf_signal_destroy() waits for them. */
void uf_mailbox_destroy(uf_mailbox *mailbox)
{
    if (!is_mailbox(mailbox)) return;
    mark_closed(mailbox);
    ufi_room_close(&mailbox->room);
    delist(mailbox);
    uf_signal_destroy(&mailbox->filled);
    drop_items(mailbox, false);
}

void uf_mailbox_set_drop(uf_mailbox *mailbox, void (*drop)(void *item))
{
    if (mailbox) mailbox->drop = drop;
}

static uint32_t after(const uf_mailbox *mailbox, uint32_t position)
{
    return position + 1 == mailbox->limit ? 0 : position + 1;
}

/* The turn of a free cell. A filled cell has the next turn. */
static uint8_t free_turn(const uf_mailbox *mailbox, uint32_t position)
{
    return (uint8_t)(position / mailbox->capacity * 2);
}

static uint8_t filled_turn(const uf_mailbox *mailbox, uint32_t position)
{
    return (uint8_t)(free_turn(mailbox, position) + 1);
}

static uint8_t *turn_of(const uf_mailbox *mailbox, uint32_t position)
{
    return &mailbox->turns[position % mailbox->capacity];
}

static unsigned char *item_of(const uf_mailbox *mailbox, uint32_t position)
{
    return mailbox->items + (size_t)(position % mailbox->capacity) * mailbox->item_size;
}

/* Takes a free cell for the caller. Returns: false if the mailbox is full. */
static bool take_position(uf_mailbox *mailbox, uint32_t *position)
{
    for (;;) {
        uint32_t const at = *position = ufp_load_acquire(&mailbox->head);
        if (ufp_load_byte_acquire(turn_of(mailbox, at)) == free_turn(mailbox, at)) {
            if (ufp_compare_exchange_seq_cst(&mailbox->head, at, after(mailbox, at))) return true;
        } else if (ufp_load_seq_cst(&mailbox->head) == at) {
            return false; /* the cell still holds the item of the last lap */
        }
    }
}

static uf_status send_item(uf_mailbox *mailbox, const void *item)
{
    uint32_t position;

    if (ufi_signal_closed(&mailbox->filled) || !mailbox->owner->pump) return UF_CLOSED;
    if (ufi_is_stopping(mailbox->owner->pump)) return ufi_refuse(mailbox->owner->pump);
    if (!take_position(mailbox, &position)) return UF_FULL;
    (void)memcpy(item_of(mailbox, position), item, mailbox->item_size);
    ufp_store_byte_release(turn_of(mailbox, position), filled_turn(mailbox, position));
    /* After the turn: a receiver that then samples the level sees the item. At home, the release store and this load
     * may pass each other, which a receiver on another thread could miss. But there is no such receiver: only the flow
     * that has the mailbox can await it, and at home that flow is on this thread. */
    uint64_t const word = ufp_load_wide_seq_cst(&mailbox->filled.word);
    if (ufi_waiting_of(word) || !ufi_at_home(&mailbox->filled)) uf_signal_fire(&mailbox->filled);
    return UF_OK;
}

/* `firing` is raised before UFI_CLOSED is read; a destroy sets UFI_CLOSED before it reads `firing`. So the owner and
 * its pump exist until the send is over. At home they exist because the receiver waits, which is on this thread.
 *
 * At home a send takes no lock, and one read-modify-write, of `head`. If the receiver waits, it takes a second one, of
 * the signal's word. Neither can be a store, since other threads may send at the same time. Without the second one, the
 * receiver would leave the signal with a read-modify-write, so a message would cost the same. */
uf_status uf_mailbox_send(uf_mailbox *mailbox, const void *item)
{
    if (!is_mailbox(mailbox) || !item) return UF_INVALID;
    if (ufi_at_home(&mailbox->filled)) return send_item(mailbox, item);
    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1);
    uf_status const status = send_item(mailbox, item);
    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);
    return status;
}

uf_status uf_mailbox_send_wait(uf_mailbox *mailbox, const void *item, uf_time timeout)
{
    if (!is_mailbox(mailbox) || !item) return UF_INVALID;
    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1); /* as in uf_mailbox_send() */
    bool const closed = ufi_signal_closed(&mailbox->filled) || !mailbox->owner->pump;
    uf_status status = closed ? UF_CLOSED : UF_UNSUPPORTED;
    if (!closed && ufi_host(mailbox->owner->pump)) status = ufp_send_wait(mailbox, item, timeout);
    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);
    return status;
}

static bool is_filled_at(const uf_mailbox *mailbox, uint32_t position)
{
    return ufp_load_byte_acquire(turn_of(mailbox, position)) == filled_turn(mailbox, position);
}

static bool is_filled(const uf_mailbox *mailbox)
{
    return is_filled_at(mailbox, mailbox->tail);
}

/* Has an await of the owner found a message, which this turn or the next one receives? Nobody else may take it: neither
 * another flow, nor the `on exit` of a subtask that the await leaves. */
static bool is_kept(const uf_mailbox *mailbox)
{
    uf_flow const *const owner = mailbox->owner;
    uf_arm_cause const cause = owner->pump->current == owner ? UF_CAUSE_DECIDED : UF_CAUSE_KEPT;

    if (!(owner->flags & UF_FLAG_ARMED)) return false;
    for (unsigned i = 0; i < owner->type->arm_count; i++) {
        uf_arm const *const arm = ufi_arms(owner) + i;
        if (arm->kind == UF_ARM_MAILBOX && arm->cause == cause && mailbox_of(arm) == mailbox) return true;
    }
    return false;
}

/* Takes the oldest item. Its cell is not free yet. */
static uint32_t take_item(uf_mailbox *mailbox)
{
    uint32_t const position = mailbox->tail;
    ufp_store_release(&mailbox->tail, after(mailbox, position));
    return position;
}

static void free_cell(uf_mailbox *mailbox, uint32_t position)
{
    uint32_t const lap = position / mailbox->capacity + 1;
    bool const last_lap = lap == mailbox->limit / mailbox->capacity;
    ufp_store_byte_seq_cst(turn_of(mailbox, position), last_lap ? 0 : (uint8_t)(lap * 2));
    ufi_room_freed(&mailbox->room);
}

bool uf_mailbox_receive(uf_mailbox *mailbox, void *item)
{
    if (!is_mailbox(mailbox) || !item || !is_filled(mailbox) || is_kept(mailbox)) return false;
    uint32_t const position = take_item(mailbox);
    (void)memcpy(item, item_of(mailbox, position), mailbox->item_size);
    free_cell(mailbox, position);
    return true;
}

static void drop_items(uf_mailbox *mailbox, bool but_the_last)
{
    while (is_filled(mailbox) && !(but_the_last && !is_filled_at(mailbox, after(mailbox, mailbox->tail)))) {
        uint32_t const position = take_item(mailbox); /* first: `drop` may clear the mailbox */
        if (mailbox->drop) mailbox->drop(item_of(mailbox, position));
        free_cell(mailbox, position);
    }
}

void uf_mailbox_clear(uf_mailbox *mailbox)
{
    if (is_mailbox(mailbox)) drop_items(mailbox, is_kept(mailbox));
}

void uf_mailbox_close(void *closing)
{
    uf_mailbox *const mailbox = closing;

    mark_closed(mailbox);
    ufi_room_close(&mailbox->room);
}

/* The mailbox is closed. A send that began before that may not be over yet. */
static void open_again(uf_mailbox *mailbox)
{
    while (ufp_load_seq_cst(&mailbox->filled.firing) != UFI_CLOSED) ufp_spin_pause();
    drop_items(mailbox, false);
    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UFI_CLOSED); /* clears the bit */
}

void uf_mailbox_ready(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint8_t *turns,
                      uint32_t capacity, uint32_t item_size)
{
    if (!mailbox || !owner) return;
    if (mailbox->items) open_again(mailbox);
    else uf_mailbox_init(mailbox, owner, name, items, turns, capacity, item_size);
}

uint32_t uf_mailbox_count(const uf_mailbox *mailbox)
{
    if (!is_mailbox(mailbox)) return 0;
    uint32_t const tail = ufp_load_acquire(&mailbox->tail); /* first, so that the head is not older */
    uint32_t const head = ufp_load(&mailbox->head);
    uint32_t const count = head >= tail ? head - tail : mailbox->limit - tail + head;
    return count < mailbox->capacity ? count : mailbox->capacity; /* tail and head are of different moments */
}

static bool has_mail(const uf_arm *arm)
{
    return is_filled(mailbox_of(arm));
}

static bool evaluate(uf_flow *flow, uf_arm *arm)
{
    return ufi_level_holds(flow, arm, has_mail);
}

void uf_arm_mailbox(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox)
{
    ufi_set_arm(flow, arm, UF_ARM_MAILBOX);
    ufi_set_evaluation(flow->pump, UF_ARM_MAILBOX, evaluate);
    arm->on.signal = &mailbox->filled;
}

/* -- room ---------------------------------------------------------------------------------------------------------- */

/* Is the cell free that the next sender takes? */
static bool has_room(const uf_mailbox *mailbox)
{
    for (;;) {
        uint32_t const at = ufp_load_seq_cst(&mailbox->head);
        if (ufp_load_byte_seq_cst(turn_of(mailbox, at)) == free_turn(mailbox, at)) return true;
        if (ufp_load_seq_cst(&mailbox->head) == at) return false;
    }
}

/* In the critical section of the room, in which a mailbox that is not closed has a pump. */
static uf_status check_room(const uf_room *room, uint32_t *free)
{
    const uf_mailbox *const mailbox = mailbox_of_room(room);

    *free = 0;
    if (ufi_signal_closed(&mailbox->filled) || !mailbox->owner->pump) return UF_CLOSED;
    if (ufi_is_stopping(mailbox->owner->pump)) return UF_STOPPING;
    if (!has_room(mailbox)) return UF_OK;
    *free = mailbox->capacity - uf_mailbox_count(mailbox);
    if (*free == 0) *free = 1; /* the count is of another moment */
    return UF_OK;
}

void uf_arm_room(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox)
{
    if (is_mailbox(mailbox)) ufi_room_set_arm(flow, arm, UF_ARM_ROOM, &mailbox->room, mailbox->name);
    else ufi_room_set_arm(flow, arm, UF_ARM_ROOM, NULL, NULL);
}

/* A mailbox that ends takes all arms off its list first. So an arm on no list may have outlived its mailbox. */
uf_intent uf_room_failure(uf_flow *flow, const uf_arm *arm)
{
    char path[UF_REASON_SIZE] = "";
    char const *const name = arm[1].on.name;

    if (!UF_USES_REASONS) return uf_fail_silent(flow);
    if (arm->on_list) {
        ufp_critical_enter(arm->on.room);
        if (arm->next) uf_flow_path(mailbox_of_room(arm->on.room)->owner, path, sizeof path);
        ufp_critical_leave(arm->on.room);
    }
    return ufi_fail_joined(flow, UFI_PARTS(path, *path ? "." : "", name ? name : "room", ": ", uf_reason(flow, arm)));
}

/* -- graceful shutdown --------------------------------------------------------------------------------------------- */

/* Takes the first mailbox of the list, moves it to the end, and keeps other threads from destroying it. */
static uf_mailbox *next_in_pump(uf_pump *pump, const uf_link *end)
{
    uf_mailbox *mailbox = NULL;

    ufp_critical_enter(pump);
    uf_link *const link = pump->mailboxes.next;
    ufi_list_remove(link);
    if (link != end) {
        ufi_list_insert(&pump->mailboxes, link);
        mailbox = (uf_mailbox *)((uintptr_t)link - offsetof(uf_mailbox, in_pump));
        (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1);
    }
    ufp_critical_leave(pump);
    return mailbox;
}

static void for_each_mailbox(uf_pump *pump, void (*act)(uf_pump *pump, uf_mailbox *mailbox))
{
    uf_link end;

    ufp_critical_enter(pump);
    ufi_list_insert(&pump->mailboxes, &end);
    ufp_critical_leave(pump);
    for (uf_mailbox *mailbox; (mailbox = next_in_pump(pump, &end)) != NULL;) {
        act(pump, mailbox);
        (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);
    }
}

static void wake_waiters(uf_pump *pump, uf_mailbox *mailbox)
{
    ufi_room_wake_all(pump, &mailbox->room);
}

static void stop_begins(uf_pump *pump)
{
    for_each_mailbox(pump, wake_waiters);
}

static void drop_unread(uf_pump *pump, uf_mailbox *mailbox)
{
    (void)pump;
    if (mailbox->drop) drop_items(mailbox, false);
}

static void stop_ends(uf_pump *pump)
{
    for_each_mailbox(pump, drop_unread);
}

static const struct ufi_mail_hooks hooks = {.stop_begins = stop_begins, .stop_ends = stop_ends};
