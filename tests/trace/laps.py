#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""However often a ring has lapped, every reader knows each flow's step and wait, and since when.

laps.py UFLOW_TRACE LAPS_PROGRAM WORK_DIRECTORY SEEDS"""
import glob
import json
import os
import re
import subprocess
import sys

import decode

TOOL, PROGRAM, WORK, SEEDS = sys.argv[1:5]


def read(path):
    with open(path, "rb") as file:
        return file.read()


TIMES, NEVER = (1, 2, 22, 23), 2**48 - 1  # kinds of arms whose operand is the time that is left


def by_path(trace):
    """The state of the running flows: path -> (step, since), and path -> (arms, since). Numbers of names differ between
    recorders, so of the arms only the kinds and the due times are compared."""
    def arms_of(arms, since):
        return [(kind, since + left if left < NEVER else None) if kind in TIMES else kind for kind, left in arms]
    steps = {trace.paths[number]: step for number, step in trace.now.items() if step}
    waits = {trace.paths[number]: (arms_of(*wait), wait[1])
             for number, wait in trace.waits.items() if wait and trace.now.get(number)}
    return steps, waits


def ends_of(trace):
    """How the flows that do not run have ended, and when."""
    return {trace.paths[number]: end for number, end in trace.ends.items() if end and not trace.now.get(number)}


def truth_of(path, trace):
    """The truth by the program: it agrees with the trace that has all events."""
    names = {trace.paths[number]: trace.types[kind]["steps"] for number, kind in trace.type_of.items()}
    told = {flow: (step, int(since)) for flow, step, since in map(str.split, read(path).decode().splitlines())}
    steps, waits = by_path(trace)
    got = {flow: (names[flow][step][0], since) for flow, (step, since) in steps.items()}
    assert got == told, f"{path}: {differences([got], [told])}"
    return steps, waits


def show(form, path, *options):
    done = subprocess.run([TOOL, *options, "-f", form, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    assert done.returncode == 0, f"{form} {path}: {done.stderr.decode()}"
    return done.stdout


def listed(summary, title):
    """The flows of a list."""
    found = re.search(rf"(?m)^{title}.*\n((?:  .*\n)+)", summary)
    return re.findall(r"(?m)^ +[^ ].*?  (?:from|ago, at) [\d.]+  (\S+)  ", found[1]) if found else []


def replayed(path):
    """The same, of the replay that uflow-trace writes."""
    data = json.loads(show("replay", path))
    paths, kinds, time, steps, waits = {number: name for number, _, name in data["flows"]}, data["kinds"], 0, {}, {}
    for kind, passed, flow, a, _, *_ in data["events"]:
        time += passed
        if kind in (kinds["STARTED"], kinds["STEP"], kinds["ENDED"]):
            steps[paths[flow]] = (a & 0xffff, time + int(data["start"])) if kind != kinds["ENDED"] else None
            waits.pop(paths[flow], None)
        if kind == kinds["WAIT"]:
            waits[paths[flow]] = time + int(data["start"])
        if kind == kinds["WOKEN"]:
            waits.pop(paths[flow], None)
    return {flow: step for flow, step in steps.items() if step}, waits


def check_tool(path, trace, steps, waits):
    """The text has each event that the other reader has. The summary has all waits, and slices nest."""
    text = show("text", path).decode().splitlines()
    assert len(text) == len(trace.events), f"{path}: {len(text)} lines, {len(trace.events)} events"
    for line, event in zip(text, trace.events):
        time, flow = line.split()[:2]
        assert time == f"{event.time // 10**9}.{event.time % 10**9:09}" and flow == event.path, f"{path}: {line}"
        assert event.still == bool(re.search("  still |  has ended ", line)), f"{path}: {line}"
    summary = show("summary", path).decode()
    assert f"\nstill waits ({len(waits)})\n" in summary, path
    lost = {trace.paths[number] for number, end in trace.ends.items()
            if end and end[0] == 3 and not trace.now.get(number) and number in trace.lost_ends}
    assert set(listed(summary, "failed before the first event")) == lost, f"{path}: {lost}\n{summary}"
    assert set(listed(summary, "in a step")) == set(steps) - set(waits), f"{path}: {summary}"
    got = replayed(path)
    assert got == (steps, {flow: since for flow, (_, since) in waits.items()}), path
    times = [time for time, *_ in decode.perfetto(show("perfetto", path))[1]]
    assert times == sorted(times), path
    json.loads(show("chrome", path))


def check_cuts(path, count):
    """Wherever a trace is truncated, even before its first time or after a gap: the shown events did happen then."""
    def events_of(name):
        return [line.split()[:2] for line in show("text", name).decode().splitlines()
                if not re.search("  still |  has ended ", line)]
    data, whole, cut = read(path), events_of(path), os.path.join(WORK, "cut")
    for i in range(1, count):
        with open(cut, "wb") as file:
            file.write(data[:len(data) * i // count])
        got = events_of(cut)
        assert got == whole[:len(got)], f"{path}, cut after {len(data) * i // count} bytes"


def agrees(got, wanted, is_late):
    """A recorder that was added during a wait does not know when it began, but no earlier than its step."""
    if is_late:
        got = got[0], {flow: (kinds, wanted[1][flow][1] if got[0][flow][1] <= since <= wanted[1][flow][1] else since)
                       for flow, (kinds, since) in got[1].items() if flow in wanted[1]}
    return got == wanted


def check(seed):
    for old in glob.glob(os.path.join(WORK, "*")):
        os.remove(old)
    subprocess.run([PROGRAM, str(seed), WORK], check=True)
    checked = 0
    for path in sorted(glob.glob(os.path.join(WORK, "*.all"))):
        whole = decode.Trace(read(path))
        wanted, ends = truth_of(path[:-3] + "truth", whole), ends_of(whole)
        for name in sorted(glob.glob(path[:-3] + "*.trace") + glob.glob(path[:-3] + "*.img")):
            trace = decode.Trace(read(name))
            is_late = name.split(".")[-2] in ("7", "8")
            got = by_path(trace)
            assert agrees(got, wanted, is_late), f"seed {seed}, {name}: {differences(got, wanted)}"
            assert is_late or ends_of(trace) == ends, f"seed {seed}, {name}: {ends_of(trace)}, not {ends}"
            if checked % 7 == seed % 7:
                check_tool(name, trace, *got)
            checked += 1
    for name in glob.glob(os.path.join(WORK, "*.stream")):
        trace = decode.Trace(read(name))
        got, is_late = by_path(trace), name.split(".")[-2] in ("7", "8")
        assert agrees(got, wanted, is_late), f"seed {seed}, {name}: {differences(got, wanted)}"
        if seed % 4 == 0:
            text = show("text", name).decode().splitlines()
            assert len(text) == len(trace.events), f"{name}: {len(text)} lines, {len(trace.events)} events"
            show("perfetto", name)
            check_cuts(name, 20)
    for name in glob.glob(os.path.join(WORK, "4.[146].trace")):
        check_cuts(name, 12)
    assert checked > 70


def differences(got, wanted):
    return [(one.get(flow), other.get(flow), flow) for one, other in zip(got, wanted)
            for flow in sorted(set(one) | set(other)) if one.get(flow) != other.get(flow)]


def main():
    os.makedirs(WORK, exist_ok=True)
    for seed in range(int(SEEDS)):
        check(seed)


if __name__ == "__main__":
    main()
