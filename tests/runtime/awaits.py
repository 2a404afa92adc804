# SPDX-License-Identifier: MIT
"""Writes awaits.uflow. It has a task for each await of two arms in both orders, and of a run, a condition and a third
arm in every order. An argument says what the flow does before it reaches the await. awaits.c makes each arm of each
await ready once.

With a second argument, each arm has a condition, and further arguments of the task say which arms are there."""
import itertools
import sys

# name: (what the step does before the await, the arm up to its target)
ARMS = {
    "RUN": ("", "run Child.Work(&flow->child) -> done 1"),
    "RESULT": ("", "run Child.Value(&flow->valued) -> done result"),
    "BUSY": ("", "run Child.Work(&flow->busy) -> done 99 else done 3"),
    "UNTIL": ("", "until (flow->is_true) -> done 4"),
    "HELD": ("", "until (flow->is_held) for 20ms -> done 5"),
    "SIGNAL": ("", "alarm -> done 6"),
    "FIRED": ("", "fired(&flow->bell) -> done 7"),
    "TIMEOUT": ("", "timeout 1h -> done 8"),
    "IDLE": ("", "idle(&flow->other) -> done 9"),
    "MAIL": ("", "box -> done 10"),
    "JOB": ("submit work();", "work -> done 11"),
    "STOP": ("", "gate -> done 12"),
    "ARRIVED": ("", "arrived(door) -> done 13"),
}

GUARDED = len(sys.argv) > 2
PARAMETERS = "past before, bool first, bool second" if GUARDED else "past before"
if GUARDED: ARMS["TIMEOUT"] = ("", "deadline(uf_flow_now(&flow->uf) + UF_S(3600)) -> done 8")
ARGUMENTS = "self->before, self->first, self->second" if GUARDED else "self->before"

BEFORE = """
            switch ((int)self->before) {
            case STAYS: if (self->bodies++ < 2) stay; break;
            case STAYS_EVERY: if (self->bodies++ < 2) stay every 10ms; break;
            case STAYS_WITH_TIMEOUT: if (self->bodies++ < 2) stay timeout 9h -> done 90; break;
            case STAYS_WITH_BOTH: if (self->bodies++ < 2) stay every 10ms timeout 9h -> done 91; break;
            default: break;
            }"""

# The task that starts each combination: it has already waited, and now reaches the await under test.
BEGIN = f"""    task Begin(unsigned which, {PARAMETERS}) {{""" + """
        step Wait {
            switch ((int)self->before) {
            case AWAITED_SIGNAL: await early -> Go;
            case AWAITED_TIME: await 10ms -> Go;
            case AWAITED_RUN: await { run Child.Soon(&flow->soon) -> Go; until (flow->is_never) -> fail; }
            case AWAITED_MANY:
                await { early -> Go; timeout 5h -> fail;
                        until (flow->is_never) for 1s -> fail; idle(&flow->never) -> Go; }
            case AWAITED_AT_ONCE: await { until (true) -> Go; early -> fail; run Child.Soon(&flow->soon) -> fail; }
            case AWAITED_BUSY: await { until (flow->is_never) -> fail; run Child.Work(&flow->busy) -> fail else Go; }
            default: next Go;
            }
        }
        step Go {
            switch (self->which) {
"""


def combinations():
    names = list(ARMS)
    yield from itertools.permutations(names, 2)
    if GUARDED: return
    for third in names:
        if third not in ("RUN", "UNTIL"):
            yield from itertools.permutations(("RUN", "UNTIL", third))


def task(arms):
    setup = " ".join(ARMS[a][0] for a in arms if ARMS[a][0])
    guards = ("if (self->first) ", "if (self->second) ") if GUARDED else ("",) * 3
    lines = "".join(f"                {guard}{ARMS[a][1]};\n" for guard, a in zip(guards, arms))
    job = "        job work: labour;\n" if "JOB" in arms else ""
    name = "_".join(a.capitalize() for a in arms)
    return name, f"""    task {name}({PARAMETERS}) -> int {{
        int bodies = 0;
{job}
        step Wait {{{BEFORE}
            {setup}
            await {{
{lines}            }}
        }}
    }}
"""


def main():
    out = open(sys.argv[1], "w", encoding="utf-8")
    tasks = [(arms, *task(arms)) for arms in combinations()]
    print("""header {
typedef enum past {
    NOTHING, STAYS, STAYS_EVERY, STAYS_WITH_TIMEOUT, STAYS_WITH_BOTH, AWAITED_SIGNAL, AWAITED_TIME, AWAITED_RUN,
    AWAITED_MANY, AWAITED_AT_ONCE, AWAITED_BUSY, BEFORES
} past;
""" + "typedef enum arm { NONE, " + ", ".join(ARMS) + ", ARMS } arm;" + """
typedef struct combination {
    const char *name;
    arm arms[4];
    bool (*result)(const struct Waiter *, int *value);
} combination;
extern const combination combinations[];
}
worker void labour(void) { }

checkpoint door;                              // where somebody else stops

flow Visitor { task Visit { step Knock { await door -> End; } step End { done; } } }

flow Child {
    signal go;
    task Work { step Wait { await go -> End; } step End { done; } }
    task Value -> int { step Wait { await go -> End; } step End { done 2; } }
    task Soon { step Wait { await 10ms -> End; } step End { done; } }
}

flow Waiter {
    flow Child child;
    flow Child valued;
    flow Child busy;
    flow Child other;
    flow Child never;
    flow Child soon;
    signal alarm;
    signal bell;
    signal early;
    checkpoint gate;
    mailbox int box[2];
    bool is_true = false, is_held = false, is_never = false;
""", file=out)
    for _, _, text in tasks:
        print(text, file=out)
    print(BEGIN, file=out)
    for number, (_, name, _) in enumerate(tasks):
        print(f"            case {number}: become {name}({ARGUMENTS});", file=out)
    print("            default: fail;\n            }\n        }\n    }", file=out)
    print("}\nsource {\nconst combination combinations[] = {", file=out)
    for arms, name, _ in tasks:
        print(f'    {{"{name}", {{{", ".join(arms)}}}, Waiter_result_{name}}},', file=out)
    print("    {NULL, {NONE}, NULL},\n};\n}", file=out)


main()
