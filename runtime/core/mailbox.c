/* mailbox.c - bounded MPSC queues: the ring of Dmitry Vyukov's bounded queue, with a turn number per cell.
 *
 * A cell is free if its turn is that of the current lap. A sender then takes the position with a
 * compare-and-exchange of `head`, owns the cell, fills it, and publishes the next turn. Positions wrap at a multiple
 * of the capacity below 2^31, so a turn can hold twice the lap. A sender confuses two laps only if it sleeps while
 * that many others send. */
#include "signals.h"

static uf_mailbox *mailbox_of(const uf_arm *arm)
{
    return (uf_mailbox *)((uintptr_t)arm->on.signal - offsetof(uf_mailbox, filled));
}

void uf_mailbox_init(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint32_t *turns,
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
        .limit = (UINT32_C(1) << 31) / capacity * capacity,
    };
    memset(turns, 0, capacity * sizeof *turns);
    ufp_note_shared(turns, capacity * sizeof *turns);
    ufp_note_shared(&mailbox->head, sizeof *mailbox - offsetof(uf_mailbox, head));
}

void uf_mailbox_destroy(uf_mailbox *mailbox)
{
    if (mailbox) uf_signal_destroy(&mailbox->filled);
}

/* False for NULL and zeroed storage. */
static bool is_mailbox(const uf_mailbox *mailbox)
{
    return mailbox && mailbox->capacity > 0;
}

static uint32_t after(const uf_mailbox *mailbox, uint32_t position)
{
    return position + 1 == mailbox->limit ? 0 : position + 1;
}

/* The turn of a free cell. A filled cell has the next turn. */
static uint32_t free_turn(const uf_mailbox *mailbox, uint32_t position)
{
    return position / mailbox->capacity * 2;
}

static uint32_t *turn_of(const uf_mailbox *mailbox, uint32_t position)
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
        if (ufp_load_acquire(turn_of(mailbox, at)) == free_turn(mailbox, at)) {
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
    if (ufp_load_seq_cst(&mailbox->owner->pump->stopping)) return ufi_refuse(mailbox->owner->pump);
    if (!take_position(mailbox, &position)) return UF_FULL;
    memcpy(item_of(mailbox, position), item, mailbox->item_size);
    ufp_store_release(turn_of(mailbox, position), free_turn(mailbox, position) + 1);
    /* After the turn: a receiver that then samples the level sees the item. At home the receiver is of this thread. */
    uint64_t const word = ufp_load_wide_seq_cst(&mailbox->filled.word);
    if (ufi_waiting_of(word) || !ufi_at_home(&mailbox->filled)) uf_signal_fire(&mailbox->filled);
    return UF_OK;
}

/* `firing` is raised before UFI_CLOSED is read; a destroy sets UFI_CLOSED before it reads `firing`. So the owner and its
 * pump exist until the send is over. At home they do because the receiver waits, which is on this thread. */
uf_status uf_mailbox_send(uf_mailbox *mailbox, const void *item)
{
    if (!is_mailbox(mailbox) || !item) return UF_INVALID;
    if (ufi_at_home(&mailbox->filled)) return send_item(mailbox, item);
    ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1);
    uf_status const status = send_item(mailbox, item);
    ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);
    return status;
}

static bool is_filled(const uf_mailbox *mailbox)
{
    return ufp_load_acquire(turn_of(mailbox, mailbox->tail)) == free_turn(mailbox, mailbox->tail) + 1;
}

bool uf_mailbox_receive(uf_mailbox *mailbox, void *item)
{
    if (!is_mailbox(mailbox) || !item || !is_filled(mailbox)) return false;

    uint32_t const position = mailbox->tail, next = after(mailbox, position);
    memcpy(item, item_of(mailbox, position), mailbox->item_size);
    uint32_t const lap = position / mailbox->capacity + 1;
    bool const last_lap = lap == mailbox->limit / mailbox->capacity;
    ufp_store_release(&mailbox->tail, next);
    ufp_store_release(turn_of(mailbox, position), last_lap ? 0 : lap * 2);
    return true;
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
