/* tftp_command.h - the command line of the server and the client. */
#ifndef TFTP_COMMAND_H
#define TFTP_COMMAND_H

#include <netinet/in.h>
#include <stdbool.h>

#include "tftp_packet.h"

typedef struct tftp_command {
    bool is_server;
    int directory;             /* a descriptor */
    struct sockaddr_in server; /* on 127.0.0.1 */
    enum tftp_opcode opcode;   /* of a client's requests */
    int block_size;            /* 0: no options */
    char **names;              /* up to a NULL */
} tftp_command;

/* Returns: false after it has printed what is wrong. */
bool tftp_command_of(tftp_command *command, int argc, char **argv);

#endif
