#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""W10, W11 and W6 on several CPUs: how the speed of several runtimes grows with their number. W10: they share nothing.
W11: they share one signal, checkpoint, mailbox, runtime or pool. Beside uflow, in turns: a mutex with a condition
variable, liburcu's wait-free queue, and libuv, if they were built and can do the same. In W10 there are also as many
processes with one runtime each. The difference is what the runtimes of one process cost each other, and the machine
allows no higher rate. "job pinned" is W10 with each runtime and its pool on one CPU. W6: one job in flight, with all
CPUs and with one. All CPUs must be idle.

usage: scaling.py BIN_DIR [--samples N] [--events N] [--workers N] [--json FILE] [--at-least RATIO]
                  [--not-behind RATIO] [KIND...]

BIN_DIR has scaling_uflow and the others: build/bin/bench/gcc. KIND is signal, checkpoint, mail, post, job, timer,
describe, fail, pipe, or flight (W6). Prints the events of all runtimes in a microsecond, as medians, and their ratio to
those of one runtime. For the others it prints their speed, and in brackets the ratio of uflow's: the median of the
samples, and its quartiles.

--workers: threads of the shared pool; otherwise as many as runtimes.
--json: also writes the figures to this file; bench/scaling_document.py makes tables of them.
--at-least: exit status 1 if uflow's ratio in W10 is lower, with as many runtimes as there are CPUs; on a machine where
    processes do not reach that ratio, if it is lower than 0.95 of theirs.
--not-behind: exit status 1 if uflow's speed in W11 by that of a mutex with a condition variable is lower, or in W6."""
import argparse
import os
import statistics
import subprocess
import sys
import time

from run import circumstances, json_of

# About 0.2 s of each runtime, so that processes that begin one after the other run at the same time.
EVENTS = {"signal": 1500000, "checkpoint": 500000, "mail": 2000000, "post": 2000000, "job": 1000000, "timer": 2000000,
          "describe": 3000000, "fail": 1000000, "pipe": 200000}
PINNED = ("job",)  # what depends on which threads the kernel puts on one CPU
ALONE = ("timer", "describe", "fail", "pipe")  # there is nothing to share
SLOW_EVENTS = {("uflow", "checkpoint", "shared"): 5000, ("mutex", "signal", "apart"): 10000,
               ("mutex", "signal", "shared"): 10000}  # each wakes a thread
FLIGHT = {"uflow": "uflow", "mutex": "baseline", "uv": "uv"}  # bench/jobs
JOBS = 20000
# libuv has one pool of threads in a process, so its loops cannot have one each.
PEERS = {
    "processes": {kind: "apart pinned" for kind in EVENTS},
    "mutex": {"signal": "apart shared", "mail": "apart shared", "post": "apart shared", "job": "apart shared"},
    "wfcqueue": {"mail": "apart shared", "post": "apart shared", "job": "apart shared"},
    "uv": {"timer": "apart", "post": "apart shared", "job": "shared"},
}


def run(commands):
    """The programs at the same time. Returns the ns for each event that each one prints."""
    runs = [subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
            for command in commands]
    printed = [each.communicate()[0] for each in runs]
    if any(each.returncode for each in runs):
        sys.exit(f"failed: {' '.join(map(str, commands[0]))}")
    return [float(text.split()[0]) for text in printed]


def speed(options, implementation, runtimes, kind, how):
    """Events in a microsecond. The program divides each runtime's share among 64 flows at most."""
    events = options.events or SLOW_EVENTS.get((implementation, kind, how), EVENTS[kind])
    processes, program = (runtimes, "uflow") if implementation == "processes" else (1, implementation)
    runtimes //= processes
    command = [os.path.join(options.bin_dir, f"scaling_{program}"), runtimes, kind, how, events,
               options.workers or runtimes]
    commands = [command] * processes
    if how == "pinned" and implementation == "processes":
        cpus = sorted(os.sched_getaffinity(0))
        commands = [["taskset", "-c", cpus[n % len(cpus)], *command] for n in range(processes)]
    return processes * 1000 / max(run(commands))


def quartiles(values):
    values = sorted(values)
    return values[len(values) // 4], statistics.median(values), values[-1 - len(values) // 4]


def short(number):
    return float(f"{number:.4g}")


def in_turns(samples, keys, measure):
    """Samples of each key. They take turns, so that a disturbance hits all of them."""
    found = {key: [] for key in keys}
    for _ in range(samples):
        for key in keys:
            found[key].append(measure(key))
    return found


def rows_of(workload, kind, found):
    """A row for each implementation and number of runtimes, or of CPUs."""
    rows = []
    of_one = {name: statistics.median(values) for (name, n), values in found.items() if n == 1}
    for (name, n), values in found.items():
        first, median, third = quartiles(values)
        row = {"workload": workload, "what": kind, "implementation": name, "number": n, "unit": "events per us",
               "median": short(median), "quartiles": [short(first), short(third)],
               "to_one": short(median / of_one[name])}
        if name != "uflow":
            first, median, third = quartiles([a / b for a, b in zip(found["uflow", n], values)])
            row |= {"ratio": short(median), "ratio_quartiles": [short(first), short(third)]}
        rows.append(row)
    for row in rows:  # what the machine can do
        bound = [r["to_one"] for r in rows if r["implementation"] == "processes" and r["number"] == row["number"]]
        if row["implementation"] == "uflow" and bound:
            row["bound"] = bound[0]
    return rows


def show(rows):
    for name in dict.fromkeys(row["implementation"] for row in rows):
        told = []
        for row in rows:
            if row["implementation"] != name:
                continue
            more = f"({row['to_one']:.2f})" if name == "uflow" else \
                f"[{row['ratio']:.2f}; {row['ratio_quartiles'][0]:.2f} to {row['ratio_quartiles'][1]:.2f}]"
            told.append(f"{row['number']}: {row['median']:.3g} {more}")
        print(f"{rows[0]['workload']:3} {rows[0]['what']:10} {name:9} {', '.join(told)}", flush=True)


def objections(options, rows, cpus):
    for row in rows:
        name, what = row["implementation"], f"{row['workload']} {row['what']} with {row['number']}"
        if row["workload"] == "W10" and name == "uflow" and row["number"] == cpus:
            least = min(options.at_least, 0.95 * row["bound"])
            if row["to_one"] < least:
                yield f"{what}: {row['to_one']:.2f} times that of one; at least {least:.2f}"
        if row["workload"] != "W10" and name == "mutex" and row["ratio"] < options.not_behind:
            yield f"{what}: {row['ratio']:.2f} times that of a mutex"


def transfer(directory, cpus, numbers):
    """The ns that a cache line takes from one CPU to another: the least of several runs."""
    program = os.path.join(directory, "scaling_line")
    if len(cpus) < 2 or not os.path.exists(program):
        return None
    return short(min(run([[program, cpus[0], cpus[1], numbers]])[0] for _ in range(5)))


def siblings(cpu):
    """The CPUs that are threads of the same core, as far as the system knows."""
    try:
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return None


def all_rows(options, built, cpus):
    numbers = sorted({1, 2, len(cpus), 2 * len(cpus)})
    directory = options.bin_dir

    kinds = {"apart": EVENTS, "pinned": PINNED, "shared": [kind for kind in EVENTS if kind not in ALONE]}
    for how, kind in [(how, kind) for how, of_how in kinds.items() for kind in of_how]:
        if options.kinds and kind not in options.kinds:
            continue
        names = [name for name in built if name == "uflow" or how in PEERS[name].get(kind, "")]
        found = in_turns(options.samples, [(name, n) for n in numbers for name in names],
                         lambda key, k=kind, h=how: speed(options, *key, k, h))
        yield rows_of("W11" if how == "shared" else "W10", f"{kind} pinned" if how == "pinned" else kind, found)
    if options.kinds and "flight" not in options.kinds:
        return
    there = [name for name, of in FLIGHT.items() if os.path.exists(os.path.join(directory, f"jobs_{of}"))]
    last = str(cpus[-1])  # most interrupts arrive at the first one
    pinned = {n: ["taskset", "-c", last if n == 1 else ",".join(map(str, cpus))] for n in (1, len(cpus))}
    yield rows_of("W6", "flight", in_turns(
        options.samples, [(name, n) for n in pinned for name in there],
        lambda key: 1000 / run([[*pinned[key[1]], os.path.join(directory, f"jobs_{FLIGHT[key[0]]}"), 1,
                                 options.events or JOBS]])[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--events", type=int, default=0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("--not-behind", type=float, default=0)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_intermixed_args()
    built = [name for name in ("uflow", *PEERS)
             if name == "processes" or os.path.exists(os.path.join(options.bin_dir, f"scaling_{name}"))]
    unknown = set(options.kinds) - set(EVENTS) - {"flight"}
    if unknown or "uflow" not in built:
        sys.exit(f"there is no {', '.join(unknown) or os.path.join(options.bin_dir, 'scaling_uflow')}")
    cpus, began = sorted(os.sched_getaffinity(0)), time.monotonic()
    about = circumstances([os.path.basename(os.path.normpath(options.bin_dir))])
    about |= {"siblings": siblings(cpus[0]), "samples": options.samples,
              "absent": [name for name in PEERS if name not in built],
              "transfer_ns": transfer(options.bin_dir, cpus, options.events or 200000)}
    print(f"{about['cpu']}, {about['cpus']} CPUs, threads of one core: {about['siblings']}, load {about['load']:.1f}; "
          f"commit {about['commit']}; a cache line takes {about['transfer_ns']} ns to another CPU")
    rows = []
    for found in all_rows(options, built, cpus):
        show(found)
        rows += found
    about["seconds"] = round(time.monotonic() - began)
    about["partial"] = bool(options.kinds or options.events or options.workers)
    print(f"{about['seconds']} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json_of({**about, "rows": rows}))
    low = list(objections(options, rows, len(cpus)))
    if low:
        sys.exit("too slow: " + "; ".join(low))


if __name__ == "__main__":
    main()
