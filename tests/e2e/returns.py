#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ufc does not treat a hidden `return` as an intent: every C compiler refuses it, at its line of the .uflow file."""
import shutil

from e2e import INCLUDE, Case, main

COMPILERS = [[name, *mode] for name in ("gcc", "clang", "cc") if shutil.which(name)
             for mode in (["-std=c11"], ["-std=gnu17", "-O2", "-Wno-return-type"])]

MACROS = """\
#define GIVE_UP(x) do { if (x) return 1; } while (0)
#define LEAVE(x) do { if (x) return; } while (0)
#define NOTHING(x) do { if (x) return NULL; } while (0)
#define STEP(x) do { if (x) return 0; } while (0)
#define TRUE(x) do { if (x) return true; } while (0)
"""
SOURCE = """\
source {
#include <stdbool.h>
%s}

flow F {
    int n;

    task T {
        step Begin {
            %s
            next End;
        }
        step End {
            done;
        }
    }
}
"""
LINE = 1 + (SOURCE % (MACROS, "HERE")).splitlines().index(12 * " " + "HERE")
HIDDEN = ["GIVE_UP(flow->n);", "LEAVE(flow->n);", "NOTHING(flow->n);", "STEP(flow->n);", "TRUE(flow->n);",
          "({ if (flow->n) return 1; });", "({ if (flow->n) return; });", "({ if (flow->n) return 0; });",
          "flow->n = ({ return (void *)0; 1; });"]


class Hidden(Case):
    def test_refused_at_its_line(self):
        for statement in HIDDEN:
            self.write("f.uflow", SOURCE % (MACROS, statement))
            self.good("f.uflow")
            for compiler in COMPILERS:
                with self.subTest(statement=statement, compiler=compiler):
                    result = self.run_in_folder(*compiler, "-I", INCLUDE, "-c", "f.c", "-o", "f.o")
                    self.assertNotEqual(result.status, 0, result)
                    self.assertRegex(result.err.decode(), r"(?m)^f\.uflow:\d+:\d+: error: ")
                    self.assertRegex(result.err.decode(), rf"(?m)^f\.uflow:{LINE}:\d+: (error|note: in expansion)")


if __name__ == "__main__":
    main()
