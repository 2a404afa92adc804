#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the figures of docs/scaling.md, so that none of them is typed by hand.

usage: scaling_document.py [--update] [--results SCALING_JSON]

The text between `<!-- NAME -->` and `<!-- /NAME -->` is made here, from bench/scaling.json. Without options it compares
(exit status 0: the document is up to date). --update writes the document. --results first copies a complete run of
scaling.py, from a commit, to scaling.json."""
import argparse
import json
import os
import sys

from document import HERE, load, table, with_section
from run import json_of

DOCUMENT = os.path.join(os.path.dirname(HERE), "docs", "scaling.md")
APART = {"signal": "signals", "checkpoint": "checkpoints, armed", "mail": "mailboxes", "post": "posts",
         "job": "jobs, each with a pool of its own", "job pinned": "the same, each with its pool on one CPU",
         "timer": "timers", "describe": "`describe`", "fail": "`fail`", "pipe": "hops through a pipe"}
# The cache lines that move in each operation, if two CPUs take turns; see the table of predictions there.
SHARED = {"signal": ("signal, awaited in each runtime", 4), "checkpoint": ("checkpoint", None),
          "mail": ("mailbox", 5), "post": ("runtime, posted to", 3), "job": ("pool of threads", 6)}
PEERS = {"mutex": "a mutex", "wfcqueue": "liburcu's queue", "uv": "libuv"}
FLIGHT = {"uflow": "uflow", "mutex": "plain pool: two mutexes, two condition variables", "uv": "libuv"}


def rows_by(run, workload, what):
    return {(row["implementation"], row["number"]): row for row in run["rows"]
            if (row["workload"], row["what"]) == (workload, what)}


def numbers_of(run, workload):
    return sorted({row["number"] for row in run["rows"] if row["workload"] == workload})


def rate(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def machine(run):
    threads = run["siblings"]
    line = "is not known" if run["transfer_ns"] is None else f"takes {run['transfer_ns']:.0f} ns"
    return [f"{run['cpu']}, {run['cpus']} CPUs (the system says that {threads or 'unknown'} are threads of one core), "
            f"{run['kernel']}, load {run['load']:.1f} at the start, commit {run['commit']}. "
            f"The transfer of a cache line to another CPU {line}."]


def apart(run):
    numbers = numbers_of(run, "W10")[1:]
    head = ["runtimes that share nothing", "one, M/s", *(f"{n} runtimes, by one" for n in numbers),
            *(f"{n} processes, by one" for n in numbers)]
    rows = []
    for kind, name in APART.items():
        found = rows_by(run, "W10", kind)
        rows.append([name, rate(found["uflow", 1]["median"]),
                     *(f"{found[side, n]['to_one']:.2f}" for side in ("uflow", "processes") for n in numbers)])
    return table(head, ["---", *["--:"] * (len(head) - 1)], rows)


def predicted(alone, transfers, transfer_ns):
    """For two CPUs: each operation takes as long as alone, and also waits for its lines; lines move in turn."""
    if not transfers or not transfer_ns:
        return "–"
    own, moves = 1 / alone, transfers * transfer_ns / 1000
    return rate(min(2 / (own + moves), 1 / moves))


def ratios(found, numbers):
    for name, told in PEERS.items():
        of_name = [found[name, n] for n in numbers if (name, n) in found]
        if of_name:
            yield f"{told} " + " / ".join(f"{row['ratio']:.2f}" for row in of_name)


def shared(run):
    numbers = numbers_of(run, "W11")
    head = ["all use one", "c", "one, M/s", "two, predicted", *(f"{n}, M/s" for n in numbers[1:]),
            f"by others ({' / '.join(map(str, numbers))})"]
    rows = []
    for kind, (name, transfers) in SHARED.items():
        found = rows_by(run, "W11", kind)
        alone = found["uflow", 1]["median"]
        rows.append([name, str(transfers or "–"), rate(alone), predicted(alone, transfers, run["transfer_ns"]),
                     *(rate(found["uflow", n]["median"]) for n in numbers[1:]), "; ".join(ratios(found, numbers))])
    return table(head, ["---", *["--:"] * (len(head) - 2), "---"], rows)


def flight(run):
    found = rows_by(run, "W6", "flight")
    numbers = numbers_of(run, "W6")
    head = ["one job in flight, there and back", *(f"{n} CPU{'s' if n > 1 else ''}, µs" for n in numbers)]
    rows = [[told, *(f"{1 / found[name, n]['median']:.1f}" for n in numbers)]
            for name, told in FLIGHT.items() if (name, 1) in found]
    return table(head, ["---", *["--:"] * len(numbers)], rows)


def take_results(path):
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        if run["partial"]:
            sys.exit(f"{path} is a part of a run: run bench/scaling.py without KIND, --events and --workers")
        if not run["commit"] or run["commit"].endswith("-dirty"):
            sys.exit(f"{path} is not of a commit: commit, build, and run bench/scaling.py again")
        for make in (machine, apart, shared, flight):
            make(run)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path} was not written by bench/scaling.py")
    with open(os.path.join(HERE, "scaling.json"), "w", encoding="utf-8") as file:
        file.write(json_of(run))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--results", metavar="SCALING_JSON")
    options = parser.parse_args()
    if options.results:
        take_results(options.results)
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    made, run = text, load("scaling.json")
    for make in (machine, apart, shared, flight):
        made = with_section(made, make.__name__, make(run))
    if options.update or options.results:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(made)
    elif made != text:
        sys.exit(f"{DOCUMENT} differs from bench/scaling.json: run scaling_document.py --update")


if __name__ == "__main__":
    main()
