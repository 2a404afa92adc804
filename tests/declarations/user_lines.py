#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`#line` directives of the user: the C compiler must name the same lines as for the same text in a C file.

Random bodies of steps, handlers, workers and blocks, with directives of all forms between their statements. Statements
hold planted mistakes: unused locals and divisions by zero. The plain C file has the same lines, with an ordinary
statement for each intent.

usage: user_lines.py --ufc UFC --root ROOT --count N [--seed N]     --count: bodies
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

from members import compilers

# UNKNOWN: only the preprocessor knows the line, so the functions of awaits cannot follow; they stand before the body.
KNOWN = ['#line 500 "gen.tmpl"', '#line 700 "other dir/b.tmpl" // text', '# 800 "gen.tmpl"', '%:line 900 "c.tmpl"',
         '  #  line 1000 /* text */', '#line 1100', '#line 1200 "a\\\\b.tmpl"', "#line 2147480000"]
UNKNOWN = ["#line START", "#line 60 NAME", "#line 70 \\\n\"d.tmpl\"", "#ifndef ABSENT\n#line 80 \"e.tmpl\"\n#endif",
           "#ifdef ABSENT\n#line 90\n#else\nint @;\n#endif", "#if 0\n#elif 1\n#line 95\n#endif"]
# Text in a step, and the same lines of C. `@` is a new name, `?` a division by zero that the compiler reports.
PLAIN = ["int @;", "\n\nint @;", "if (n) { int @;\n}", "n = ?;", "n = n +\n    ?;", "n++; int @; n--;",
         "for (int i = 0; i < n; i++)\n{\n    int @;\n}",
         "switch (n) {\ncase 1: {\n    int @;\n    break; }\ndefault: break; }"]
INTENTS = [("if (n) done; int @;", "if (n) return; int @;"), ("if (n) stay;", "if (n) return;"),
           ("if (n) next\n    Other;", "if (n) return\n    ;"), ('if (n) fail "%d", ?;', "if (n) { n = ?; return; }"),
           ("if (n) fail\n  \"%d\",\n  ?;", "if (n) n =\n\n  ?;"),
           ('describe "%d",\n  ?; int @;', "n = \n  ?; int @;"), ("submit j[0](\n?);\nint @;", "n = (\n?);\nint @;"),
           ("spawn some.Work(\n\n?);\nint @;", "n = (\n\n?);\nint @;"),
           ("if (n) stay every (?) ms;", "if (n) { n = ?; return; }"),
           ("if (n) {\nstay every 1s\n  timeout (?) s\n -> done;\n}", "if (n) {\nn =\n   (?)\n ;\n}"),
           ("if (n) await 1s -> Other; int @;", "if (n) return; int @;"),
           ("if (n) await 1s\n -> done;", "if (n) return\n ;"),
           ("if (n) await {\ntimeout 1s -> done;" + "\n" * 12 + "}\nint @;",
            "if (n) {\nreturn;" + "\n" * 12 + "}\nint @;"),
           ("if (n) await {\n    timeout 1s\n       -> done;\n}\nelse {\n   int @;\n}",
            "if (n) {\n    return\n       ;\n}\nelse {\n   int @;\n}")]
AWAITS = [("if (n) await {\ntimeout 1s\n -> fail \"%d\", ?;\n}", "if (n) {\nn =\n    ?;\n}"),
          ("if (n) await {\nuntil (flow->m > ?) -> done;\ntimeout (?) s\n -> done;\n}\nint @;",
           "if (n) {\nn = (n > ?);\nn = (?);\n return;\n}\nint @;"),
          ("if (n)\nawait {" + "\n" * 11 + "if (?) go -> done;\nrun Part.Work(&flow->part, ?)\n -> fail \"%d\", ?;\n}",
           "if (n)\n{" + "\n" * 11 + "if (?) return;\nn = ?;\n { n = ?; return; }\n}")]
WARNINGS = ["-std=gnu11", "-Wall", "-Wdiv-by-zero", "-Wno-unused-function", "-Wno-misleading-indentation",
            "-fsyntax-only"]
QUIET = ["unused-worker", "unreachable-step", "unawaited-signal", "until-without-timeout", "unused-field",
         "unused-parameter"]
HEAD = """\
#define START 40
#define NAME "macro.tmpl"
"""
HEAD_OF_FLOWS = ("prologue {\n" + HEAD + "}\nworker int count(int n) { return n; }\n"
                 "flow Part { task Work(int a) { step S { if (self->a) fail; done; } } }\n")
NL = "\n"


class Bodies:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0

    def fill(self, texts):
        """Both texts, with the same new name for each local in both."""
        self.number += 1
        name = f"unused{self.number}"
        return [text.replace("@", name).replace("?", "1 / 0") for text in texts]

    def statement(self, intents, directives, awaits):
        kind = self.random.randrange(10)
        if directives and kind < 3: return self.random.choice(directives)
        if awaits and kind < 5: return self.random.choice(awaits)
        return self.random.choice(intents if intents and kind < 8 else PLAIN)

    def body(self, intents, is_known):
        """The lines of a body, as uflow and as C."""
        whole = ["", ""]
        directives = KNOWN if is_known else UNKNOWN + KNOWN[:2]
        awaits = AWAITS if is_known and intents else []
        for _ in range(self.random.randrange(2, 9)):
            both = self.statement(intents, directives, awaits)
            both = self.fill((both, both) if isinstance(both, str) else both)
            if self.random.randrange(6) == 0: both = [f"{{\n{text}\n}}" for text in both]
            whole = [before + text + "\n" for before, text in zip(whole, both)]
        return whole


# The text before the body, its end, and the text after it; the allowed intents. `%` is the number of the place.
PLACES = {
    "step": ("flow F% { int m; pool Part some[2]; flow Part part; signal go; task T { job j[2]: count; step S {\n",
             "stay; }\n", "step Other { int @; done; } } }\n", INTENTS),
    "enter": ("flow F% { int m; task T { on enter {\n", "}\n", "step S { int @; done; } } }\n", []),
    "worker": ("worker void w%(int m) {\n", "}\n", "worker void v%(void) { int @; }\n", []),
    "source": ("source {\nstatic void f%(int m) {\n", "}\nstatic void g%(void) { int @; }\n",
               "}\nworker void v%(void) { int @; }\n", []),
    "header": ("header {\n#include <stddef.h>\nstatic inline void f%(int m) {\n",
               "}\n#include <stddef.h>\nstatic inline void g%(void) { int @; }\n",
               "}\nworker void v%(void) { int @; }\n", []),
}


def build(bodies, places):
    """The file of flows, and the C file."""
    flows, plain = HEAD_OF_FLOWS, HEAD
    for number, place in enumerate(places):
        *parts, intents = PLACES[place]
        before, end, behind = (bodies.fill([part.replace("%", str(number))])[0] for part in parts)
        first = "int n = m; (void)n;\n" if "(int m)" in before else "int n = flow->m; (void)n;\n"
        flow, body = bodies.body(intents, place == "header" or bodies.random.randrange(3) > 0)
        plain += f'#line {flows.count(NL) + before.count(NL)} "a.uflow"\n'
        plain += f"static void f{number}(int m) {{\nint n = m; (void)n;\n{body}{end.replace('stay; ', '')}"
        flows += before + first + flow + end
        local = re.search(r"int unused\d+;", behind)
        plain += f'#line {flows.count(NL) + 1 + behind[:local.start()].count(NL)} "a.uflow"\n'
        plain += f"static void v{number}(void) {{ {local[0]} }}\n"
        flows += behind
    return flows, plain


def complaints(command, folder, text):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
    said = done.stderr.decode("utf-8", "replace")
    if "error:" in said: raise SystemExit(f"{' '.join(command)}\n{said}\n{text}")
    found = re.findall(r"^(.*?):(\d+):\d+: warning: (?:.*(unused\d+)|.*(zero))", said, re.M)
    return {(name.replace("\\\\", "\\"), int(line), local or zero) for name, line, local, zero in found}


def own_lines(name, text):
    """Directives that lead back to the generated file and name the wrong line; the last one must lead there."""
    own = True
    for number, line in enumerate(text.split("\n"), 1):
        back = re.match(r'#line (\d+) "a\.[ch]"', line)
        if back and int(back[1]) != number + 1: yield f"{name}:{number}: {line}"
        if re.match(r"\s*(#|%:)\s*(line|\d)", line): own = back
    if not own: yield f"{name}: lines of another file up to the end"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    include = os.path.join(os.path.abspath(options.root), "runtime", "include")
    translate = [os.path.abspath(options.ufc), *("-Wno-" + name for name in QUIET), "a.uflow", "-o", "a.c"]
    failures, planted, at_once = [], 0, 20
    with tempfile.TemporaryDirectory() as folder:
        def path(name): return os.path.join(folder, name)
        for first in range(0, options.count, at_once):
            bodies = Bodies(f"{options.seed}.{first}")
            flows, plain = build(bodies, [bodies.random.choice(["step", *PLACES]) for _ in range(at_once)])
            for name, text in (("a.uflow", flows), ("plain.c", plain)):
                with open(path(name), "w", encoding="utf-8") as file: file.write(text)
            for way in (["--no-line"], []): # what is compiled below comes last
                done = subprocess.run([*translate, *way], cwd=folder, stderr=subprocess.PIPE, timeout=60)
                if done.returncode: raise SystemExit(f"{done.stderr.decode()}\n{flows}")
                for name in ("a.c", "a.h"):
                    with open(path(name), encoding="utf-8") as file: failures += own_lines(name, file.read())
            for cc in [name for name in compilers() if "++" not in name and "tcc" not in name]:
                want = complaints([cc, *WARNINGS, "plain.c"], folder, plain)
                got = complaints([cc, *WARNINGS, "-I", include, "a.c"], folder, flows)
                planted += len(want)
                if want != got:
                    failures.append(f"-- {cc}: missing {sorted(want - got)}, wrong {sorted(got - want)}\n{flows}\n")
    print(*failures[:1], sep="\n")
    print(f"{planted} mistakes, {len(failures)} failures")
    return 1 if failures or planted < options.count else 0


if __name__ == "__main__":
    sys.exit(main())
