/* SPDX-License-Identifier: MIT */
/* tftp_simulated.c - the server and two clients over a link that loses, repeats and delays packets, in virtual time.
 *
 * usage: tftp_simulated SEEDS */
#define _GNU_SOURCE /* O_DIRECTORY */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carrier.h"
#include "lossy_link.h"
#include "tftp.h"

enum { FILES = 25, CROWD = 300, SIZE_LIMIT = 20000, SERVER_PORT = 69 };

static uf_pump pump;
static Server server;
static Client getter, putter;
static Link carrier;
static struct {
    uf_outcome outcome;
    char reason[100];
} ends[2][FILES];       /* of the transfers at the clients: got and put */
static int here, there; /* directories */
static int first_free;  /* descriptor */
static int failed_cleanly;
static int ended[UF_BECAME + 1]; /* transfers at the clients, by outcome */

#define CHECK(condition, ...)                                                                                          \
    ((condition) ? (void)0 : (printf("%s: ", #condition), printf(__VA_ARGS__), puts(""), exit(1)))

/* -- files --------------------------------------------------------------------------------------------------------- */

static void name_of(char *name, bool is_put, int i)
{
    (void)snprintf(name, 16, "%s%d", is_put ? "put" : "get", i);
}

static int size_of(uint32_t seed, bool is_put, int i)
{
    static const int special[] = {0, 1, 511, 512, 513, 1024, 1468, 1469};
    uint32_t const size = (seed * 50 + (uint32_t)is_put * 25 + (uint32_t)i) * 2654435761u >> 8;

    return i < 8 ? special[i] : (int)(size % SIZE_LIMIT);
}

static void fill(uint8_t *bytes, int size, bool is_put, int i)
{
    for (int k = 0; k < size; k++) bytes[k] = (uint8_t)(k * 7 + k / 251 + i + (is_put ? 100 : 0));
}

static void make_files(uint32_t seed)
{
    static uint8_t bytes[SIZE_LIMIT];
    char name[16];

    for (int n = 0; n < 2 * FILES; n++) {
        bool const is_put = n >= FILES;
        int const i = n % FILES, size = size_of(seed, is_put, i);
        fill(bytes, size, is_put, i);
        name_of(name, is_put, i);
        int const file = openat(is_put ? here : there, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        CHECK(file >= 0 && write(file, bytes, (size_t)size) == size && close(file) == 0, "%s", name);
    }
}

/* Removes all files. Returns: how many were left unfinished. */
static int clear(int directory)
{
    int unfinished = 0;
    DIR *const all = fdopendir(dup(directory));

    CHECK(all != NULL, "a directory is gone");
    rewinddir(all);
    for (struct dirent *one; (one = readdir(all)) != NULL;) {
        if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0) continue;
        unfinished += one->d_name[0] == '.';
        CHECK(unlinkat(directory, one->d_name, 0) == 0, "%s", one->d_name);
    }
    (void)closedir(all);
    return unfinished;
}

/* Every file arrived unchanged, or is absent and its transfer has failed. */
static void check_file(uint32_t seed, bool is_put, int i)
{
    static uint8_t expected[SIZE_LIMIT], bytes[SIZE_LIMIT + 1];
    int const size = size_of(seed, is_put, i);
    char name[16];

    name_of(name, is_put, i);
    int const file = openat(is_put ? there : here, name, O_RDONLY);
    if (ends[is_put][i].outcome == UF_DONE) {
        CHECK(file >= 0, "seed %u: %s is absent", seed, name);
    } else {
        CHECK(ends[is_put][i].outcome == UF_FAILED && strstr(ends[is_put][i].reason, name) == ends[is_put][i].reason,
              "seed %u: %s ended with %d: %s", seed, name, ends[is_put][i].outcome, ends[is_put][i].reason);
        failed_cleanly++;
    }
    if (file < 0) return;
    fill(expected, size, is_put, i);
    CHECK(read(file, bytes, sizeof bytes) == size && memcmp(bytes, expected, (size_t)size) == 0, "seed %u: %s differs",
          seed, name);
    (void)close(file);
}

/* -- the programs -------------------------------------------------------------------------------------------------- */

static void note_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    const char *const at = (const char *)flow, *const both[] = {(const char *)&getter, (const char *)&putter};

    (void)context;
    for (int is_put = 0; is_put < 2; is_put++) {
        if (at <= both[is_put] || at >= both[is_put] + sizeof(Client)) continue;
        ended[end->outcome]++;
        int const i = (int)strtol(((const Transfer *)flow)->request.name + 3, NULL, 10);
        ends[is_put][i].outcome = end->outcome;
        (void)snprintf(ends[is_put][i].reason, sizeof ends[is_put][i].reason, "%s", end->reason);
    }
}

/* The clients copy the files of the lists: one gets, the other one does what `opcode` says. */
static void begin_with(const link_kind *kind, uint32_t seed, int block_size, char **got, enum tftp_opcode opcode,
                       char **others)
{
    static uf_observer observer;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(SERVER_PORT)};

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memset(ends, 0, sizeof ends);
    memset(ended, 0, sizeof ended);
    link_reset(&pump, kind, seed);
    make_files(seed);
    observer = (uf_observer){.flow_ended = note_end};
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.poll = link_poll}) == UF_OK &&
              uf_pump_add_observer(&pump, &observer) == UF_OK && Link_init(&carrier, &pump, "link") == UF_OK &&
              Link_start_Carry(&carrier) == UF_OK &&
              Server_init(&server, &pump, "server", there, tftp_open(INADDR_LOOPBACK, SERVER_PORT)) == UF_OK &&
              Server_start_Serve(&server) == UF_OK && Client_init(&getter, &pump, "getter", here, at) == UF_OK &&
              Client_start_Copy(&getter, TFTP_READ, block_size, got) == UF_OK &&
              Client_init(&putter, &pump, "putter", here, at) == UF_OK &&
              Client_start_Copy(&putter, opcode, block_size, others) == UF_OK,
          "seed %u", seed);
}

static void begin(const link_kind *kind, uint32_t seed, int block_size)
{
    static char names[2][FILES][16];
    static char *lists[2][FILES + 1];

    for (int i = 0; i < 2 * FILES; i++) {
        lists[i / FILES][i % FILES] = names[i / FILES][i % FILES];
        name_of(names[i / FILES][i % FILES], i / FILES, i % FILES);
    }
    begin_with(kind, seed, block_size, lists[0], TFTP_WRITE, lists[1]);
}

static int next_descriptor(void)
{
    int const next = dup(here);

    (void)close(next);
    return next;
}

static void end(uint32_t seed)
{
    (void)uf_flow_cancel(&carrier.uf);
    (void)uf_flow_cancel(&server.uf);
    (void)uf_simulate_until_idle(&pump, UF_FOREVER);
    CHECK(Server_destroy(&server) == UF_OK && Client_destroy(&getter) == UF_OK && Client_destroy(&putter) == UF_OK &&
              Link_destroy(&carrier) == UF_OK,
          "seed %u: a flow still runs", seed);
    CHECK(link_count.open == 1, "seed %u: %d sockets were left open", seed, link_count.open);
    tftp_close(server.listener);
    CHECK(clear(here) == 0 && clear(there) == 0, "seed %u: an unfinished file was left", seed);
    CHECK(next_descriptor() == first_free, "seed %u: a file was left open", seed);
}

/* Until the clients and the transfers of the server have ended. Returns: when that was. */
static uf_time run(uint32_t seed)
{
    uf_run const runs[] = {uf_flow_this_run(&getter.uf), uf_flow_this_run(&putter.uf)};

    for (int i = 0; i < 2; i++) {
        CHECK(uf_simulate_until_end(&pump, runs[i], UF_S(300)) == UF_OK, "seed %u: it does not end", seed);
        CHECK(uf_run_outcome(runs[i]) == UF_DONE, "seed %u", seed);
    }
    uf_time const last = uf_pump_now(&pump);
    (void)uf_simulate_until(&pump, last + UF_S(20));
    CHECK(Server_transfers_busy(&server) == 0, "seed %u: a transfer of the server does not end", seed);
    return last;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

static const int block_sizes[] = {0, 512, 1000, 1468, 300};

static void check_lossy_link(uint32_t seed)
{
    link_kind const kind = {
        .loss = 10, .repeats = 10, .late = 10, .least = UF_US(200), .most = UF_MS(10), .latest = UF_MS(700)};

    begin(&kind, seed, block_sizes[seed % 5]);
    (void)run(seed);
    for (int i = 0; i < 2 * FILES; i++) check_file(seed, i / FILES, i % FILES);
    end(seed);
}

/* A stop at any time: a file that has not arrived is absent. */
static void check_stop(uint32_t seed)
{
    link_kind const kind = {
        .loss = 10, .repeats = 10, .late = 10, .least = UF_US(200), .most = UF_MS(10), .latest = UF_MS(700)};

    begin(&kind, seed, block_sizes[seed % 5]);
    (void)uf_simulate_until(&pump, link_random((uint32_t)UF_MS(3000)));
    (void)uf_simulate_stop(&pump, seed % 2 ? UF_MS(200) : UF_S(20), NULL);
    for (int i = 0; i < 2 * FILES; i++) {
        if (ends[i / FILES][i % FILES].outcome == UF_DONE) check_file(seed, i / FILES, i % FILES);
    }
    end(seed);
}

/* Without losses no packet is sent twice, even if each arrives twice (the Sorcerer's Apprentice). */
static void check_repeats(void)
{
    link_kind const kind = {.repeats = 100, .least = UF_MS(1), .most = UF_MS(2)};
    int blocks = 0;

    begin(&kind, 1, 512);
    uf_time const took = run(1);
    for (int i = 0; i < 2 * FILES; i++) {
        CHECK(ends[i / FILES][i % FILES].outcome == UF_DONE, "%s", ends[i / FILES][i % FILES].reason);
        check_file(1, i / FILES, i % FILES);
        blocks += size_of(1, i / FILES, i % FILES) / 512 + 1;
    }
    CHECK(link_count.data == blocks, "%d packets of %d blocks", link_count.data, blocks);
    CHECK(took < UF_S(2), "it took %d ms", (int)(took / UF_MS(1)));
    end(1);
}

/* More files than the pool of a client has members, and more requests than the pool of the server. */
static void check_crowd(void)
{
    link_kind const kind = {.least = UF_MS(1), .most = UF_MS(50)};
    char name[] = "get7";
    char *names[CROWD + 1];

    for (int i = 0; i < CROWD; i++) names[i] = name;
    names[CROWD] = NULL;
    begin_with(&kind, 1, 8, names, TFTP_READ, names);
    (void)run(1);
    CHECK(ended[UF_DONE] >= TRANSFERS && ended[UF_FAILED] > 0 && ended[UF_DONE] + ended[UF_FAILED] == 2 * CROWD,
          "%d done, %d failed", ended[UF_DONE], ended[UF_FAILED]);
    ends[0][7].outcome = UF_DONE; /* at least one of them */
    check_file(1, false, 7);
    end(1);
}

static int new_directory(char *path)
{
    strcpy(path, "/tmp/uflow_tftp_XXXXXX");
    CHECK(mkdtemp(path) != NULL, "%s", path);
    return open(path, O_RDONLY | O_DIRECTORY);
}

int main(int argc, char **argv)
{
    char paths[2][32];
    uint32_t const seeds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 20;

    here = new_directory(paths[0]);
    there = new_directory(paths[1]);
    first_free = next_descriptor();
    check_repeats();
    check_crowd();
    for (uint32_t seed = 1; seed <= seeds; seed++) check_lossy_link(seed);
    printf("%u transfers at 10 %% loss: %d failed cleanly, the others are identical\n", seeds * 2 * FILES,
           failed_cleanly);
    for (uint32_t seed = 1; seed <= seeds; seed++) check_stop(seed);
    (void)close(here);
    (void)close(there);
    return rmdir(paths[0]) != 0 || rmdir(paths[1]) != 0;
}
