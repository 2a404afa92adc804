#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time against size. For each construct that can be long, ufc compiles N and 4 N of them; it must take about four
times as
long."""
import os
import subprocess

from e2e import EMIT_ALL, UFC, Case, main

LARGE, FACTOR = 16000, 4
# Quadratic code takes 16 times as long, linear code 4 times. Short times are not compared: quadratic code is never that
# fast.
MOST, SHORT = 8.0, 0.2


def each(n, text, between=""):
    """`text` n times, with $ as the number."""
    return between.join(text.replace("$", str(i)) for i in range(n))


def flow(members="", tasks=""):
    return f"flow F {{\n{members}\n{tasks or task()}\n}}\n"


def task(members="", steps="", head="task T"):
    return f"{head} {{\n{members}\n{steps or step('done;')}\n}}\n"


def step(body, head="step S"):
    return f"{head} {{\n{body}\n}}\n"


def body(text):
    return flow("int x;", task(steps=step(text)))


def waits(n, text):
    """`text` n times, in several steps: a step has at most 4095 waits."""
    parts = [each(n, text, "\0").split("\0")[i:i + 4000] for i in range(0, n, 4000)]
    steps = [f"step S{i} {{ {''.join(part)} {f'next S{i + 1};' if i + 1 < len(parts) else 'done;'} }}\n"
             for i, part in enumerate(parts)]
    return flow("int x;", task(steps="".join(steps)))


def source(text):
    return "source {\n" + text + "\n}\n"


ONE = "flow G { task U { step S { done; } } }\n"

# The name of a construct, and the function that makes a correct text with `n` of them.
CONSTRUCTS = {
    # a file
    "flows": lambda n: each(n, "flow F$ { task T { step S { done; } } }\n"),
    "flows, named with words of C names": lambda n: each(n, "flow F_$ { task at { step S_a { done; } } }\n"),
    "header blocks": lambda n: each(n, "header { extern int h$; }\n") + body("done;"),
    "source blocks": lambda n: each(n, "source { static int h$; }\n") + body("done;"),
    "lines of a source block": lambda n: source(each(n, "static int h$;\n")) + body("done;"),
    "signals": lambda n: f"signal {each(n, 's$', ', ')};\n" + body("done;"),
    "signals, a declaration each": lambda n: each(n, "signal s$;\n") + body("done;"),
    "checkpoints": lambda n: each(n, "checkpoint c$;\n") + body("await c0 -> done;"),
    "workers": lambda n: each(n, "worker int w$(int a) { return a; }\n") + body("done;"),
    "parameters of a worker": lambda n: f"worker int w({each(n, 'int a$', ', ')}) {{ return {each(n, 'a$', '+')}; }}\n"
    + flow("", task("job j: w;", step(f"submit j({each(n, '$', ',')}); await j -> done;"))),
    # a flow
    "parameters of a flow": lambda n: f"flow F({each(n, 'int a$', ', ')}) {{ {task()} }}\n",
    "fields of a flow": lambda n: flow(each(n, "int f$ = $;\n"), task(steps=step(each(n, "flow->f$++;") + "done;"))),
    "fields of one declaration": lambda n: flow(f"int {each(n, 'f$ = $', ', ')};"),
    "fields that see the former": lambda n: flow("int f0;" +
                                                 "".join(f"int f{i + 1} = flow->f{i};\n" for i in range(n))),
    "fields with tags": lambda n: flow(each(n, "struct { int a; } f$;\n")),
    "sub-flows": lambda n: ONE + flow(each(n, "flow G g$;\n")),
    "sub-flows of one declaration": lambda n: ONE + flow(f"flow G {each(n, 'g$', ', ')};"),
    "sub-flows and runs of them": lambda n: ONE + flow(each(n, "flow G g$;\n"), task(steps=step(
        f"await all({each(n, 'run G.U(&flow->g$)', ', ')}) -> done;"))),
    "arguments of a sub-flow": lambda n: f"flow G({each(n, 'int a$', ', ')}) {{ {task()} }}\n"
    + flow(f"flow G g({each(n, '$', ', ')});"),
    "signals of a flow": lambda n: flow(f"signal {each(n, 's$', ', ')};"),
    "checkpoints of a flow": lambda n: flow(each(n, "checkpoint s$;")),
    "mailboxes": lambda n: flow(each(n, "mailbox int m$[4];\n")),
    "mailboxes and arms": lambda n: flow(each(n, "mailbox int m$[4];\n"), task(steps=step(
        f"await {{ {each(n, 'm$ -> done;')} }}"))),
    "handlers of signals": lambda n: f"signal {each(n, 's$', ', ')};\n"
    + flow(each(n, "on s$ -> become T;\n")),
    "statements of on init": lambda n: flow(f"int x; on init {{ {each(n, 'flow->x++;')} }}"),
    # a task
    "tasks": lambda n: flow("", each(n, "task T$ { step S { done; } }\n")),
    "tasks that become the next": lambda n: flow("", each(n, task(steps=step("become T0;"), head="task T$"))),
    "parameters of a task": lambda n: flow("", task(steps=step(f"become T({each(n, '$', ',')});"),
                                                    head=f"task T({each(n, 'int a$', ', ')})")),
    "fields of a task": lambda n: flow("", task(each(n, "int f$ = $;\n"))),
    "jobs": lambda n: "worker int w(int a) { return a; }\n" + flow("", task(each(n, "job j$: w;\n"), step(
        each(n, "submit j$($);") + f"await all({each(n, 'j$', ',')}) -> done;"))),
    "handlers of a task": lambda n: f"signal {each(n, 's$', ', ')};\n" + flow("", task(each(n, "on s$ -> done;\n"))),
    "steps": lambda n: flow("", task(steps=each(n, "step S$ { done; }\n"))),
    "steps in a chain": lambda n: flow("", task(
        steps="".join(f"step S{i} {{ next S{i + 1}; }}\n" for i in range(n)) + f"step S{n} {{ done; }}\n")),
    "steps that wait": lambda n: flow("", task(
        steps="".join(f"step S{i} {{ await 1s -> S{i + 1}; }}\n" for i in range(n)) + f"step S{n} {{ done; }}\n")),
    # a step
    "parameters of a step": lambda n: flow("", task(
        steps=step(f"next P({each(n, '$', ',')});") + step(f"x({each(n, 'a$', '+')}); done;",
                                                         f"step P({each(n, 'int a$', ', ')})"))),
    "parameters of a step and a wait": lambda n: flow("", task(
        steps=step(f"next P({each(n, '$', ',')});") + step(f"await until (f({each(n, 'a$', '+')})) -> done;",
                                                         f"step P({each(n, 'int a$', ', ')})"))),
    "statements": lambda n: body(each(n, "f($);\n") + "done;"),
    "statements on one line": lambda n: body(each(n, "f($);") + "done;"),
    "empty statements": lambda n: body(each(n, ";") + "done;"),
    "locals": lambda n: body(each(n, "int a$ = $;\n") + "done;"),
    "locals of one declaration": lambda n: body(f"int {each(n, 'a$', ', ')}; done;"),
    "locals and a wait": lambda n: body(each(n, "int a$ = $;\n") + f"await until (f({each(n, 'b$', '+')})) -> done;"),
    "locals of one name": lambda n: body(each(n, "{ int a = $; f(a); }\n") + "done;"),
    "labels and gotos": lambda n: body("".join(f"l{i}: f(); if (x) goto l{n - 1 - i};\n" for i in range(n)) + "done;"),
    "gotos to one label": lambda n: body(each(n, "if (x) goto l;\n") + "l: done;"),
    "gotos back": lambda n: body("l: f();" + each(n, "if (x) goto l;\n") + "done;"),
    "labels in a row": lambda n: body(each(n, "l$:\n") + "done;"),
    "cases": lambda n: body(f"switch (x) {{ {each(n, 'case $: f(); break;')} }} done;"),
    "cases that end": lambda n: body(f"switch (x) {{ {each(n, 'case $: done;')} default: done; }}"),
    "cases in a row": lambda n: body(f"switch (x) {{ {each(n, 'case $:')} done; }} done;"),
    "ifs": lambda n: body(each(n, "if (x == $) f();\n") + "done;"),
    "ifs that end": lambda n: body(each(n, "if (x == $) done;\n") + "done;"),
    "ifs and elses": lambda n: body(each(n, "if (x == $) f(); else g();\n") + "done;"),
    "else ifs": lambda n: body(each(n, "if (x == $) f();\n", "else ") + "done;"),
    "else ifs that end": lambda n: body(each(n, "if (x == $) { done; }\n", "else ") + "else { done; }"),
    "else ifs with labels": lambda n: body("if (x) goto l0;" + each(n, "if (x == $) { l$: f(); }\n", "else ") +
                                           "done;"),
    "loops": lambda n: body(each(n, "while (x < $) { f(); break; }\n") + "done;"),
    "blocks": lambda n: body(each(n, "{ f($); }\n") + "done;"),
    "blocks of macros": lambda n: body(each(n, "EACH(i, $) { f(i); }\n") + "done;"),
    "#if": lambda n: body(each(n, "#if A$\nf();\n#endif\n") + "done;"),
    "#if with an end": lambda n: body(each(n, "#if A$\ndone;\n#endif\n") + "done;"),
    "#elif": lambda n: body("#if A\nf();\n" + each(n, "#elif A$\nf();\n") + "#endif\ndone;"),
    "#elif and labels": lambda n: body("#if A\nf();\n" + each(n, "#elif A$\nif (x) goto l$; l$: f();\n") +
                                       "#endif\ndone;"),
    "#if with arms": lambda n: body("await { " + each(n, "\n#if A$\nuntil (f($)) -> done;\n#endif\n") +
                                    "timeout 1s -> done; }"),
    "skipped lines": lambda n: body("#if 0\n" + each(n, "f($);\n") + "#endif\ndone;"),
    "other directives": lambda n: body(each(n, "#pragma A$\n") + "done;"),
    "describes": lambda n: body(each(n, "describe \"%d\", $;\n") + "done;"),
    "arguments of a format": lambda n: body(f"fail \"{each(n, ' %d')}\", {each(n, '$', ', ')};"),
    "literals of a format": lambda n: body(f"fail {each(n, chr(34) + 'a$' + chr(34), ' ')};"),
    "length of a format": lambda n: body(f"fail \"{'x' * 20 * n}\";"),
    "literals of an expression": lambda n: body(f"f({each(n, chr(34) + 'a$' + chr(34), ' ')}); done;"),
    "nexts": lambda n: body(each(n, "if (x == $) next S;\n") + "done;"),
    "becomes": lambda n: body(each(n, "if (x == $) become T;\n") + "done;"),
    "stays": lambda n: body(each(n, "if (x == $) stay;\n") + "done;"),
    "timed stays": lambda n: waits(n, "if (x == $) stay every 1s timeout 2s -> done;\n"),
    "awaits": lambda n: waits(n, "if (x == $) await 1s -> done;\n"),
    "awaits that differ": lambda n: waits(n, "if (x == $) await $ms -> done;\n"),
    "awaits of conditions": lambda n: waits(n, "if (x == $) await { until (x > $) -> done; timeout 1s -> done; }\n"),
    "awaits of signals": lambda n: f"signal {each(n, 's$', ', ')};\n" +
    waits(n, "if (x == $) await s$ -> done;\n"),
    "arms": lambda n: body(f"await {{ {each(n, 'until (flow->x == $) -> done;')} timeout 1s -> done; }}"),
    "arms of signals": lambda n: f"signal {each(n, 's$', ', ')};\n" + body(f"await {{ {each(n, 's$ -> done;')} }}"),
    "arms of one signal": lambda n: "signal s;\n" + body(f"await {{ {each(n, 's -> done;')} }}"),
    "arms of pointers": lambda n: body(f"await {{ {each(n, 'fired(&flow->x[$]) -> done;')} }}"),
    "arms of runs": lambda n: ONE + body("await {" + each(n, 'run G.U(&flow->x[$]) -> done else fail "%s", reason;') +
                                         "}"),
    "arms of descriptors": lambda n: body(f"await {{ {each(n, 'readable($) -> done else fail;')} }}"),
    "events of all": lambda n: ONE + body(f"await all({each(n, 'run G.U(&flow->x[$])', ', ')}) -> done;"),
    "signals of all": lambda n: f"signal {each(n, 's$', ', ')};\n" + body(f"await all({each(n, 's$', ', ')}) -> done;"),
    "arms of all": lambda n: body(f"await {{ {each(n, 'all(idle(&flow->x), idle(&flow->y)) -> done;')} }}"),
    # C as plain text
    "length of an expression": lambda n: body(f"x = {each(n, 'a$', '+')}; done;"),
    "length of a condition": lambda n: body(f"if ({each(n, 'a$', '+')}) done; done;"),
    "conditional expressions": lambda n: body(f"x = {each(n, 'a$ ? $ : ')} 0; done;"),
    "arguments of a call": lambda n: body(f"f({each(n, '$', ', ')}); done;"),
    "calls of functions in parentheses": lambda n: body(f"f{each(n, '($)')}; done;"),
    "names in a row": lambda n: body(f"{each(n, 'a$ ')}; done;"),
    "length of an initialiser": lambda n: flow(f"int x[{n}] = {{ {each(n, '$', ', ')} }};"),
    "length of a local's initialiser": lambda n: body(f"int x[] = {{ {each(n, '$', ', ')} }}; done;"),
    "comments": lambda n: body(each(n, "// $\n") + "done;"),
    "block comments on one line": lambda n: body(each(n, "/* $ */") + "done;"),
    "comments in an expression": lambda n: body(f"f({each(n, '/* $ */')}); done;"),
    "length of a comment": lambda n: body(f"/* {each(n, 'word $' + chr(10))} */ done;"),
    "spliced lines": lambda n: body(f"f({each(n, '$ + ' + chr(92) + chr(10))} 0); done;"),
    "length of a string": lambda n: body(f"f(\"{'x' * 20 * n}\"); done;"),
    "durations": lambda n: waits(n, "if (x == $) await ($ + x) ms -> done;\n"),
    "statement expressions": lambda n: body(each(n, "x = ({ int y = $; y; });\n") + "done;"),
    "asm": lambda n: body(each(n, "__asm__(\"\" : : \"r\"(x) : \"memory\");\n") + "done;"),
    # combinations
    "signals and parameters": lambda n: f"signal {each(n, 's$', ', ')};\n" + flow("", task(
        steps=step(f"next P({each(n // 4, '$', ',')});") + step(
            f"await all({each(n, 's$', ', ')}) -> Q({each(n // 4, 'a$', ',')});",
            f"step P({each(n // 4, 'int a$', ', ')})")
        + step(f"f({each(n // 4, 'b$', '+')}); done;", f"step Q({each(n // 4, 'int b$', ', ')})"))),
    "tasks with handlers": lambda n: "signal s;\n" + flow("", each(n, task("on s -> done;", head="task T$"))),
    "results of tasks": lambda n: flow("", each(n, task(steps=step("done 0;"), head="task T$ -> long_$"))),
    "flows that wait": lambda n: each(n, "flow F$ { task T { step S { await 1s -> done; } } }\n"),
    "mailboxes that are sent to": lambda n: flow(each(n, "mailbox int m$[4];\n"), task(steps=step(
        each(n, "F_m$_send(flow, 1);\n") + "done;"))),
    "workers and jobs": lambda n: each(n, "worker int w$(int a) { return a; }\n") + flow("", task(
        each(n, "job j$: w$;\n"), step(each(n, "submit j$($);\n") + f"await all({each(n, 'j$', ',')}) -> done;"))),
    "arms of checkpoints": lambda n: flow(each(n, "checkpoint c$;\n"), task(steps=step(
        f"await {{ {each(n, 'c$ -> done; arrived(c$) -> done;')} }}"))),
    "fields and locals": lambda n: flow(each(n, "int f$;\n"), task(steps=step(
        each(n, "int f$ = flow->f$; f(f$);\n") + "done;"))),
    # durable flows, groups, arrays, pools, pauses and tests
    "durable flows": lambda n: each(n, "durable flow F$ { int x; task T(int a) { step S { done; } } }\n"),
    "kept fields": lambda n: "durable " + flow(each(n, "int f$ = $;\n")),
    "kept tasks": lambda n: "durable " + flow("", each(n, "task T$(int a) -> int { step S { done self->a; } }\n")),
    "plain structs": lambda n: each(n, "plain struct p$ { int a; };\n") + "durable " + flow(each(n, "p$ f$;\n")),
    "members of a plain struct": lambda n: f"plain struct p {{ {each(n, 'int a$; ')} }};\ndurable " + flow("p f;"),
    "groups": lambda n: flow("", each(n, "group A$ { on timeout 1s -> fail; task T$ { step S { done; } } }\n")),
    "tasks of a group": lambda n: flow("", "group A { on enter { } group B { on exit { }" + each(
        n, "task T$ { step S { become T0; } }\n") + "}}"),
    "handlers of a group": lambda n: f"signal {each(n, 's$', ', ')};\n" + flow(
        "", "group A {" + each(n, "on s$ -> fail;\n") + task() + "}"),
    "companions with a target": lambda n: ONE + flow(each(n, "flow G g$;\n"), task(
        each(n, 'with run G.U(&flow->g$) else fail "%s", reason;\n'))),
    "arrays of signals": lambda n: f"header {{ enum {{ {each(n, 'E$ = 3', ', ')} }}; }}\n" +
    each(n, "signal s$[E$];\n") + body(f"await {{ {each(n, 's$[1] -> done;')} }}"),
    "arrays of checkpoints": lambda n: each(n, "checkpoint s$[4];\n") + body(
        f"await {{ {each(n, 's$[1] -> done; arrived(s$[2]) -> done;')} }}"),
    "arrays of jobs": lambda n: "worker int w(int a) { return a; }\n" + flow("", task(each(n, "job j$[2]: w;\n"), step(
        each(n, "submit j$[1]($);") + f"await {{ {each(n, 'any(j$) -> done;')} }}"))),
    "tasks of a pool": lambda n: "flow G {" + each(n, "task U$ { step S { done; } }\n") + "}\n" + flow(
        "pool G g[3];", task("", step(each(n, "spawn g.U$(); ") + "done;"))),
    "handlers of pauses": lambda n: flow("", each(n, "task T$ { on pause { f(); } on resume { } step S { done; } }\n")),
    "tests": lambda n: ONE + each(n, 'test "a$" { flow G g; step S { await run G.U(&flow->g) -> done; } }\n'),
    "rows of a test": lambda n: f'{ONE}test "a" {{ int x; ' + each(
        n, "at $ms { f(); } always (flow->x == $);\n") + step("expect(flow->x == 1); done;") + "}\n",
    "macros of blocks": lambda n: source(each(n, "#define M$ $\n")) + body(each(n, "f(M$);\n") + "done;"),
}

# The same, with an error to report in each.
REPORTS = {
    "unknown steps": lambda n: body(each(n, "if (x) next S$;\n") + "done;"),
    "unknown names of arms": lambda n: body(f"await {{ {each(n, 's$ -> done;')} }}"),
    "unknown flows": lambda n: body(each(n, "if (x) await run G$.T(&x) -> done;\n") + "done;"),
    "unknown tasks of a flow": lambda n: ONE + body(each(n, "if (x) await run G.T$(&x) -> done;\n") + "done;"),
    "unknown labels": lambda n: body(each(n, "if (x) goto l$;\n") + "done;"),
    "unused fields": lambda n: flow(each(n, "int f$;\n")),
    "unreachable steps": lambda n: flow("", task(steps=step("done;", "step A") + each(n, "step S$ { done; }\n"))),
    "unreachable steps that refer": lambda n: flow("", task(steps=step("done;", "step A") + "".join(
        f"step S{i} {{ next S{(i + 1) % n}; }}\n" for i in range(n)))),
    "paths without an end": lambda n: flow("", task(steps=each(n, "step S$ { f(); }\n"))),
    "statements after an end": lambda n: body(each(n, "done;\n")),
    "members of one name": lambda n: flow(each(n, "int f;\n")),
    "steps of one name": lambda n: flow("", task(steps=each(n, "step S { done; }\n"))),
    "tasks of one name": lambda n: flow("", each(n, "task T { step S { done; } }\n")),
    "flows of one name": lambda n: each(n, "flow F { task T { step S { done; } } }\n"),
    "reserved names": lambda n: flow("", task(steps=each(n, "step int { done; }\n"))),
    "names that meet": lambda n: flow("", each(n, "task T$_a { step b { done; } }\ntask T$ { step a_b { done; } }\n")),
    "wrong formats": lambda n: body(each(n, "if (x) fail \"%d\";\n") + "done;"),
    "blocking calls": lambda n: body(each(n, "sleep($);\n") + "done;"),
    "syntax errors in statements": lambda n: body(each(n, "f($;\n") + "done;"),
    "syntax errors in members": lambda n: flow(each(n, "int f$ = (;\n")),
    "syntax errors in arms": lambda n: body(f"await {{ {each(n, 'until x -> done;')} }}"),
    "bytes that are none of C": lambda n: body(each(n, "f(@);\n") + "done;"),
    "braces that close too much": lambda n: body("done;") + "}\n" * n,
    "brackets that do not close": lambda n: body(each(n, "f((($);\n") + "done;"),
    "#endif too many": lambda n: body(each(n, "#endif\n") + "done;"),
    "length of a name": lambda n: body(f"next {'S' * 10 * n}; done;") +
    flow("", task(steps=step("done;", f"step {'S' * 10 * n}"))),
    "loops without an end": lambda n: body(each(n, "for (;;) { f(); }\n") + "done;"),
    "loops without an end on one line": lambda n: body("f((; " + each(n, "for (;;) { f(); }") + "done;"),
    "arms on one line after an error": lambda n: body("f((;\n await {" + each(n, "until (x) -> done; ") + "}"),
    "second signals": lambda n: "signal s;\n" + flow(each(n, "on s -> become T;\n")),
    "locals across waits": lambda n: body(each(n, "int a$ = $;\n") + f"await until (f({each(n, 'a$', '+')})) -> done;"),
    "parameters that hide signals": lambda n: f"signal {each(n, 's$', ', ')};\n" + flow("", task(
        steps=step(f"next P({each(n, '$', ',')});") + step(f"await {{ {each(n, 's$ -> done;')} }}",
                                                         f"step P({each(n, 'int s$', ', ')})"))),
    "runs of sub-flows": lambda n: ONE + flow(each(n, "flow G g$;\n"), task(steps=step(
        f"await all({each(n, 'run g$.U()', ', ')}) -> done;"))),
    "members handed over": lambda n: ONE + flow(each(n, "flow G g$;\n"), task(steps=step(
        f"await all({each(n, 'run G.U(flow->g$)', ', ')}) -> done;"))),
    "wrong numbers of arguments": lambda n: flow("", task(
        steps=step(each(n, "if (x) next P();\n") + "done;") + step("done;", f"step P({each(n, 'int a$', ', ')})"))),
    "nested functions": lambda n: body(each(n, "int f$(int a) { return a; }\n") + "done;"),
    "bad durations": lambda n: body(each(n, "if (x) await 5 -> done;\n") + "done;"),
    "#elif with arms": lambda n: body("await { \n#if A\n" + each(n, "\n#elif A$\nuntil (f($)) -> done;\n")
                                      + "\n#endif\ntimeout 1s -> done; }"),
    "#elif with waits": lambda n: body("\n#if A\n" + each(n, "\n#elif A$\nawait $s -> done;\n") + "\n#endif\ndone;"),
    "else without an if": lambda n: body(each(n, "else f();\n") + "done;"),
    "else if without an if": lambda n: body(each(n, "else if (x) f();\n") + "done;"),
    "imports that are not there": lambda n: each(n, 'import "g$.uflow";\n') + body("done;"),
}


class Scaling(Case):
    def seconds(self, status, *arguments):
        """User time, the minimum of several runs, so that other processes matter little."""
        times = []
        while len(times) < 3 and sum(times) < 1:
            child = subprocess.Popen([UFC, "main.uflow", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            said = child.stderr.read()
            _, ended, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(ended)
            child.stderr.close()
            self.assertEqual(child.returncode, status, said[:2000].decode())
            times.append(usage.ru_utime)
            if times[0] <= SHORT:
                break
        return min(times)

    def check(self, name, status, arguments, write):
        """`write` makes an input of the given size."""
        with self.subTest(construct=name):
            for _ in range(3):  # what is quadratic is so each time; a busy machine is not
                write(LARGE)
                large = self.seconds(status, *arguments)
                if large <= SHORT:
                    return
                write(LARGE // FACTOR)
                small = self.seconds(status, *arguments)
                if large < MOST * small:
                    return
            self.fail(f"{large:.2f} s for {LARGE}, {small:.2f} s for a quarter")

    EVERYTHING = ("-o", "main.c", EMIT_ALL, "-MD")

    def test_constructs(self):
        for name, text in CONSTRUCTS.items():
            self.check(name, 0, self.EVERYTHING, lambda n, text=text: self.write("main.uflow", text(n)))

    def test_instrumented(self):
        """C that counts or changes itself, and holds the tests."""
        for name in ("steps", "arms", "cases that end", "handlers of a group", "companions with a target",
                     "arrays of checkpoints", "arrays of jobs", "tests"):
            text = CONSTRUCTS[name]
            for option in ("--coverage", "--mutants"):
                self.check(f"{name}, {option}", 0, ("--tests", option, "-o", "main.c"),
                           lambda n, text=text: self.write("main.uflow", text(n)))

    def test_comparisons(self):
        """The texts of both programs are compared, and all that is kept differs."""
        for name in ("durable flows", "kept fields", "kept tasks", "plain structs", "members of a plain struct"):
            def write(n, text=CONSTRUCTS[name]):
                self.write("old.uflow", text(n))
                self.good("old.uflow", "-Wno-unused-field", "-Wno-unused-parameter", "--emit=json", "-o", "old.json")
                self.write("main.uflow", self.read("old.json").decode().replace('"int"', '"char"'))
            self.check(name, 1, ("--compare", "old.json"), write)

    def test_sizes_and_dumps(self):
        """A replacement for the output that counts and lists."""
        for name in ("flows that wait", "tasks with handlers", "awaits of signals", "steps that wait", "mailboxes",
                     "workers and jobs"):
            write = lambda n, text=CONSTRUCTS[name]: self.write("main.uflow", text(n))
            self.check(name + ", sizes", 0, ("--sizes",), write)
            self.check(name + ", dumps", 0, ("--dump=tokens,ast",), write)

    def test_reports(self):
        for name, text in REPORTS.items():
            # Warnings are errors, so that all runs end with the same status.
            self.check(name, 1, ("--check", "-Werror"), lambda n, text=text: self.write("main.uflow", text(n)))

    def test_one_missing_brace(self):
        """Everything is on one line."""
        for name, text in CONSTRUCTS.items():
            if "#" in text(1): continue
            write = lambda n, text=text: self.write("main.uflow", text(n).replace("\n", " ").replace("}", "", 1))
            self.check(name, 1, ("--check",), write)

    def test_forms_of_reports(self):
        for form in ("json", "sarif"):
            for name in ("unknown steps", "unused fields"):
                self.check(f"{name}, {form}", 1, ("--check", "-Werror", f"--diagnostics={form}"),
                           lambda n, text=REPORTS[name]: self.write("main.uflow", text(n)))

    def write_imports(self, n, imports):
        n //= 2  # writing the files takes most of the time
        for i in range(n):
            self.write(f"f{i}.uflow", imports(i, n) +
                       f"signal s{i};\nflow F{i} {{ task T {{ step S {{ done; }} }} }}\n")

    def test_imports(self):
        def beside(n):
            self.write_imports(n, lambda i, n: "")
            n //= 2
            self.write("main.uflow", each(n, 'import "f$.uflow";\n') + flow(each(n, "flow F$ g$;\n"), task(steps=step(
                f"await all({each(n, 'run F$.T(&flow->g$), s$', ', ')}) -> done;"))))

        def in_a_chain(n):
            self.write_imports(n, lambda i, n: f'import "f{i + 1}.uflow";\n' if i + 1 < n else "")
            self.write("main.uflow", 'import "f0.uflow";\n' + body("done;"))

        self.check("imports", 0, self.EVERYTHING, beside)
        self.check("a chain of imports", 0, self.EVERYTHING, in_a_chain)


if __name__ == "__main__":
    main()
