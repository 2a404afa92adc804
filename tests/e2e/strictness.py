#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A step is compiled as strictly as the same lines in a C file: planted mistakes, one for each warning that generated
files mention and for others, under the flags that users choose, with gcc and clang.

Each mistake is on a line of its own, in a step and in a function of plain C. For each line the compilers must report
the same warnings, as errors or not. Warnings that generated files turn into errors may be stricter in a step."""
import itertools
import os
import re
import shutil

from e2e import INCLUDE, Case, main

HEAD = """\
#include <stdio.h>
#define LEAVE return
static int is_used(int n) { return n; }
"""
FLOW = """flow Other { task Do { step S { done; } } }
source {
%sstatic void unused_function(void) { }
}
flow F(const char *text) {
    int n;
    unsigned u;
    char c;
    flow Other other;
    task T {
%s
    }
}
"""
PLAIN = """#include <stdlib.h>
typedef struct F { const char *text; int n; unsigned u; char c; } F;
void fail(F *flow, const char *format, ...) __attribute__((format(printf, 2, 3)));
%sstatic void unused_function(void) { }
%s
"""
SAME = ["flow->n = is_used(flow->n);", 'printf("%s\\n", flow->n++);', "printf(flow->text);", "printf(flow->text, 1);",
        'printf("%d\\n", 1, 2);', 'printf("");', "int unused;", "flow->n + 1;", "if (flow->n = 3) flow->n++;",
        "if (flow->u > flow->n) flow->n++;", "int a = 1; { int a = 2; flow->n = a; } flow->n = a;",
        "flow->c = flow->n;", "switch (flow->n) { case 1: flow->n++; case 2: flow->n++; }", "flow->n = 1 / 0;",
        "flow->n = flow->n++ + 1;", "flow->n == 3;",
        "if (flow->u < 0) flow->n++;", "flow->n = 1 << 40;", "int i; flow->n = i;"]
# The text in a step, and the text in C.
PAIRS = [('if (flow->n) fail "%s", flow->n;', 'if (flow->n) fail(flow, "%s", flow->n);'),
         ('describe "%ld", flow->n;', 'fail(flow, "%ld", flow->n);'),
         ('if (flow->n) await 1s -> fail "%s", flow->n;', 'if (flow->n) fail(flow, "%s", flow->n);'),
         ("await { if (flow->n = 3) stopping -> done; timeout 1s -> done; }", "if (flow->n = 3) flow->n++;"),
         *((f"await {{ {guard}until (flow->n = 3) {hold}-> done; {beside} -> done; timeout 1s -> done; }}",
            "if (flow->n = 3) flow->n++;")
           for guard in ("", "if (is_used(4)) ") for beside in ("stopping", "run Other.Do(&flow->other)")
           for hold in ("", "for 3s ", "for (flow->c) ms ")),
         *((f"await {{ until ({mistake}) {hold}-> done; stopping -> done; timeout 1s -> done; }}",
            f"if ({mistake}) flow->n++;")
           for mistake in ("flow->n & 1 == 2", "flow->u < 0", "flow->u == flow->n", "flow->n || flow->c && flow->u",
                           "(flow->n == 3)")
           for hold in ("", "for 3s "))]
# They are in a file of their own, since an error may end the analysis that finds others.
ERRORS = {"-Wint-conversion": "int *p = flow->n; (void)p;",
          "-Wincompatible-pointer-types": "long *p = &flow->n; (void)p;",
          "-Wimplicit-function-declaration": "not_declared(flow->n);",
          "-Wreturn-type": "if (flow->n) LEAVE;"}
NEWER = {"-Wreturn-type": "-Wreturn-(?:type|mismatch)"}  # since gcc 14 and clang 19
BY_UFC = {"-Wunused-parameter", "-Wunused-function"}  # see test_unused
FORMS = ["", "-Wall", "-Wall -Wextra -Werror", "-Werror=format", "-Wall -Werror=format", "-Wformat=2 -Werror",
         "-Wall -Wformat=2 -Werror=format-security", "-Wformat -Wformat-nonliteral", "-Wall -Wno-error=format -Werror",
         "-Wall -Wextra -Wno-format -Werror", "-Wall -Wextra -Wshadow -Wconversion", "-Wno-int-conversion"]
COMPILERS = sorted({os.path.realpath(path) for path in map(shutil.which, ("gcc", "clang", "clang-14")) if path})


class Strictness(Case):
    def write_both(self, pairs, *options):
        """Returns the lines of the first mistake in both."""
        steps = [f"step S{i} {{ {step} {'' if step.startswith('await') else f'next S{i + 1};'} }}"
                 for i, (step, _) in enumerate(pairs)] + [f"step S{len(pairs)} {{ done; }}"]
        functions = [f"int f{i}(F *flow); int f{i}(F *flow) {{ {plain} return flow->n; }}"
                     for i, (_, plain) in enumerate(pairs)]
        flow, plain = FLOW % (HEAD, "\n".join(steps)), PLAIN % (HEAD, "\n".join(functions))
        self.write("f.uflow", flow)
        self.write("plain.c", plain)
        self.good(*options, "f.uflow")
        return flow[:flow.index("step S0 ")].count("\n") + 1, plain[:plain.index("int f0(")].count("\n") + 1

    def said(self, compiler, flags, file, source, first, count):
        """For each mistake: the names of its warnings, and which of them are errors; also the status."""
        done = self.run_in_folder(compiler, "-std=gnu11", *flags.split(), "-I", INCLUDE, "-S", "-o", "f.s", file,
                                  env={**os.environ, "LC_ALL": "C"})
        text, said = done.err.decode(), [set() for _ in range(count)]
        report = rf"^{source}:(\d+):\d+: (warning|error): .*?(?: \[([^\[\]]*)\])?$"
        for line, kind, tags in re.findall(report, text, re.M):
            names = set(re.findall(r"-W(?:error=)?([\w-]+=?)", tags)) - {"error"}
            if 0 <= int(line) - first < count: said[int(line) - first] |= {(name, kind) for name in names or {""}}
        return said, done.status, text

    def test_mistakes(self):
        self.assertTrue(COMPILERS)
        for options in ([], ["--coverage"]):
            with self.subTest(options=options): self.check_mistakes(options, FORMS[::4] if options else FORMS)

    def check_mistakes(self, options, forms):
        pairs = [(line, line) for line in SAME] + PAIRS
        first, first_plain = self.write_both(pairs, *options)
        for compiler, flags in itertools.product(COMPILERS, forms):
            step, status, text = self.said(compiler, flags, "f.c", "f.uflow", first, len(pairs))
            plain, status_plain, text_plain = self.said(compiler, flags, "plain.c", "plain.c", first_plain, len(pairs))
            both = f"{text}\nin plain C\n{text_plain}"
            for i, (line, _) in enumerate(pairs):
                with self.subTest(compiler=compiler, flags=flags, line=line): self.assertEqual(step[i], plain[i], both)
            with self.subTest(compiler=compiler, flags=flags): self.assertEqual(status != 0, status_plain != 0, both)

    def test_errors(self):
        """These are errors whatever the flags."""
        self.write_both([(line, line) for line in ERRORS.values()])
        for compiler, flags in itertools.product(COMPILERS, FORMS):
            _, status, text = self.said(compiler, flags, "f.c", "f.uflow", 0, 0)
            for name in ERRORS:
                with self.subTest(compiler=compiler, flags=flags, name=name):
                    self.assertRegex(text, rf"error: .*\[-W(error[=,])?(-W)?{NEWER.get(name, name)[2:]}\b")

    def test_unused(self):
        """Unused parameters are reported by ufc, whatever the flags; unused functions are the user's own C."""
        self.write("f.uflow", "source { static void alone(void) { } }\n"
                   "worker int w(int x) { return 1; }\n"
                   "flow F { task T { job j: w; step S { submit j(1); next A(2); }\n"
                   "step A(int y) { await j -> done; } } }\n")
        self.refused(1, "-Werror=unused-parameter", "f.uflow", says="`x` is never used")
        self.refused(1, "-Werror=unused-parameter", "f.uflow", says="`y` is never used")
        self.good("f.uflow")
        for compiler in COMPILERS:
            done = self.run_in_folder(compiler, "-Wall", "-Werror", "-I", INCLUDE, "-S", "-o", "f.s", "f.c")
            self.assertIn(b"-Werror=unused-function" if b"gcc" in compiler.encode() else b"unused-function", done.err)
            self.assertNotEqual(done.status, 0)

    def test_table(self):
        """A generated file mentions no warning without a planted mistake, and changes none but these."""
        self.write_both([(SAME[0], SAME[0])])
        mentioned = set(re.findall(r'pragma GCC diagnostic \w+ "(-W[^"]*)"', self.read("f.c").decode()))
        self.assertEqual(mentioned, set(ERRORS) | BY_UFC)
        headers = [os.path.join(at, name) for at, _, names in os.walk(INCLUDE) for name in names]
        for path in [*headers, self.path("f.h")]:
            with open(path, encoding="utf-8") as file: text = file.read()
            if path.endswith("generated/test.h"): # compares copies of what a test claims, which are no constants
                self.assertEqual(set(re.findall(r'"(-W[^"]*)\\"', text)), {"-Wsign-compare", "-Waddress"})
                text = re.sub(r"#define UF_COMPARE_BEGIN.*?#else", "", text, flags=re.S)
            self.assertNotRegex(text, r"GCC (diagnostic|system_header)|diagnostic (push|ignored)", path)


if __name__ == "__main__":
    main()
