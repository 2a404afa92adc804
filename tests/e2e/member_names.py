#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kind of member under every name that the generator itself uses or makes from the name of another member: the C
and the header compile without a warning, in C and in C++."""
import itertools
import re
import shutil

from e2e import CC, CFLAGS, INCLUDE, Case, main

CXX = shutil.which("c++") or shutil.which("clang++")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-fsyntax-only", "-I", INCLUDE,
          "-I", "."]
# The members that a flow may hold, and how a step uses them.
STORING = {"mailbox": ("mailbox int {0}[2];", "(void)Probe_{0}_send(flow, 1);"),
           "mailbox with a drop": ("mailbox char *{0}[2] drop discard;", "(void)Probe_{0}_send(flow, 0);"),
           "array of sub-flows": ("flow Leaf {0}[2];", "(void)Leaf_start_Go(&flow->{0}[1]);"),
           "array of sub-flows with pools": ("flow Hub {0}[2];", "(void)Hub_start_Go(&flow->{0}[1]);"),
           "pool": ("pool Leaf {0}[2];", "spawn {0}.Go();")}
KINDS = {"field": ("int {0} = 1;", "flow->{0}++;"),
         "array of fields": ("int {0}[2];", "flow->{0}[1]++;"),
         "signal": ("signal {0};", "uf_signal_fire(&flow->{0});"),
         "checkpoint": ("checkpoint {0};", "(void)&flow->{0};"),
         "sub-flow": ("flow Leaf {0};", "(void)Leaf_start_Go(&flow->{0});"),
         "sub-flow with a pool": ("flow Hub {0};", "(void)Hub_start_Go(&flow->{0});"),
         **STORING}
# The struct of Probe has every member that the generator adds by itself.
PROGRAM = """header {
#include "uflow/uflow.h"
}
source {
static void discard(char **text) { (void)text; }
}
signal stop_now;
worker int count(int n) { return n; }
flow Leaf { task Go { step Act { done; } } }
flow Hub { pool Leaf leaves[2]; task Go { step Act { spawn leaves.Go(); done; } } }
flow Probe {
    MEMBERS
    on stop_now -> become Other;
    task Work -> int {
        job one: count;
        on timeout 9s -> done 2;
        on exit { discard(0); }
        step Act {
            USES
            describe "%d", 1;
            submit one(1);
            await { one -> done result; timeout 1s -> fail "late %d", 1; }
        }
    }
    task Other { step Act { done; } }
}
"""
REFUSED = {"bool", "flow", "pump", "reason", "result", "run", "timeout"}  # with a report, of some kinds
SHAPES = ["x_names", "x_items", "x_turns", "x_members", "names_of_x", "items_of_x", "turns_of_x", "members_of_x"]


class MemberNames(Case):
    def make(self, members):
        """A flow with these members, each a row of KINDS and a name."""
        def lines(column):
            return "\n    ".join(row[column].format(name) for row, name in members)
        self.write("one.uflow", PROGRAM.replace("MEMBERS", lines(0)).replace("USES", lines(1)))
        self.good("one.uflow", "-o", "one.c", "--header", "one.h")
        return self.read("one.h").decode()

    def compiles(self, members):
        self.make(members)
        self.write("one.cpp", '#include "one.h"\n')
        for command in ([CC, *CFLAGS, *STRICT, "one.c"], [CXX, "-std=c++17", *STRICT, "one.cpp"]):
            if not command[0]:
                continue
            done = self.run_in_folder(*command)
            self.assertEqual(done.status, 0, done)

    def test_name_of_its_flow(self):
        for kind, (member, use) in KINDS.items():
            for flow in ("Leaf", "Hub"):
                if f" {flow} " in member:
                    with self.subTest(kind=kind):
                        self.compiles([((member, use), flow)])

    def test_types_of_the_generator(self):
        for kind, row in KINDS.items():
            with self.subTest(kind=kind):
                self.compiles([(row, name) for name in ("Probe", "Probe_Work", "Probe_Other", "Hub_Go")])

    def words(self):
        """The words behind `uf_` in the header of a flow with every kind of member."""
        header = self.make([(row, f"m{i}") for i, row in enumerate(KINDS.values())])
        found = {re.sub(r"_of_m\d+$", "", word) for word in re.findall(r"\buf_(\w+)", header)}
        expected = {"arms", "jobs", "task", "result", "preempts", "reason", "description", "items", "names", "members"}
        self.assertLessEqual(expected, found)
        return sorted(found - REFUSED)

    def test_words_of_the_generator(self):
        words = self.words()
        for kind, row in KINDS.items():
            with self.subTest(kind=kind):
                self.compiles([(row, word) for word in words])

    def test_names_made_from_names(self):
        for (kind, row), (other, second) in itertools.product(STORING.items(), STORING.items()):
            with self.subTest(kind=kind, beside=other):
                self.compiles([(row, "x"), *((second, shape) for shape in SHAPES)])


if __name__ == "__main__":
    main()
