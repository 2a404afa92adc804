/* SPDX-License-Identifier: MIT */
/* slots.c - a store in two slots of a memory that takes rewriting.
 *
 * A slot is a head and the records: each the length of its path, its size, the path with a NUL, its bytes. The head has
 * a check sum of its own. So a head that is whole and newer than the other one means that its records were written
 * before it: if they are not whole, that is damage, and no power cut. All numbers begin with their lowest byte. */
#include "uflow/slots.h"

#include "basics/core.h"
#include "basics/format.h"

#define MAGIC       "UFSLOT1" /* 8 bytes */
#define HEAD        24u       /* magic, generation, length, check sums of the records and of the head */
#define RECORD_HEAD 6u

static const uf_store_kind kind;

typedef struct head {
    uint32_t generation, length, sum;
    bool is_blank, is_whole; /* never written; its own check sum is right */
} head;

/* -- bytes --------------------------------------------------------------------------------------------------------- */

static void put_number(uint8_t *to, uint32_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(number >> 8 * i);
}

static uint32_t number_at(const uint8_t *from, unsigned bytes)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint32_t)from[i] << 8 * i;
    return number;
}

/* CRC-32 of zlib and Ethernet, by half bytes. */
static uint32_t check_sum(const uint8_t *bytes, uint32_t size)
{
    uint32_t sum = UINT32_MAX;

    for (uint32_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xEDB88320) : 0);
    }
    return ~sum;
}

/* To a lower address. */
static void move_down(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i++) to[i] = from[i];
}

static uint8_t *image_of(const uf_store_slots *slots)
{
    return slots->config.image;
}

static uint32_t slot_size(const uf_store_slots_config *config)
{
    return config->size / 2;
}

/* The most bytes of records. */
static uint32_t room_of(const uf_store_slots *slots)
{
    uint32_t const of_slot = slot_size(&slots->config) - HEAD;
    return slots->config.image_size < of_slot ? slots->config.image_size : of_slot;
}

static uf_status fail(uf_store_slots *slots, uf_status status, const char *why)
{
    uf_store_fail(&slots->store, why);
    return status;
}

/* -- records ------------------------------------------------------------------------------------------------------- */

static const char *path_at(const uf_store_slots *slots, uint32_t at)
{
    return (const char *)image_of(slots) + at + RECORD_HEAD;
}

static uint32_t head_of_record(const uf_store_slots *slots, uint32_t at)
{
    return RECORD_HEAD + number_at(image_of(slots) + at, 2) + 1;
}

static uint32_t bytes_of_record(const uf_store_slots *slots, uint32_t at)
{
    return number_at(image_of(slots) + at + 2, 4);
}

static uint32_t size_of_record(const uf_store_slots *slots, uint32_t at)
{
    return head_of_record(slots, at) + bytes_of_record(slots, at);
}

/* Do the records fill the image? */
static bool are_records(const uf_store_slots *slots)
{
    uint32_t at = 0;

    while (at < slots->length) {
        uint32_t const left = slots->length - at;
        if (left < RECORD_HEAD || head_of_record(slots, at) > left) return false;
        if (bytes_of_record(slots, at) > left - head_of_record(slots, at)) return false;
        if (path_at(slots, at)[number_at(image_of(slots) + at, 2)] != '\0') return false;
        at += size_of_record(slots, at);
    }
    return true;
}

/* A load that is under way goes on behind it. */
static void remove_record(uf_store_slots *slots, const char *path)
{
    uint32_t at = 0;

    while (at < slots->length && !ufi_is_same_text(path_at(slots, at), path)) at += size_of_record(slots, at);
    if (at >= slots->length) return;
    uint32_t const size = size_of_record(slots, at);
    slots->length -= size;
    move_down(image_of(slots) + at, image_of(slots) + at + size, slots->length - at);
    if (at < slots->at) slots->at -= size;
    if (at < slots->end) slots->end -= size;
    slots->is_changed = true;
}

/* -- the store ----------------------------------------------------------------------------------------------------- */

/* At the end of the image. */
static void *room(uf_store *store, size_t size)
{
    uf_store_slots *const slots = (uf_store_slots *)store;

    if (size <= slots->config.image_size - slots->length) return image_of(slots) + slots->config.image_size - size;
    (void)fail(slots, UF_NO_MEMORY, "the image is too small");
    return NULL;
}

static uf_status put(uf_store *store, const char *path, const void *bytes, size_t size)
{
    uf_store_slots *const slots = (uf_store_slots *)store;
    size_t const length = ufi_length(path);

    remove_record(slots, path);
    if (size == 0) return UF_OK;
    size_t const before = RECORD_HEAD + length + 1, left = room_of(slots) - slots->length;
    if (before > left || size > left - before) return fail(slots, UF_NO_MEMORY, "the slots are too small");
    uint8_t *const to = image_of(slots) + slots->length;
    put_number(to, (uint32_t)length, 2);
    put_number(to + 2, (uint32_t)size, 4);
    (void)memcpy(to + RECORD_HEAD, path, length + 1);
    move_down(to + before, bytes, size);
    slots->length += (uint32_t)(before + size);
    slots->is_changed = true;
    return UF_OK;
}

static bool write_slot(const uf_store_slots *slots, uint32_t generation)
{
    const uf_store_slots_config *const config = &slots->config;
    uint32_t const at = generation % 2 * slot_size(config);
    uint8_t bytes[HEAD] = MAGIC;

    put_number(bytes + 8, generation, 4);
    put_number(bytes + 12, slots->length, 4);
    put_number(bytes + 16, check_sum(image_of(slots), slots->length), 4);
    put_number(bytes + 20, check_sum(bytes, 20), 4);
    if (slots->length && !config->write(config->context, at + HEAD, image_of(slots), slots->length)) return false;
    return config->write(config->context, at, bytes, HEAD);
}

static uf_status committed(uf_store *store, uint64_t *count)
{
    uf_store_slots *const slots = (uf_store_slots *)store;

    if (slots->is_changed && !write_slot(slots, slots->generation + 1)) return fail(slots, UF_STORE, "a write failed");
    slots->generation += slots->is_changed;
    slots->is_changed = false;
    *count = store->puts;
    return UF_OK;
}

static uf_status load_slots(uf_store *store,
                            void (*row)(void *context, const char *path, const void *bytes, size_t size), void *context)
{
    uf_store_slots *const slots = (uf_store_slots *)store;

    slots->at = 0;
    slots->end = slots->length;
    while (slots->at < slots->end) {
        uint32_t const at = slots->at;
        slots->at += size_of_record(slots, at);
        row(context, path_at(slots, at), image_of(slots) + at + head_of_record(slots, at), bytes_of_record(slots, at));
    }
    return UF_OK;
}

static void close_slots(uf_store *store)
{
    store->kind = NULL;
}

static const uf_store_kind kind = {
    .room = room, .put = put, .committed = committed, .load = load_slots, .close = close_slots};

/* -- opening ------------------------------------------------------------------------------------------------------- */

static bool is_valid(const uf_store_slots_config *config)
{
    return config && config->read && config->write && config->image;
}

static bool read_head(const uf_store_slots_config *config, uint32_t slot, head *of)
{
    uint8_t bytes[HEAD];
    unsigned zeros = 0, ones = 0, marks = 0;

    if (!config->read(config->context, slot * slot_size(config), bytes, HEAD)) return false;
    for (unsigned i = 0; i < HEAD; i++) {
        zeros += bytes[i] == 0;
        ones += bytes[i] == 0xFF;
        marks += i < sizeof MAGIC && bytes[i] == (uint8_t)MAGIC[i];
    }
    of->generation = number_at(bytes + 8, 4);
    of->length = number_at(bytes + 12, 4);
    of->sum = number_at(bytes + 16, 4);
    of->is_blank = zeros == HEAD || ones == HEAD;
    of->is_whole = marks == sizeof MAGIC && number_at(bytes + 20, 4) == check_sum(bytes, 20) &&
                   of->generation % 2 == slot && of->length <= slot_size(config) - HEAD;
    return true;
}

static uf_status read_slot(uf_store_slots *slots, const head *of)
{
    const uf_store_slots_config *const config = &slots->config;
    uint32_t const at = of->generation % 2 * slot_size(config) + HEAD;

    if (of->length > room_of(slots)) return fail(slots, UF_NO_MEMORY, "the image is too small");
    if (of->length && !config->read(config->context, at, config->image, of->length))
        return fail(slots, UF_STORE, "a read failed");
    slots->generation = of->generation;
    slots->length = of->length;
    if (check_sum(image_of(slots), of->length) == of->sum && are_records(slots)) return UF_OK;
    slots->length = 0;
    return fail(slots, UF_STORE, "the newer slot is damaged: uf_store_slots_erase() forgets all");
}

uf_status uf_store_slots_open(uf_store_slots *slots, const uf_store_slots_config *config)
{
    head heads[2];

    if (!slots || !is_valid(config)) return UF_INVALID;
    *slots = (uf_store_slots){.config = *config};
    uf_status const status = uf_store_init(&slots->store, &kind, &config->store, config->identity);
    if (status != UF_OK) return status;
    if (slot_size(config) <= HEAD) return fail(slots, UF_NO_MEMORY, "the memory is too small");
    for (uint32_t i = 0; i < 2; i++) {
        if (!read_head(config, i, &heads[i])) return fail(slots, UF_STORE, "a read failed");
    }
    bool const any = heads[0].is_whole || heads[1].is_whole, both = heads[0].is_whole && heads[1].is_whole;
    bool const second_is_newer = both ? (int32_t)(heads[1].generation - heads[0].generation) > 0 : heads[1].is_whole;
    if (any) return read_slot(slots, &heads[second_is_newer]);
    /* The first commit, which goes to the slot 1, was cut at most. */
    return heads[0].is_blank ? UF_OK
                             : fail(slots, UF_STORE, "both slots are damaged: uf_store_slots_erase() forgets all");
}

uf_status uf_store_slots_erase(const uf_store_slots_config *config)
{
    uint8_t const blank[HEAD] = {0};

    if (!is_valid(config)) return UF_INVALID;
    if (slot_size(config) <= HEAD) return UF_NO_MEMORY;
    for (uint32_t i = 0; i < 2; i++) {
        if (!config->write(config->context, i * slot_size(config), blank, HEAD)) return UF_STORE;
    }
    return UF_OK;
}
