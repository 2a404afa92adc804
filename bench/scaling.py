#!/usr/bin/env python3
"""W10 and W11: how the speed of several runtimes grows with their number. W10: they share nothing. W11: they share one
signal, checkpoint, mailbox, runtime or pool. Beside uflow, in turns: a mutex with a condition variable, liburcu's
wait-free queue, and libuv, as far as they were built and do the same. In W10 also as many processes with one runtime
each: what they are faster by, the runtimes of one process cost each other. All CPUs must be idle.

usage: scaling.py BIN_DIR [--samples N] [--events N] [--workers N] [--at-least RATIO] [--not-behind RATIO] [KIND...]

BIN_DIR has scaling_uflow and the others: build/bin/bench/gcc. KIND is signal, checkpoint, mail, timer, post or job.
Prints the events of all runtimes in a microsecond, as medians, and their ratio to those of one runtime; of the others
their speed, and in brackets uflow's by theirs: the median of the samples, and its quartiles.

--workers: threads of the shared pool; otherwise as many as runtimes.
--at-least: exit status 1 if uflow's ratio in W10 is lower, with as many runtimes as there are CPUs.
--not-behind: exit status 1 if uflow's speed in W11 by that of a mutex with a condition variable is lower."""
import argparse
import os
import statistics
import subprocess
import sys

EVENTS = {"signal": 500000, "checkpoint": 200000, "mail": 2000000, "timer": 1000000, "post": 1000000, "job": 1000000}
SHARED_EVENTS = EVENTS | {"checkpoint": 5000} # each wakes other threads
# libuv has one pool of threads in a process, so its loops cannot have one each.
PEERS = {
    "processes": {kind: "apart" for kind in EVENTS},
    "mutex": {"signal": "apart shared", "mail": "apart shared", "post": "apart shared", "job": "apart shared"},
    "wfcqueue": {"mail": "apart shared", "post": "apart shared", "job": "apart shared"},
    "uv": {"timer": "apart", "post": "apart shared", "job": "shared"},
}


def speed(directory, implementation, runtimes, kind, how, events, workers):
    """Events in a microsecond. The program divides each runtime's share among 64 flows at most."""
    processes, program = (runtimes, "uflow") if implementation == "processes" else (1, implementation)
    runtimes //= processes
    command = [os.path.join(directory, f"scaling_{program}"), runtimes, kind, how, events, workers or runtimes]
    runs = [subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
            for _ in range(processes)]
    printed = [run.communicate()[0] for run in runs]
    if any(run.returncode for run in runs):
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return processes * 1000 / max(float(text.split()[0]) for text in printed)


def quartiles(values):
    values = sorted(values)
    return values[len(values) // 4], statistics.median(values), values[-1 - len(values) // 4]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin_dir")
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--events", type=int, default=0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--at-least", type=float, default=0)
    parser.add_argument("--not-behind", type=float, default=0)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_intermixed_args()
    built = [name for name in ("uflow", *PEERS)
             if name == "processes" or os.path.exists(os.path.join(options.bin_dir, f"scaling_{name}"))]
    unknown = set(options.kinds) - set(EVENTS)
    if unknown or "uflow" not in built:
        sys.exit(f"there is no {', '.join(unknown) or os.path.join(options.bin_dir, 'scaling_uflow')}")
    cpus = len(os.sched_getaffinity(0))
    numbers = sorted({1, 2, cpus, 2 * cpus})
    low = []

    def measure(how, kind):
        names = [name for name in built if name == "uflow" or how in PEERS[name].get(kind, "")]
        samples = {(name, n): [] for name in names for n in numbers}
        events = options.events or (EVENTS if how == "apart" else SHARED_EVENTS)[kind]
        for _ in range(options.samples): # they take turns, so that a disturbance hits all of them
            for n in numbers:
                for name in names:
                    samples[name, n].append(speed(options.bin_dir, name, n, kind, how, events, options.workers))
        alone = statistics.median(samples["uflow", 1])
        for name in names:
            told = []
            for n in numbers:
                median = statistics.median(samples[name, n])
                if name == "uflow":
                    told.append(f"{n}: {median:.2f} ({median / alone:.2f})")
                    if how == "apart" and n == cpus and median < options.at_least * alone:
                        low.append(f"{kind} with {n} runtimes is {median / alone:.2f} times that of one")
                    continue
                first, ratio, third = quartiles([a / b for a, b in zip(samples["uflow", n], samples[name, n])])
                told.append(f"{n}: {median:.2f} [{ratio:.2f}; {first:.2f} to {third:.2f}]")
                if how == "shared" and name == "mutex" and ratio < options.not_behind:
                    low.append(f"{kind} shared by {n} runtimes is {ratio:.2f} times that of a mutex")
            print(f"{'W10' if how == 'apart' else 'W11'} {kind:10} {name:9} {', '.join(told)}", flush=True)

    for how in ("apart", "shared"):
        for kind in options.kinds or EVENTS:
            if kind != "timer" or how == "apart": # a timer belongs to one runtime
                measure(how, kind)
    if low:
        sys.exit("too slow: " + "; ".join(low))


if __name__ == "__main__":
    main()
