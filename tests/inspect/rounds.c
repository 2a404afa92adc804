/* SPDX-License-Identifier: MIT */
/* rounds MODE PATH TRANSITIONS: runs a flow on a runtime's thread. rounds.py counts the instructions of its rounds.
 *
 * | mode     | recorder                   | socket at PATH | viewers                                        |
 * |----------|----------------------------|----------------|------------------------------------------------|
 * | alone    | none                       | no             |                                                |
 * | socket   | none                       | yes            | none                                           |
 * | recorded | one                        | yes            | none                                           |
 * | viewed   | one                        | yes            | 100, of which no one reads what it asked for   |
 * | own      | that of the socket         | yes            | the same                                       | */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "line.h"
#include "uflow/inspect.h"
#include "uflow/recorder.h"

#define VIEWERS 100

static const char *const requests[] = {"", "follow *\n", "json\n", "trace\n", "prometheus\n"};
static uf_runtime *runtime;
static Axis axis;
static bool is_observed;

void line_block(void)
{
}

static void connect_viewer(const char *path, const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int const fd = socket(AF_UNIX, SOCK_STREAM, 0);

    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) exit(3);
    if (send(fd, request, strlen(request), 0) != (ssize_t)strlen(request)) exit(3);
    if (*request && *request != 'f') { /* the answer is there; no viewer reads it */
        char byte;
        if (recv(fd, &byte, 1, MSG_PEEK) != 1) exit(3);
    }
}

static void look_for_observers(void *unused)
{
    (void)unused;
    is_observed = uf_runtime_pump(runtime)->observers;
}

static void connect_viewers(const char *path)
{
    for (int i = 0; i < VIEWERS; i++) connect_viewer(path, requests[i % 5]);
    while (!is_observed) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (uf_post_wait(runtime, look_for_observers, NULL) != UF_OK) exit(3);
    }
}

int main(int argc, char **argv)
{
    static unsigned char memory[1 << 20];
    static uf_recorder recorder;
    uf_inspect_config config = {.flows = 0};
    uf_inspect *inspect = NULL;

    if (argc != 4 || uf_runtime_new(&runtime, NULL) != UF_OK) return 2;
    bool const viewed = strcmp(argv[1], "viewed") == 0, own = strcmp(argv[1], "own") == 0;
    if (viewed || strcmp(argv[1], "recorded") == 0) {
        config.recorder = &recorder;
        if (uf_recorder_init(&recorder, uf_runtime_pump(runtime), memory, sizeof memory, 100) != UF_OK) return 2;
        if (uf_runtime_add_observer(runtime, &recorder.observer) != UF_OK) return 2;
    }
    if (Axis_init(&axis, uf_runtime_pump(runtime), "axis") != UF_OK) return 2;
    bool const listens = strcmp(argv[1], "alone") != 0;
    if (listens && uf_inspect_listen(&inspect, runtime, argv[2], &config) != UF_OK) return 2;
    if (viewed || own) connect_viewers(argv[2]);
    if (Axis_start_Move(&axis, atoi(argv[3])) != UF_OK) return 2;
    if (uf_flow_wait(&axis.uf, UF_S(600), NULL) != UF_OK || uf_flow_outcome(&axis.uf) != UF_DONE) return 1;
    if (inspect && uf_inspect_close(inspect) != UF_OK) return 1;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
