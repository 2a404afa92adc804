#!/usr/bin/env python3
"""Puts the figures of docs/performance.md where they belong; none of them is typed in by hand.

usage: document.py [--update] [--results BENCH_JSON] [--history]

Between `<!-- NAME -->` and `<!-- /NAME -->` stands what is made here: `results` of results.json, `history` of history.json,
`sizes` of sizes.json, which sizes.py writes, `floors` of floors.json, which floors.py does, and `ufc_floors` of ufc_floors.json, of
ufc_floors.py. Without options: whether that is so (exit status 0: it is). --update writes it.
--results takes over what run.py has written, if that is a whole run of what is committed, and --history the instruction counts of
the commits that changed them, each into its file, and updates."""
import argparse
import json
import os
import subprocess
import sys

from cases import CASES

HERE = os.path.dirname(os.path.abspath(__file__))
DOCUMENT = os.path.join(os.path.dirname(HERE), "docs", "performance.md")
COUNTED = ("W1 transition", "W2 transition, 1000 flows", "W4 fire", "W5 release, lone arm", "W5 release, beside a timeout",
           "W7 timer set and fired", "observed by counters", "ufc, a line of 5000")
NOTABLE = 0.02
LIMIT = "limit: "  # and the name of what it is the limit of


def load(name):
    try:
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def store(name, figures):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1, ensure_ascii=False)
        file.write("\n")


def table(head, rows, align=None):
    align = align or ["---"] * len(head)
    return [f"| {' | '.join(cells)} |" for cells in (head, align, *rows)]


# -- results -----------------------------------------------------------------------------------------------------------

def figure(row):
    places = 2 if row["median"] < 100 else 0
    return f"{row['median']:.{places}f}{'' if row['spread'] <= 0.1 else ' ± ' + format(row['spread'], '.0%')}"


def verdict(rows):
    said = {True: "met", False: "**not met**", None: "runs differ"}
    found = []
    for row in rows:
        if "target" in row:
            side = "" if row["side"] == "uflow" else f" {row['side']}"
            found.append(f"≤ {row['target']:.4g}{' ×' if side else ''}{side}: {said[row['met']]}")
    return "; ".join(found)


def ratios(rows):
    return "; ".join(f"{row['side']} {'void' if row['ratio'] is None else format(row['ratio'], '.3g')}" for row in rows if "ratio" in row)


def results(run):
    if not run:
        return ["No run has been taken over yet: `python3 bench/document.py --results build/bench.json`."]
    groups = {}
    for row in run["rows"]:
        groups.setdefault((row["workload"], row["what"], row["compiler"], row["unit"]), []).append(row)
    judged = [row["met"] for row in run["rows"] if "met" in row]
    compilers = ", ".join(run["compilers"].values())
    lines = [f"{run['cpu']}, {run['cpus']} CPUs, {run['kernel']}, load {run['load']:.1f}; {compilers}; commit {run['commit']}; medians of "
             f"{run['repeat']} runs. {len(judged)} targets: {judged.count(True)} met, {judged.count(False)} not met, "
             f"{judged.count(None)} where the runs differ.", ""]
    return lines + table(["", "what", "compiler", "uflow", "uflow by", "target"],
                         [[workload, f"{what}, {unit}", compiler, figure(rows[0]), ratios(rows), verdict(rows)]
                          for (workload, what, compiler, unit), rows in groups.items()], ["---", "---", "---", "---:", "---", "---"])


def read_run(path):
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        run["rows"] = [{key: value for key, value in row.items() if key != "runs"} for row in run["rows"]]
        results(run)
    except OSError as problem:
        sys.exit(f"{path}: {problem.strerror}; ./dev bench writes build/bench.json")
    except (ValueError, KeyError, TypeError, AttributeError):
        sys.exit(f"{path} is not what bench/run.py writes; ./dev bench writes build/bench.json")
    return run


def objection(run):
    """Why these figures are not to stand for the program; None: they may."""
    if not run["commit"] or run["commit"].endswith("-dirty"):
        return "was built from what is not committed; commit, and run ./dev bench again"
    there = {(row["workload"], row["compiler"]) for row in run["rows"]}
    wanted = sorted({case.workload for case in CASES} | {"ufc"})
    for compiler in {**(load("results.json") or run)["compilers"], **run["compilers"]}:
        absent = [workload for workload in wanted if (workload, compiler) not in there]
        if absent:
            return f"lacks {', '.join(absent)} with {compiler}; run ./dev bench without arguments, and with both compilers"
    if run.get("partial"):
        return "is partial; run ./dev bench without arguments, to its end"
    if all(row["ratio"] is None for row in run["rows"] if "ratio" in row):
        return "is void throughout; run ./dev bench on a quiet machine"
    return None


def take_results(path):
    run = read_run(path)
    problem = objection(run)
    if problem:
        sys.exit(f"{path} {problem}")
    store("results.json", run)


# -- history -----------------------------------------------------------------------------------------------------------

def git(*arguments):
    return subprocess.run(["git", "-C", HERE, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def take_history():
    """The commits after which a count is another one, the oldest first. Of several in a row with one title there is the last."""
    commits = []
    for line in git("log", "--reverse", "--format=%h %s", "--", "instructions.json").splitlines():
        commit, subject = line.split(" ", 1)
        counts = json.loads(git("show", f"{commit}:./instructions.json"))
        before = commits[-1]["counts"] if commits else {}
        apart = (abs(value / before.get(compiler, {}).get(name, 1e-9) - 1) for compiler in counts for name, value in counts[compiler].items()
                 if not name.startswith(LIMIT))
        if any(value > NOTABLE for value in apart):
            if commits and commits[-1]["subject"] == subject:
                commits.pop()
            commits.append({"commit": commit, "subject": subject, "counts": counts})
    store("history.json", commits)


def short(value):
    return f"{value:.0f}" if value < 10000 else f"{value:,.0f}".replace(",", " ")


def history(commits):
    if not commits:
        return ["None has been taken over yet: `python3 bench/document.py --history`."]
    compilers = list(commits[-1]["counts"])

    def row_of(title, counts, prefix=""):
        return [title, *(" / ".join(short(counts[c][prefix + name]) if prefix + name in counts.get(c, {}) else "–" for c in compilers)
                         for name in COUNTED)]

    rows = [row_of(commit["subject"], commit["counts"]) for commit in commits]
    rows.append(row_of("**the limit**", load("instructions.json"), LIMIT))
    return [f"Instructions for each, {' / '.join(compilers)}, after each change that moved one of them:", "",
            *table(["", *COUNTED], rows, ["---", *["---:"] * len(COUNTED)])]


# -- sizes -------------------------------------------------------------------------------------------------------------

NAMES = {"uf_flow": "the header of every flow", "uf_arm": "each thing that one task waits for at a time", "uf_signal": "a signal",
         "uf_pump": "a pump", "Smallest": "the smallest flow", "Three": "a flow of three steps and a timeout", "Typical": "a typical flow",
         "Large": "a large flow, with two others inside"}


def sizes(figures):
    machines = list(figures["memory"])
    memory = [[NAMES[name], *(str(figures["memory"][machine][name]) for machine in machines)] for name in figures["memory"][machines[0]]]
    code = [[name, str(size)] for name, size in figures["code"].items()]
    return [*table(["bytes of memory", *machines], memory, ["---", *["---:"] * len(machines)]), "",
            f"Cortex-M4, `-Os -ffunction-sections`, linked with `--gc-sections`, without the C library and libgcc; {figures['compiler']}:", "",
            *table(["bytes of code and constants", "Cortex-M4"], code, ["---", "---:"])]


# -- floors ------------------------------------------------------------------------------------------------------------

def floors(figures):
    rows = []
    for workload, steps in figures.items():
        rows += [[workload if i == 0 else "", what, "; ".join([f"{count:.1f}", *(f"{by:.2f}" for by in time)])]
                 for i, (what, count, *time) in enumerate(steps)]
    return table(["", "left out, each on top of those above it", "instructions"], rows, ["---", "---", "---:"])


def ufc_floors(rows):
    def in_thousands(number):
        return f"{round(number, -3):,.0f}".replace(",", " ")

    made = [[row["what"], f"{row['instructions']:.0f}", f"{row['ns']:.0f}", in_thousands(1e9 / row["ns"]), str(row["bytes"])]
            for row in rows]
    return table(["left out, each on top of those above it", "instructions a line", "ns a line", "lines a second", "bytes a line"], made,
                 ["---", "---:", "---:", "---:", "---:"])


# -- the document ------------------------------------------------------------------------------------------------------

SECTIONS = {"results": (results, "results.json"), "history": (history, "history.json"), "sizes": (sizes, "sizes.json"),
            "floors": (floors, "floors.json"), "ufc_floors": (ufc_floors, "ufc_floors.json")}


def with_section(text, name, lines):
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"{DOCUMENT} has not one place for {name}")
    before, rest = text.split(begin)
    return before + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--results", metavar="BENCH_JSON")
    parser.add_argument("--history", action="store_true")
    options = parser.parse_args()
    if options.results:
        take_results(options.results)
    if options.history:
        take_history()
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    made = text
    for name, (make, source) in SECTIONS.items():
        made = with_section(made, name, make(load(source)))
    if options.update or options.results or options.history:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(made)
    elif made != text:
        sys.exit(f"{DOCUMENT} has other figures than bench/*.json: document.py --update")


if __name__ == "__main__":
    main()
