#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Declares a local in every form, beside a global of the same name, and uses it in every place that does not see
locals. ufc must report each use and never take the global. A C compiler checks the forms: there the local hides the
global. ufc must accept text that only looks like a declaration, and the result must compile.

usage: locals.py --ufc UFC --root ROOT [--cc CC]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=gnu11", "-Wall", "-Werror", "-Wno-unused"]

# `x` is the name. A global `x` has 4321 bytes; a local does not.
SOURCE = """\
#include <stddef.h>
typedef struct T { int a; } T;
typedef int number_t, (*callback)(int), row[3];
#define UNUSED __attribute__((unused))
#define MAYBE(name) name __attribute__((unused))
#define ALIGNED(n) __attribute__((aligned(n)))
#define VEC(type) type
#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif
#define LOOP(i, n) for (i = 0; idle(0) < (n); )
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define REGISTER(name) (*(volatile int *)(name))
static int idle(int n) { return n; }
static int idle_of(const char *text) { return text != NULL; }
static int *pointer_of(const char *text) { return (int *)text; }
#define END ;
"""
GLOBALS = {"object": "char x[4321];", "tag": "struct x { char c[4321]; };"}

OBJECTS = r"""
int x;
int x = 1, y;
int y, x;
int y = 1, *x = &y;
int y = (1, 2), x = 3;
int y[] = { 1, 2 }, x[3];
int x[3] = { 1, 2, 3 };
int x[2][3];
int (x);
int (x) = 1;
int ((x));
int (*x);
int (*(x)) = 0;
int (x)[3];
int (*x)[3];
int *(x)[3];
int (*x)(void) = 0;
int (*x[3])(int, char);
int (*(*x)(int))(void) = 0;
int (y), (x);
int y(void), x;
int
    x
    ;
int /* a */ x /* b */ ;
const int x = 1;
int const x = 1;
const T x = { 1 };
T const x = { 1 };
T const *const x = 0;
volatile T *x;
register int x;
auto int x;
static int x;
static T x;
static const T *const x = 0;
_Thread_local static int x;
static __thread int x;
T x;
T x = { 1 };
T *x;
T *x = 0, y;
T **x;
T *const x = 0;
T *const *x = 0;
T x[3];
T *x[3] = { 0 };
T y, x;
T *y, x;
T *y, *x[2], (*z)(void);
T (x);
T (*x);
T (x) = { 1 };
T (x)[3];
T (x)[2] = { { 1 } };
T (*x)[3];
T (*x)(int);
T (*x)(int) = 0, y;
T (y), x;
T (y), (*x);
T *(x);
T *(x)[3];
T *(*x)(void) = 0;
T (*(*x)(int))(void);
T ((x));
number_t (x);
number_t (x) = 3;
callback x;
callback (x) = 0;
row x;
row (x) = { 1 };
typedef char L; L (x);
typedef char L; L x;
unsigned x;
unsigned (x);
unsigned long long int x;
long x;
_Bool x;
double _Complex x;
__int128 x;
__auto_type x = 3;
__extension__ int x;
struct T x;
struct T *x, y;
struct T (x);
struct { int a; } x;
struct { int a; } y, x = { 1 };
struct { int a; } *x;
struct here { int a; } x;
struct { struct { int b; } a; } x;
union { int a; char b; } x;
enum { FIRST, SECOND } x;
enum { FIRST } y, (x);
enum named { FIRST } x = FIRST;
typeof(int) x;
__typeof__(T) x;
__typeof__(int *) y, x;
typeof(int) (x);
typeof(1 + 2) *x;
_Atomic int x;
_Atomic(int) x;
_Atomic(int) *x, y;
_Atomic number_t x;
int *_Atomic x;
int *_Atomic x = 0;
T *_Atomic const *x, y;
int const *const _Atomic x = 0;
int *_Nonnull x;
T *_Nullable x = 0;
int *__volatile x;
__complex__ double x;
_Alignas(16) int x;
_Alignas(16) T x;
_Alignas(double) T (x);
_Alignas(16) static int x;
int _Alignas(16) x;
__attribute__((unused)) int x;
__attribute__((unused)) T x;
__attribute__((unused)) T *x;
__attribute__((unused)) T (x);
int __attribute__((unused)) x;
int x __attribute__((unused));
int x __attribute__((unused)) = 3;
int __attribute__((unused)) (x);
T __attribute__((unused)) x;
T x __attribute__((aligned(16)));
T *__attribute__((unused)) x;
int UNUSED x;
int x UNUSED;
int UNUSED x = 3;
int UNUSED (x);
int UNUSED *x;
T UNUSED x;
T UNUSED *x;
T x UNUSED;
UNUSED int x;
UNUSED T x;
UNUSED T *x;
int MAYBE(x);
int MAYBE(x) = 3;
int y, MAYBE(x);
T MAYBE(x) = { 3 };
ALIGNED(16) int x;
ALIGNED(16) T x;
ALIGNED(16) T *x = 0;
ALIGNED(16) static const int x = 3;
int ALIGNED(16) x;
T ALIGNED(16) x;
int ALIGNED(16) *x;
VEC(int) x;
VEC(int) x = 3;
VEC(T) x;
VEC(T) *x;
VEC(int) *x, y;
VEC(struct T) x[3];
enum { x };
enum { x = 1 };
enum { y, x };
enum { y = (1 ? 2 : 3), x, z };
enum named { x = 3 };
enum __attribute__((packed)) named { x };
enum { x } y;
enum { y __attribute__((unused)), x };
enum { y,
    /* x */
    x,
};
static const enum { x } y = x;
struct { enum { x } a; } y;
struct here { enum { x } a; };
union { int a; enum { y, x } b; } z;
typedef enum { x } E;
int y = (enum { x })0;
int y = sizeof(enum { x });
(void)sizeof(enum { x });
typedef int x;
typedef struct { int a; } x;
typedef int y, x;
typedef int (*x)(int);
typedef int x[3];
typedef T x;
typedef T (x);
int typedef x;
typedef enum { FIRST } x;
typedef struct here { int a; } x;
if (idle(1)) switch (0) { default: ; int x;
if (idle(1)) { { int x;
if (idle(1)) { int x;
for (int x = 0; x < 1; x++) {
for (T *x = 0; x; x++) {
for (T (*x)[3] = 0; x; x++) {
for (int y = 0, x = 1; x < y; x++) {
for (struct T *y = 0, x; y; y++) {
LOOP(int x, 3) {
EACH(y, 3) { int x;
while (sizeof(enum { x }) == 1) {
if (sizeof(enum { x })) {
label: ; int x;
;;int x;
""".strip()
TAGS = r"""
struct x { int a; };
struct x { int a; } y;
struct x; struct x { int a; };
struct __attribute__((packed)) x { int a; };
struct x { struct { int b; } a; } *y;
struct y { struct x { int b; } a; };
typedef struct x { int a; } L;
int y = sizeof(struct x { int a; });
if (sizeof(struct x { int a; })) {
""".strip()

# These declare nothing; `x` is global.
NO_DECLARATIONS = r"""
idle_of(x);
(void)idle_of(x);
(idle_of)(x);
*x = 1;
x[0] = 1;
(x)[0] = 1;
pointer_of(x)[0] = 1;
idle_of((x));
REGISTER(x) = 1;
REGISTER(x)++;
EACH(i, 3) x[i] = 1;
EACH(i, 3) *x = 1;
EACH(i, 3) idle_of(x);
if (idle_of(x)) { }
while (idle_of(x)) break;
switch (*x) { default: break; }
{ int x = 1; (void)x; }
{ enum { x }; }
{ typedef int x; }
for (int x = 0; x < 1; x++) ;
if (idle(1)) { T x; (void)x; }
struct here { int x; } y;
struct { int x, *y; } y = { .x = 1 };
int (*y)(int x) = idle;
int y = sizeof(struct { int x; });
struct x { int a; };
x: ; if (idle(0)) goto x;
int y = ({ int x = 1; x; });
#if 0 END int x; END#endif
""".strip()

# The waits, with the use in each place that does not see locals.
PLACES = {
    "next": "await 1s -> Next(USE);",
    "two arms": "await { until (flow->n) -> done 1; timeout 1s -> Next(USE); }",
    "done": "await 1s -> done USE;",
    "fail": 'await 1s -> fail "%d", USE;',
    "become": "await 1s -> become Other(USE);",
    "until": "await { until (USE > 3) -> done 1; timeout 1s -> done 2; }",
    "until for": "await { until (USE > 3) for 1s -> done 1; timeout 1s -> done 2; }",
    "run": "await run Sub.Go(&flow->sub) -> done USE;",
    "else": "await run Sub.Go(&flow->sub) -> done 1 else Next(USE);",
    "else done": "await run Sub.Go(&flow->sub) -> done 1 else done USE;",
    "all": "await all(run Sub.Go(&flow->sub), idle(&flow->sub)) -> Next(USE);",
    "signal": "await flow_signal -> Next(USE);",
    "stay": "stay every 1s timeout 2s -> Next(USE);",
    "stay fail": 'stay timeout 2s -> fail "%d", USE;',
    "in a cast": "await 1s -> Next((int)(USE));",
}
OF = {"object": "(int)sizeof(x)", "tag": "(int)sizeof(struct x)"}

FLOW = """\
flow Sub { task Go { step S { done; } } }
flow F {
    flow Sub sub;
    int n = 0;
    signal flow_signal;
    task Run -> int {
%s
        step Next(int n) { done n; }
    }
    task Other(int n) { step S { if (self->n) done; fail; } }
}
"""


def program(steps, kind):
    return f"source {{\n{SOURCE}{GLOBALS[kind]}\n}}\n" + FLOW % "\n".join(steps)


def step(name, form, check, wait):
    form = form.replace("END", "\n")
    closing = "}" * (form.count("{") - form.count("}"))
    # The path continues after a block that may be left.
    rest = " done 0;" if closing else ""
    return f"        step {name} {{\n{form}\n{check} {wait} {closing}{rest}\n        }}"


def translate(ufc, folder, name, text):
    with open(os.path.join(folder, name + ".uflow"), "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([ufc, "-Wno-unreachable-step", "-Wno-unused-field", name + ".uflow", "-o", name + ".c"],
                          cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def compile_c(options, folder, name):
    done = subprocess.run([options.cc, *FLAGS, "-I", os.path.join(options.root, "runtime", "include"), "-fsyntax-only",
                           name + ".c"],
                          cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def check_forms(options, folder, failures):
    """Is each form valid, and does it hide the global?"""
    for kind, forms in (("object", OBJECTS), ("tag", TAGS)):
        check = f'_Static_assert({OF[kind]} != 4321, "the global");'
        for number, form in enumerate(forms):
            text = program([step("Try", form, check, "await 1s -> Next(1);")], kind)
            status, said = translate(options.ufc, folder, "form", text)
            if status == 0:
                status, said = compile_c(options, folder, "form")
            if status:
                failures.append(f"{form}: is no form of a declaration:\n{said[:1500]}")


def check_places(options, folder, failures):
    """All places in one program, one step each. Each must have its report."""
    for kind, forms in (("object", OBJECTS), ("tag", TAGS)):
        for form in forms:
            steps = [step(f"Try{n}", form, "", "\n" + wait.replace("USE", OF[kind])) for n,
                     wait in enumerate(PLACES.values())]
            text = program(steps, kind)
            status, said = translate(options.ufc, folder, "use", text)
            lines = [n + 1 for n, line in enumerate(text.split("\n")) if OF[kind] in line]
            reported = [int(n) for n in re.findall(r"^use\.uflow:(\d+):\d+: error: .*\[UF0601\]$", said, re.M)]
            if len(lines) != len(PLACES) or lines != reported or said.count("error:") != len(lines):
                places = [place for n, place in enumerate(PLACES) if lines[n] not in reported]
                failures.append(f"{form}: the global is taken in {', '.join(places) or 'no place'}\n{said[:1500]}")


def check_others(options, folder, failures):
    for form in NO_DECLARATIONS:
        steps = [step(f"Try{n}", form, "", wait.replace("USE", OF["object"])) for n, wait in enumerate(PLACES.values())]
        status, said = translate(options.ufc, folder, "other", program(steps, "object"))
        if status == 0:
            status, said = compile_c(options, folder, "other")
        if status:
            failures.append(f"{form}: declares no x outside of itself:\n{said[:1500]}")


def split(forms):
    """One per line; indented lines continue the previous one."""
    made = []
    for line in forms.split("\n"):
        if made and (line.startswith(" ") or line == "};"):
            made[-1] += "\n" + line
        else:
            made.append(line)
    return made


def main():
    global OBJECTS, TAGS, NO_DECLARATIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--cc", default="gcc")
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    OBJECTS, TAGS, NO_DECLARATIONS = split(OBJECTS), split(TAGS), split(NO_DECLARATIONS)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        check_forms(options, folder, failures)
        check_places(options, folder, failures)
        check_others(options, folder, failures)
    for failure in failures:
        print(failure)
    print(f"{len(OBJECTS) + len(TAGS)} forms in {len(PLACES)} places, {len(NO_DECLARATIONS)} others: "
          f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
