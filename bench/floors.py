#!/usr/bin/env python3
"""What the contract costs: instructions of a workload with one thing after the other left out of core. Each is left out on top of
those before it, and the program still comes to its end and to the same result; what it does not keep any more is said.

usage: floors.py PROGRAM_UFC [--update | --check]

PROGRAM_UFC is ufc. --update writes floors.json, from which document.py makes a table; --check looks whether what is to be left out
is still there (exit status 0: it is), and builds nothing."""
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
RUNTIME = os.path.join(os.path.dirname(HERE), "runtime")
FLAGS = ["-std=gnu11", "-O2", "-DNDEBUG", "-fno-jump-tables", "-w"]

ORDER = ("core/turn.c", """    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_release(&flow->state, state);
    ufp_store_time(&flow->entered, pump->clock.logical);
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
            ("core/signal.c", "    ufp_add(&signal->firing, UINT32_MAX);\n\n    for", "\n    for"),
            ("core/signal.c", "    ufp_add(&signal->firing, 1);\n    if (ufp_swap_wide", "    if (ufp_swap_wide")]),
        ("that other threads fire, wait and leave at the same time", [
            ("core/signal.c", "    ufp_enter();\n    uf_pump *told = tell_guests", "    uf_pump *told = tell_guests"),
            ("core/signal.c", "    if (calls) take_callbacks(signal, &called);\n    ufp_leave();\n", "")]),
    ]),
    "W5 release, lone arm": (["broadcast", "1000", "20", "lone"], "waiter", [
        ("what other threads see of a step but its name, and how often it has run", [ORDER, (
            "core/turn.c", "    uint32_t const ticks = flow->ticks + 1;\n    if (!(ticks & UFI_CHANGING)) ufp_store(&flow->ticks, ticks);\n", "")]),
        ("that other threads fire meanwhile, and know how many they have released", [(
            "core/broadcast.h", """    do {
        word = ufp_load_wide(&signal->word);
        if (ufi_epoch_of(word) != since) return false;
    } while (!ufp_swap_wide(&signal->word, word, word + 1));
    return true;
""", "    (void)word, (void)since;\n    signal->word++;\n    return true;\n")]),
        ("what a step may have done beside its wait", [
            ("core/turn.c", "is_woken_next(intent) && !(flow->flags & EXCEPTIONAL);", "is_woken_next(intent);"),
            ("core/turn.c", "intent == UF_INTENT_PARK && !(flow->flags & NOT_ASIDE);", "intent == UF_INTENT_PARK;"),
            ("core/fired.c", " || flow->flags & UFI_STAYING)\n", ")\n")]),
        ("that who waits may leave before, or wait for something else as well, or at another signal", [SPLICE_PARKED, *SPLICE_RELEASED]),
    ]),
    "W7 timer": (["timers", "10000"], "timers", [
        ("what observers and `dump` see of a run but its step and its outcome: since when, and how often the body has run", [
            ("core/turn.c", """    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_time(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->ticks, 0);
    return flags""", "    return flags"),
            ("core/turn.c", "        count_tick(flow);\n        pump->next = stand_aside", "        pump->next = stand_aside")]),
        ("observers, stops, those who wait for the end of a run, cancels, pre-emption", [
            ("core/turn.c", "    if (SHORT_CUTS && (flow->flags & OTHERWISE) == UFI_ENTERING && !pump->observers) enter(pump, flow);\n"
             "    else any_turn", "    if (flow->flags & UFI_ENTERING) enter(pump, flow);\n    else any_turn"),
            ("core/turn.c", "    return SHORT_CUTS && intent == UF_INTENT_PARK && !(flow->flags & NOT_ASIDE);", "    return intent == UF_INTENT_PARK;"),
            ("core/turn.c", "    } else if (SHORT_CUTS && is_done(intent) && ends_alone(pump, flow)) {", "    } else if (is_done(intent)) {"),
            ("core/turn.c", "    if (SHORT_CUTS && !(flow->flags & (UFI_FAILING | UFI_JOBS)) && !flow->type->on_exit) return true;",
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
            ("core/turn.c", "void ufi_wake_due(uf_pump *pump)\n", "UF_APART static void long_way(uf_pump *, uf_flow *, uint32_t, uf_intent);\n\n"
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


def left_out(tree, changes):
    for path, old, new in changes:
        name = os.path.join(tree, path)
        with open(name, encoding="utf-8") as file:
            text = file.read()
        if text.count(old) != 1:
            sys.exit(f"floors.py: {path} has changed: what is to be left out is there {text.count(old)} times:\n{old}")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))


def count(ufc, tree, program, flow, work):
    made = os.path.join(work, f"{flow}.c")
    subprocess.run([ufc, "--no-line", os.path.join(HERE, "flows", f"{flow}.uflow"), "-o", made], check=True)
    sources = [*glob.glob(os.path.join(tree, "core", "*.c")), os.path.join(tree, "port", "posix.c")]
    output = os.path.join(work, program[0])
    includes = [f"-I{os.path.join(tree, d)}" for d in ("include", "core", "port", "host")] + [f"-I{work}", f"-I{HERE}/common"]
    subprocess.run(["gcc", *FLAGS, "-D_GNU_SOURCE", *includes, made, *sources, os.path.join(HERE, program[0], "uflow.c"), "-pthread",
                    "-o", output], check=True)
    instructions, said = callgrind([output, *program[1:]], False)
    return round(instructions / int(said.split()[1]), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    figures = {}
    for workload, (program, flow, steps) in WORKLOADS.items():
        with tempfile.TemporaryDirectory() as work:
            tree = os.path.join(work, "runtime")
            shutil.copytree(RUNTIME, tree)
            rows = [["as it is", None if options.check else count(options.ufc, tree, program, flow, work)]]
            for what, changes in steps:
                left_out(tree, changes)
                rows.append([what, None if options.check else count(options.ufc, tree, program, flow, work)])
            figures[workload] = rows
        if not options.check:
            print(workload)
            for what, instructions in rows:
                print(f"  {instructions:8.1f}  {what}")
    if options.update:
        with open(os.path.join(HERE, "floors.json"), "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
