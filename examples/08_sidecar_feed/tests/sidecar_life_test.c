/* Tests the sidecar within one program: many callers, and many restarts. sidecar_life_test PYTHON
 * price_server.py [LIVES] */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <uflow/runtime.h>

#include "feed.h"
#include "server_process.h"

#define LONG UF_S(60)

static const char *python, *script;
static int lives = 1000;

typedef struct sidecar {
    uf_runtime *runtime;
    price_book prices;
    Link link;
    Feed feed;
    char url[64];
} sidecar;

/* Starts it. Returns: UF_OK if it is connected. */
static uf_status begin(sidecar *it, unsigned port, uf_call_info *info)
{
    memset(it, 0, sizeof *it);
    snprintf(it->url, sizeof it->url, "ws://127.0.0.1:%u/", port);
    assert_int_equal(uf_runtime_new(&it->runtime, NULL), UF_OK);
    uf_pump *const pump = uf_runtime_pump(it->runtime);
    assert_int_equal(Link_init(&it->link, pump, "link", it->url, &it->prices, 2026), UF_OK);
    assert_int_equal(Feed_init(&it->feed, pump, "feed", &it->link, &it->prices), UF_OK);
    return Feed_call_Open(&it->feed, LONG, info);
}

static void end(sidecar *it)
{
    assert_int_equal(uf_runtime_stop(it->runtime, LONG, NULL), UF_OK);
    assert_int_equal(uf_runtime_free(it->runtime), UF_OK);
}

static sidecar *begin_well(unsigned port)
{
    uf_call_info info;
    sidecar *const it = malloc(sizeof *it);
    assert_non_null(it);
    if (begin(it, port, &info) != UF_OK) fail_msg("%s", info.reason);
    return it;
}

static void end_well(sidecar *it)
{
    end(it);
    assert_int_equal(uf_flow_outcome(&it->link.uf), UF_DONE); /* of Close: the peer has answered */
    free(it);
}

enum { CALLERS = 8, CALLS = 200 };

typedef struct caller {
    pthread_t thread;
    sidecar *sidecar;
    int number, wrong;
} caller;

static void *call_again_and_again(void *argument)
{
    caller *const it = argument;
    char name[8];
    double price;
    snprintf(name, sizeof name, "S%d", it->number);
    book_symbol const symbol = book_symbol_of(name);
    double const least = 100000.0 * (it->number + 1); /* the server's first messages */
    if (Feed_call_Subscribe(&it->sidecar->feed, symbol, LONG, NULL) != UF_OK) it->wrong++;
    for (int i = 0; i < CALLS; i++) {
        if (Feed_call_Latest(&it->sidecar->feed, symbol, LONG, &price, NULL) != UF_OK) it->wrong++;
        else if (price < least || price >= least + 100000) it->wrong++;
    }
    return NULL;
}

static void test_every_caller_gets_its_own_answer(void **state)
{
    (void)state;
    caller callers[CALLERS];
    server_process server = server_start(python, script, "feed", "0");
    sidecar *const it = begin_well(server.port);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){.sidecar = it, .number = i};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call_again_and_again, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
        assert_int_equal(callers[i].wrong, 0);
    }
    end_well(it);
    server_stop(&server);
}

static int entries(const char *directory)
{
    int count = 0;
    DIR *const all = opendir(directory);
    if (all == NULL) return 0;
    while (readdir(all) != NULL) count++;
    closedir(all);
    return count;
}

static long resident_pages(void)
{
    long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    (void)fclose(file);
    return pages;
}

static void test_many_lives(void **state)
{
    (void)state;
    server_process server = server_start(python, script, "feed", "0");
    int descriptors = 0, threads = 0;
    long pages = 0;
    for (int life = 0; life < lives; life++) {
        sidecar *const it = begin_well(server.port);
        if (life % 3 == 0) assert_int_equal(Feed_call_Subscribe(&it->feed, book_symbol_of("ACME"), LONG, NULL), UF_OK);
        end_well(it);
        if (life == lives / 10) {
            descriptors = entries("/dev/fd");
            threads = entries("/proc/self/task");
            pages = resident_pages();
        }
    }
    assert_int_equal(entries("/dev/fd"), descriptors);
    assert_int_equal(entries("/proc/self/task"), threads);
    long const more = resident_pages() - pages;
    printf("%d lives: %ld pages more than after a tenth of them\n", lives, more);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
    assert_true(more < 256); /* a sanitizer keeps freed memory for a while, and detects leaks itself */
#endif
    server_stop(&server);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    python = argv[1];
    script = argv[2];
    if (argc > 3) lives = atoi(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_caller_gets_its_own_answer),
        cmocka_unit_test(test_many_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
