#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An argument of the wrong type is an error under gcc and clang at their default flags, in every argument list."""
import itertools
import os
import shutil

from e2e import INCLUDE, Case, main

HEAD = """\
source {
#include <stddef.h>
static void *anything(void) { return NULL; }
}

worker int weigh(TYPE what) { (void)what; return 0; }

flow Axis {
    task Home(TYPE at) { step Go { (void)self->at; done; } }
}

flow Cell {
    flow Axis x;

    task Run {
        job scale: weigh;
        step Go {
            int number = 3;
            long *pointer = anything();
            (void)number; (void)pointer;
STATEMENT
        }
        step Next(TYPE from) { (void)from; done; }
        step Read { await scale -> done; }
    }
    task Other(TYPE to) { step Go { (void)self->to; done; } }
}
"""
LINE = HEAD[:HEAD.index("STATEMENT")].count("\n") + 1

# Each is on its own line. The rest of the body is valid.
PLACES = {
    "run": "await run Axis.Home(&flow->x, VALUE) -> done;",
    "become": "become Other(VALUE);",
    "become after an arrow": "await 1s -> become Other(VALUE);",
    "next": "next Next(VALUE);",
    "next after an arrow": "await 1s -> Next(VALUE);",
    "submit": "submit scale(VALUE); next Read;",
    "_start_": "(void)Axis_start_Home(&flow->x, VALUE); stay;",
}
# After an arrow, locals are not visible.
VALUES = {"int": [('"text"', False), ("(long *)anything()", False), ("7", True), ("2.5", True)],
          "const char *": [("7", False), ("(long *)anything()", False), ('"text"', True), ("NULL", True)],
          "double": [('"text"', False), ("7", True)]}
COMPILERS = sorted({os.path.realpath(path) for path in map(shutil.which, ("gcc", "clang", "clang-14")) if path})


class Arguments(Case):
    def test_every_place(self):
        self.assertTrue(COMPILERS)
        for (place, statement), (kind, values) in itertools.product(PLACES.items(), VALUES.items()):
            for value, fits in values:
                text = HEAD.replace("STATEMENT", statement.replace("VALUE", value)).replace("TYPE", kind)
                self.write("cell.uflow", text)
                self.assertEqual(self.ufc("cell.uflow").status, 0)
                for compiler in COMPILERS:
                    with self.subTest(place=place, kind=kind, value=value, compiler=compiler):
                        done = self.run_in_folder(compiler, "-I", INCLUDE, "-fsyntax-only", "cell.c")
                        said = done.err.decode()
                        self.assertEqual(done.status == 0, fits, said)
                        if not fits: self.assertIn(f"cell.uflow:{LINE}:", said)

    def test_blocks_are_judged_by_the_flags_alone(self):
        """The contents of a `source` block and its includes are the user's own C."""
        self.write("old.h", "static int *old_pointer(void) { return 3; }\n")
        self.write("door.uflow", 'source {\n#include "old.h"\nstatic int own_number(void) { return "x"; }\n}\n'
                   "flow Door { task Close { step Push { if (old_pointer() || own_number()) done; fail; } } }\n")
        self.assertEqual(self.ufc("door.uflow").status, 0)
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                done = self.run_in_folder(compiler, "-Wno-int-conversion", "-I", INCLUDE, "-c", "door.c", "-o",
                                          os.devnull)
                self.assertEqual((done.status, done.err), (0, b""))

    def test_start_from_c(self):
        """There the C compiler sees the user's prototype, and the flags of that file determine its diagnostics."""
        self.write("axis.uflow", "flow Axis { task Home(int at) { step Go { (void)self->at; done; } } }\n")
        self.assertEqual(self.ufc("axis.uflow").status, 0)
        self.write("main.c",
                   '#include "axis.h"\nint main(void) { static Axis axis; return Axis_start_Home(&axis, "text"); }\n')
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                done = self.run_in_folder(compiler, "-Werror=int-conversion", "-I", INCLUDE, "-c", "main.c", "-o",
                                          os.devnull)
                self.assertNotEqual(done.status, 0)
                self.assertIn("main.c:2:", done.err.decode())


if __name__ == "__main__":
    main()
