/* SPDX-License-Identifier: MIT */
/* runner.c - tests in processes of their own, several at a time.
 *
 * A test that fails is run a second time in a fresh process: that run makes the texts of the report. */
#include "runner.h"

#include "processes.h"
#include "session.h"
#include "texts.h"
#include "verdict.h"

#include "uflow/recorder_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A place where a test runs, in a process or in this one. */
typedef struct uft_seat {
    uft_session session;
    unsigned index; /* of the result */
    uft_slot first; /* of the first attempt */
    bool is_taken;
} uft_seat;

static struct {
    const uft_options *options;
    uft_result *results;
    unsigned count, next, reported; /* results: started, and printed */
    uft_seat *seats;
    uft_process *processes;
    bool is_only;    /* one test: it is recorded whether it fails or not */
    uft_slot *spare; /* of the schedules that shrinking tries; NULL: none yet */
    uf_recorder *recorder;
    void *memory;
    bool has_trace;
} runner;

#define TRACE_SIZE ((size_t)4 << 20)

/* -- recordings ---------------------------------------------------------------------------------------------------- */

static void set_recorder(uft_session *session)
{
    bool const records = runner.recorder && !runner.has_trace && (session->is_repeat || runner.is_only);

    session->recorder = records ? runner.recorder : NULL;
    session->memory = runner.memory;
    session->memory_size = TRACE_SIZE;
    if (records && session->is_repeat) runner.has_trace = true; /* by this test: no other one is recorded */
}

static void save_recording(const uft_session *session)
{
    if (!session->recorder || uf_recorder_save(session->recorder, runner.options->trace)) return;
    fprintf(stderr, "%s: %s cannot be written: %s\n", runner.options->program, runner.options->trace, strerror(errno));
}

/* -- results ------------------------------------------------------------------------------------------------------- */

static void clear_progress(void)
{
    if (uft_is_terminal() && !runner.options->is_in_process) fprintf(stderr, "\r\033[K");
}

static void show_progress(void)
{
    unsigned const at = runner.reported;

    if (!uft_is_terminal() || runner.options->is_in_process || at >= runner.count) return;
    fprintf(stderr, "\r\033[K%u/%u %.60s", at, runner.count, runner.results[at].of->test->name);
    (void)fflush(stderr);
}

static void report_known(void)
{
    clear_progress();
    for (; runner.reported < runner.count && runner.results[runner.reported].is_known; runner.reported++)
        uft_report(runner.options, runner.reported + 1, &runner.results[runner.reported]);
}

static uft_slot lost; /* without memory, one report has to do for all */

void uft_free_failure(uft_result *result)
{
    if (result->failure != &lost) free(result->failure);
    result->failure = NULL;
}

static void keep_failure(uft_result *result, const uft_slot *slot)
{
    uft_slot *const copy = malloc(sizeof *copy);

    result->failure = copy ? copy : &lost;
    *result->failure = *slot;
}

static void keep_output(uft_result *result, const uft_output *output)
{
    char *const text = output && output->size ? uft_output_text(output) : NULL;

    if (!text) return;
    result->output = text;
    result->output_size = strlen(text);
    result->output_ends = output->ends;
}

static void finish(uft_result *result, const uft_slot *slot, const uft_output *output)
{
    result->is_known = true;
    result->passed = !slot->failed;
    result->updated = slot->updated;
    result->never_at = slot->never_at;
    result->schedules = slot->schedules;
    result->is_all = slot->is_all || slot->failed;
    result->took = slot->took;
    result->states = slot->states;
    if (slot->failed) keep_failure(result, slot);
    if (slot->failed || runner.options->is_verbose) keep_output(result, output);
}

/* -- shrinking ----------------------------------------------------------------------------------------------------- */

#define SHRINK_TIME UF_S(5)

/* A schedule that fails, and what shrinking needs to run smaller ones. */
typedef struct shrinking {
    uft_session session;
    uft_failure failure; /* of a replay: only its observer knows the line of an arm */
    uft_process process;
    uf_time began;
    bool is_interrupted;
} shrinking;

/* A step that never returns must not use up the time of shrinking: most schedules that are tried are over at once. */
static uf_time limit_of_attempt(void)
{
    uf_time const most = SHRINK_TIME / 5, limit = runner.options->step_limit;
    return limit < most ? limit : most;
}

static void run_attempt(shrinking *s)
{
    uft_process *const process = &s->process;
    uf_time const limit = limit_of_attempt();

    if (runner.options->is_in_process) {
        memset(process->slot, 0, sizeof *process->slot);
        uft_session_run(process->slot, &s->session);
        return;
    }
    uft_process_start(process, uft_session_run, &s->session);
    s->is_interrupted = process->end == TEST_RUNS && uft_processes_wait(process, 1, limit) < 0;
    if (s->is_interrupted) return; /* and the runner's next wait ends it */
    uft_judge_process(process, s->session.of, limit);
}

static bool fails_alike(void *context, const uft_schedule *schedule)
{
    shrinking *const s = context;

    s->session.schedule = *schedule;
    run_attempt(s);
    return !s->is_interrupted && uft_is_same_failure(&s->failure, s->process.slot);
}

static bool has_time(void *context)
{
    shrinking const *const s = context;
    return !s->is_interrupted && uft_real_now() - s->began < SHRINK_TIME;
}

/* Shrinks the schedule of a session that replays a failure. */
static void shrink(uft_session *session)
{
    shrinking *const s = calloc(1, sizeof *s);

    if (!runner.spare) runner.spare = uft_share(sizeof *runner.spare);
    if (s && runner.spare) {
        s->session = *session;
        s->session.recorder = NULL;
        s->session.is_repeat = false;
        s->process.slot = runner.spare;
        s->began = uft_real_now();
        run_attempt(s);
        uft_note_failure(&s->failure, runner.spare);
        if (runner.spare->failed) uft_shrink(&session->schedule, fails_alike, has_time, s);
    }
    free(s);
}

/* Did it run another schedule than the plain one? */
static bool is_explored(const uft_slot *slot)
{
    return slot->schedule.count > 0 || slot->happened.count > 0;
}

/* -- attempts ------------------------------------------------------------------------------------------------------ */

static void prepare(uft_seat *seat, unsigned index)
{
    seat->index = index;
    seat->is_taken = true;
    seat->session.of = runner.results[index].of;
    seat->session.is_repeat = seat->session.is_apart = seat->session.knows_quiet = false;
    seat->session.replays = runner.options->replay != NULL;
    seat->session.schedule = runner.options->schedule;
    seat->session.sites = runner.options->sites;
    set_recorder(&seat->session);
}

static void prepare_repeat(uft_seat *seat, const uft_slot *slot)
{
    seat->first = *slot;
    seat->session.is_repeat = true;
    seat->session.knows_quiet = slot->knows_quiet;
    seat->session.loud_until = slot->loud_until;
    if (is_explored(slot) && !seat->session.replays) {
        seat->session.replays = true;
        seat->session.schedule = slot->happened;
        seat->session.sites = slot->sites;
        if (!runner.options->shrinks_not) shrink(&seat->session);
    }
    set_recorder(&seat->session);
}

/* A schedule that has failed passes in a fresh process: what others have left behind has made it fail. Then
 * each gets a process of its own. Returns: the test begins anew like this. */
static bool goes_apart(uft_seat *seat, const uft_slot *slot)
{
    uft_session *const session = &seat->session;
    bool const passes = session->is_repeat && !slot->failed && is_explored(&seat->first);

    if (!passes || runner.options->replay || session->is_apart) return false;
    if (session->recorder) runner.has_trace = false;
    session->recorder = NULL;
    session->is_repeat = session->replays = false;
    session->schedule = runner.options->schedule;
    session->sites = runner.options->sites;
    session->is_apart = runner.results[seat->index].is_apart = true;
    return true;
}

/* Looks at the slot of an attempt that has ended. Returns: the test is over. */
static bool take(uft_seat *seat, uft_slot *slot, const uft_output *output)
{
    uft_result *const result = &runner.results[seat->index];

    save_recording(&seat->session);
    if (slot->failed && !seat->session.is_repeat) return false;
    if (seat->session.is_repeat && !slot->failed) {
        *slot = seat->first;
        uft_make_unrepeatable(slot);
    }
    if (seat->session.is_repeat) slot->schedules = seat->first.schedules;
    finish(result, slot, output);
    seat->is_taken = false;
    return true;
}

static bool run_here(void)
{
    uft_seat *const seat = &runner.seats[0];
    uft_slot *const slot = uft_share(sizeof *slot);

    for (; slot && runner.next < runner.count; runner.next++) {
        prepare(seat, runner.next);
        memset(slot, 0, sizeof *slot);
        uft_session_run(slot, &seat->session);
        if (!take(seat, slot, NULL)) {
            prepare_repeat(seat, slot);
            memset(slot, 0, sizeof *slot);
            uft_session_run(slot, &seat->session);
            (void)take(seat, slot, NULL);
        }
        report_known();
    }
    return slot != NULL;
}

/* Starts the attempt of a seat. Returns: false: there is no process, and the test is over. */
static bool launch(unsigned at)
{
    uft_seat *const seat = &runner.seats[at];
    uft_process *const process = &runner.processes[at];

    uft_process_start(process, uft_session_run, &seat->session);
    if (process->end != TEST_NO_PROCESS) return true;
    uft_judge_process(process, seat->session.of, runner.options->step_limit);
    seat->session.is_repeat = true; /* there will be none the next time, either */
    (void)take(seat, process->slot, NULL);
    return false;
}

static void fill_seats(void)
{
    for (unsigned i = 0; i < runner.options->jobs; i++) {
        while (!runner.seats[i].is_taken && runner.next < runner.count) {
            prepare(&runner.seats[i], runner.next++);
            (void)launch(i);
        }
    }
}

static void process_ended(unsigned at)
{
    uft_seat *const seat = &runner.seats[at];
    uft_process *const process = &runner.processes[at];

    uft_judge_process(process, seat->session.of, runner.options->step_limit);
    if (!goes_apart(seat, process->slot)) {
        if (take(seat, process->slot, &process->output)) return;
        prepare_repeat(seat, process->slot);
    }
    uft_processes_watch(runner.processes, runner.options->jobs);
    (void)launch(at);
}

static bool run_in_processes(void)
{
    unsigned const jobs = runner.options->jobs;
    uft_slot *const slots = uft_share(jobs * sizeof *slots);

    runner.processes = calloc(jobs, sizeof *runner.processes);
    if (!slots || !runner.processes || !uft_processes_begin()) {
        fprintf(stderr, "%s: no processes: %s; try --in-process\n", runner.options->program, strerror(errno));
        free(runner.processes);
        exit(2);
    }
    for (unsigned i = 0; i < jobs; i++) runner.processes[i].slot = &slots[i];
    for (fill_seats(), report_known(); runner.reported < runner.count; fill_seats(), report_known()) {
        show_progress();
        int const ended = uft_processes_wait(runner.processes, jobs, runner.options->step_limit);
        if (ended < 0) break;
        process_ended((unsigned)ended);
    }
    clear_progress();
    free(runner.processes);
    return runner.reported == runner.count;
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

static void begin(const uft_options *options, uf_pump *pump)
{
    for (unsigned i = 0; i < options->jobs; i++)
        runner.seats[i].session = (uft_session){.rounds_at_once = options->rounds_at_once,
                                                .updates = options->updates,
                                                .directory = options->directory,
                                                .seed = options->seed,
                                                .schedules = options->schedules,
                                                .limit = options->limit,
                                                .mutes = !options->is_in_process && !options->is_verbose,
                                                .pump = pump};
    if (!options->trace) return;
    runner.recorder = uft_share(sizeof *runner.recorder);
    runner.memory = uft_share(TRACE_SIZE);
    if (runner.recorder && runner.memory) return;
    runner.recorder = NULL;
    fprintf(stderr, "%s: --trace %s: out of memory\n", options->program, options->trace);
}

bool uft_run_all(const uft_options *options, uft_result *results, unsigned count)
{
    static uf_pump pump; /* each process has its copy */

    runner.options = options;
    runner.results = results;
    runner.count = count;
    runner.is_only = count == 1;
    runner.seats = calloc(options->jobs, sizeof *runner.seats);
    if (!runner.seats) {
        fprintf(stderr, "%s: out of memory\n", options->program);
        exit(2);
    }
    begin(options, &pump);
    bool const is_complete = options->is_in_process ? run_here() : run_in_processes();
    free(runner.seats);
    return is_complete;
}
