/* mqtt_packet.c - the packets of MQTT 3.1.1. */
#include <string.h>

#include "mqtt_packet.h"

static uint16_t number_at(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

/* Decodes the length after the first byte. Returns: how many bytes it takes; 0: more are needed; -1: malformed. */
static int decode_length(const uint8_t *bytes, size_t there, size_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        if ((size_t)i + 1 >= there) return 0;
        *value |= (size_t)(bytes[i + 1] & 0x7f) << (7 * i);
        if ((bytes[i + 1] & 0x80) == 0) return i + 1;
    }
    return -1;
}

static bool decode_publish(mqtt_packet *packet, int flags, const uint8_t *at, size_t left)
{
    packet->qos = flags >> 1 & 3;
    if (left < 2 || packet->qos == 3) return false;
    packet->topic_length = number_at(at);
    packet->topic = (const char *)at + 2;
    size_t const head = 2 + packet->topic_length + (packet->qos > 0 ? 2 : 0);
    if (left < head) return false;
    if (packet->qos > 0) packet->id = number_at(at + head - 2);
    packet->payload = at + head;
    packet->payload_length = left - head;
    return packet->qos == 0 || packet->id != 0;
}

static bool decode_body(mqtt_packet *packet, int flags, const uint8_t *at, size_t left)
{
    switch (packet->type) {
    case MQTT_PUBLISH: return decode_publish(packet, flags, at, left);
    case MQTT_PINGRESP: return left == 0;
    case MQTT_CONNACK:
        if (left != 2) return false;
        packet->code = at[1];
        return true;
    case MQTT_PUBACK:
    case MQTT_SUBACK:
        if (left != (packet->type == MQTT_PUBACK ? 2 : 3)) return false;
        packet->id = number_at(at);
        packet->code = packet->type == MQTT_SUBACK ? at[2] : 0;
        return true;
    case MQTT_CONNECT:
    case MQTT_SUBSCRIBE:
    case MQTT_PINGREQ:
    case MQTT_DISCONNECT: break;
    }
    return false; /* no broker sends that to this client */
}

ptrdiff_t mqtt_decode(mqtt_packet *packet, const uint8_t *bytes, size_t length)
{
    size_t left;

    if (length < 2) return 0;
    int const size = decode_length(bytes, length, &left);
    if (size <= 0) return size;
    size_t const head = 1 + (size_t)size;
    memset(packet, 0, sizeof *packet);
    packet->type = (enum mqtt_type)(bytes[0] >> 4);
    if (length - head < left) return 0;
    return decode_body(packet, bytes[0] & 15, bytes + head, left) ? (ptrdiff_t)(head + left) : -1;
}

static uint8_t *put_number(uint8_t *to, size_t value)
{
    *to++ = (uint8_t)(value >> 8);
    *to++ = (uint8_t)value;
    return to;
}

static uint8_t *put_text(uint8_t *to, const char *text)
{
    size_t const whole = strlen(text), length = whole < MQTT_TEXT_MAX ? whole : MQTT_TEXT_MAX - 1;

    to = put_number(to, length);
    memcpy(to, text, length);
    return to + length;
}

/* Writes the head of a packet whose body begins at bytes + 3. Moves the body if one byte is enough for its length: the
 * standard asks for the shortest form. */
static size_t finish(uint8_t *bytes, int first, const uint8_t *end)
{
    size_t const left = (size_t)(end - bytes) - 3;

    bytes[0] = (uint8_t)first;
    if (left < 128) {
        bytes[1] = (uint8_t)left;
        memmove(bytes + 2, bytes + 3, left);
        return left + 2;
    }
    bytes[1] = (uint8_t)(left & 0x7f) | 0x80;
    bytes[2] = (uint8_t)(left >> 7);
    return left + 3;
}

size_t mqtt_encode_connect(uint8_t *bytes, const char *client, uint16_t keep_alive_s)
{
    static const uint8_t protocol[] = {0, 4, 'M', 'Q', 'T', 'T', 4, 0};

    memcpy(bytes + 3, protocol, sizeof protocol);
    uint8_t *const to = put_number(bytes + 3 + sizeof protocol, keep_alive_s);
    return finish(bytes, MQTT_CONNECT << 4, put_text(to, client));
}

size_t mqtt_encode_publish(uint8_t *bytes, const char *topic, const void *payload, size_t length, uint16_t id)
{
    uint8_t *const head = put_text(bytes + 3, topic), *const to = id != 0 ? put_number(head, id) : head;
    size_t const taken = length < MQTT_PAYLOAD_MAX ? length : MQTT_PAYLOAD_MAX;

    memcpy(to, payload, taken);
    return finish(bytes, MQTT_PUBLISH << 4 | (id != 0 ? 2 : 0), to + taken);
}

size_t mqtt_encode_puback(uint8_t *bytes, uint16_t id)
{
    return finish(bytes, MQTT_PUBACK << 4, put_number(bytes + 3, id));
}

size_t mqtt_encode_subscribe(uint8_t *bytes, const char *filter, uint16_t id)
{
    uint8_t *const to = put_text(put_number(bytes + 3, id), filter);

    *to = 1; /* the greatest QoS */
    return finish(bytes, MQTT_SUBSCRIBE << 4 | 2, to + 1);
}

size_t mqtt_encode_empty(uint8_t *bytes, enum mqtt_type type)
{
    return finish(bytes, (int)type << 4, bytes + 3);
}

void mqtt_set_duplicate(uint8_t *bytes)
{
    bytes[0] |= 8;
}
