/* tftp_packet.c - the packets of TFTP. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tftp_packet.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_word(const char *text, const char *word)
{
    while (*word != '\0' && lower(*text) == *word) {
        text++;
        word++;
    }
    return *text == *word;
}

/* Returns: the text at *at, after which *at points; NULL if no NUL ends it. */
static const char *text_at(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *const nul = memchr(*at, '\0', (size_t)(end - *at));
    const char *const text = (const char *)*at;

    if (nul == NULL) return NULL;
    *at = nul + 1;
    return text;
}

/* Returns: -1 if it is not a number from `least` to `most`. */
static int64_t number_of(const char *text, int64_t least, int64_t most)
{
    int64_t value = 0;

    if (*text == '\0') return -1;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9' || value > (most - (*text - '0')) / 10) return -1;
        value = value * 10 + (*text - '0');
    }
    return value >= least ? value : -1;
}

/* Options that are unknown or out of range are ignored. */
static bool decode_options(tftp_options *options, const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        const char *const name = text_at(&at, end);
        const char *const value = name != NULL && at < end ? text_at(&at, end) : NULL;
        if (value == NULL) return false;
        if (is_word(name, "blksize")) {
            int64_t const size = number_of(value, TFTP_BLOCK_MIN, 65464);
            options->block_size = size < 0 ? 0 : (int)size;
        } else if (is_word(name, "timeout")) {
            int64_t const timeout = number_of(value, 1, 255);
            options->timeout_s = timeout < 0 ? 0 : (int)timeout;
        } else if (is_word(name, "tsize")) {
            options->size = number_of(value, 0, INT64_MAX);
        }
    }
    return true;
}

static bool decode_request(tftp_packet *packet, const uint8_t *at, const uint8_t *end)
{
    packet->text = text_at(&at, end);
    const char *const mode = packet->text != NULL && at < end ? text_at(&at, end) : NULL;
    if (mode == NULL) return false;
    packet->is_octet = is_word(mode, "octet");
    return decode_options(&packet->options, at, end);
}

bool tftp_decode(tftp_packet *packet, const uint8_t *bytes, size_t length)
{
    const uint8_t *const end = bytes + length, *at = bytes + TFTP_HEAD;

    memset(packet, 0, sizeof *packet);
    packet->options.size = -1;
    if (length < TFTP_HEAD || bytes[0] != 0 || bytes[1] < TFTP_READ || bytes[1] > TFTP_OACK) return false;
    packet->opcode = (enum tftp_opcode)bytes[1];
    packet->number = (uint16_t)(bytes[2] << 8 | bytes[3]);
    switch (packet->opcode) {
    case TFTP_READ:
    case TFTP_WRITE: return decode_request(packet, bytes + 2, end);
    case TFTP_OACK: return decode_options(&packet->options, bytes + 2, end);
    case TFTP_DATA:
        packet->data = at;
        packet->length = length - TFTP_HEAD;
        return true;
    case TFTP_ERROR: packet->text = at < end ? text_at(&at, end) : NULL; return packet->text != NULL;
    case TFTP_ACK: break;
    }
    return true;
}

static size_t put_head(uint8_t *bytes, enum tftp_opcode opcode, unsigned number)
{
    bytes[0] = 0;
    bytes[1] = (uint8_t)opcode;
    bytes[2] = (uint8_t)(number >> 8);
    bytes[3] = (uint8_t)number;
    return TFTP_HEAD;
}

/* Appends a text of at most TFTP_NAME_MAX - 1 bytes, and its NUL. Returns: the new length. */
static size_t put_text(uint8_t *bytes, size_t length, const char *text)
{
    size_t const whole = strlen(text), more = whole < TFTP_NAME_MAX ? whole : TFTP_NAME_MAX - 1;

    memcpy(bytes + length, text, more);
    bytes[length + more] = '\0';
    return length + more + 1;
}

static size_t put_option(uint8_t *bytes, size_t length, const char *name, int64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%" PRId64, value);
    return put_text(bytes, put_text(bytes, length, name), text);
}

static size_t put_options(uint8_t *bytes, size_t length, const tftp_options *options)
{
    if (options->block_size > 0) length = put_option(bytes, length, "blksize", options->block_size);
    if (options->timeout_s > 0) length = put_option(bytes, length, "timeout", options->timeout_s);
    if (options->size >= 0) length = put_option(bytes, length, "tsize", options->size);
    return length;
}

size_t tftp_encode_request(uint8_t *bytes, enum tftp_opcode opcode, const char *name, const tftp_options *options)
{
    (void)put_head(bytes, opcode, 0);
    return put_options(bytes, put_text(bytes, put_text(bytes, 2, name), "octet"), options);
}

size_t tftp_encode_oack(uint8_t *bytes, const tftp_options *options)
{
    (void)put_head(bytes, TFTP_OACK, 0);
    return put_options(bytes, 2, options);
}

size_t tftp_encode_ack(uint8_t *bytes, uint16_t block)
{
    return put_head(bytes, TFTP_ACK, block);
}

size_t tftp_encode_error(uint8_t *bytes, enum tftp_error code, const char *message)
{
    return put_text(bytes, put_head(bytes, TFTP_ERROR, (unsigned)code), message);
}

size_t tftp_encode_data(uint8_t *bytes, uint16_t block, size_t length)
{
    return put_head(bytes, TFTP_DATA, block) + length;
}

tftp_options tftp_grant(const tftp_options *asked, enum tftp_opcode opcode, int64_t size)
{
    tftp_options granted = *asked;

    if (granted.block_size > TFTP_BLOCK_MAX) granted.block_size = TFTP_BLOCK_MAX;
    if (granted.timeout_s > TFTP_TIMEOUT_MAX) granted.timeout_s = 0;
    if (asked->size >= 0 && opcode == TFTP_READ) granted.size = size;
    return granted;
}

bool tftp_has_options(const tftp_options *options)
{
    return options->block_size > 0 || options->timeout_s > 0 || options->size >= 0;
}

bool tftp_accepts(const tftp_options *asked, const tftp_options *granted)
{
    return granted->block_size <= asked->block_size &&
           (granted->timeout_s == 0 || granted->timeout_s == asked->timeout_s) &&
           (granted->size < 0 || asked->size >= 0);
}

enum tftp_error tftp_code_of(int error)
{
    if (error == ENOENT) return TFTP_NOT_FOUND;
    return error == EACCES || error == ELOOP ? TFTP_ACCESS : error == ENOSPC ? TFTP_FULL : TFTP_UNDEFINED;
}

bool tftp_is_plain_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL && strlen(name) < TFTP_NAME_MAX;
}
