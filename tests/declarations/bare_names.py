#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`item` and `index`, and `reason` and `result`, where no arm binds them: each place with each thing of that name.

With `item` and `index`, a global variable and a constant are errors everywhere. So is a name that nothing declares.
Types, macros, members, functions that are called, locals, parameters and labels are never reported. `reason` and
`result` are errors only where nothing declares them. The C compiler must accept each program that ufc accepts.

usage: bare_names.py --ufc UFC --root ROOT --cc CC
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

CODES = {"item": "UF0620", "index": "UF0621"}
MILD = {"reason": "UF0603", "result": "UF0602"}  # errors in a body if nothing is declared; a global may have the name
# Values: the text of a step with an expression of type int at @. `f` is a function of the file.
STEP = {
    "argument of next": "next Take(@);",
    "argument of become": "become Use(@);",
    "argument of submit": "submit load(@); await load -> done;",
    "argument of fail": 'fail "%d", @;',
    "argument of describe": 'describe "%d", @; done;',
    "result of done": "become Give(@);",
    "condition of if": "if (@) done; fail;",
    "condition of else if": "if (flow->x) done; else if (@) fail; done;",
    "condition of while": "while (@) { flow->x++; break; } done;",
    "condition of do": "do flow->x++; while (@ && flow->x < 3); done;",
    "condition of for": "for (; @;) break; done;",
    "switch": "switch (@) { case 1: done; default: fail; }",
    "argument of a call": "f(@); done;",
    "second argument": "g(1, @); done;",
    "inner call": "flow->x = f(f(@)); done;",
    "operator before": "flow->x = !@; done;",
    "operator after": "flow->x = @ + 1; done;",
    "product": "f(@ * 2); f(2 * @); done;",
    "parentheses": "flow->x = (@); done;",
    "cast": "f((int)@); done;",
    "size": "flow->x = (int)sizeof(@); done;",
    "initialiser": "int const n = @; f(n); done;",
    "braces": "int const n[] = {@}; f(n[0]); done;",
    "subscript": "f(flow->a[@]); done;",
    "last operand": "flow->x += @; done;",
    "conditional": "f(flow->x ? 1 : @); done;",
    "array of a block": "{ flow->x = @; } done;",
}
# Texts that become functions of their own, which see no locals.
ARMS = {
    "duration of stay": "stay every (@) ms timeout 1s -> done;",
    "target": "await 1s -> Take(@);",
    "target of else": "submit load(1); await load -> done else Take(@);",
    "guard": "await { if (@) deadline(1) -> done; timeout 1s -> done; }",
    "condition of until": "await { until (@) -> done; timeout 1s -> fail; }",
    "operand": "await deadline(@) -> done;",
    "timeout": "await (@) ms -> done;",
}
HANDLERS = {"on init": "on init { f(@); }", "on end": "on end { flow->x = @; }"}
OF_TASK = {"on enter": "on enter { f(@); }", "on exit": "on exit { if (@) flow->x = 1; }"}
WORKERS = {"worker": "return f(@) + k;"}

# Things of that name. blocks: C at file scope; before: statements before the place; text: at @; params of the step.
GLOBALS = {
    "variable": {"blocks": "static int NAME = 3;\nenum { USE = sizeof(NAME) };"},
    "second variable": {"blocks": "static int other = 1, NAME = 3;\nenum { USE = sizeof(other) + sizeof(NAME) };"},
    "pointer": {"blocks": "static int *const NAME = 0;", "text": "*NAME"},
    "array": {"blocks": "static int const NAME[3] = {1, 2, 3};", "text": "NAME[1]"},
    "external variable": {"blocks": 'extern int NAME;\nint NAME = 3;'},
    "enum constant": {"blocks": "enum kinds { FIRST, NAME, LAST };"},
    "structure": {"blocks": "static struct { int n; } NAME;", "text": "NAME.n"},
}
HARMLESS = {
    "typedef": {"blocks": "typedef int NAME;", "text": "(NAME)3"},
    "typedef of a structure": {"blocks": "typedef struct { int n; } NAME;", "text": "((NAME){3}).n"},
    "size of a typedef": {"blocks": "typedef int NAME;", "text": "(int)sizeof(NAME)"},
    "tag": {"blocks": "struct NAME { int n; };", "text": "((struct NAME){3}).n"},
    "size of a tag": {"blocks": "struct NAME { int n; };", "text": "(int)sizeof(struct NAME)"},
    "tag and typedef": {"blocks": "typedef struct NAME { int n; } NAME;", "text": "(int)sizeof(NAME)"},
    "typedef of a header": {"blocks": '#include "NAME/types.h"', "text": "(NAME)3"},
    "macro": {"blocks": "#define NAME 3"},
    "macro of a header": {"blocks": '#include "NAME/macros.h"\nstatic struct pair one;', "text": "member(one, NAME)"},
    "member": {"blocks": "struct pair { int NAME; };\nstatic struct pair one;", "text": "one.NAME"},
    "member by pointer": {"blocks": "struct pair { int NAME; };\nstatic struct pair one;", "text": "(&one)->NAME"},
    "member of a call": {"blocks": "struct pair { int n, NAME; };", "text": "(int)offsetof(struct pair, NAME)"},
    "member of a typedef": {"blocks": "typedef struct { int n, NAME; } pair;", "text": "(int)offsetof(pair, NAME)"},
    "member beside a variable": {"blocks": "static int NAME;\nstruct pair { int n, NAME; };\n"
                                           "enum { USE = sizeof(NAME) };",
                                 "text": "(int)offsetof(struct pair, NAME)"},
    "designator": {"blocks": "struct pair { int NAME; };", "text": "((struct pair){.NAME = 3}).NAME"},
    "parameter at file scope": {"blocks": "static inline int twice(int NAME) { return NAME * 2; }", "text": "twice(3)"},
    "function": {"blocks": "static int NAME(int n) { return n; }", "text": "NAME(3)"},
    "macro of members": {"blocks": "struct pair { int NAME; };\nstatic struct pair one;\n#define MEMBER(s, m) ((s).m)",
                         "text": "MEMBER(one, NAME)"},
}
IN_BODY = {
    "local": {"before": "int const NAME = 3;"},
    "local of two": {"before": "int const other = 1, NAME = 3; f(other);"},
    "local beside a variable": {"blocks": "static int NAME;\nenum { USE = sizeof(NAME) };",
                                "before": "int const NAME = 3;"},
    "parameter": {"param": "int NAME"},
    "label": {"before": "if (flow->x > 9) goto NAME; flow->x++; NAME:;", "text": "3"},
    "enum of the body": {"before": "enum { none, NAME };"},
    "local by a macro of a header": {"blocks": '#include "NAME/macros.h"', "before": "declare(NAME);"},
    "local by a macro": {"blocks": "#define DECLARE(n) int const n = 3", "before": "DECLARE(NAME);"},
}

HEADERS = {
    "types.h": "typedef int NAME;\n",
    "macros.h": "struct pair { int NAME; };\n#define member(s, m) ((s).m)\n#define declare(n) int const n = 3\n",
}

PROGRAM = """\
header {{
#include <stddef.h>
}}
source {{
{blocks}
static int f(int n) {{ return n; }}
static int g(int n, int m) {{ return n + m; }}
enum {{ USED = sizeof(f(1)) + sizeof(g(1, 1)) }};
}}
worker int fetch(int k) {{ {worker} }}
flow A {{
    int x, a[9];
    {handlers}
    task T {{
        job load: fetch;
        {of_task}
        step First {{ flow->x = f(1) + g(1, 1); submit load(1); await {{ load -> {go}; timeout 1s -> Take(1); }} }}
        step Place{param} {{ {step} }}
        step Take(int n) {{ flow->x = flow->a[0] + n; done; }}
    }}
    task Use(int n) {{ step S {{ flow->x = self->n; done; }} }}
    task Give(int n) {{ step S {{ flow->x = self->n; done; }} }}
}}
"""


def cases():
    """Each program: its name, its text, whether ufc must report the name."""
    for name in CODES:
        for things, is_error in ((GLOBALS, True), (HARMLESS, False), (IN_BODY, False)):
            for thing, about in things.items():
                about = {key: value.replace("NAME", name) for key, value in about.items()}
                text, before = about.get("text", name), about.get("before", "")
                places = [(place, {"step": before + " " + step.replace("@", text)}) for place, step in STEP.items()]
                if things is not IN_BODY:
                    places += [(place, {"step": step.replace("@", text)}) for place, step in ARMS.items()]
                    for key, table in (("handlers", HANDLERS), ("of_task", OF_TASK), ("worker", WORKERS)):
                        places += [(place, {key: made.replace("@", text)}) for place, made in table.items()]
                for place, made in places:
                    fields = {"blocks": "", "worker": "return k;", "handlers": "", "of_task": "", "step": "done;",
                              "param": "", "go": "Place"}
                    fields.update({"blocks": about.get("blocks", "")}, **made)
                    if "param" in about:
                        fields.update(param=f"({about['param']})", go="Place(3)")
                    yield f"{name}, {thing}, {place}", PROGRAM.format(**fields), CODES[name] if is_error else None
    for name in MILD:
        for thing, about in (GLOBALS | HARMLESS | IN_BODY).items():
            about = {key: value.replace("NAME", name) for key, value in about.items()}
            if "param" in about:
                continue  # ufc refuses it
            for place, step in STEP.items():
                made = about.get("before", "") + " " + step.replace("@", about.get("text", name))
                fields = {"blocks": about.get("blocks", ""), "worker": "return k;", "handlers": "", "of_task": "",
                          "step": made, "param": "", "go": "Place"}
                yield f"{name}, {thing}, {place}", PROGRAM.format(**fields), None
    for name, code in (CODES | MILD).items():
        # A name that nothing declares is an error of ufc, which the C compiler would report too.
        for place, step in (STEP | (ARMS if name in CODES else {})).items():
            if place in ("argument of a call", "second argument", "inner call", "size"):
                continue  # without a declaration, it may be a type or the argument of a macro
            fields = {"blocks": "", "worker": "return k;", "handlers": "", "of_task": "", "param": "", "go": "Place",
                      "step": step.replace("@", name)}
            yield f"{name}, nothing, {place}", PROGRAM.format(**fields), code


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def check(options, number, case):
    name, text, code = case
    base = f"c{number}"
    with open(os.path.join(options.folder, base + ".uflow"), "w", encoding="utf-8") as file:
        file.write(text)
    status, said = run([options.ufc, "-Werror", base + ".uflow"], options.folder)
    found = sorted(set(re.findall(r"error: .*\[(UF\d{4})", said)))
    if code:
        return "" if found == [code] else f"{name}: ufc says {found}, not {code}\n{said}{text}"
    if status or said:
        return f"{name}: ufc says\n{said}{text}"
    status, said = run([options.cc, "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-I",
                        os.path.join(options.root, "runtime", "include"), base + ".c"], options.folder)
    return f"{name}: {options.cc} says\n{said}{text}" if status else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--every", type=int, default=1, help="only each n-th program")
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    all_cases = list(cases())[::options.every]
    with tempfile.TemporaryDirectory() as options.folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in CODES | MILD:
            os.mkdir(os.path.join(options.folder, name))
            for header, text in HEADERS.items():
                with open(os.path.join(options.folder, name, header), "w", encoding="utf-8") as file:
                    file.write(text.replace("NAME", name))
        failures = [text for text in pool.map(lambda one: check(options, *one), enumerate(all_cases)) if text]
    for text in failures[:20]:
        print(text)
    print(f"{len(all_cases)} programs: {len(failures)} failures")
    return 1 if failures or not all_cases else 0


if __name__ == "__main__":
    sys.exit(main())
