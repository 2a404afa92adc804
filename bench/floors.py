#!/usr/bin/env python3
"""What the contract costs: instructions of a workload with one thing after the other left out of core. Each is left out on top of
those before it, and the program still comes to its end and to the same result; what it does not keep any more is said. Where
threads hand things to each other, instructions do not say it all: there the time stands beside them, on one CPU, by that of a peer.

usage: floors.py PROGRAM_UFC [--update | --check] [NAME...]

PROGRAM_UFC is ufc; a NAME stands for all workloads that begin with it. --update writes floors.json, from which document.py makes a
table; --check looks whether what is to be left out is still there (exit status 0: it is), and builds nothing."""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

from instructions import callgrind

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = os.path.join(HERE, "floors.json")
RUNTIME = os.path.join(os.path.dirname(HERE), "runtime")
FLAGS = ["-std=gnu11", "-O2", "-DNDEBUG", "-fno-jump-tables", "-w"]

ORDER = ("core/turn.c", """    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_release(&flow->state, state);
    ufp_store_time_release(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->ordinal, flow->ordinal + 1);
    ufp_store_release(&flow->ticks, 0);
""", "    (void)pump, ufp_store(&flow->state, state);\n")

# Who waits is on a list of flows, all of which become those that are ready; an arm says no more than that it has come.
SPLICE_PARKED = ("core/turn.c", "    ufi_list_init(&flow->link);\n    return next;\n", """    extern uf_link parked;
    ufi_list_insert(&parked, &flow->link);
    return next;
""")
SPLICE_RELEASED = [
    ("core/fired.c", "/* What becomes of the signal meanwhile is told once more. */\n", """uf_link parked = {&parked, &parked};
static uint32_t splice(uf_pump *pump)
{
    uf_link *const behind = ufi_behind_ready(pump);
    parked.next->prev = behind->prev;
    parked.prev->next = behind;
    behind->prev->next = parked.next;
    behind->prev = parked.prev;
    ufi_list_init(&parked);
    return 0;
}
"""),
    ("core/fired.c", "? release_all(pump, signal, epoch)", "? splice(pump)"),
    ("core/fired.c", """    uf_arm *const last = signal->waiters, *const first = last->next;
    arm->next = first;
    arm->prev = last;
    arm->on.signal = signal;
    arm->owner = flow;
    arm->kind = UF_ARM_SIGNAL;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
    arm->on_list = AT_HOME;
    ufi_set_since(arm, since);
    first->prev = last->next = signal->waiters = arm;
    /* All 16 bits, as the turn is about to read them: one that has to be put together from two stores waits for both. */
    *(volatile uint16_t *)&flow->flags = (uint16_t)(flow->flags | UF_FLAG_ARMED);
""", "    arm->state = UF_ARM_READY;\n"),
]

# workload: program, its arguments, the flow's file; what is left out: texts and what stands there instead
WORKLOADS = {
    "W1 transition": (["chain", "1", "40000"], "chain", [
        ("what other threads see of a step but its name: number, time, runs, all of one moment", [ORDER]),
        ("the limit of rounds until time is read, and the looks for messages and for others that are ready", [
            ("core/turn.c", "while (goes_on && --pump->alone && !ufp_load_pointer(&pump->inbox));",
             "while (goes_on);")]),
        ("what a step may have done beside its `next`, observers", [
            ("core/turn.c", "goes_on = is_next(intent) && !(flow->flags & other);", "goes_on = is_next(intent);")]),
        ("the number of the round", [("core/turn.c", "        pump->round++;\n        uint32_t const state", "        uint32_t const state")]),
    ]),
    "W2 transition, 1000 flows": (["chain", "1000", "100000"], "chain", [
        ("what other threads see of a step but its name", [ORDER]),
        ("what a step may have done beside its `next`", [
            ("core/turn.c", "if (LIKELY(is_next(intent) && !(flow->flags & EXCEPTIONAL))) {", "if (LIKELY(is_next(intent))) {")]),
        ("cancels, pre-emption, stays; whether a round got on", [
            ("core/turn.c", "if (flow->flags & OTHERWISE) {", "if (flow->flags & UFI_ENTERING) {"),
            ("core/turn.c", "        pump->advanced = true;\n        *link = flow->link.next;", "        *link = flow->link.next;")]),
    ]),
    "W4 fire": (["fire", "1000", "20"], "listener", [
        ("that who destroys a signal waits for who is still in it", [
            ("core/signal.c", "    ufp_add_fetch_seq_cst(&signal->firing, UINT32_MAX);\n\n    for", "\n    for"),
            ("core/signal.c", "    ufp_add_fetch_seq_cst(&signal->firing, 1);\n    if (ufp_compare_exchange_wide_seq_cst", "    if (ufp_compare_exchange_wide_seq_cst")]),
        ("that other threads fire, wait and leave at the same time", [
            ("core/signal.c", "    ufp_critical_enter();\n    uf_pump *told = tell_guests", "    uf_pump *told = tell_guests"),
            ("core/signal.c", "    if (calls) take_callbacks(signal, &called);\n    ufp_critical_leave();\n", "")]),
    ]),
    "W5 release, lone arm": (["broadcast", "1000", "20", "lone"], "waiter", [
        ("what other threads see of a step but its name, and how often it has run", [ORDER, (
            "core/turn.c", "    uint32_t const ticks = flow->ticks + 1;\n    if (!(ticks & UFI_CHANGING)) ufp_store(&flow->ticks, ticks);\n", "")]),
        ("that other threads fire meanwhile, and know how many they have released", [(
            "core/broadcast.h", """    do {
        word = ufp_load_wide_seq_cst(&signal->word);
        if (ufi_epoch_of(word) != since) return false;
    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word + 1));
    return true;
""", "    (void)word, (void)since;\n    signal->word++;\n    return true;\n")]),
        ("what a step may have done beside its wait", [
            ("core/turn.c", "is_woken_next(intent) && !(flow->flags & EXCEPTIONAL) && !flow->type->preempt_count;",
             "is_woken_next(intent);"),
            ("core/turn.c", "intent.bits == UF_INTENT_PARK && !(flow->flags & NOT_ASIDE);", "intent.bits == UF_INTENT_PARK;"),
            ("core/fired.c", " || flow->flags & UFI_STAYING)\n", ")\n")]),
        ("that who waits may leave before, or wait for something else as well, or at another signal", [SPLICE_PARKED, *SPLICE_RELEASED]),
    ]),
    "W6 job, 256 in flight; time by plain": (["jobs", "256", "200000"], "client", [
        ("that its end is seen before the next job begins; that one behind a long one is another thread's, or withdrawn: all that wait are "
         "taken at once, and sent back at once", [
            ("host/pool.c", """        m->work = work;
        ufp_mutex_unlock(&c->mutex);
        run_and_measure(work, slot);
        ufp_mutex_lock(&c->mutex);
        m->work = NULL;
        if (c->closed) ufp_condition_signal(&c->quiet);
        uf_pump *const pump = send_back(c, work);
        if (!pump) continue;
""", """        uf_link *rest = c->queue.next;
        uf_link *const oldest = &work->message.link, *newest = oldest;
        c->queue.prev->next = NULL;
        if (rest == &c->queue) rest = NULL;
        ufi_list_init(&c->queue);
        ufp_mutex_unlock(&c->mutex);
        run_and_measure(work, slot);
        for (; rest; rest = rest->next) {
            run_and_measure(work_at(rest), slot);
            work_at(rest)->message.link.next = newest;
            newest = &work_at(rest)->message.link;
        }
        ufp_mutex_lock(&c->mutex);
        uf_pump *const pump = work->pump;
        do oldest->next = ufp_load_pointer(&pump->inbox);
        while (!ufp_compare_exchange_pointer_seq_cst(&pump->inbox, oldest->next, newest));
        if (!pump->host->asleep(pump)) continue;
        ufi_go_inside(pump);
""")]),
        ("timeouts, and jobs that are slow", [
            ("core/job.c", "    if (work->timeout == UF_FOREVER || !work->timed.next) return;\n", "    return;\n"),
            ("core/job.c", "    if (work->timeout == UF_FOREVER) return;\n    while", "    return;\n    while"),
            ("core/job.c", "    if (work->took > work->timeout)\n", "    if (false)\n"),
            ("core/job.c", "    if (watches_time(pump) && ", "    if (false && "),
            ("core/job.c", "timeout != UF_FOREVER || pump->observers ? uf_pump_real_now(pump) : pump->clock.real;", "0;"),
            ("core/job.c", "    } else if (timeout <= 0) {\n", "    } else if (false) {\n"),
            ("core/job.c", "    work->timeout = timeout;\n    work->took = 0;\n", ""),
            ("core/job.c", "    work->submitted = now;\n", ""),
            ("host/pool.c", "    if (work->measured) work->took", "    if (false) work->took"),
            ("host/pool.c", "    work->measured = has_limit(work);\n    if (work->measured) work->begins = ufp_monotonic_now();\n", "")]),
        ("that a pump and its flows go before their jobs have come back; that a job is given up, or submitted again before its end", [
            ("core/job.c", "    ufi_list_insert(&pump->works, &work->of_pump);\n    if (pump->lasting == &pump->works) pump->lasting = &work->of_pump;\n", ""),
            ("core/job.c", "    if (work->pump->lasting == &work->of_pump) work->pump->lasting = work->of_pump.next;\n"
             "    ufi_list_remove(&work->of_pump);\n", ""),
            ("core/job.c", "    if (work->flow) --*in_flight(work->flow);\n", "    --*in_flight(work->flow);\n"),
            ("core/job.c", "    ufp_store(&work->cancelled, 0);\n", ""),
            ("core/job.c", "    work->progress = UFI_WORK_IN_POOL;\n", ""),
            ("core/job.c", "    if (job->status == UF_JOB_PENDING) abandon(flow, job);\n    *job = (uf_job){.worker = worker,", "    *job = (uf_job){.worker = worker,")]),
        ("a worker's failure, one that was dropped, a queue with an end, a limit for each flow, a submit from anywhere else", [
            ("core/job.c", "    if (work->dropped) return UF_JOB_REJECTED;\n", ""),
            ("core/job.c", "    if (work->failed) {\n", "    if (false) {\n"),
            ("core/job.c", "    work->measured = work->failed = work->dropped = work->slow = false;\n    work->reason[0] = '\\0';\n", ""),
            ("core/job.c", "    ++*in_flight(work->flow);\n", ""),
            ("core/job.c", "    --*in_flight(work->flow);\n", ""),
            ("core/job.c", "    if (*in_flight(flow) >= pump->config.jobs_per_flow) return UFI_REJECTED_AS \"too many of this flow are in flight\";\n", ""),
            ("core/job.c", "    if (worker->arguments_size + worker->value_size > UF_JOB_PAYLOAD)\n"
             "        return UFI_REJECTED_AS \"its arguments and result are too large\";\n", ""),
            ("core/job.c", "    if (!ufi_here(pump) || pump->current != flow || pump->cursor) return; /* no body of this flow's step */\n", "")]),
        ("that its flow may wait for something else; what other threads see of a step but its name", [
            ("core/job.c", """    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (arms[i].kind != UF_ARM_JOB || arms[i].on.job != job) continue;
        ufi_wake(flow);
        return;
    }
""", "    ufi_wake(flow);\n"),
            ORDER]),
    ]),
    "W7 timer": (["timers", "10000"], "timers", [
        ("what observers and `dump` see of a run but its step and its outcome: since when, and how often the body has run", [
            ("core/turn.c", """    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_time_release(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->ticks, 0);
    return flags""", "    return flags"),
            ("core/turn.c", "        count_tick(flow);\n        pump->next = stand_aside", "        pump->next = stand_aside")]),
        ("observers, stops, those who wait for the end of a run, cancels, pre-emption", [
            ("core/turn.c", "    if (UFI_FAST_PATHS && (flow->flags & OTHERWISE) == UFI_ENTERING && !pump->observers) enter(pump, flow);\n"
             "    else any_turn", "    if (flow->flags & UFI_ENTERING) enter(pump, flow);\n    else any_turn"),
            ("core/turn.c", "    return UFI_FAST_PATHS && intent.bits == UF_INTENT_PARK && !(flow->flags & NOT_ASIDE);", "    return intent.bits == UF_INTENT_PARK;"),
            ("core/turn.c", "    } else if (UFI_FAST_PATHS && is_done(intent) && ends_alone(pump, flow)) {", "    } else if (is_done(intent)) {"),
            ("core/turn.c", "    if (UFI_FAST_PATHS && !(flow->flags & (UFI_FAILING | UFI_JOBS)) && !flow->type->on_exit) return true;",
             "    return true;")]),
        ("a clock that may be scaled and frozen, jobs, conditions that are polled, a limit of time", [
            ("core/simulate.c", "    return next != UF_FOREVER && ufi_clock_move_to(&pump->clock, next);",
             "    pump->clock.real = pump->clock.logical = next;\n    return true;"),
            ("core/simulate.c", "    if (pump->works_in_flight && move_to_job(pump, next)) return true;\n", ""),
            ("core/simulate.c", "        if (pump->clock.logical >= limit) return UF_TIMED_OUT;\n"
             "        if (next == UF_FOREVER && ufi_next_job(pump) == UF_FOREVER) return UF_BLOCKED;\n", ""),
            ("core/simulate.c", "    return poll < deadline ? poll : deadline;", "    return deadline;")]),
        ("a round for each deadline, with its number, and what it asks for before and after", [
            ("core/simulate.c", "    ufi_rounds(pump, pump->config.pre_round ? 1 : UINT64_MAX);",
             "    if (pump->wheel.soonest <= pump->clock.logical) ufi_wake_due(pump);\n    ufi_run_ready(pump);")]),
        ("a list of those that are ready: a timer gives its flow the turn", [
            ("core/turn.c", "void ufi_wake_due(uf_pump *pump)\n", "UF_NOINLINE static void long_way(uf_pump *, uf_flow *, uint32_t, uf_intent);\n\n"
             "void ufi_wake_due(uf_pump *pump)\n"),
            ("core/turn.c", "        put_on_ready(pump, arm->owner, &pump->ready); /* through which nobody walks yet */\n",
             "        long_way(pump, arm->owner, 0, arm->owner->type->turn(arm->owner));\n        pump->next = NULL;\n"),
            ("core/simulate.c", "ufi_wake_due(pump);\n    ufi_run_ready(pump);", "ufi_wake_due(pump);\n    else ufi_run_ready(pump);")]),
        ("that a timer can be taken off the wheel before it fires", [
            ("core/wheel.c", "    arm->prev = last;\n    last->next = first->prev = arm;\n", "    last->next = arm;\n"),
            ("core/wheel.c", "    last->next = first->next;\n    first->next->prev = last;\n    if (level", "    last->next = first->next;\n    if (level"),
            ("core/wheel.c", "    if (deadline >= first->on.deadline || first->place & UNSORTED)", "    if (deadline >= first->on.deadline)"),
            ("core/wheel.c", "        soonest = first->place & UNSORTED ? UFI_WHEEL_UNKNOWN : first->on.deadline;", "        soonest = first->on.deadline;"),
            ("core/wheel.c", "    arm->place = (uint16_t)place;\n", ""),
            ("core/wheel.c", "    if (wheel->soonest == UFI_WHEEL_UNKNOWN) return look_and_take(wheel, now);\n", ""),
            ("core/wheel.c", """    uf_arm *earliest = first;

    for (uf_arm *arm = first; arm != last;) {
        if (at_most-- == 0) return false;
        arm = arm->next;
        if (arm->on.deadline < earliest->on.deadline) earliest = arm;
    }
    first->place = (uint16_t)place;
    if (earliest == first) return true;
    if (earliest == last) {
        wheel->slot[place] = last->prev;
        return true;
    }
    earliest->prev->next = earliest->next;
    earliest->next->prev = earliest->prev;
    earliest->next = first;
    earliest->prev = last;
    last->next = first->prev = earliest;
""", """    uf_arm *before = last, *earliest = first;

    for (uf_arm *arm = first; arm != last; arm = arm->next) {
        if (at_most-- == 0) return false;
        if (arm->next->on.deadline < earliest->on.deadline) before = arm, earliest = arm->next;
    }
    if (earliest == first) return true;
    if (earliest == last) {
        wheel->slot[place] = before;
        return true;
    }
    before->next = earliest->next;
    earliest->next = first;
    last->next = earliest;
""")]),
    ]),
}

# Those with two threads.
PEERS = {"W6 job, 256 in flight; time by plain": "plain"}
RUNS = 41


def left_out(tree, changes):
    for path, old, new in changes:
        name = os.path.join(tree, path)
        with open(name, encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            sys.exit(f"floors.py: {path} has changed: what is to be left out is there {text.count(old)} times:\n{old}")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))


def compiled(source, more, includes, output):
    subprocess.run(["gcc", *FLAGS, "-D_GNU_SOURCE", *includes, *more, source, "-pthread", "-o", output], check=True)


def includes_of(tree, work):
    return [f"-I{os.path.join(tree, d)}" for d in ("include", "core", "port", "host")] + [f"-I{work}", f"-I{HERE}/common"]


def add_times(rows, outputs, peer, arguments):
    """All programs take turns; the quickest run of each is the one that nothing else got into."""
    runs = {program: [] for program in (*outputs, peer)}
    for _ in range(RUNS):
        for program, times in runs.items():
            said = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout
            times.append(float(said.split()[0]))
    for row, output in zip(rows, outputs):
        row.append(round(min(runs[output]) / min(runs[peer]), 2))


def of_an_event(command, threads):
    """Of several threads: the whole program counts, less one with half as many events. It varies by some percent with what else runs."""
    instructions, said = callgrind(command, threads)
    events = int(said.split()[1])
    if not threads:
        return instructions / events
    less, said = callgrind([*command[:-1], str(int(command[-1]) // 2)], True)
    return (instructions - less) / (events - int(said.split()[1]))


def count(ufc, tree, program, flow, work, output, threads):
    made = os.path.join(work, f"{flow}.c")
    subprocess.run([ufc, "--no-line", os.path.join(HERE, "flows", f"{flow}.uflow"), "-o", made], check=True)
    sources = [*glob.glob(os.path.join(tree, "core", "*.c")), os.path.join(tree, "port", "posix.c")]
    if threads:
        sources += glob.glob(os.path.join(tree, "host", "*.c")) + [os.path.join(tree, "port", f"posix_{name}.c")
                                                                   for name in ("host", "descriptor", "epoll")]
    compiled(os.path.join(HERE, program[0], "uflow.c"), [made, *sources], includes_of(tree, work), output)
    return round(of_an_event([output, *program[1:]], threads), 1)


def floors_of(ufc, workload, work, check):
    program, flow, steps = WORKLOADS[workload]
    peer = PEERS.get(workload)
    tree = os.path.join(work, "runtime")
    rows, outputs = [], []
    shutil.copytree(RUNTIME, tree)
    for what, changes in [("as it is", []), *steps]:
        left_out(tree, changes)
        rows.append([what])
        if check:
            continue
        outputs.append(os.path.join(work, f"program{len(outputs)}"))
        rows[-1].append(count(ufc, tree, program, flow, work, outputs[-1], peer is not None))
    if peer and not check:
        output = os.path.join(work, peer)
        compiled(os.path.join(HERE, program[0], f"{peer}.c"), [], includes_of(tree, work), output)
        add_times(rows, outputs, output, program[1:])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with open(FIGURES, encoding="utf-8") as file:
        before = json.load(file)
    figures = {}
    for workload in WORKLOADS:
        if options.names and not workload.startswith(tuple(options.names)):
            figures[workload] = before.get(workload, [])
            continue
        with tempfile.TemporaryDirectory() as work:
            rows = figures[workload] = floors_of(options.ufc, workload, work, options.check)
        if not options.check:
            print(workload)
            for what, instructions, *time in rows:
                print(f"  {instructions:8.1f}  {''.join(f'{by:5.2f}  ' for by in time)}{what}", flush=True)
    if options.update:
        with open(FIGURES, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
