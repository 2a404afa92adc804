/* SPDX-License-Identifier: MIT */
/* mqtt_world.h - included before mqtt.uflow in the simulation: replaces the functions of the system that it calls. */
#ifndef MQTT_WORLD_H
#define MQTT_WORLD_H

#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t world_recv(int fd, void *bytes, size_t size, int flags);
ssize_t world_send(int fd, const void *bytes, size_t length, int flags);
ssize_t world_read(int fd, void *bytes, size_t size);
int world_close(int fd);
int world_print(const char *format, int topic_length, const char *topic, int length, const char *payload);
int world_report(FILE *stream, const char *format, const char *why, int pause);

#define recv(...)    world_recv(__VA_ARGS__)
#define send(...)    world_send(__VA_ARGS__)
#define read(...)    world_read(__VA_ARGS__)
#define close(...)   world_close(__VA_ARGS__)
#define printf(...)  world_print(__VA_ARGS__)
#define fprintf(...) world_report(__VA_ARGS__)

#endif
