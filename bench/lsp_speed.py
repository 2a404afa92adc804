#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Latency of uflow-lsp on a long file: from a key to the diagnostics, completion, hover, references, rename.

usage: lsp_speed.py UFLOW_LSP [--lines N] [--keys N] [--check] [--json FILE]

With clangd, also completion of C, whose processor time is that of both.

Prints the median and the 95th percentile of each in milliseconds, and of the processor time of the server; and its
memory. --check compares that time with the limits, at the 95th percentile: unlike the latency, it hardly depends on
the load of the machine. What the load adds is left out by taking the best of three measurements. See
tests/lsp/client.py for the client."""
import argparse
import json
import os
import shutil
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("server")
parser.add_argument("--lines", type=int, default=10000)
parser.add_argument("--keys", type=int, default=50)
parser.add_argument("--check", action="store_true")
parser.add_argument("--json")
chosen = parser.parse_args()
os.environ["UFLOW_LSP"] = chosen.server
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/lsp"))
from client import Client, Refused, Text  # noqa: E402

# Milliseconds at the 95th percentile, for 10 000 lines.
LIMITS = {"diagnostics after a key": 50, "completion of a member": 20, "completion of a target": 20,
          "completion of a word": 20, "completion of C": 150}
FLOW = """flow Door%d(const bool *obstacle) {
    int tries = 0;
    signal opened;
    task Close(int force) {
        int pushes = 0;
        step Push {
            self->pushes++;
            await {
                until (*flow->obstacle) for 50ms -> Reopen;
                opened -> done;
                timeout 2s -> Push;
            }
        }
        step Reopen {
            if (++flow->tries == 3) fail "blocked %%d times", flow->tries;
            uf_signal_fire(&flow->opened);
            await (self->force) ms -> Push;
        }
    }
}
"""


def measure():
    lines = FLOW.count("\n")
    whole = "".join(FLOW % i for i in range(chosen.lines // lines))
    client, times, used = Client(options={"clangd": []}), {}, {}
    uri = client.open(None, whole, "untitled:long.uflow")
    client.diagnostics(uri)
    text = Text(whole)
    line, column = text.at("self->pushes++", whole.count("self->pushes++") // 2, 6)

    def cpu():
        """Processor time of the server so far, in milliseconds."""
        with open(f"/proc/{client.process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e6

    def take(what, call):
        begin, before = time.perf_counter(), cpu()
        try:
            call()
        except Refused:
            pass
        times.setdefault(what, []).append((time.perf_counter() - begin) * 1000)
        used.setdefault(what, []).append(cpu() - before)

    def key(character):
        end = {"line": line, "character": column + (0 if character else 1)}
        client.change(uri, {"range": {"start": {"line": line, "character": column}, "end": end}, "text": character})
        while client.versions[uri] != client.published[uri]["version"]: client.read()

    for number in range(chosen.keys):
        take("diagnostics after a key", lambda: key("(" if number % 2 == 0 else ""))
        if number % 2: continue
        take("completion of a member", lambda: client.about("completion", uri, line, column))
        take("completion of a target", lambda: client.about("completion", uri, line + 2, column + 35))
        take("completion of a word", lambda: client.about("completion", uri, line, column - 6))
        take("hover", lambda: client.about("hover", uri, line + 2, column + 8))
        take("definition", lambda: client.about("definition", uri, line, column + 2))
    for _ in range(10):
        take("references", lambda: client.about("references", uri, line, column + 2, context={}))
        take("rename", lambda: client.about("rename", uri, line - 2, 14, newName="thrusts"))
        take("semantic tokens", lambda: client.about("semanticTokens/full", uri))
        take("formatting", lambda: client.about("formatting", uri, options={}))
    if shutil.which("clangd"): times["completion of C"], used["completion of C"] = measure_c(whole)
    rows = {what: {"latency": percentiles(times[what]), "processor": percentiles(used[what])} for what in times}
    print(f"{whole.count(chr(10))} lines, milliseconds: median and 95th percentile of the latency, of processor time")
    for what, row in rows.items():
        print(f"  {what:28}" + "".join(f"{value:9.1f}" for value in (*row["latency"], *row["processor"])))
    with open(f"/proc/{client.process.pid}/status", encoding="ascii") as file:
        print("".join(row for row in file if row.startswith("VmHWM")), end="")
    client.end()
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file: json.dump(rows, file, indent=1)
    return rows


def measure_c(whole):
    """Each key is in a body; the next one waits for the diagnostics of clangd."""
    middle = whole.index("self->pushes++", len(whole) // 2)
    text = Text(whole[:middle] + "int idle, near = 0; ne; " + whole[middle:])
    line, column = text.at("ne; self", 0, 2)
    with tempfile.TemporaryDirectory() as folder:
        command = f"cc -Wall -I{ROOT}/runtime/include -c long.c"
        with open(folder + "/compile_commands.json", "w", encoding="utf-8") as file:
            json.dump([{"directory": folder, "file": "long.c", "command": command}], file)
        client, times, used = Client([folder]), [], []
        uri = client.open(folder + "/long.uflow", text.text)
        for number in range(chosen.keys):
            begin, end = ({"line": line, "character": column + more} for more in (0, number % 2))
            client.change(uri, {"range": {"start": begin, "end": end}, "text": "" if number % 2 else "a"})
            clocks = [((~pid) << 3) | 2 for pid in (client.process.pid, client.child())] if number > 3 else []
            before = [time.perf_counter(), *map(time.clock_gettime, clocks)]
            client.about("completion", uri, line, column + 1 - number % 2)
            after = [time.perf_counter(), *map(time.clock_gettime, clocks)]
            passed = [(b - a) * 1000 for a, b in zip(before, after)]
            if clocks: times.append(passed[0]), used.append(sum(passed[1:]))
            while client.versions[uri] != client.published[uri]["version"] or not client.published[uri]["diagnostics"]:
                client.read()
        client.end()
    return times, used


def main():
    for _ in range(3):
        rows = measure()
        slow = [f"{what}: {rows[what]['processor'][1]:.1f} ms; at most {limit}" for what, limit in LIMITS.items()
                if rows[what]["processor"][1] > limit]
        if not chosen.check or not slow: return
    sys.exit("\n".join(slow))


def percentiles(values):
    values = sorted(values)
    return values[len(values) // 2], values[int(len(values) * 0.95)]


main()
