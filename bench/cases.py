# SPDX-License-Identifier: MIT
"""The benchmarks: the programs, their arguments, and the implementations to compare. Data only; run.py runs it.

A case runs bench/PROGRAM/IMPLEMENTATION.c of each implementation, uflow first, with `arguments`, or with those in
`others`: some implementations would take minutes for as many events. docs/performance.md calls the case `name`; ""
omits it."""
from dataclasses import dataclass, field


@dataclass
class Case:
    workload: str
    what: str
    program: str
    arguments: list
    implementations: tuple = ("baseline",)
    others: dict = field(default_factory=dict)
    name: str = ""
    unit: str = "ns"


PEERS = ("protothread", "coroutine", "uv")
UNOBSERVED = {"unobserved": ["2000000", "none"]}  # uflow's program once more, without the observer

CASES = [
    Case("W1", "one flow, a chain of transitions", "chain", ["1", "40000000"], ("baseline", *PEERS),
         {"uv": ["1", "200000"]},
         name="transition, one flow"),
    Case("W1", "the same on a runtime's own thread", "hosted", ["40000000"], name="transition, on a runtime's thread"),

    Case("W2", "round robin over 100 flows", "chain", ["100", "40000000"], ("baseline", *PEERS, "thread"),
         {"uv": ["100", "4000000"], "thread": ["100", "30000"]}, name="transition, 100 flows in turn"),
    Case("W2", "round robin over 10 000 flows", "chain", ["10000", "40000000"], ("baseline", *PEERS, "thread"),
         {"thread": ["10000", "30000"]}, name="transition, 10 000 flows in turn"),
    Case("W2", "round robin over 1 000 000 flows", "chain", ["1000000", "40000000"], ("baseline", *PEERS),
         {"uv": ["1000000", "4000000"]}, name="transition, 1 000 000 flows in turn"),

    Case("W3", "one active beside 1 000 parked", "chain", ["1", "40000000", "1000"], ("baseline", *PEERS),
         {"protothread": ["1", "40000", "1000"], "uv": ["1", "200000", "1000"]}),
    Case("W3", "one active beside 100 000 parked", "chain", ["1", "40000000", "100000"], ("baseline", *PEERS),
         {"protothread": ["1", "500", "100000"], "uv": ["1", "200000", "100000"]},
         name="transition beside 100 000 parked flows"),

    Case("W4", "a signal to a pump that is awake", "fire", ["1000", "3000"], name="firing a signal that a flow awaits"),
    Case("W4", "there and back between two threads, by signals", "pingpong", ["30000", "signal"],
         ("baseline", "condition", "coroutine", "uv"), {"uv": ["5000"]},
         name="round trip between two threads, by signals"),
    Case("W4", "the same by mailboxes", "pingpong", ["30000", "mail"],
         name="round trip between two threads, by mailboxes"),
    Case("W4", "the same by posts", "pingpong", ["30000", "post"]),

    Case("W5", "one fire releases 1 000, lone arm", "broadcast", ["1000", "3000", "lone"], (
        "baseline", *PEERS, "thread"), {"thread": ["1000", "20"]}, name="await of a signal, 1 000 flows: per flow"),
    Case("W5", "one fire releases 100 000, lone arm", "broadcast", ["100000", "30", "lone"], ("baseline", *PEERS)),
    Case("W5", "one fire releases 1 000, beside a timeout", "broadcast", ["1000", "3000", "armed"],
         name="await of a signal with a timeout, 1 000 flows: per flow"),

    Case("W6", "jobs that do nothing, 1 in flight", "jobs", ["1", "30000"], ("baseline", "coroutine", "uv"),
         name="job, one in flight"),
    Case("W6", "jobs that do nothing, 256 in flight", "jobs", ["256", "1000000"], ("baseline", "coroutine", "uv"),
         name="job, 256 in flight"),

    Case("W7", "10 000 timers set and fired", "timers", ["10000", "20"], ("baseline", *PEERS),
         name="timeout set and expired, 10 000 flows"),
    Case("W7", "100 000 timers set and fired", "timers", ["100000", "2"], ("baseline", *PEERS)),
    Case("W7", "100 000 timers, half of them cancelled", "timers", ["100000", "2", "cancel"]),

    Case("parked", "1 000 000 parked flows: bytes each, at a signal", "parked", ["1000000", "signal"],
         ("coroutine", "thread"),
         {"thread": ["1000"]}, name="parked flow", unit="bytes"),

    Case("observers", "a transition, counted by an observer", "observed", ["2000000", "observer"], ("unobserved",),
         UNOBSERVED, name="transition with an observer of two callbacks"),
    Case("observers", "a transition, counted by uf_counters", "observed", ["2000000", "counters"], ("unobserved",),
         UNOBSERVED, name="transition with counters attached"),
    Case("observers", "a transition, with the counters of coverage", "covered", ["1", "40000000"], ("without",),
         name="transition compiled with --coverage"),
    Case("observers", "a transition, traced", "observed", ["2000000", "trace"], ("unobserved",), UNOBSERVED,
         name="transition with a trace attached"),
    Case("observers", "a transition, recorded", "observed", ["2000000", "recorder"], ("unobserved",), UNOBSERVED,
         name="transition with a recorder attached"),

    Case("tests", "the plain schedule of a test of the door", "tested", ["100000", "plain"],
         others={"baseline": ["100000"]}, name="plain schedule of a test"),
    Case("tests", "explored schedules of a test of the door", "tested", ["100000", "explored"],
         others={"baseline": ["100000"]}, name="explored schedule of a test"),
]

UFC = ("ufc", "a .uflow file, per line")  # workload and measured quantity; ufc_speed.py measures it
