#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Directives in every position of the grammar. ufc refuses each program with a code, or every C compiler accepts its
output, with and without the macro of the directive.

usage: directives.py --ufc UFC --root ROOT [--every N]     --every N: each N-th program
"""
import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile

from members import compilers

HEAD = """\
header {
int cells(int first, int second);
void drop_int(int *value);
}
signal estop;
checkpoint point;
worker int count(int n) { return n; }
"""
PART = "flow Part(int id) { task Work(int a, int b) { step S { if (self->a > self->b + flow->id) fail; done; } } }\n"

# `<…>` is what a directive may leave out.
AT_FILE = """
worker int w(<unsigned> int a) { return (int)a; }
worker <unsigned> int w(int a) { return a > 1; }
worker int w(int a) <drop drop_int> { return a > 1; }
worker int w(int a) <> { return a > 1; }
worker int <> w(int a) { return a > 1; }
worker int w(int a) { return a <+ 1>; }
worker int w(int a) { if (a) return 1; fail "%d", a <+ 1>; }
signal a <, b>;
checkpoint a <, b>;
<int q;>
header { int q; <int r;> }
source { static void q(void) { <;> } }
flow Q <> { task T { step S { done; } } }
flow Q { task <> T { step S { done; } } }
flow Q { task T <> { step S { done; } } }
flow Q { shutdown <> task T { step S { done; } } }
flow Q { task T -> <unsigned> int { step S { done 1; } } }
flow Q { task T -> int { step S { done 1 <+ 2>; } } }
flow Q { task T { step S <> { done; } } }
flow Q { on <> init { } task T { step S { done; } } }
flow Q { on init <> { } task T { step S { done; } } }
flow Q(int a <, int b>) { task T { step S { done; } } }
flow Q(<int b ,> int a) { task T { step S { done; } } }
flow Q(<unsigned> int a) { task T { step S { done; } } }
flow Q(int (*a)(int <, int>)) { task T { step S { done; } } }
flow Q { task T(int a <, int b>) { step S { done; } } }
flow Q { task T { step S { await 1s -> R(1); } step R(<unsigned> int a) { if (a) fail; done; } } }
plain struct p { int a; <int b;> };
plain struct p { <unsigned> int a; };
plain struct p { int a[1 <+ 2>]; };
plain struct p { int a <, b>; };
plain <> struct p { int a; };
plain struct <> p { int a; };
plain struct p <> { int a; };
plain struct p { int a; } <> ;
durable <> flow Q { task T { step S { done; } } }
durable flow <> Q { task T { step S { done; } } }
durable flow Q { transient <unsigned> int m; task T { step S { done; } } }
durable flow Q { transient <> int m; task T { step S { done; } } }
durable flow Q { int m[1 <+ 2>]; task T { step S { done; } } }
durable flow Q { <int m;> task T { step S { done; } } }
durable flow Q { on <> suspend { } task T { step S { done; } } }
durable flow Q { on restore { <;> } task T { step S { done; } } }
durable flow Q { task T(<unsigned> int a) -> int { step S { done 1 <+ 2>; } } }
durable flow Q { task T { step S { if (restored <+ 2>) fail; done; } } }
flow Q { group <> G { task T { step S { done; } } } }
flow Q { group G <> { task T { step S { done; } } } }
flow Q { group G { <on timeout 1s -> fail;> task T { step S { done; } } } }
flow Q { group G { on timeout (1 <+ 2>) s -> fail; task T { step S { done; } } } }
flow Q { group G { on estop -> fail <"%d", 1>; task T { step S { done; } } } }
flow Q { group G { on enter { <;> } task T { step S { done; } } } }
flow Q { group G { task T { step S { done; } } <task U { step S { done; } }> } }
flow Q { task T { on <> pause { } step S { done; } } }
flow Q { task T { on resume { if (paused > 1 <+ 2>) cells(1, 2); } step S { done; } } }
flow Q { on <> end { } task T { step S { done; } } }
flow Q { signal a[2 <+ 1>]; task T { step S { await a[1] -> done; } } }
flow Q { signal a[2]; task T { step S { await a[0 <+ 1>] -> done; } } }
flow Q { signal a[2]; on a[0 <+ 1>] -> fail; task T { step S { done; } } }
test <> "q" { step S { done; } }
test "q" <> { step S { done; } }
test "q" within <> 1s { step S { done; } }
test "q" within (1 <+ 2>) s { step S { done; } }
test "q" { int x; always (flow->x == 1 <+ 2>); step S { done; } }
test "q" { <int x;> step S { done; } }
test "q" { at (1 <+ 2>) s { } step S { done; } }
test "q" { at 1s { <;> } step S { done; } }
test "q" { every <> 1s { } step S { done; } }
test "q" { explore <10> { anytime { <;> } } step S { done; } }
test "q" { explore { <late 1s;> order; } step S { done; } }
test "q" { explore { late (1 <+ 2>) s; } step S { done; } }
test "q" { explore { jobs fail <, late 1s>; } step S { done; } }
test "q" { stub count { return 1 <+ 2>; } step S { done; } }
test "q" { step S { expect(1 <+ 2>); done; } }
test "q" { step S { expect_text("a" <"b">, "ab"); done; } }
test "q" { history <> "f.txt"; step S { done; } }
""".strip().split("\n")
IN_FLOW = """
mailbox <unsigned> int box[4]; task Q { step S { await box -> done; } }
mailbox int box[4 <* 16>]; task Q { step S { await box -> done; } }
mailbox int box[4] <drop drop_int>; task Q { step S { await box -> done; } }
pool Part some[4 <* 2>](1); task Q { step S { spawn some.Work(1, 2); await idle(some) -> done; } }
pool Part some[4](1 <+ 2>); task Q { step S { spawn some.Work(1, 2); await idle(some) -> done; } }
pool Part <> some[4](1); task Q { step S { spawn some.Work(1, 2); await idle(some) -> done; } }
flow Part some(1 <+ 2>); task Q { step S { await run Part.Work(&flow->some, 1, 2) -> done; } }
flow Part some[1 <+ 2>](1); task Q { step S { await run Part.Work(&flow->some[0], 1, 2) -> done; } }
flow Part some(1) <, other(2)>; task Q { step S { await run Part.Work(&flow->some, 1, 2) -> done; } }
task Q { job j[1 <+ 2>]: count; step S { submit j[0](1); await j[0] -> done; } }
task Q { job j: <> count; step S { submit j(1); await j -> done; } }
<unsigned> int m;
int m <, k>;
int m[1 <+ 2>];
int m = 1 <+ 2>;
int m[3] = { 1 <, 2> };
int m = (1 <+ 2>);
unsigned m : 1 <+ 2>;
struct { int a; <int b;> } m;
struct { int a <, b>; } m;
enum { A <, C> } m;
int m __attribute__((unused <, aligned(8)>));
_Static_assert(sizeof(int) > 1 <+ 1>, "");
on estop -> fail "%d", 1 <+ 2>;
<int q;>
""".strip().split("\n")
IN_TASK = """
int m[1 <+ 2>];
int m <, k>;
int m = 1 <+ 2>;
on timeout (1 <+ 2>) s -> fail;
on timeout 1s -> fail "%d", 1 <+ 2>;
on estop -> <> fail;
on estop -> Other(1 <+ 2>);
with run Part.Work(&flow->part, 1, 2 <+ 2>);
with run Part.Work(&flow->part, 1, 2) else fail "%d", 2 <+ 2>;
on enter { flow->n = 1 <+ 1>; }
<int q;>
""".strip().split("\n")
IN_STEP = """
await { until (flow->n > 1 <+ 2>) -> done; timeout 1s -> done; }
await { until (cells(1, 2 <+ 1>)) -> done; timeout 1s -> done; }
await { until (flow->n > 1) for (1 <+ 2>) s -> done; timeout 1s -> done; }
await { timeout (1 <+ 2>) s -> done; }
await (1 <+ 2>) s -> done;
await { if (flow->n <+ 2>) estop -> done; timeout 1s -> done; }
await { estop <> -> done; }
await { estop -> <> done; }
await <> { estop -> done; }
await { estop -> done; <point -> done;> }
await { estop -> fail "%d", 1 <+ 2>; }
await { estop -> become More(1 <+ 2>); }
await { estop -> Other(1 <+ 2>); }
await { run Part.Work(&flow->part, 1, 2) -> done else fail "%d", 2 <+ 2>; }
await { run Part.Work(&flow->part, 1, 2 <+ 2>) -> done; }
await { run Part.Work(&flow->part <+ 0>, 1, 2) -> done; }
await { idle(&flow->part <+ 0>) -> done; }
await { fired(&estop <+ 0>) -> done; }
await { all(estop <, point>) -> done; }
await { all(estop, run Part.Work(&flow->part, 1, 2 <+ 2>)) -> done; }
await { readable(flow->n <+ 2>) -> done; stopping -> done; }
await { deadline(uf_flow_now(&flow->uf) <+ 2>) -> done; }
submit j[0](1); await { j[0 <+ 1>] -> done; }
submit j[0](1); await { any(j <>) -> done; }
submit j[0 <+ 1>](1); await all(j) -> done;
submit j[0](1 <+ 1>); await all(j) -> done;
submit <> j[0](1); await all(j) -> done;
submit j <> [0](1); await all(j) -> done;
submit j[0] <> (1); await all(j) -> done;
submit j[0] <(1)>; await all(j) -> done;
submit j[0](1) <>; await all(j) -> done;
submit j[0](1) <timeout 1s>; await all(j) -> done;
submit j[0](1) timeout <> 1s; await all(j) -> done;
submit j[0](1) timeout (1 <+ 2>) s; await all(j) -> done;
next Other(1 <+ 2>);
next <> Other(1);
next Other <> (1);
become <> More(1);
become More <> (1);
done <>;
fail <> "a";
describe <> "a"; stay;
stay <> every 1s;
stay every <> 1s;
stay every 1s <> timeout 1s -> fail;
stay <every 1s>;
await <> 1s -> done;
await 1s <> -> done;
await 1s -> Other <> (1);
await { run <> Part.Work(&flow->part, 1, 2) -> done; }
await { run Part <> .Work(&flow->part, 1, 2) -> done; }
await { run Part.Work <> (&flow->part, 1, 2) -> done; }
await { all <> (estop, point) -> done; }
await { until <> (flow->n) -> done; timeout 1s -> done; }
await { timeout <> 1s -> done; }
await { estop -> done <>; }
await { if <> (flow->n) estop -> done; timeout 1s -> done; }
submit j[0](1); await { j <> [0] -> done; }
submit j[0](1); await { any <> (j) -> done; }
submit j[0](1); await { j[0] -> done <> else fail; }
become More(1 <+ 2>);
fail "%d", 1 <+ 2>;
fail "a" <"b">;
describe "%d", 1 <+ 2>; stay;
stay every (1 <+ 2>) s;
stay every 1s timeout (1 <+ 2>) s -> fail;
stay every 1s timeout 1s -> fail "%d", 1 <+ 2>;
spawn pooled.Work(1, 2 <+ 2>); await idle(pooled) -> done;
spawn pooled.Work(1, 2) else fail "%d", 2 <+ 2>; await idle(pooled) -> done;
spawn pooled.Work(1 <+ 1>, 2); await idle(pooled) -> done;
spawn pooled <> .Work(1, 2); await idle(pooled) -> done;
spawn <> pooled.Work(1, 2); await idle(pooled) -> done;
if (flow->n <+ 1>) done; fail;
if (flow->n) <> { done; } fail;
if (flow->n) done; <> else fail;
for (int i = 0; i < 2 <+ 1>; i++) flow->n++; done;
for (int i = 0 <, k = 2>; i < 2; i++) flow->n++; done;
while (flow->n <- 1> > 3) flow->n--; done;
do flow->n--; while (flow->n <- 1> > 3); done;
do <flow->n--;> while (flow->n > 3); done;
switch (flow->n <- 1>) { case 1: done; default: fail; }
switch (flow->n) { case 1 <+ 2>: done; default: fail; }
switch (flow->n) { <case 7: done;> default: fail; }
int x = 1 <+ 2>; if (x) done; fail;
int x = 1 <, y = 2>; if (x) done; fail;
struct { int a; <int b;> } x = { 0 }; if (x.a) done; fail;
int x[] = { 1 <, 2> }; if (x[0]) done; fail;
flow->n = 1 <+ 2>; done;
flow->n = cells(1, 2 <+ 2>); done;
flow->n = __extension__({ int x = 1; <x++;> x; }); done;
<done;> fail;
<flow->n++;> done;
if (flow->n) goto <> out; fail; out: done;
""".strip().split("\n")

KINDS = {"ifdef": "\n#ifdef BIG\n{}\n#endif\n", "if 0": "\n#if 0\n{}\n#endif\n", "if 1": "\n#if 1\n{}\n#endif\n",
         "else": "\n#ifdef BIG\n{0}\n#else\n{0}\n#endif\n", "elif": "\n#ifndef BIG\n#elif 1\n{}\n#endif\n",
         "two": "\n#ifdef BIG\n{}\n#endif\n#ifdef BIG\n#endif\n",
         "nested": "\n#ifdef BIG\n#ifdef BIG\n{}\n#endif\n#endif\n",
         "digraph": "\n%:ifdef BIG\n{}\n%:endif\n", "indented": "\n  # ifdef BIG\n{}\n  # endif\n",
         "line": "\n#line 900\n{}\n", "pragma": "\n#pragma GCC poison nobody\n{}\n",
         "define": "\n#define NO_ONE\n{}\n"}
OPTIONAL = re.compile(r"(?<!-)<((?:[^<> ](?:[^<>]|->)*)?)>")
# Blocks of C; only the preprocessor can decide whether these are right.
BLOCKS = [f"{word} {{\n{text}\n}}\n" for word in ("header", "source", "prologue")
          for text in ("#else", "#endif", "#elif 1", "#if 1", "#if 1\n#else", "#ifdef BIG\n#endif\n#endif",
                       "#if 0\n#endif\n#else", "#ifdef BIG\n#elif 1\n#endif", "#if 0\n{\n#endif")]
WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wno-unused", "-Wno-misleading-indentation", "-Werror", "-fsyntax-only"]
QUIET = ["unused-field", "unused-parameter", "unused-worker", "unreachable-step", "unawaited-signal",
         "conditional-await", "unlimited-descriptor", "until-without-timeout"]


def in_step(text):
    """A flow with whatever the statements of the step need."""
    return ("flow F { int n; flow Part part(1); pool Part pooled[2](1); task T { job j[3]: count; step S { " + text +
            " } step Other(int a) { if (a) fail; done; } } task More(int a) { step S { if (self->a) fail; done; } } }")


def programs():
    """Every position in one program, with its directive to be filled in, or a whole program."""
    yield from ((HEAD + text, None) for text in BLOCKS)
    for text in AT_FILE:
        yield HEAD + text + "\n", text
    for text in IN_FLOW:
        yield HEAD + PART + "flow F { " + text + " task T { step S { done; } } }\n", text
    for text in IN_TASK:
        yield (HEAD + PART + "flow F { int n; flow Part part(1); task T { " + text +
               " step S { stay every 1s; } step Other(int a) { if (a) fail; done; } } }\n"), text
    for text in IN_STEP:
        yield HEAD + PART + in_step(text) + "\n", text


def fill(program, place, kind):
    part = OPTIONAL.search(place)[1]
    made = OPTIONAL.sub(lambda _: KINDS[kind].replace("{0}", part).replace("{}", part), place)
    return program.replace(place, made)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    include = os.path.join(os.path.abspath(options.root), "runtime", "include")
    translate = [os.path.abspath(options.ufc), *("-Wno-" + name for name in QUIET), "a.uflow", "-o", "a.c"]
    cc = [name for name in compilers() if "++" not in name]
    texts = [(program, place, kind) for program, place in programs() for kind in (KINDS if place else ["whole"])]
    accepted = refused = 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for program, place, kind in itertools.islice(texts, 0, None, options.every):
            text = fill(program, place, kind) if place else program
            with open(os.path.join(folder, "a.uflow"), "w", encoding="utf-8") as file:
                file.write(text)
            status, said = run(translate, folder)
            refused += status == 1
            if status == 1 and re.search(r"error: .*\[UF\d{4}\]$", said, re.M):
                continue
            ways = [[name, *macro] for name in cc for macro in ([], ["-DBIG"])] if status == 0 else []
            wrong = [] if status == 0 and not said else [f"ufc: status {status}\n{said}"]
            for way in ways:
                bad, complaint = run([*way, *WARNINGS, "-I", include, "a.c"], folder)
                if bad:
                    wrong.append(f"{' '.join(way)}\n{complaint}")
            accepted += not wrong
            if wrong:
                failures.append(f"-- {kind}: {place or text}\n{wrong[0][:800]}")
    print(*failures, sep="\n")
    print(f"{accepted} accepted, {refused} refused, {len(failures)} failures; with {', '.join(cc)}")
    return 1 if failures or not accepted or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
