#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow-trace, compared with simple readers of its own: every kind of event and arm, filters, truncated and damaged
traces, other byte orders and word sizes, Perfetto, Chrome JSON.

check.py UFLOW_TRACE EVENTS_PROGRAM HEADER WORK_DIRECTORY UFC EVENTS_UFLOW CASES SENDS_PROGRAM CYCLES_PROGRAM
    [EVENTS_PROGRAM_32]

The environment variable VALGRIND names it, if its counts are to be compared."""
import fnmatch
import itertools
import json
import os
import re
import resource
import subprocess
import sys

import decode

TOOL, EVENTS, HEADER, WORK, UFC, FLOWS, CASES, SENDS, CYCLES = sys.argv[1:10]
VALGRIND = os.environ.get("VALGRIND")
EVENTS_32 = sys.argv[10] if len(sys.argv) > 10 else None
# A condition that decides is UNKNOWN. Besides the others, the example has an arm that decides first.
NEVER_DECIDE = {"UNUSED", "INTERVAL", "READABLE", "WRITABLE", "ROOM", "ARRIVED", "STOPPING", "ON_TIMEOUT_REAL"}
# needs threads, or a clock
NEEDS_A_RUNTIME = {"POST", "POST_BEGAN", "SLOW_STEP", "SLOW_ROUND", "SENDS", "ARMS", "RESUMES"}
NEEDS_A_STORE = {"KEEPING", "RESTORED"}  # see tests/hierarchy


def path(name):
    return os.path.join(WORK, name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)
    return path(name)


def show(*arguments, status=0):
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == status, f"{arguments}: exit status {done.returncode}: {done.stderr.decode()}"
    return done.stdout


def lines(*arguments):
    return show(*arguments).decode().splitlines()


def rows(table):
    """The rows of a table of trace_format.h or arm_kinds.h: number -> name."""
    text = ""
    for name in HEADER, os.path.join(os.path.dirname(HEADER), "arm_kinds.h"):
        with open(name, encoding="utf-8") as file: text += file.read()
    return {int(n): name for name, n in re.findall(rf"^    {table}\((\w+), *(\d+),", text, re.M)}


def check_every_kind(trace):
    kinds = {2, 1, 7, 8} | {event.kind for event in trace.events}
    missing = {name for number, name in rows("EVENT").items() if number not in kinds}
    assert missing == NEEDS_A_RUNTIME | NEEDS_A_STORE, f"events without an example: {missing}"
    arms = {arm for event in trace.events for arm, _ in event.arms}
    missing = {name for number, name in rows("ARM").items() if number not in arms}
    assert not missing, f"arms without an example: {missing}"
    woken = {arm for event in trace.events if event.kind == 6 for arm, _ in event.arms}
    missing = {name for number, name in rows("ARM").items() if number not in woken}
    assert missing == NEVER_DECIDE, f"arms that have not decided a wait: {missing}"


def check_text(trace, text):
    """The order, times and flows are those of the other reader."""
    assert len(text) == len(trace.events), f"{len(text)} lines, {len(trace.events)} events"
    for line, event in zip(text, trace.events):
        time, flow = line.split()[:2]
        assert time == f"{event.time // 10**9}.{event.time % 10**9:09}" and flow == event.path, line
        assert "?" not in line, line


def check_woken(text):
    """A wait tells which arm has decided it, whatever the arm leads to: a step, another task, the end of the run.
    Only a condition is no arm."""
    waits, woken, ends = {}, {}, set() # what follows
    for row in text:
        flow, what = row.split()[1], row.split(None, 3)[3] if len(row.split(None, 3)) > 3 else ""
        if woken.pop(flow, None): ends |= set(re.findall(r"^ended \w+|\(\w+", what))
        if what.startswith("waits "): waits[flow] = what
        if not what.startswith("woken "): continue
        woken[flow] = what
        assert not what.startswith("woken  after") or "a condition" in waits[flow], f"{row}: {waits[flow]}"
    assert {"(await", "(become", "ended done", "ended failed"} <= ends, ends


def check_handlers(text):
    """The text names the handler that has decided, its place, and what still can decide."""
    source = read_text(FLOWS).splitlines()
    line = {word: next(n for n, text in enumerate(source, 1) if text.strip().startswith(word))
            for word in ("on halt", "on timeout", "with run")}
    told = [row.split(None, 3)[3] for row in text if row.split()[1] == "warden"]
    companion, timeout, halt = (f"({word}{of}, line {line[start]})" for word, of, start in
                                (("with run warden.part", "", "with run"), ("on timeout", "", "on timeout"),
                                 ("on halt", ", group Ward", "on halt")))
    assert told == [
        "started  run 1", "starts warden.part  run 1",
        "waits  signal go, timeout in 1h 0min, on timeout in 40.00ms, on timeout real in 2h 0min, "
        "with run warden.part, on halt",
        "decided  with run warden.part  after 30.00ms", f"-> Lost  #00  {companion}  after 30.00ms",
        "waits  signal go, timeout in 1h 0min, on timeout in 10.00ms, on timeout real in 1h 59min, on halt",
        "decided  on timeout  after 10.00ms", f"-> Late  #01  {timeout}  after 10.00ms  \"unlucky number 13\"",
        "waits  stopping, timeout in 1h 0min, on timeout real in 1h 59min, on halt",
        "decided  on halt  after 20.00ms", f"ended failed  #02  {halt}  after 20.00ms  reason: halted",
        "started  run 2", "decided  on halt", f"ended failed  #00  {halt}  after 0ns  reason: halted"], told
    summary = show("-f", "summary", path("events.uftrace")).decode()
    assert f"last: halted  {halt}\n" in summary, summary


def check_ends(text):
    """An end names the only place of its step that ends a run so, unless a handler or C code ended it."""
    ends, named, helped = {}, 0, set()
    flows = subprocess.run([UFC, "--emit=json", "-Wno-unread-job", FLOWS], stdout=subprocess.PIPE, check=True).stdout
    for step in (step for flow in json.loads(flows)["flows"] for task in flow["tasks"] for step in task["steps"]):
        for edge in step["edges"]:
            ends.setdefault((step["line"], edge.get("end")), []).append(edge["line"])
    for row in text:
        flow, place, what = row.split(None, 3)[1:]
        if what.startswith("failed by a helper"):
            helped.add(flow)
        ended = re.match(r"ended (\w+)  #\d+  (?:\((.*), line (\d+)\)  )?", what)
        if not ended or (ended[2] or "").startswith(("on ", "with ")):
            continue
        word = {"done": "done", "failed": "fail"}.get(ended[1])
        there = set() if flow in helped else ends.get((int(place.rpartition(":")[2]), word), set())
        helped.discard(flow)
        wanted = (word, str(*there)) if len(there) == 1 else (None, None)
        assert (ended[2], ended[3]) == wanted, f"{row}: wants {wanted}"
        named += len(there) == 1
    assert named >= 5, named


def check_pauses(text, marks):
    """A pause is two events of each flow that stands, children first, and a slice. Timeouts stand meanwhile."""
    told = [row.split(None, 3) for row in text if row.split()[1].startswith("drum")]
    told = [(flow, what) for _, flow, _, what in told if what.startswith(("paused", "resumed"))]
    assert told == [
        ("drum.belt", "paused"), ("drum", "paused"), ("drum", "resumed  after 95.00ms"),
        ("drum.belt", "resumed  after 95.00ms"), ("drum", "paused"), ("drum", "resumed  after 25.00ms")], told
    assert sum(kind == 1 and name == "paused" for _, kind, _, name, *_ in marks) == 3


def read_text(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


CYCLE = re.compile(r"^th(?:is|ese) .*:\n(?:    .*\n)+", re.M)


def cycles_in(text):
    """Each cycle, from the flow whose name is the least."""
    found = []
    for cycle in CYCLE.findall(text):
        head, *members = cycle.splitlines()
        members = [tuple(member.split(None, 2)) for member in members]
        least = members.index(min(members))
        found.append((head, *members[least:], *members[:least]))
    return sorted(found)


def check_cycles():
    """The summary names the flows that wait for each other as a dump does."""
    where = path("cycles")
    os.makedirs(where, exist_ok=True)
    subprocess.run([CYCLES, where], check=True)
    names = sorted(name[:-5] for name in os.listdir(where) if name.endswith(".dump"))
    names = names[::5] if int(CASES) <= 50 else names
    rings = 0
    for name in names:
        summary = show("-f", "summary", os.path.join(where, name + ".trace")).decode()
        wanted = cycles_in(read_text(os.path.join(where, name + ".dump")))
        assert cycles_in(summary) == wanted, f"{name}:\n{summary}\n{wanted}"
        if wanted:
            rings += 1
            hidden = show("-f", "summary", "--flow=nobody", os.path.join(where, name + ".trace")).decode()
            assert not cycles_in(hidden), hidden
    assert rings > len(names) / 8, rings


def check_unreadable():
    """A file that cannot be read is no trace that is cut."""
    for name in (WORK, "/proc/self/mem"):
        done = subprocess.run([TOOL, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1 and f"{name}: ".encode() in done.stderr and b"missing" not in done.stderr, done
    with open("/proc/self/mem", "rb") as memory:
        done = subprocess.run([TOOL, "-"], stdin=memory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 1 and b"missing" not in done.stderr, done


def check_filters(trace, text):
    times = sorted({event.time for event in trace.events})
    spans = [(None, None), (times[3], None), (None, times[-4]), (times[5], times[9]), (times[9], times[5])]
    flows = [None, "cell", "cell.*", "*left", "cell.l?ft", "nobody", "*"]
    tasks = [None, "Work", "Repair", "Talk", "Nothing"]
    for (begin, end), flow, task in itertools.product(spans, flows, tasks):
        wanted = [line for line, event in zip(text, trace.events)
                  if (begin is None or event.time >= begin) and (end is None or event.time <= end)
                  and (flow is None or event.path != "-" and fnmatch.fnmatchcase(event.path, flow))
                  and (task is None or task in event.tasks)]
        options = [f"--from={begin}ns"] * (begin is not None) + [f"--to={end}ns"] * (end is not None)
        options += [f"--flow={flow}"] * (flow is not None) + [f"--task={task}"] * (task is not None)
        got = lines(*options, path("events.uftrace"))
        assert got == wanted, f"{options}: {len(got)} lines, {len(wanted)} expected"
        for form in ("chrome", "perfetto", "summary") if flow in ("cell.*", None) else ():
            show("-f", form, "-o", path("filtered"), *options, path("events.uftrace"))
            if form == "chrome":
                json.loads(read("filtered"))
            if form == "perfetto":
                depth = check_nesting(decode.perfetto(read("filtered"))[1])
                assert not any(depth.values()), f"{options}: slices that have no end: {depth}"


def check_cuts():
    """A trace that ends anywhere is read up to there: a small one, cut at each byte; with few cases at each seventh."""
    subprocess.run([EVENTS, "--long", "20", path("small")], check=True)
    data, text = read("small"), lines(path("small"))
    for end in range(0, len(data), 7 if int(CASES) <= 50 else 1):
        got = lines(write("cut", data[:end]))
        assert got == text[:len(got)], f"cut at {end}"
        assert len(got) == len(decode.Trace(data[:end]).events), f"cut at {end}: {len(got)} events"


def check_nesting(marks):
    depth = {}
    for _, kind, track, name, *_ in marks:
        if kind != 3:
            depth[track] = depth.get(track, 0) + (1 if kind == 1 else -1)
            assert 0 <= depth[track] <= 4, name
        assert (kind == 2) == (not name)
    return depth


def paths_of(tracks):
    paths = {}
    for uuid, (parent, name) in tracks.items():
        paths[uuid] = (paths[parent] + "." if parent else "") + name
    return paths


def arrows_of(paths, marks):
    """Each arrow as where it begins, and where it ends."""
    begun, ends = {}, []
    for _, _, track, name, _, out, into in marks:
        for arrow in out:
            assert arrow not in begun
            begun[arrow] = (paths[track], name)
        assert all(arrow in begun for arrow in into)
        ends += [(begun[arrow], paths[track], name) for arrow in into]
    return ends


def check_sends():
    """Arrows from the steps of a flow to the flows that they wake or start; no others begin at that flow."""
    subprocess.run([SENDS, path("sends")], check=True)
    tracks, marks = decode.perfetto(show("-f", "perfetto", path("sends")))
    paths = paths_of(tracks)
    arrows = arrows_of(paths, marks)
    fires, sends = (("boss", "fires bell"), "signals", "bell"), (("boss", "sends to inbox"), "boss.clerk")
    assert [arrow for arrow in arrows if arrow[0][0] == "boss"] == [
        fires, (*sends, "woken: mailbox inbox"), (("boss", "starts boss.later"), "boss.later", "Listen"), fires,
        (*sends, "woken: mailbox inbox"), fires], arrows
    assert arrows.count((("signals", "bell"), "boss.listener", "woken: signal bell")) == 2, arrows
    assert arrows.count((("signals", "bell"), "boss.later", "woken: signal bell")) == 2, arrows
    kinds = {event.kind for event in decode.Trace(read("sends")).events}
    assert {number for number, name in rows("EVENT").items() if name in ("SENDS", "ARMS", "RESUMES")} <= kinds
    check_checkpoint(arrows)
    text = lines(path("sends"))
    assert any(line.endswith("  sends to inbox of boss.clerk") for line in text) and "?" not in "".join(text)


def check_checkpoint(arrows):
    """Arrows lead from the flow that resumes a checkpoint to the stopped flows, and from one of these to the flow that
    waits for the stop. A resume that releases nobody, and an arming that does not succeed, are no events."""
    assert [arrow for arrow in arrows if arrow[0][0] == "keeper" and arrow[1] == "signals"] == [
        (("keeper", "resumes gate"), "signals", "gate")], arrows
    for flow in "first", "second":
        assert (("signals", "gate"), f"keeper.{flow}", "woken: checkpoint gate") in arrows, arrows
    stops = [arrow for arrow in arrows if arrow[0][1] == "held"]
    assert [arrow[1:] for arrow in stops] == [("keeper", "woken: arrived gate")], arrows
    assert stops[0][0][0] in ("keeper.first", "keeper.second"), arrows
    text = [line for line in lines(path("sends")) if line.split()[1] == "keeper"]
    assert [sum(line.endswith(f"  {does} gate") for line in text) for does in ("arms", "resumes")] == [1, 1], text


def check_perfetto(trace):
    tracks, marks = decode.perfetto(show("-f", "perfetto", path("events.uftrace")))
    paths = paths_of(tracks)
    assert set(paths.values()) == set(trace.paths.values()) | {"signals", "runtime"}
    assert [time for time, *_ in marks] == sorted(time for time, *_ in marks)
    depth = check_nesting(marks)
    assert all(depth.get(uuid, 0) == 0 for uuid in tracks), "all runs have ended"
    ends = set(arrows_of(paths, marks))
    for wanted in ((("cell", "run cell.left, timeout"), "cell.left", "Work"),       # a start
                   (("cell.left", "done"), "cell", "woken: run cell.left"),         # its end
                   (("cell", "starts cell.right"), "cell.right", "Work"),
                   (("cell", "starts cell.lines[0]"), "cell.lines[0]", "Talk"),     # a spawn
                   (("signals", "go"), "cell.left", "woken: signal go"),            # a signal
                   (("signals", "gate"), "cell", "woken: checkpoint gate"),
                   (("signals", "halt"), "warden", "decided: on halt"),             # handlers
                   (("warden.part", "failed"), "warden", "decided: with run warden.part"),
                   (("cell", "job submitted scale"), "cell", "job ended scale")):
        assert wanted in ends, f"no arrow {wanted}"
    steps = [name for _, kind, track, name, *_ in marks if kind == 1 and paths[track] == "cell"]
    assert steps[:3] == ["Serve", "Begin", "Poll"]
    details = {detail for *_, all_details, _, _ in marks for detail in all_details}
    assert ("reason", "unlucky number 13") in details and ("for", "timeout in 5.00ms") in details
    assert any(key == "description" for key, _ in details)
    return paths, marks


CHROME = {"B": {"name", "cat"}, "E": set(), "i": {"name", "cat", "s"}, "s": {"name", "cat", "id"},
          "f": {"name", "cat", "id", "bp"}, "M": {"name", "args"}}


def check_chrome(paths, marks):
    """The same slices as for Perfetto. Each event has the keys that the format wants, and no others."""
    trace = json.loads(show("-f", "chrome", path("events.uftrace")))
    assert set(trace) == {"displayTimeUnit", "traceEvents"}
    names, got, arrows = {}, [], {"s": [], "f": []}
    for event in trace["traceEvents"]:
        wanted = CHROME[event["ph"]] | {"ph", "pid", "tid"} | ({"ts"} if event["ph"] != "M" else set())
        assert wanted <= set(event) <= wanted | {"args"}, event
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                names[event["tid"]] = event["args"]["name"]
        elif event["ph"] in arrows:
            arrows[event["ph"]].append(event["id"])
        else:
            got.append((round(event["ts"] * 1000), {"B": 1, "E": 2, "i": 3}[event["ph"]], names[event["tid"]],
                        event.get("name", ""), sorted(event.get("args", {}).items())))
    last = {uuid: name.split(".")[-1] if "." in name else name for uuid, name in paths.items()}
    assert got == [(time, kind, last[track], name, sorted(details)) for time, kind, track, name, details, *_ in marks]
    assert arrows["s"] == [arrow for *_, out, _ in marks for arrow in out]
    assert arrows["f"] == [arrow for *_, into in marks for arrow in into]


def check_image(text):
    """The recorder's memory, also in the middle of another file, with names from ufc; edges it does not know."""
    subprocess.run([UFC, "--emit=json", FLOWS, "-o", path("events.json")], check=True, stderr=subprocess.DEVNULL)
    wanted = [re.sub(r"  \(\w+, line \d+\)", "", line) for line in text]
    image = read("events.img")
    write("core", bytes(range(256)) * 300 + b"UFLOWTRC" + bytes(4088) + image)
    mapped = subprocess.run([TOOL, f"--map={path('events.json')}", path("events.img")], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    has_map = b"without jansson" not in mapped.stderr
    for name in ("events.img", "core"):
        assert not has_map or lines(f"--map={path('events.json')}", path(name)) == wanted, name
        assert len(lines(path(name))) == len(wanted)
    for before in range(16): # a saved array need not be aligned as the recorder is in it
        assert len(lines(write("moved", bytes(before) + image))) == len(wanted), before
    for options, hints in (([], True), (["-f", "replay"], False), ([f"--map={path('events.json')}"], not has_map)):
        said = subprocess.run([TOOL, *options, path("events.img")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=False).stderr
        assert (b"no names of steps" in said) == hints, f"{options}: {said}"
    show(path("events.json"), status=1)
    show("--image=2", path("core"), status=1)


def check_summary(trace):
    text = show("-f", "summary", path("events.uftrace")).decode()
    ended = [event for event in trace.events if event.kind == 10]
    starts = sum(event.kind == 3 for event in trace.events)
    outcomes = [sum(event.a >> 16 == outcome for event in ended) for outcome in (2, 3, 4)]
    first = text.splitlines()[0]
    assert [int(n) for n in re.findall(r"\b(\d+) (?:events|runs|done|failed|cancelled)", first)] == \
        [len(trace.events), starts, *outcomes], first
    visits = sum(int(row.split()[1]) for row in text.split("\n\n")[2].splitlines()[1:])
    assert visits == sum(event.kind in (4, 10) for event in trace.events)
    failures = sum(int(row.split()[0]) for row in text.split("\n\n")[4].splitlines()[1:])
    assert failures == outcomes[1]


def check_long(count):
    """Memory does not grow with the length of a trace."""
    grown = []
    for events in (count // 10, count):
        subprocess.run([EVENTS, "--long", str(events), path("long")], check=True)
        for form in ("text", "summary", "perfetto", "chrome"):
            show("-f", form, "-o", path("long.out"), path("long"))
        grown.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    assert grown[1] < grown[0] + 1000, f"KiB: {grown}"
    os.remove(path("long"))
    os.remove(path("long.out"))


def instructions(form, name):
    """How many the tool executes, as callgrind counts them: the same on each run."""
    done = subprocess.run([VALGRIND, "--tool=callgrind", "--callgrind-out-file=/dev/null", TOOL, "-f", form, "-o",
                           path("long.out"), path(name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return int(re.search(rb"Collected : (\d+)", done.stderr)[1])


def check_linear():
    """Twice the events take twice the instructions more."""
    for events in (500, 1000, 2000):
        subprocess.run([EVENTS, "--long", str(events), path(f"long{events}")], check=True)
    count = [len(lines(path(f"long{events}"))) for events in (500, 1000, 2000)]
    for form in ("text", "summary", "perfetto", "chrome", "replay"):
        took = [instructions(form, f"long{events}") for events in (500, 1000, 2000)]
        per_event = [(took[i + 1] - took[i]) / (count[i + 1] - count[i]) for i in (0, 1)]
        assert 0.95 < per_event[1] / per_event[0] < 1.05, f"{form}: instructions per event: {per_event}"


def main():
    os.makedirs(WORK, exist_ok=True)
    subprocess.run([EVENTS, path("events.uftrace"), path("events.img")], check=True)
    subprocess.run([EVENTS, path("again.uftrace")], check=True)
    data = read("events.uftrace")
    assert data == read("again.uftrace"), "a simulation records the same bytes each time"
    trace, text = decode.Trace(data), lines(path("events.uftrace"))
    check_every_kind(trace)
    check_sends()
    check_text(trace, text)
    check_woken(text)
    check_handlers(text)
    check_ends(text)
    check_cycles()
    check_unreadable()
    check_summary(trace)
    paths, marks = check_perfetto(trace)
    check_pauses(text, marks)
    check_chrome(paths, marks)
    check_image(text)
    assert lines(write("swapped", decode.swapped(data))) == text, "the other byte order"
    if EVENTS_32:
        subprocess.run([EVENTS_32, path("events32.uftrace"), path("events32.img")], check=True)
        assert read("events32.uftrace") == data, "a 32-bit machine writes the same bytes"
        assert len(lines(path("events32.img"))) == len(text)
    with open(path("events.uftrace"), "rb") as file:
        piped = subprocess.run([TOOL, "-"], stdin=file, stdout=subprocess.PIPE, check=True).stdout
    assert piped.decode().splitlines() == text, "the standard input"
    check_filters(trace, text)
    check_cuts()
    check_long(int(CASES) * 1000)
    if VALGRIND:
        check_linear()


if __name__ == "__main__":
    main()
