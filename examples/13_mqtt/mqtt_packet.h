/* mqtt_packet.h - the packets of MQTT 3.1.1 that a client with QoS 0 and 1 needs.
 *
 * Thread: any. */
#ifndef MQTT_PACKET_H
#define MQTT_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mqtt_type {
    MQTT_CONNECT = 1,
    MQTT_CONNACK,
    MQTT_PUBLISH,
    MQTT_PUBACK,
    MQTT_SUBSCRIBE = 8,
    MQTT_SUBACK,
    MQTT_PINGREQ = 12,
    MQTT_PINGRESP,
    MQTT_DISCONNECT
};

enum {
    MQTT_TEXT_MAX = 256,                                    /* bytes of a topic or client ID, with a NUL after it */
    MQTT_PAYLOAD_MAX = 1024,                                /* bytes of a message that the client publishes */
    MQTT_PACKET_MAX = MQTT_TEXT_MAX + MQTT_PAYLOAD_MAX + 16 /* bytes of any packet that these functions write */
};

/* A received packet. The pointers lead into the received bytes. */
typedef struct mqtt_packet {
    enum mqtt_type type;
    uint16_t id; /* PUBLISH with QoS 1, PUBACK, SUBACK */
    int code;    /* CONNACK, SUBACK: 0x80 and above (SUBACK) or not 0 (CONNACK) is a refusal */
    int qos;
    const char *topic;
    size_t topic_length;
    const uint8_t *payload;
    size_t payload_length;
} mqtt_packet;

/* Decodes the first packet of the received bytes. Returns: its length; 0: more bytes are needed; -1: malformed. */
ptrdiff_t mqtt_decode(mqtt_packet *packet, const uint8_t *bytes, size_t length);

/* Each of these writes a packet of at most MQTT_PACKET_MAX bytes. Returns: its length. A session outlives its
 * connections. A message has QoS 1, or 0 if `id` is 0. */
size_t mqtt_encode_connect(uint8_t *bytes, const char *client, uint16_t keep_alive_s);
size_t mqtt_encode_publish(uint8_t *bytes, const char *topic, const void *payload, size_t length, uint16_t id);
size_t mqtt_encode_puback(uint8_t *bytes, uint16_t id);
size_t mqtt_encode_subscribe(uint8_t *bytes, const char *filter, uint16_t id);
size_t mqtt_encode_empty(uint8_t *bytes, enum mqtt_type type); /* PINGREQ, DISCONNECT */

/* Marks an encoded PUBLISH as one that may have been sent before. */
void mqtt_set_duplicate(uint8_t *bytes);

#endif
