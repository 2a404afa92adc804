/* tftp_packet.h - the packets of TFTP (RFC 1350) and its options (RFC 2347): blksize (2348), timeout and tsize (2349).
 *
 * Thread: any. */
#ifndef TFTP_PACKET_H
#define TFTP_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tftp_opcode { TFTP_READ = 1, TFTP_WRITE, TFTP_DATA, TFTP_ACK, TFTP_ERROR, TFTP_OACK };

enum tftp_error {
    TFTP_UNDEFINED,
    TFTP_NOT_FOUND,
    TFTP_ACCESS,
    TFTP_FULL,
    TFTP_ILLEGAL,
    TFTP_UNKNOWN_TID,
    TFTP_EXISTS,
    TFTP_NO_USER,
    TFTP_REFUSED_OPTION
};

enum {
    TFTP_BLOCK_DEFAULT = 512,
    TFTP_BLOCK_MIN = 8,
    TFTP_BLOCK_MAX = 1468, /* what fits into an Ethernet frame */
    TFTP_HEAD = 4,
    TFTP_PACKET_MAX = TFTP_HEAD + TFTP_BLOCK_MAX,
    TFTP_NAME_MAX = 128,
    TFTP_TIMEOUT_MAX = 8 /* seconds; a longer one is not granted */
};

typedef struct tftp_options {
    int block_size; /* 0: absent */
    int timeout_s;  /* 0: absent */
    int64_t size;   /* of the file; -1: absent */
} tftp_options;

typedef struct tftp_packet {
    enum tftp_opcode opcode;
    uint16_t number;  /* of a DATA or ACK: the block; of an ERROR: the code */
    bool is_octet;    /* the mode of a request */
    const char *text; /* a request's file or an error's message, in the packet */
    const uint8_t *data;
    size_t length; /* of the data */
    tftp_options options;
} tftp_packet;

/* Returns: false if it is not a TFTP packet. */
bool tftp_decode(tftp_packet *packet, const uint8_t *bytes, size_t length);

/* Each of these writes a packet of at most TFTP_PACKET_MAX bytes. Returns: its length. */
size_t tftp_encode_request(uint8_t *bytes, enum tftp_opcode opcode, const char *name, const tftp_options *options);
size_t tftp_encode_oack(uint8_t *bytes, const tftp_options *options);
size_t tftp_encode_ack(uint8_t *bytes, uint16_t block);
size_t tftp_encode_error(uint8_t *bytes, enum tftp_error code, const char *message);
/* The data follows: the caller has put it at bytes + TFTP_HEAD. */
size_t tftp_encode_data(uint8_t *bytes, uint16_t block, size_t length);

/* The server's options, chosen from those that the client requested. */
tftp_options tftp_grant(const tftp_options *asked, enum tftp_opcode opcode, int64_t size);
bool tftp_has_options(const tftp_options *options);
/* Whether a server's answer grants only what the client asked for. */
bool tftp_accepts(const tftp_options *asked, const tftp_options *granted);

/* The code that reports an error number to a peer. */
enum tftp_error tftp_code_of(int error);

/* Whether it is the plain name of a file, without a directory. */
bool tftp_is_plain_name(const char *name);

#endif
