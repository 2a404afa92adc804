/* SPDX-License-Identifier: MIT */
/* file.c - the file of a store: what is wrong with it, who owns it, what people read in it; and a disk that fails. */
#include "../cases.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define UF_NODISCARD /* a test looks at what a flow does rather than at whether it starts */
#include "faults.h"
#include "station.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"

#define STATIONS 50

_Atomic int exits, suspends, turns;
static char here[256], path[300], error[UF_STORE_TEXT_SIZE];
static uf_sqlite_config config;
static Station stations[STATIONS];
static char names[STATIONS][16];
static Beside beside;

static int begin(void **state)
{
    (void)state;
    snprintf(here, sizeof here, "/tmp/uflow-sqlite-XXXXXX");
    assert_non_null(mkdtemp(here));
    snprintf(path, sizeof path, "%s/plant.db", here);
    config = (uf_sqlite_config){.error = error};
    exits = suspends = turns = 0;
    return 0;
}

static int end(void **state)
{
    char command[400];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", here);
    return system(command);
}

/* `told` is what stands after the path. */
static void expect_refusal(uf_status status, const char *told)
{
    char expected[400];
    uf_store *store = NULL;

    snprintf(expected, sizeof expected, "%s%s", path, told);
    assert_int_equal(uf_sqlite_open(&store, path, &config), status);
    assert_null(store);
    assert_string_equal(error, expected);
}

static uf_store *open_store(void)
{
    uf_store *store = NULL;
    if (uf_sqlite_open(&store, path, &config) != UF_OK) fail_msg("%s", error);
    assert_string_equal(error, "");
    return store;
}

static sqlite3 *connect(void)
{
    sqlite3 *connection = NULL;
    assert_int_equal(sqlite3_open(path, &connection), SQLITE_OK);
    return connection;
}

static void execute(const char *sql)
{
    sqlite3 *const connection = connect();
    assert_int_equal(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
}

/* The first column of the first row, from a connection of its own. */
static const char *ask(const char *sql)
{
    static char answer[256];
    sqlite3 *const connection = connect();
    sqlite3_stmt *statement = NULL;

    *answer = '\0';
    assert_int_equal(sqlite3_prepare_v2(connection, sql, -1, &statement, NULL), SQLITE_OK);
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
        snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(statement, 0));
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
    return answer;
}

static void write_file(const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* -- a runtime with stations --------------------------------------------------------------------------------------- */

static uf_runtime *begin_plant(uf_store *store, uf_restore_report *report)
{
    uf_runtime *runtime = NULL;

    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}), UF_OK);
    for (int i = 0; i < STATIONS; i++) {
        snprintf(names[i], sizeof names[i], "station-%d", i & 63);
        assert_int_equal(Station_init(&stations[i], uf_runtime_pump(runtime), names[i]), UF_OK);
    }
    assert_int_equal(Beside_init(&beside, uf_runtime_pump(runtime), "beside"), UF_OK);
    if (uf_store_restore(store, report) != UF_OK) fail_msg("%s", report->text);
    assert_int_equal(uf_store_release(store, NULL), UF_OK);
    return runtime;
}

static void end_plant(uf_runtime *runtime, uf_store *store)
{
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_store_close(store), UF_OK);
}

static uf_call_info wait_for(Station *station)
{
    uf_call_info ended;
    (void)uf_flow_wait(&station->uf, UF_S(60), &ended);
    return ended;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

CASE_WITH(says_what_is_wrong_with_a_file, begin, end)
{
    write_file("This is a text that is no database at all, and that is long enough to be seen as none. It has more "
               "than the hundred bytes of the head of such a file.");
    expect_refusal(UF_STORE, ": is no database of SQLite");
    assert_int_equal(unlink(path), 0);

    execute("CREATE TABLE guests (name TEXT)");
    expect_refusal(UF_STORE, ": is a database of another program");
    assert_string_equal(ask("PRAGMA journal_mode"), "delete"); /* nothing was changed */
    assert_int_equal(unlink(path), 0);

    assert_int_equal(uf_store_close(open_store()), UF_OK);
    execute("PRAGMA user_version = 2");
    expect_refusal(UF_STORE, ": a newer uflow has written it: its tables have version 2, not 1");
    execute("PRAGMA user_version = 1; DROP TABLE store");
    expect_refusal(UF_STORE, ": no such table: store");
    assert_int_equal(unlink(path), 0);

    assert_int_equal(mkdir(path, 0700), 0);
    expect_refusal(UF_STORE, ": Is a directory");
    assert_int_equal(rmdir(path), 0);

    uf_store *store;
    snprintf(path, sizeof path, "%s/missing/plant.db", here);
    expect_refusal(UF_STORE, ": its directory does not exist: create it first");
    assert_int_equal(uf_sqlite_open(&store, "", &config), UF_INVALID);
    assert_int_equal(uf_sqlite_open(&store, path, &(uf_sqlite_config){.store = {.limit = -1}}), UF_INVALID);
}

/* In a process that is not root's. */
CASE_WITH(refuses_a_file_that_is_read_only, begin, end)
{
    int status;

    assert_int_equal(uf_store_close(open_store()), UF_OK);
    assert_int_equal(chmod(here, 0777) + chmod(path, 0444), 0);
    char owner[320];
    snprintf(owner, sizeof owner, "%s-owner", path);
    assert_int_equal(chmod(owner, 0666), 0);
    pid_t const child = fork();
    if (child == 0) {
        uf_store *store;
        if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
        if (uf_sqlite_open(&store, path, &config) != UF_STORE) _exit(3);
        _exit(strstr(error, "plant.db: cannot be written") ? 0 : 4);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

CASE_WITH(has_one_owner, begin, end)
{
    char other[300], told[64];
    int status;

    uf_store *const store = open_store();
    snprintf(told, sizeof told, ": process %ld has opened it", (long)getpid());
    expect_refusal(UF_BUSY, told);
    snprintf(other, sizeof other, "%s/link.db", here);
    assert_int_equal(symlink(path, other), 0);
    uf_store *same;
    assert_int_equal(uf_sqlite_open(&same, other, &config), UF_BUSY);
    pid_t const child = fork();
    if (child == 0) _exit(uf_sqlite_open(&same, path, &config) == UF_BUSY && strstr(error, told) ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(uf_store_close(store), UF_OK);
    assert_int_equal(uf_store_close(open_store()), UF_OK);
}

CASE_WITH(says_who_locks_it, begin, end)
{
    assert_int_equal(uf_store_close(open_store()), UF_OK);
    sqlite3 *const connection = connect();
    assert_int_equal(sqlite3_exec(connection, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", 0, 0, 0), SQLITE_OK);
    config.store.limit = UF_MS(100);
    expect_refusal(UF_BUSY, ": another program has locked it");
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
    assert_int_equal(uf_store_close(open_store()), UF_OK);
}

CASE_WITH(only_its_user_reads_it, begin, end)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-owner"};
    struct stat found;
    char name[320];

    uf_store *const store = open_store();
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        assert_int_equal(stat(name, &found), 0);
        assert_int_equal(found.st_mode & 0777, 0600);
    }
    assert_int_equal(uf_store_close(store), UF_OK);
}

CASE_WITH(people_read_it_meanwhile, begin, end)
{
    uf_restore_report report;

    uf_store *const store = open_store();
    uf_runtime *const runtime = begin_plant(store, &report);
    assert_int_equal(Station_start_Count(&stations[0], 3), UF_OK);
    assert_int_equal(wait_for(&stations[0]).outcome, UF_DONE);
    assert_int_equal(Station_start_Fail(&stations[1]), UF_OK);
    assert_int_equal(wait_for(&stations[1]).outcome, UF_FAILED);
    assert_string_equal(ask("SELECT path || '|' || type || '|' || task || '|' || step || '|' || run || '|' || outcome "
                            "|| '|' || reason FROM flow WHERE path = 'station-0'"),
                        "station-0|Station|Count|Next|1|done|");
    assert_string_equal(ask("SELECT outcome || ': ' || reason FROM flow WHERE task = 'Fail'"),
                        "failed: the \"valve\" is stuck");
    assert_string_equal(ask("SELECT abs(julianday(time) - julianday('now')) < 0.1 FROM flow"), "1");
    assert_string_equal(ask("SELECT count(*) FROM flow"), "2");
    assert_string_equal(ask("SELECT length(identity) FROM store"), "16");
    assert_string_equal(ask("PRAGMA integrity_check"), "ok");
    char long_path[UF_STORE_PATH_SIZE + 20] = "";
    memset(long_path, 's', sizeof long_path - 1);
    assert_int_equal(uf_store_forget(store, long_path), UF_INVALID);
    assert_string_equal(uf_store_failure(store), "");
    assert_int_equal(uf_store_forget(store, "station-1"), UF_OK);
    assert_string_equal(ask("SELECT count(*) FROM flow"), "1");
    end_plant(runtime, store);
}

/* While others commit all the time, and on a pump that the caller drives. A disk that hangs does not hold it up for
 * ever. */
CASE_WITH(what_is_forgotten_is_gone_for_good, begin, end)
{
    uf_restore_report report;
    uf_pump pump;
    char left[1024];
    faults *const of = faults_open(path);

    config.store.limit = UF_S(1);
    uf_store *store = open_store();
    uf_runtime *const runtime = begin_plant(store, &report);
    for (int i = 0; i < STATIONS / 2; i++) assert_int_equal(Station_start_Count(&stations[i], 1), UF_OK);
    for (int i = 0; i < STATIONS / 2; i++) assert_int_equal(wait_for(&stations[i]).outcome, UF_DONE);
    for (int i = STATIONS / 2; i < STATIONS; i++) assert_int_equal(Station_start_Count(&stations[i], 100), UF_OK);
    for (int i = 0; i < STATIONS / 2; i++) {
        assert_int_equal(uf_store_forget(store, names[i]), UF_OK);
        snprintf(left, sizeof left, "SELECT count(*) FROM flow WHERE path = '%s'", names[i]);
        assert_string_equal(ask(left), "0");
    }
    assert_int_equal(uf_store_forget(store, names[STATIONS - 1]), UF_BUSY);
    end_plant(runtime, store);

    execute("DELETE FROM flow; INSERT INTO flow (path, record) VALUES ('gone', x'00'), ('other', x'00')");
    store = open_store();
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &pump), UF_OK);
    assert_int_equal(uf_store_forget(store, "gone"), UF_OK);
    assert_string_equal(ask("SELECT group_concat(path) FROM flow"), "other");
    faults_after(of, 0, 0);
    assert_int_equal(uf_store_forget(store, "other"), UF_TIMED_OUT);
    assert_string_equal(ask("SELECT group_concat(path) FROM flow"), "other");
    faults_release(of, SQLITE_FULL);
    uf_status status = uf_store_forget(store, "other");
    while (status == UF_TIMED_OUT) status = uf_store_forget(store, "other");
    assert_int_equal(status, UF_STORE);
    assert_string_equal(uf_store_failure(store), "disk full");
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(uf_store_close(store), UF_OK);
    faults_close(of);
}

/* From one of two halves on, and how many commits there were before it. */
typedef struct half {
    int first;
    faults *of;
    uint64_t before;
} half;

static void start_half(void *argument)
{
    half *const h = argument;

    h->before = faults_commits(h->of);
    for (int i = h->first; i < h->first + STATIONS / 2; i++)
        assert_int_equal(Station_start_Count(&stations[i], 10), UF_OK);
}

static uint64_t commits_since(const half *h)
{
    for (int i = h->first; i < h->first + STATIONS / 2; i++) assert_int_equal(wait_for(&stations[i]).outcome, UF_DONE);
    return faults_commits(h->of) - h->before;
}

/* Each flow takes part in each commit, also if it has begun during another one. */
CASE_WITH(all_of_a_round_are_one_commit, begin, end)
{
    uf_restore_report report;
    faults *const of = faults_open(path);
    half one = {.of = of}, other = {.first = STATIONS / 2, .of = of};

    uf_store *const store = open_store();
    uf_runtime *const runtime = begin_plant(store, &report);
    assert_int_equal(uf_post_wait(runtime, start_half, &one), UF_OK);
    assert_int_equal(commits_since(&one), 20); /* ten times two steps, without the first start, and the end */
    assert_int_equal(uf_post_wait(runtime, start_half, &one), UF_OK);
    while (faults_commits(of) < one.before + 3) {}
    assert_int_equal(uf_post_wait(runtime, start_half, &other), UF_OK);
    assert_true(commits_since(&other) <= 21);
    (void)commits_since(&one);
    end_plant(runtime, store);
    faults_close(of);
}

CASE_WITH(a_full_disk_fails_what_waits, begin, end)
{
    uf_restore_report report;
    faults *const of = faults_open(path);

    uf_store *store = open_store();
    uf_runtime *runtime = begin_plant(store, &report);
    faults_after(of, 5, SQLITE_FULL);
    assert_int_equal(Station_start_Count(&stations[0], 10), UF_OK);
    uf_call_info ended = wait_for(&stations[0]);
    assert_int_equal(ended.outcome, UF_FAILED);
    assert_string_equal(ended.reason, "store: disk full");
    assert_int_equal(Station_start_Wait(&stations[1]), UF_OK); /* nothing more is accepted */
    assert_string_equal(wait_for(&stations[1]).reason, "store: disk full");
    end_plant(runtime, store);

    faults_release(of, 0);
    store = open_store();
    runtime = begin_plant(store, &report);
    assert_int_equal(report.restored, 1);
    assert_int_equal(wait_for(&stations[0]).outcome, UF_DONE);
    assert_int_equal(stations[0].counted, 10);
    end_plant(runtime, store);
    faults_close(of);
}

/* It is named a second before the store would have given no answer. */
CASE_WITH(a_lock_of_another_program_is_named, begin, end)
{
    uf_restore_report report;

    config.store.limit = UF_S(4);
    uf_store *const store = open_store();
    uf_runtime *const runtime = begin_plant(store, &report);
    sqlite3 *const connection = connect();
    assert_int_equal(sqlite3_exec(connection, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(Station_start_Wait(&stations[0]), UF_OK);
    assert_string_equal(wait_for(&stations[0]).reason, "store: another program has locked it");
    assert_int_equal(sqlite3_close(connection), SQLITE_OK);
    end_plant(runtime, store);
}

/* A cancel does not wait, other flows go on, and closing does not wait for ever. */
CASE_WITH(a_disk_that_hangs_stops_nothing_else, begin, end)
{
    uf_restore_report report;
    faults *const of = faults_open(path);

    config.store.limit = UF_S(2);
    uf_store *store = open_store();
    uf_runtime *runtime = begin_plant(store, &report);
    assert_int_equal(Beside_start_Run(&beside), UF_OK);
    assert_int_equal(Station_start_Wait(&stations[0]), UF_OK);
    while (strcmp(ask("SELECT step FROM flow WHERE path = 'station-0'"), "Still") != 0) {}
    faults_after(of, 0, 0);
    assert_int_equal(Station_start_Count(&stations[1], 10), UF_OK);
    while (!faults_hangs(of)) {}
    assert_int_equal(uf_flow_cancel(&stations[0].uf), UF_OK);
    while (exits == 0) {}
    for (int const before = turns; turns < before + 20;) {}
    assert_true(uf_flow_running(&stations[0].uf)); /* its end is not kept */
    assert_string_equal(wait_for(&stations[1]).reason, "store: no answer");
    assert_int_not_equal(wait_for(&stations[0]).outcome, UF_RUNNING);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(uf_store_close(store), UF_OK);
    assert_true(faults_hangs(of));
    assert_int_equal(uf_sqlite_open(&store, path, &config), UF_BUSY); /* the thread still has it */

    faults_release(of, SQLITE_IOERR);
    while (uf_sqlite_open(&store, path, &config) == UF_BUSY) {}
    faults_release(of, 0);
    runtime = begin_plant(store, &report);
    assert_int_equal(report.restored, 1);
    assert_string_equal(uf_flow_step(&stations[0].uf), "Still");
    end_plant(runtime, store);
    faults_close(of);
}

CASE_WITH(a_stop_suspends_and_a_restart_goes_on, begin, end)
{
    uf_restore_report report;
    uf_stop_report stopped;

    for (int round = 0; round < 3; round++) {
        uf_store *const store = open_store();
        uf_runtime *const runtime = begin_plant(store, &report);
        assert_int_equal(report.restored, round ? STATIONS : 0);
        for (int i = 0; i < STATIONS && !round; i++) assert_int_equal(Station_start_Wait(&stations[i]), UF_OK);
        while (strcmp(ask("SELECT count(*) FROM flow WHERE step = 'Still'"), "50") != 0) {}
        assert_int_equal(uf_runtime_stop(runtime, UF_S(20), &stopped), UF_OK);
        assert_int_equal(stopped.suspended, STATIONS);
        assert_int_equal(stopped.cancelled, 0);
        end_plant(runtime, store);
        assert_int_equal(exits, 0);
    }
    assert_true(suspends >= STATIONS);
}

/* A pump that is gone is not woken by a commit that is under way. */
CASE_WITH(the_pump_may_go_first, begin, end)
{
    uf_pump pump;
    faults *const of = faults_open(path);

    uf_store *const store = open_store();
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &pump), UF_OK);
    assert_int_equal(Station_init(&stations[0], &pump, "station-0"), UF_OK);
    assert_int_equal(uf_store_restore(store, NULL), UF_OK);
    faults_after(of, 0, 0);
    assert_int_equal(uf_flow_keep(&stations[0].uf), UF_OK);
    while (!faults_hangs(of)) (void)uf_pump_round(&pump, 0);
    assert_int_equal(uf_store_close(store), UF_BUSY);
    assert_int_equal(Station_destroy(&stations[0]), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    memset(&pump, 0xaa, sizeof pump);
    faults_release(of, 0);
    assert_int_equal(uf_store_close(store), UF_OK);
    assert_string_equal(ask("SELECT outcome FROM flow"), "never ran");
    faults_close(of);
}
