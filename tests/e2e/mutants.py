#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with macros that hide jumps, or with definitions that would extend beyond their body. ufc refuses each
mutant, or the C compiler refuses it at a line of the .uflow file, or it does what its text says."""
import glob
import itertools
import os
import random
import re
import shutil

from e2e import CC, CFLAGS, EFFORT, INCLUDE, LIBRARY, ROOT, Case, main

CORPUS = sorted(glob.glob(os.path.join(ROOT, "tests/corpus/*.uflow")))
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)] or [CC]
MUTANTS = 3 if EFFORT == "nightly" else 1  # of each program
STEP = re.compile(r"\bstep\s+\w+\s*(?:\([^(){};]*\))?\s*\{")

# None of these may remain: outside of a loop and a switch, they are not valid C. `hostile` is never called.
HEAD = """\
source {
extern int hostile;
#define HIDE_RETURN return
#define HIDE_VALUE do { if (hostile) return 1; } while (0)
#define HIDE_NULL do { if (hostile) return 0; } while (0)
#define HIDE_BREAK if (hostile) break
#define HIDE_CONTINUE if (hostile) continue
#define HIDE_GOTO if (hostile) goto nowhere
}
"""
HIDDEN = ["HIDE_RETURN;", "HIDE_VALUE;", "HIDE_NULL;", "HIDE_BREAK;", "HIDE_CONTINUE;", "HIDE_GOTO;",
          "({ if (hostile) return 1; });", "({ if (hostile) return; });"]
# Names that the generated C uses below the body: of functions, fields, types and tables.
NAMES = ["LIMIT 1", "flow other", "self other", "name", "steps 3", "state", "turn(x) x", "uf_next(f, s) uf_stay()",
         "int long",
         "result", "uf", "static", "offsetof(t, m) 0", "UF_ABI 1", "return"]


def mutate(text, statement, which):
    """Inserts the statement as the first one of a step; None: the program has fewer steps."""
    places = [found.end() for found in STEP.finditer(text)]
    return text[:places[which]] + statement + text[places[which]:] if which < len(places) else None


class Mutants(Case):
    def of_corpus(self):
        """Every program of the corpus, its text, and places that only look like steps: in comments, strings and skipped
        text."""
        for path in CORPUS:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read().lstrip("\ufeff")
            steps = [at for at in range(len(STEP.findall(text))) if not self.is_good(path, mutate(text, " @ ", at))]
            if steps: yield path, text, steps

    def is_good(self, path, text):
        result = self.ufc("-", "--check", "-I", os.path.dirname(path), input=text.encode())
        self.assertIn(result.status, (0, 1), result)
        self.said = result.err.decode()
        return result.status == 0

    def refused_by_c(self, compiler, name):
        """-S: gcc reports a missing return only when it generates functions."""
        result = self.run_in_folder(compiler, "-std=gnu11", "-I", INCLUDE, "-I", os.path.dirname(CORPUS[0]), "-I", ".",
                                    "-S",
                                    "-o", os.devnull, name + ".c")
        errors = re.findall(r"^(\S+?):\d+:(?:\d+:)? (?:fatal )?error: ", result.err.decode(), re.M)
        self.assertNotEqual(result.status, 0, f"{compiler} accepts the mutant")
        self.assertTrue(any(file.endswith(".uflow") for file in errors), result)

    def test_hidden_jumps(self):
        draw = random.Random(1)
        pairs = itertools.cycle(itertools.product(HIDDEN, COMPILERS))
        # for files that import it
        for path in CORPUS: self.good(path, "--emit=h", "-o", os.path.basename(path)[:-6] + ".h")
        for path, text, steps in self.of_corpus():
            base = os.path.basename(path)[:-6]
            for _ in range(MUTANTS):
                (statement, compiler), step = next(pairs), draw.choice(steps)
                with self.subTest(path=path, statement=statement, compiler=compiler, step=step):
                    self.write(base + ".uflow", HEAD.rstrip("\n") + mutate(text, f" {statement} ", step))
                    result = self.ufc("--tests", base + ".uflow", "-I", os.path.dirname(path))
                    if result.status == 0: self.refused_by_c(compiler, base)
                    else: self.assertEqual(result.status, 1, result)

    def test_definitions_in_bodies(self):
        names = itertools.cycle(NAMES)
        for path, text, steps in self.of_corpus():
            for which in steps[:2]:
                name = next(names)
                with self.subTest(path=path, name=name, step=which):
                    self.assertFalse(self.is_good(path, mutate(text, f"\n#define {name}\n", which)),
                                     "ufc accepts the mutant")
                    self.assertIn("[UF0212]", self.said)

    def test_one_name_in_two_steps(self):
        for path, text, steps in self.of_corpus():
            if len(steps) < 2: continue
            with self.subTest(path=path):
                twice = mutate(text, "\n#define LIMIT 2\n", steps[-1])
                twice = mutate(twice, "\n#define LIMIT 1\n", steps[0])
                self.assertFalse(self.is_good(path, twice), "ufc accepts the mutant")
                self.assertEqual(self.said.count("[UF0212]"), 2, self.said)


PROGRAM = """\
source {
#include <stdio.h>
extern int hostile;
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define HOSTILE(x) { if (hostile) x; }
#define HIDE_BREAK HOSTILE(break)
#define HIDE_CONTINUE HOSTILE(continue)
#define HIDE_OUT HOSTILE(goto out)
#define HIDE_RETURN HOSTILE(return uf_stay())
#define HIDE_FAIL HOSTILE(return uf_fail(&flow->uf, "hidden"))
}
flow F {
    int n;
    int sum;

    task T -> int {
        step First {
            /*@*/
            EACH(i, 3) { flow->sum += i; /*@*/ }
            while (flow->n < 2) { /*@*/ flow->n++; }
            if (flow->n++ < 4) stay every 1ms;
            await 1ms -> Second(flow->n);
            if (0) { out: next Second(7); }
        }
        step Second(int k) {
            switch (k) {
            case 0: fail "k";
            case 5: /*@*/ flow->sum += 10; break;
            default: /*@*/ flow->sum += 20;
            }
            next Third;
            out: done 77;
        }
        step Third {
            for (;;) {
                /*@*/
                if (flow->sum++ > 30) next Last;
            }
        }
        step Last { do { /*@*/ flow->sum++; } while (flow->sum < 50); done flow->sum; out: done 88; }
    }
}
"""
DRIVER = """\
#include <stdio.h>
#include <stdlib.h>
#include "f.h"

int hostile;

int main(int argc, char **argv)
{
    static F f;
    uf_pump pump;
    hostile = argc > 1 && atoi(argv[1]);
    if (uf_pump_init(&pump, NULL) != UF_OK || F_init(&f, &pump, "f") != UF_OK || F_start_T(&f) != UF_OK) return 1;
    for (int i = 0; i < 1000 && uf_pump_running(&pump); i++) uf_pump_round(&pump, i * UF_MS(1));
    printf("%d %d %d\\n", (int)uf_flow_outcome(&f.uf), f.n, f.sum);
    return 0;
}
"""


class Running(Case):
    def build(self, text):
        """False: refused, by ufc or at a line of the .uflow file."""
        self.write("f.uflow", text)
        self.write("main.c", DRIVER)
        result = self.ufc("f.uflow")
        if result.status: return False
        result = self.run_in_folder(CC, *CFLAGS, "-std=gnu11", "-I", INCLUDE, "main.c", "f.c", LIBRARY, "-lpthread",
                                    "-o", "f")
        if result.status: self.assertRegex(result.err.decode(), r"(?m)^f\.uflow:\d+:(\d+:)? error: ")
        return result.status == 0

    def test_hidden_jumps(self):
        self.assertTrue(self.build(PROGRAM))
        expected = self.must("./f").out
        refused, built = set(), 0
        parts = PROGRAM.split("/*@*/")
        for at, statement in itertools.product(range(1, len(parts)), re.findall(r"#define (HIDE_\w+)", PROGRAM)):
            with self.subTest(at=at, statement=statement):
                if not self.build("/**/".join(parts[:at]) + statement + ";" + "/**/".join(parts[at:])):
                    refused.add((at, statement))
                    continue
                built += 1
                self.assertEqual(self.must("./f").out, expected,
                                 "a jump that is not taken changes what the program does")
                if statement != "HIDE_CONTINUE": self.must("./f", "1")  # behaves otherwise, but does not hang
        for hidden in ((1, "HIDE_BREAK"), (1, "HIDE_CONTINUE"), (6, "HIDE_BREAK"), (6, "HIDE_OUT")):
            self.assertIn(hidden, refused)
        self.assertGreater(built, 20)


if __name__ == "__main__":
    main()
