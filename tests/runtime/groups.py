#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes groups.uflow: a flow for each nesting of tasks in groups, and a table of runs with the order of their bodies.

usage: groups.py OUTPUT

A run starts in one task, becomes another one, and ends. In some runs a body fails the flow. A model of the rules says
what the bodies then do: `+A` on enter, `-A:outcome` on exit, `~A` the companion starts, `!A` it ends."""
import itertools
import sys

# A list is a group. The groups are A, B, …, the tasks T0, T1, …, in source order.
NESTINGS = [
    ["t", ["t", "t"], "t"],
    [["t", ["t", "t"], "t"], ["t"], "t"],
    [[["t"], ["t", ["t"]]], "t"],
    [[[[[[[[["t"], "t"]]]]], "t"]], "t"],
]
ENDINGS = ("done", "failed", "cancelled")
DONE, FAIL, CANCELLED_BETWEEN = 100, 101, 1000

HEAD = """// Made by groups.py.
header {
#include "log.h"
char const *begun(char const *place); /* logs the start of a companion */
#define NESTINGS(X) %s
#ifdef GROUPS_CASES
static struct { int nesting, from, to, end, cancels; char const *failing, *bodies; } const cases[] = {
%s
};
#endif
}
flow Aide {
    signal never;
    task Help(char const *of) {
        on exit { log_note("!%%s", self->of); }
        step Wait { await never -> done; }
    }
}
"""

BODIES = """
%(indent)swith run Aide.Help(&flow->aide_%(name)s, begun("%(name)s"));
%(indent)son enter { Flow%(number)d_body(flow, "+%(name)s", ""); }
%(indent)son exit { Flow%(number)d_body(flow, "-%(name)s", uf_outcome_text(outcome)); }"""

STEPS = """
%(indent)sstep Wait { await go -> Go; }
%(indent)sstep Go {
%(indent)s    if (flow->cancels) (void)uf_flow_cancel(&flow->uf);
%(indent)s    flow->cancels = 0;
%(indent)s    switch (flow->next) {
%(targets)s
%(indent)s    case %(done)d: done;
%(indent)s    default: fail "asked";
%(indent)s    }
%(indent)s}"""


class Nesting:
    """The tasks of a flow, each with the groups around it, and the text of the flow."""
    def __init__(self, number, nesting):
        self.number, self.around, self.groups = number, [], []
        self.count = sum(1 for _ in self.tasks_in(nesting))
        body = "".join(self.part(part, (), "    ") for part in nesting)
        places = self.groups + [f"T{i}" for i in range(self.count)]
        aides = "".join(f"    flow Aide aide_{place};\n" for place in places)
        self.text = f"""flow Flow{number} {{
    signal go;
    int next, cancels;
    char const *failing;
{aides}{body}}}
"""

    def tasks_in(self, nesting):
        for part in nesting:
            if part == "t": yield part
            else: yield from self.tasks_in(part)

    def part(self, part, around, indent):
        if part == "t":
            name = f"T{len(self.around)}"
            self.around.append(around)
            head, inner = f"task {name}", ""
        else:
            name = chr(ord("A") + len(self.groups))
            self.groups.append(name)
            head, inner = f"group {name}", "\n".join(self.part(one, around + (name,), indent + "    ") for one in part)
        values = {"indent": indent + "    ", "name": name, "number": self.number, "done": DONE,
                  "targets": "\n".join(f"{indent}        case {i}: become T{i};" for i in range(self.count))}
        bodies = BODIES % values + (STEPS % values if part == "t" else "\n" + inner)
        return f"{indent}{head} {{{bodies}\n{indent}}}\n"


class Run:
    """The rules: what is entered and left, in which order."""
    def __init__(self, nesting, failing):
        self.nesting, self.failing = nesting, failing
        self.inside, self.log, self.fails, self.fresh = [], [], False, set()

    def body(self, word, outcome=""):
        self.log.append(f"{word}:{outcome}" if outcome else word)
        self.fails = self.fails or word == self.failing

    def enter(self, task):
        self.fresh = set()  # companions that have started, and had no turn
        for place in (*self.nesting.around[task], f"T{task}"):
            if place in self.inside: continue
            self.inside.append(place)
            self.body(f"+{place}")
            if self.fails: return self.leave((), "failed")
            self.log.append(f"~{place}")
            self.fresh.add(place)
        return True

    def leave(self, kept, outcome):
        while self.inside and not (outcome == "became" and self.inside[-1] in kept):
            place = self.inside.pop()
            if place not in self.fresh and f"+{place}" != self.failing: self.log.append(f"!{place}")
            self.body(f"-{place}", outcome)
            if self.fails and outcome != "cancelled": outcome = "failed"
        return outcome != "failed"

    def whole(self, start, to, ending, between):
        if self.enter(start):
            self.fresh = set()
            if self.leave(self.nesting.around[to], "became"):
                if between: self.leave((), "cancelled")
                elif self.enter(to):
                    self.fresh = set()
                    self.leave((), ending)
        return " ".join(self.log)


def cases_of(nesting):
    tasks = range(nesting.count)
    places = nesting.groups + [f"T{i}" for i in tasks]
    points = [None] + [sign + place for place in places for sign in "+-"]
    for start, to, ending, failing, between in itertools.product(tasks, tasks, ENDINGS, points, (0, 1)):
        if (between and ending != "cancelled") or (failing and ending == "failed"): continue
        end = {"done": DONE, "failed": FAIL, "cancelled": -1}[ending]
        yield nesting.number, start, to, end, between, failing or "", Run(nesting, failing).whole(start, to, ending,
                                                                                                   between)


with open(sys.argv[1], "w", encoding="utf-8") as out:
    flows = [Nesting(number, nesting) for number, nesting in enumerate(NESTINGS)]
    rows = [case for flow in flows for case in cases_of(flow)]
    texts = "\n".join("    {%d, %d, %d, %d, %d, \"%s\", \"%s\"}," % row for row in rows)
    names = " ".join(f"X({flow.number}, {flow.count})" for flow in flows)
    starts = "".join(
        f"#define STARTS_{flow.number} {', '.join(f'Flow{flow.number}_start_T{i}' for i in range(flow.count))}\n"
        f"struct Flow{flow.number};\nvoid Flow{flow.number}_body(struct Flow{flow.number} *flow, char const *body, "
        f"char const *outcome);\n" for flow in flows)
    out.write(HEAD.replace("#define NESTINGS", starts.replace("%", "%%") + "#define NESTINGS", 1) % (names, texts))
    out.write("\n".join(flow.text for flow in flows))
