#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the figures of docs/performance.md, so that none of them is typed by hand.

usage: document.py [--update] [--results BENCH_JSON] [--servers SERVERS_JSON]

The text between `<!-- NAME -->` and `<!-- /NAME -->` is made here: `costs` from results.json and instructions.json,
`servers` from servers.json, `threads` from server_threads.json, `tokens` by tokens.py, `compiler` from results.json,
`sizes` from sizes.json, and `bare` from bare.json. Without options it compares (exit status 0: the document is up to
date). --update writes the document, and names the figures that results.json and instructions.json lack.
--results first copies a complete run of run.py, built from a commit, to results.json; --servers, one of servers.py to
servers.json or server_threads.json."""
import argparse
import json
import os
import sys

import tokens as programs
from cases import CASES, UFC
from run import json_of

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(os.path.dirname(HERE), "docs", "performance.md")
COMPILER = "gcc"  # the document shows its figures; results.json has those of clang as well
COLUMNS = {"baseline": "baseline", "protothread": "protothreads", "coroutine": "C++20 coroutines", "uv": "libuv"}
OTHERS = {"thread": "threads", "condition": "condition variables", "unobserved": "without it",
          "without": "without it"}
COUNTED = {"transition, one flow": "W1 transition", "firing a signal that a flow awaits": "W4 fire",
           "await of a signal, 1 000 flows: per flow": "W5 release, lone arm",
           "await of a signal with a timeout, 1 000 flows: per flow": "W5 release, beside a timeout",
           "timeout set and expired, 10 000 flows": "W7 timer set and fired",
           "transition with an observer of two callbacks": "observed by two callbacks",
           "transition compiled with --coverage": "counted for coverage",
           "transition with counters attached": "observed by counters",
           "transition with a trace attached": "observed by trace",
           "transition with a recorder attached": "observed by recorder",
           "plain schedule of a test": "test, plain schedule",
           "explored schedule of a test": "test, explored schedule"}
WAKE_UPS = {"one_way_p50_ns": "wake-up by another thread, median",  # W9: samples of a case of W4
            "one_way_p99_ns": "wake-up by another thread, 99th percentile"}
WAKE_UPS_OF = "round trip between two threads, by signals"
NAMES = {"uf_flow": "the header of every flow", "uf_arm": "each arm of a flow's widest await", "uf_signal": "a signal",
         "uf_pump": "a pump", "Smallest": "the smallest flow", "Three": "a flow of three steps and a timeout",
         "Typical": "a typical flow", "Moles": "a game of seven machines", "Large": "a large flow with two subflows"}

BARE = {"code": "code", "memory": "memory", "stack": "stack", "wait": "instructions per wait",
        "second": "instructions per second of the game", "tick": "per idle tick", "lines": "lines of source"}


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def table(head, align, rows):
    return [f"| {' | '.join(cells)} |" for cells in (head, align, *rows)]


def number(value):
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}".replace(",", " ")


def figure(row):
    return "–" if row is None else number(row["median"]) + (f" ± {row['spread']:.0%}" if row["spread"] > 0.1 else "")


def wake_ups(found):
    """W9: how long it takes from a signal to the step that awaits it, on another thread."""
    for key, name in WAKE_UPS.items():
        if key in found["uflow"]:
            figures = {name: number(row[key]) for name, row in found.items()}
            others = "; ".join(f"{OTHERS[name]} {figures[name]}" for name in OTHERS if name in found)
            yield [name, figures["uflow"], "", *(figures.get(name, "–") for name in COLUMNS), others]


def costs():
    run, counts = load("results.json"), load("instructions.json")
    counts = next(figures for key, figures in counts.items() if f" {COMPILER} " in key)
    rows = []
    for case in CASES:
        found = {row["implementation"]: row for row in run["rows"]
                 if (row["workload"], row["what"], row["compiler"]) == (case.workload, case.what, COMPILER)}
        count = counts.get(COUNTED.get(case.name))
        if not case.name or not (found or count):
            continue
        others = "; ".join(f"{OTHERS[name]} {figure(found[name])}" for name in OTHERS if name in found)
        rows.append([case.name + (", bytes" if case.unit != "ns" else ""), figure(found.get("uflow")),
                     f"{count:.0f}" if count else "",
                     *(figure(found.get(name)) for name in COLUMNS), others])
        if case.name == WAKE_UPS_OF:
            rows += wake_ups(found)
    about = (f"{run['cpu']}, {run['cpus']} CPUs, {run['kernel']}; {run['compilers'][COMPILER]}, -O2; "
             f"medians of {run['repeat']} runs of commit {run['commit']}. Times in nanoseconds.")
    return [about, "", *table(["", "uflow", "instructions", *COLUMNS.values(), "others"],
                              ["---", *["---:"] * (len(COLUMNS) + 2), "---"], rows)]


def compiler():
    rows = []
    for row in load("results.json")["rows"]:
        if row["workload"] != UFC[0] or row["compiler"] != COMPILER:
            continue
        what = {"uflow": "ufc", "compiler": f"{COMPILER} -O0 -c of its output"}[row["implementation"]]
        peak = row.get("peak_bytes_per_line")
        rows.append([f"{what}, {row['what'].split(': ')[1]}", figure(row), number(peak) if peak else ""])
    return table(["", "ns per line", "peak bytes per line"], ["---", "---:", "---:"], rows)


def threads():
    """W8, from servers.py --threads."""
    run = load("server_threads.json")
    first = run["rows"][0]["server"]
    rows = [[row["what"], row["server"], f"{row['cpu_ns'] / 1000:.2f}", ratio_of(row),
             number(row["requests_per_s"])] for row in run["rows"]]
    head = ["file", "server", "CPU time of a request, µs", f"beside {first}", "requests per second"]
    return [about_servers(run), "", *table(head, ["---", "---", "---:", "---:", "---:"], rows)]


def ratio_of(row):
    return f"{row['ratio']:.2f} ({row['low']:.2f} to {row['high']:.2f})" if "ratio" in row else ""


def about_servers(run):
    return (f"{run['cpu']}, {run['cpus']} CPUs, {run['kernel']}; {run['connections']} connections, "
            f"{run['rounds']} rounds of {run['seconds_each']} s, commit {run['commit']}.")


def servers():
    """W8, from servers.py."""
    run = load("servers.json")
    rows = []
    for row in run["rows"]:
        calls = sum(row["system_calls"].values())
        rows.append([row["what"], row["server"], f"{row['cpu_ns'] / 1000:.2f}", ratio_of(row),
                     f"{calls:.1f}" if calls else "–"])
    head = ["file", "server", "CPU time of a request, µs", "beside the hand-written loop", "system calls"]
    return [about_servers(run), "", *table(head, ["---", "---", "---:", "---:", "---:"], rows)]


def tokens():
    rows = [[name, str(flows), str(by_hand), f"{flows / by_hand:.2f}", str(shared)]
            for name, flows, by_hand, shared in programs.rows()]
    return table(["tokens", "flows", "by hand", "ratio", "shared"], ["---", *["---:"] * 4], rows)


def sizes():
    figures = load("sizes.json")
    machines = list(figures["memory"])
    memory = [[NAMES[name], *(str(figures["memory"][machine].get(name, "–")) for machine in machines)]
              for name in figures["memory"][machines[0]]]
    code = [[name, str(size)] for name, size in figures["code"].items()]
    added = [[name, str(size)] for name, size in figures["added"].items()]
    return [*table(["bytes of memory", *machines], ["---", *["---:"] * len(machines)], memory), "",
            "Cortex-M4, `-Os -ffunction-sections -DUF_NO_FLOAT`, linked with `--gc-sections`, without the C library "
            f"and libgcc; {figures['compiler']}:",
            "", *table(["bytes of code and constants", "Cortex-M4"], ["---", "---:"], code), "",
            "The table shows what the first use of a feature adds to core with steps and a timeout. Features share "
            "code, so two of them together add less:",
            "", *table(["bytes of code and constants", "Cortex-M4"], ["---", "---:"], added)]


def bare():
    run = load("bare.json")
    lines = [f"{run['compiler']}; QP/C {run['qpc']}."]
    for flow in dict.fromkeys(row["flow"] for row in run["rows"]):
        of_flow = [row for row in run["rows"] if row["flow"] == flow]
        columns = [column for column in BARE if column in of_flow[0]]
        rows = [[row["implementation"], *(str(row[column]) for column in columns)] for row in of_flow]
        lines += ["", *table([NAMES[flow.capitalize()], *(BARE[column] for column in columns)],
                             ["---", *["---:"] * len(columns)], rows)]
    return lines


def lacking(run):
    """The figures of the document that a run lacks."""
    found = {(row["workload"], row["what"]): row for row in run["rows"]
             if (row["implementation"], row["compiler"]) == ("uflow", COMPILER)}
    lacks = [case.what for case in CASES if (case.workload, case.what) not in found]
    for case in CASES:
        if case.name == WAKE_UPS_OF and (case.workload, case.what) in found:
            lacks += [f"{key} of {case.what}" for key in WAKE_UPS if key not in found[case.workload, case.what]]
    return lacks


def uncounted():
    counts = load("instructions.json")
    counts = next(figures for key, figures in counts.items() if f" {COMPILER} " in key)
    return [name for name in COUNTED.values() if name not in counts]


def objection(run):
    """Why a run must not be published; None: it may."""
    if not run["commit"] or run["commit"].endswith("-dirty"):
        return "was built from uncommitted sources; commit, and run ./dev bench again"
    if run["partial"]:
        return "is partial; run ./dev bench without arguments, to its end"
    if lacking(run):
        return f"lacks {', '.join(lacking(run))} with {COMPILER}"
    if all(row["ratio"] is None for row in run["rows"] if "ratio" in row):
        return "has no ratio that is not void; run ./dev bench on a quiet machine"
    return None


def take_results(path):
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        problem = objection(run)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}; ./dev bench writes build/bench.json")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path} was not written by bench/run.py; ./dev bench writes build/bench.json")
    if problem:
        sys.exit(f"{path} {problem}")
    rows = [{key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in row.items()}
            for row in run["rows"]]
    with open(os.path.join(HERE, "results.json"), "w", encoding="utf-8") as file:
        file.write(json_of({**run, "rows": rows}))


def take_servers(path):
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        there = {row["server"].split(",")[0] for row in run["rows"]}
        name = "servers.json" if run["threads"] == 1 else "server_threads.json"
        if not run["commit"] or run["commit"].endswith("-dirty"):
            sys.exit(f"{path} was built from uncommitted sources; commit, and run bench/servers.py again")
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    except (ValueError, KeyError, TypeError):
        sys.exit(f"{path} was not written by bench/servers.py")
    absent = {"nginx", "lighttpd"} - there
    if absent:
        sys.exit(f"{path} lacks {', '.join(sorted(absent))}")
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(json_of(run))


def with_section(text, name, lines):
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"the document does not have one place for {name}")
    before, rest = text.split(begin)
    return before + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--results", metavar="BENCH_JSON")
    parser.add_argument("--servers", metavar="SERVERS_JSON")
    options = parser.parse_args()
    if options.results:
        take_results(options.results)
    if options.servers:
        take_servers(options.servers)
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    made = text
    for make in (costs, servers, threads, tokens, compiler, sizes, bare):
        made = with_section(made, make.__name__, make())
    if options.update or options.results or options.servers:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(made)
        for name, lacks, how in (("results.json", lacking(load("results.json")), "./dev bench"),
                                 ("instructions.json", uncounted(), "bench/instructions.py --update")):
            if lacks:
                print(f"{name} lacks {', '.join(lacks)}: {how} measures it", file=sys.stderr)
    elif made != text:
        sys.exit(f"{DOCUMENT} differs from bench/*.json: run document.py --update")


if __name__ == "__main__":
    main()
