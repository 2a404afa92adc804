#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Facts that only the C compiler knows: the type of the index of an array of jobs and of the items of a mailbox, the
value of a macro that is a size, and names that are macros. A right text compiles without a warning, and a wrong one is
an error in C."""
import glob
import os
import re

from e2e import CC, CFLAGS, INCLUDE, Case, main

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror", "-fsyntax-only", "-I",
          INCLUDE, "-I", "."]
INTEGERS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "size_t",
            "int64_t", "uint64_t", "bool", "enum which"]
OTHERS = ["float", "double", "int *", "void *", "const char *", "struct pair"]
PLACES = {"submit": "submit jobs[{0}](1); await all(jobs) -> done;",
          "arm": "submit jobs[0](1); await { jobs[{0}] -> done; timeout 1s -> done; }",
          "arm with a condition": "submit jobs[0](1); await { if (flow->at) jobs[{0}] -> done; timeout 1s -> done; }",
          "arm of all": "submit jobs[0](1); await all(jobs[{0}], jobs[1]) -> done;"}
PROGRAM = """header {
#include "uflow/uflow.h"
#include <stdint.h>
enum which { first, second };
struct pair { int a, b; };
}
worker int count(int n) { return n; }
flow Probe(TYPE at) {
    bool on;
    task Work { job jobs[4]: count; step Act { flow->on = sizeof flow->at > 0; if (flow->on) { USE } done; } }
}
"""


class IndexTypes(Case):
    def compiles(self, kind, index):
        type_, use = kind
        if type_ not in INTEGERS:
            use = use.replace("if (flow->at)", "if (flow->on)")
        self.write("one.uflow", PROGRAM.replace("TYPE", type_).replace("USE", use.replace("{0}", index)))
        self.good("one.uflow", "-o", "one.c", "--header", "one.h")
        return self.run_in_folder(CC, *CFLAGS, *STRICT, "one.c")

    def test_integers(self):
        for type_ in INTEGERS:
            for place, use in PLACES.items():
                with self.subTest(type=type_, place=place):
                    done = self.compiles((type_, use), "flow->at")
                    self.assertEqual(done.status, 0, done)

    def test_others(self):
        for type_ in OTHERS:
            for place, use in PLACES.items():
                with self.subTest(type=type_, place=place):
                    done = self.compiles((type_, use), "flow->at")
                    self.assertNotEqual(done.status, 0)
                    self.assertIn(b"invalid operands", done.err)

    def test_expressions(self):
        for index in ("1.5", '"text"', "&flow->on"):
            with self.subTest(index=index):
                self.assertNotEqual(self.compiles(("int", PLACES["submit"]), index).status, 0)
        for index in ("1 == flow->at", "flow->at ? 1 : 2", "flow->at << 1", "flow->at & 1",
                      "((void)flow->at, 1)", "(void)0, 1", "second"):
            with self.subTest(index=index):
                done = self.compiles(("int", PLACES["submit"]), index)
                self.assertEqual(done.status, 0, done)


class ItemTypes(Case):
    """A mailbox holds any type that can be assigned."""

    def compiles(self, declaration):
        self.write("one.uflow", f"""header {{
#include "uflow/uflow.h"
typedef int three[3];
typedef struct in_struct {{ three of; }} in_struct;
typedef int (*function)(int);
typedef union either {{ int a; double b; }} either;
enum which {{ first, second }};
}}
flow Probe {{ mailbox {declaration}; task Work {{ step Act {{ await box -> done; }} }} }}
""")
        self.good("one.uflow", "-o", "one.c", "--header", "one.h")
        return self.run_in_folder(CC, *CFLAGS, *STRICT, "one.c")

    def test_values(self):
        for declaration in ("int box[2]", "unsigned char box[2]", "const char *box[2]", "three *box[2]",
                            "either box[2]", "in_struct box[2]", "function box[2]", "enum which box[2]",
                            "int (*box[2])(int, int)", "bool box[2]", "struct in_struct *box[2]",
                            "const void *const *box[2]", "double box[2]"):
            with self.subTest(declaration=declaration):
                done = self.compiles(declaration)
                self.assertEqual(done.status, 0, done)

    def test_arrays(self):
        with self.assertRaisesRegex(AssertionError, "UF0413"):
            self.compiles("three box[2]")


class Sizes(Case):
    """The size of any array may be a macro. If it is 0, the error is at the line of the array."""

    def compiles(self, array, size):
        self.write("one.uflow", f"""header {{
#define SIZE {size}
}}
worker int count(int n) {{ return n; }}
flow Part {{ task Work {{ step Act {{ done; }} }} }}
flow Probe {{
    {array.get("flow", "")}
    task Work {{
        {array.get("task", "")}
        step Act {{ {array["use"]} }}
    }}
}}
""")
        self.good("one.uflow", "-o", "one.c", "--header", "one.h")
        return self.run_in_folder(CC, *CFLAGS, *STRICT, "one.c")

    def test_zero(self):
        arrays = [(7, {"flow": "flow Part some[SIZE];", "use": "await run Part.Work(&flow->some[1]) -> done;"}),
                  (7, {"flow": "pool Part some[SIZE];", "use": "spawn some.Work(); await idle(some) -> done;"}),
                  (7, {"flow": "mailbox int some[SIZE];", "use": "await some -> done;"}),
                  (9, {"task": "job some[SIZE]: count;", "use": "submit some[1](2); await all(some) -> done;"})]
        for line, array in arrays:
            with self.subTest(array=array):
                done = self.compiles(array, 2)
                self.assertEqual(done.status, 0, done)
                done = self.compiles(array, 0)
                self.assertNotEqual(done.status, 0)
                self.assertIn(f"one.uflow:{line}:".encode(), done.err)


class Macros(Case):
    """A header may define as a macro whatever the library calls its parameters and locals."""

    def test_names_of_the_library(self):
        text = ""
        for path in glob.glob(os.path.join(INCLUDE, "uflow", "**", "*.h"), recursive=True):
            with open(path, encoding="utf-8") as file:
                text += re.sub(r"/\*.*?\*/|\"[^\"\n]*\"", " ", file.read(), flags=re.S)
        words = set(re.findall(r"\b[a-z]\w*\b", text)) - set(KEYWORDS.split())
        names = sorted(word for word in words if not re.match(r"uf$|uf_|ufp_|__|.*_t$", word))
        self.assertGreater(len(names), 100)
        self.write("one.uflow", "header {\n" + "".join(f"#undef {name}\n#define {name} 7\n" for name in names) + """}
flow Part { task Work { step Act { await 1s -> done; } } }
flow Probe { flow Part part_of_probe; task Work { step Act { await run Part.Work(&flow->part_of_probe) -> done; } } }
""")
        for options in ([], ["--coverage"]):
            self.good("one.uflow", "-o", "one.c", "--header", "one.h", *options)
            done = self.run_in_folder(CC, *CFLAGS, *STRICT, "one.c")
            self.assertEqual(done.status, 0, done)


KEYWORDS = """auto bool break case char const continue default do double else enum extern false float for goto if inline
int long register restrict return short signed sizeof static struct switch true typedef union unsigned void volatile
while asm typeof define defined elif endif error ifdef ifndef include line pragma undef flow
self job value reason outcome"""


if __name__ == "__main__":
    main()
