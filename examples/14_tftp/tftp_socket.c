/* tftp_socket.c - sockets for datagrams of IPv4. */
#define _GNU_SOURCE /* SOCK_NONBLOCK */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tftp_socket.h"

int tftp_open(uint32_t address, uint16_t port)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
    int const fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    own.sin_addr.s_addr = htonl(address);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&own, sizeof own) == 0) return fd;
    tftp_close(fd);
    return -1;
}

void tftp_close(int fd)
{
    if (fd >= 0) (void)close(fd);
}

uint16_t tftp_port(int fd)
{
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;

    return getsockname(fd, (struct sockaddr *)&own, &size) == 0 ? ntohs(own.sin_port) : 0;
}

void tftp_send(int fd, const uint8_t *bytes, size_t length, const struct sockaddr_in *to)
{
    (void)sendto(fd, bytes, length, 0, (const struct sockaddr *)to, sizeof *to);
}

void tftp_send_error(int fd, enum tftp_error code, const char *message, const struct sockaddr_in *to)
{
    uint8_t bytes[TFTP_PACKET_MAX];

    tftp_send(fd, bytes, tftp_encode_error(bytes, code, message), to);
}

int tftp_receive(int fd, uint8_t *bytes, struct sockaddr_in *from)
{
    socklen_t size = sizeof *from;

    return (int)recvfrom(fd, bytes, TFTP_RECEIVE_MAX, 0, (struct sockaddr *)from, &size);
}
