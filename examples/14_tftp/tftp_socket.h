/* tftp_socket.h - sockets for datagrams of IPv4.
 *
 * Thread: any. */
#ifndef TFTP_SOCKET_H
#define TFTP_SOCKET_H

#include <netinet/in.h>
#include <stdbool.h>

#include "tftp_packet.h"

enum { TFTP_RECEIVE_MAX = TFTP_PACKET_MAX + 1 }; /* a longer packet is truncated, and longer than a block */

/* Port 0: any. Returns: a socket that does not block; -1: errno tells why it failed. */
int tftp_open(uint32_t address, uint16_t port);
void tftp_close(int fd);

/* The port that a socket has got; 0: there is none. */
uint16_t tftp_port(int fd);

/* A packet that cannot be sent is lost. */
void tftp_send(int fd, const uint8_t *bytes, size_t length, const struct sockaddr_in *to);
void tftp_send_error(int fd, enum tftp_error code, const char *message, const struct sockaddr_in *to);

/* Receives into TFTP_RECEIVE_MAX bytes. Returns: the length; -1: there is no packet. */
int tftp_receive(int fd, uint8_t *bytes, struct sockaddr_in *from);

#endif
