#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each feature of bank.uflow in the output of each tool.

tools.py UFC UFLOW_TRACE UFLOW_COV PROGRAM WORK_DIRECTORY"""
import json
import os
import re
import subprocess
import sys

UFC, TRACE, COV, PROGRAM, WORK = sys.argv[1:]
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bank.uflow")


def path(name):
    return os.path.join(WORK, name)


def run(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, **more).stdout.decode()


def outputs():
    """The text of each tool."""
    os.makedirs(WORK, exist_ok=True)
    data = path("counts.ufcov")
    if os.path.exists(data): os.remove(data)
    made = {kind: run(UFC, "-Wno-unused-field", f"--emit={kind}", SOURCE) for kind in ("dot", "mermaid", "json")}
    made["html"] = run(UFC, "-Wno-unused-field", "--emit=html", SOURCE, "-o", "-")
    made["c"] = run(UFC, "-Wno-unused-field", "--emit=c", SOURCE, "-o", "-")
    made["ast"] = run(UFC, "--dump=ast", SOURCE)
    made["sizes"] = run(UFC, "-Wno-unused-field", "--sizes", SOURCE)
    made["dump"] = run(PROGRAM, path("trace"), env={**os.environ, "UFLOW_COVERAGE_FILE": data})
    made["text"] = run(TRACE, path("trace"))
    made["summary"] = run(TRACE, "--format=summary", path("trace"))
    made["chrome"] = run(TRACE, "--format=chrome", path("trace"))
    made["replay"] = run(TRACE, "--format=replay", path("trace"))
    made["coverage"] = run(COV, data) if os.path.exists(data) else ""
    return made


# For each feature, what the tools show of it. A tool that is not named has nothing to show.
ALL_OF = r"run Car\.Fetch\((&flow->)?cars\[\*\]"
WRITE, ANY = r"Note\.Write:\d+  #\d+  for \S+", r"Note\.\w+:\d+  #\d+  for \S+"
FEATURES = {
    "group": {"dot": "Shift", "mermaid": r"Bank\.Shift", "json": '"groups": ', "html": '"groups": ', "c": "group Shift",
              "ast": "group Shift", "sizes": "groups, 1"},
    "handler of a group": {"dot": r"on go\[1\]", "mermaid": r"on go\[1\]", "json": r'"on": "go\[1\]"',
                           "c": r"on go\[1\]", "dump": r"on go", "text": r", group Shift, line \d+"},
    "companions of an array": {"dot": r"with run Car\.Break\(tow\[\*\]\)", "json": '"slot": 2, "elements": 2',
                               "c": r"with run Car\.Break\(tow\[\*\]\)", "dump": r"with run bank\.tow\[1\]",
                               "text": r"with run bank\.tow\[0\], group Shift", "mermaid": r"tow\[\*\]"},
    "on timeout real": {"dot": "on timeout real 9h", "mermaid": "on timeout real 9h", "json": '"timeout real 9h"',
                        "c": "on timeout real 9h", "dump": "on timeout real in 8h 59min|on timeout real in 9h",
                        "text": "on timeout real in 9h"},
    "all elements": {"dot": rf"all\({ALL_OF}", "mermaid": rf"all\({ALL_OF}", "json": r'"slots": \[0, 1, 2\] ',
                     "text": r"run bank\.cars\[0\], run bank\.cars\[1\], run bank\.cars\[2\]"},
    "first element": {"dot": rf"first\({ALL_OF}", "mermaid": rf"first\({ALL_OF}", "json": '"first": true',
                      "dump": r"run bank\.cars\[2\]"},
    "idle elements": {"dot": r"idle\(cars\[\*\]\)", "json": r'"idle\(cars\[\*\]\)"', "c": r"idle\(cars\[\*\]\)"},
    "array of signals": {"dot": r"go\[0\]", "json": '"counts": { "go": 2, "gate": 2 }', "dump": "signal go",
                         "text": "signal go", "html": '"counts": '},
    "array of checkpoints": {"dot": r"gate\[1\]", "text": "waits  checkpoint gate|held at gate"},
    "ended": {"dot": r"ended crew", "mermaid": r"ended crew", "json": r"ended crew", "text": "woken  ended crew"},
    "limit": {"json": '"limit": "1"', "ast": "limit"},
    "pause": {"dump": r"paused for \d", "text": r"resumed  after 30\.00ms", "chrome": '"name":"paused"',
              "replay": '"resumed  after 30.00ms"', "ast": "on pause", "c": "on pause|_pause"},
    "durable": {"dump": rf"ledger  {WRITE}  held for [\s\S]*ledger  {ANY}  kept for [\s\S]*"
                        rf"ledger  {ANY}  waits for a commit for 1",
                "text": r"Note\.Write.* held\n[\s\S]* waits for a commit\n[\s\S]* kept(  after .*)?\n",
                "summary": r"waits for a commit of the store \(1\)\n.*ledger  Note\.Write\n",
                "chrome": r'"name":"held"[\s\S]*"name":"waits for a commit"', "replay": '"waits for a commit"',
                "ast": "durable flow Ledger", "c": "uf_durable"},
    "handlers in coverage": {"coverage": r"on go\[1\]|handlers|handler"},
}


def main():
    made, missing = outputs(), []
    for feature, shown in FEATURES.items():
        for tool, words in shown.items():
            if not re.search(words, made[tool]): missing.append(f"{tool} does not show `{feature}`: {words}")
    json.loads(made["json"]), json.loads(made["chrome"]), json.loads(made["replay"])
    for question in re.findall(r"^.*\?.*$", made["text"], re.M): missing.append(f"text: {question}")
    print("\n".join(missing) or f"{len(FEATURES)} features")
    sys.exit(bool(missing))


main()
