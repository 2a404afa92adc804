/* tftp_command.c - the command line of the server and the client. */
#define _GNU_SOURCE /* O_DIRECTORY */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tftp_command.h"

static bool number_of(const char *text, long least, long most, long *value)
{
    char *end;

    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most;
}

static bool is_good(tftp_command *command, int argc, char **argv)
{
    long port = 0, block_size = 0;

    if (argc < 4 || !number_of(argv[3], 0, UINT16_MAX, &port)) return false;
    command->server.sin_family = AF_INET;
    command->server.sin_port = htons((uint16_t)port);
    command->server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    command->is_server = strcmp(argv[1], "serve") == 0;
    if (command->is_server) return argc == 4;

    bool const is_put = strcmp(argv[1], "put") == 0;
    if (argc < 6 || (!is_put && strcmp(argv[1], "get") != 0)) return false;
    if (!number_of(argv[4], 0, TFTP_BLOCK_MAX, &block_size) || (block_size > 0 && block_size < TFTP_BLOCK_MIN))
        return false;
    command->opcode = is_put ? TFTP_WRITE : TFTP_READ;
    command->block_size = (int)block_size;
    command->names = argv + 5;
    return true;
}

bool tftp_command_of(tftp_command *command, int argc, char **argv)
{
    *command = (tftp_command){0};
    if (!is_good(command, argc, argv)) {
        fprintf(
            stderr,
            "usage: %s serve DIRECTORY PORT\n"
            "       %s get|put DIRECTORY PORT BLOCK_SIZE FILE...\n"
            "Serves or copies files of a directory, on 127.0.0.1. Port 0: any. Block size: %d to %d; 0: no options.\n",
            argv[0], argv[0], TFTP_BLOCK_MIN, TFTP_BLOCK_MAX);
        return false;
    }
    command->directory = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (command->directory < 0) perror(argv[2]);
    return command->directory >= 0;
}
