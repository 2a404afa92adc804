#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Latency of uflow-lsp on a long file: from a key to the diagnostics, completion, hover, references, rename.

usage: lsp_speed.py UFLOW_LSP [--lines N] [--keys N]

Prints the median and the 95th percentile of each in milliseconds, the processor time of a key, and the memory of the
server. See tests/lsp/client.py
for the client."""
import argparse
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("server")
parser.add_argument("--lines", type=int, default=10000)
parser.add_argument("--keys", type=int, default=50)
chosen = parser.parse_args()
os.environ["UFLOW_LSP"] = chosen.server
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/lsp"))
from client import Client, Refused, Text  # noqa: E402

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


def main():
    lines = FLOW.count("\n")
    whole = "".join(FLOW % i for i in range(chosen.lines // lines))
    client, times = Client(), {}
    uri = client.open(None, whole, "untitled:long.uflow")
    client.diagnostics(uri)
    text = Text(whole)
    line, column = text.at("self->pushes++", whole.count("self->pushes++") // 2, 6)

    def take(what, call):
        begin = time.perf_counter()
        try:
            call()
        except Refused:
            pass
        times.setdefault(what, []).append((time.perf_counter() - begin) * 1000)

    def key(character):
        end = {"line": line, "character": column + (0 if character else 1)}
        client.change(uri, {"range": {"start": {"line": line, "character": column}, "end": end}, "text": character})
        while client.versions[uri] != client.published[uri]["version"]: client.read()

    def cpu():
        with open(f"/proc/{client.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    before = cpu()
    for number in range(chosen.keys): key("(" if number % 2 == 0 else "")
    used = (cpu() - before) / chosen.keys
    for number in range(chosen.keys):
        take("diagnostics after a key", lambda: key("(" if number % 2 == 0 else ""))
        if number % 2: continue
        take("completion of a member", lambda: client.about("completion", uri, line, column))
        take("hover", lambda: client.about("hover", uri, line + 2, column + 8))
        take("definition", lambda: client.about("definition", uri, line, column + 2))
    for _ in range(10):
        take("references", lambda: client.about("references", uri, line, column + 2, context={}))
        take("rename", lambda: client.about("rename", uri, line - 2, 14, newName="thrusts"))
        take("semantic tokens", lambda: client.about("semanticTokens/full", uri))
        take("formatting", lambda: client.about("formatting", uri, options={}))
    print(f"{whole.count(chr(10))} lines, milliseconds: median, 95th percentile")
    for what, list_ in times.items():
        list_.sort()
        print(f"  {what:28} {list_[len(list_) // 2]:8.1f} {list_[int(len(list_) * 0.95)]:8.1f}")
    print(f"  processor time of a key      {used:8.1f}")
    with open(f"/proc/{client.process.pid}/status", encoding="ascii") as file:
        print("".join(row for row in file if row.startswith("VmHWM")), end="")
    client.end()


main()
