"""What is measured: workloads, the programs of each, and the targets. Data alone; run.py runs it.

A case runs the programs PROGRAM_uflow and PROGRAM_SIDE, each with `arguments`, or with what `others` has for it: some
sides would take minutes over as many events. A target is a ratio, uflow's figure by that side's, that is to be at most so much."""
from dataclasses import dataclass, field


@dataclass
class Case:
    workload: str
    what: str
    program: str
    arguments: list
    sides: tuple = ("limit",)
    others: dict = field(default_factory=dict)
    targets: tuple = ()
    at_most: float = None  # target for the figure itself, where that is no ratio
    unit: str = "ns"


MOST = ("protothread", "coroutine", "uv")

CASES = [
    Case("W1", "one flow, a chain of transitions", "chain", ["1", "40000000"], ("limit", *MOST),
         {"uv": ["1", "200000"]}, (("limit", 1.2),)),

    Case("W1", "the same on a runtime's own thread", "hosted", ["40000000"]),

    Case("W2", "round robin over 1 flow", "chain", ["1", "40000000"], targets=(("limit", 1.2),)),
    Case("W2", "round robin over 100 flows", "chain", ["100", "40000000"], ("limit", *MOST, "thread"),
         {"uv": ["100", "4000000"], "thread": ["100", "30000"]}, (("limit", 1.2),)),
    Case("W2", "round robin over 10 000 flows", "chain", ["10000", "40000000"], ("limit", *MOST, "thread"),
         {"uv": ["10000", "40000000"], "thread": ["10000", "30000"]}, (("limit", 1.2),)),
    Case("W2", "round robin over 1 000 000 flows", "chain", ["1000000", "40000000"], ("limit", *MOST),
         {"uv": ["1000000", "4000000"]}, (("limit", 1.2),)),

    Case("W3", "one active beside 1 parked", "chain", ["1", "40000000", "1"], targets=(("limit", 1.2),)),
    Case("W3", "one active beside 1 000 parked", "chain", ["1", "40000000", "1000"], ("limit", *MOST),
         {"protothread": ["1", "40000", "1000"], "uv": ["1", "200000", "1000"]}, (("limit", 1.2),)),
    Case("W3", "one active beside 100 parked", "chain", ["1", "40000000", "100"], targets=(("limit", 1.2),)),
    Case("W3", "one active beside 10 000 parked", "chain", ["1", "40000000", "10000"], targets=(("limit", 1.2),)),
    Case("W3", "one active beside 100 000 parked", "chain", ["1", "40000000", "100000"], ("limit", *MOST),
         {"protothread": ["1", "500", "100000"], "uv": ["1", "200000", "100000"]}, (("limit", 1.2),)),
    Case("W3", "one active beside 1 000 000 parked", "chain", ["1", "40000000", "1000000"], targets=(("limit", 1.2),)),

    Case("W4", "there and back between two threads, by signals", "pingpong", ["30000", "signal"],
         ("limit", "condition", "coroutine", "uv"), {"uv": ["5000"]}, (("limit", 1 / 0.83),)),
    Case("W4", "the same by mailboxes", "pingpong", ["30000", "mail"], targets=(("limit", 1 / 0.83),)),
    Case("W4", "the same by posts", "pingpong", ["30000", "post"]),
    Case("W4", "a signal to a pump that is awake", "fire", ["1000", "3000"], at_most=10.0),

    Case("W5", "one fire releases 1, lone arm", "broadcast", ["1", "3000000", "lone"]),
    Case("W5", "one fire releases 100, lone arm", "broadcast", ["100", "30000", "lone"], targets=(("limit", 2.0),)),
    Case("W5", "one fire releases 1 000, lone arm", "broadcast", ["1000", "3000", "lone"], ("limit", *MOST, "thread"),
         {"thread": ["1000", "20"]}, (("limit", 2.0), ("coroutine", 1.0))),
    Case("W5", "one fire releases 10 000, lone arm", "broadcast", ["10000", "300", "lone"], targets=(("limit", 2.0),)),
    Case("W5", "one fire releases 100 000, lone arm", "broadcast", ["100000", "30", "lone"], ("limit", *MOST),
         {}, (("limit", 2.0), ("coroutine", 1.0))),
    Case("W5", "one fire releases 1 000 000, lone arm", "broadcast", ["1000000", "3", "lone"], targets=(("limit", 2.0),)),
    Case("W5", "one fire releases 1 000, beside a timeout", "broadcast", ["1000", "3000", "armed"], targets=(("limit", 8.0),)),
    Case("W5", "one fire releases 100 000, beside a timeout", "broadcast", ["100000", "30", "armed"], targets=(("limit", 8.0),)),

    Case("W6", "jobs that do nothing, 1 in flight", "jobs", ["1", "30000"], ("plain", "limit", "coroutine", "uv"),
         {}, (("plain", 1.0),)),
    Case("W6", "jobs that do nothing, 256 in flight", "jobs", ["256", "1000000"], ("plain", "limit", "coroutine", "uv"),
         {}, (("plain", 0.5),)),

    Case("W7", "1 timer set and fired", "timers", ["1", "200000"], targets=(("limit", 1.2),)),
    Case("W7", "100 timers set and fired", "timers", ["100", "2000"], targets=(("limit", 1.2),)),
    Case("W7", "10 000 timers set and fired", "timers", ["10000", "20"], targets=(("limit", 1.2),)),
    Case("W7", "100 000 timers set and fired", "timers", ["100000", "2"], ("limit", "heap", *MOST), {}, (("limit", 1.2),)),
    Case("W7", "1 000 000 timers set and fired", "timers", ["1000000"], targets=(("limit", 1.2),)),
    Case("W7", "100 000 timers, half of them cancelled", "timers", ["100000", "2", "cancel"], targets=(("limit", 1.2),)),

    Case("parked", "1 000 000 parked flows: bytes each, at a signal", "parked", ["1000000", "signal"], ("coroutine", "thread"),
         {"thread": ["1000"]}, unit="bytes", at_most=144.5),
    Case("parked", "1 000 000 parked flows: bytes each, at a timer", "parked", ["1000000", "timer"], (), unit="bytes", at_most=144.5),

    Case("observers", "a transition, counted by an observer", "observed", ["2000000", "counters"], ("nobody",), {"nobody": ["2000000", "none"]}),
    Case("observers", "a transition, traced", "observed", ["2000000", "trace"], ("nobody",), {"nobody": ["2000000", "none"]}),
]
