#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generated bodies, checked by ufc and by gcc. If ufc accepts a body, every path must end with an intent, for all
values of the macros.

Both compile the same text: for gcc the intents are macros that return. The test compiles each body with every
combination of the macros in its directives. It counts the bodies that gcc accepts and ufc refuses; that number must not
grow.

usage: bodies.py [--count N] [--seed N] [--show KIND]

KIND is a code, such as UF0501: shows its messages about bodies that only ufc refuses.
"""
import argparse
import bisect
import collections
import concurrent.futures
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from e2e import CC, UFC

MACROS = "ABC"
COMBINATIONS = list(itertools.product((0, 1), repeat=len(MACROS)))
ALWAYS = (1 << len(COMBINATIONS)) - 1  # a mask has one bit for each combination that includes the text
OF_MACRO = {name: sum(1 << i for i, on in enumerate(COMBINATIONS) if on[at]) for at, name in enumerate(MACROS)}
CHUNK = 2000
# The permitted proportion of correct bodies that ufc refuses: for a path that does not exist, and in all. UF0502 and
# UF0506 are about valid C: statements after an intent, and loops without an exit.
OPEN_AT_MOST, ALONE_AT_MOST = 0.08, 0.35

# ufc reads this as a macro with a block; break, continue and goto may be arguments of macros.
HEAD = """\
#define EACH(n) for (int i = 0; i < (n); i++)
#define UNLESS(x) if (!(x))
#define MATCH(x) switch (x)
#define WHEN(x, jump) if (x) { jump; }
"""
INTENTS = """\
#define done return 1
#define stay return 2
#define next return 3 +
#define fail return !
enum { End };
int n, f(int x);
"""

NEVER = '#error "never compiled"'


class Body:
    """One body: statements are generated top down, and gotos get their labels last."""

    def __init__(self, draw):
        self.draw = draw
        self.lines, self.labels, self.gotos, self.used = [], collections.defaultdict(int), [], 0
        self.size = draw.randint(3, 25)
        self.has_intents = draw.random() < 0.95
        if draw.random() < 0.7: self.closed(0, ALWAYS, Place())
        else: self.block(0, ALWAYS, Place())
        for line, mask in self.gotos:
            fit = [name for name, there in self.labels.items() if mask & ~there == 0]
            jump = f"goto {draw.choice(fit)}" if fit else "f(4)"
            self.lines[line] = self.lines[line].replace("GOTO", jump)
        self.text = "\n".join(self.lines) + "\n"

    def put(self, line):
        self.lines.append(line)

    def goto(self, line, mask):
        self.gotos.append((len(self.lines), mask))
        self.put(line)

    def value(self):
        return self.draw.choice(("n", "n > 3", "f(1)", "n - 7"))

    def label(self, mask):
        """A new macro, or one defined only in other combinations."""
        others = [name for name, there in self.labels.items() if not there & mask]
        name = self.draw.choice(others) if others and self.draw.random() < 0.7 else f"l{len(self.labels)}"
        self.labels[name] |= mask
        self.put(f"{name}: ;")

    def intent(self, mask):
        """Or a jump, which may make the body loop for ever."""
        if self.has_intents: self.put(self.draw.choice(("done;", "stay;", "next End;", 'fail "x";')))
        elif self.draw.random() < 0.2: self.put(NEVER)
        else: self.goto("GOTO;", mask)

    def end(self, mask, place):
        """The end of a path. False: the path does not end there."""
        kind = self.draw.random()
        if kind < 0.5:
            self.intent(mask)
        elif kind < 0.68:
            self.goto("GOTO;", mask)
        elif kind < 0.9 and place.breaks:
            self.put("break;")
        elif place.continues:
            self.put("continue;")
        else:
            return False
        return True

    def block(self, depth, mask, place):
        for _ in range(self.draw.choice((0, 1, 1, 2, 2, 3, 4))):
            if self.used >= self.size: break
            ended = self.statement(depth, mask, place)
            if ended and self.draw.random() < 0.93:
                if self.draw.random() < 0.5 or not place.opens: return
                place.opens(self, mask)
        if self.draw.random() < 0.35: self.end(mask, place)

    def closed(self, depth, mask, place):
        """Statements after which no path continues, with a few mistakes for ufc to find."""
        draw = self.draw
        for _ in range(draw.choice((0, 0, 0, 1, 2))):
            if draw.random() < 0.6: self.simple(mask, place)
            elif self.statement(depth + 2, mask, place): self.label(mask)
        kind = draw.random()
        self.used += 1
        if kind < 0.08: self.label(mask)
        if depth > 4 or self.used >= self.size or kind < 0.2:
            if draw.random() < 0.9: self.intent(mask)
            else: self.end(mask, place)
        elif kind < 0.38:
            self.braces(f"if ({self.value()})", depth, mask, place, closed=True)
            self.braces("else", depth, mask, place, closed=True)
        elif kind < 0.5:
            self.braces(draw.choice(("while (1)", "for (;;)")), depth, mask, Place(True, True, place), closed=True)
        elif kind < 0.56:
            self.braces("do", depth, mask, Place(True, True, place), f"}} while ({draw.choice('01n')});", closed=True)
        elif kind < 0.6:
            self.braces("", depth, mask, place, closed=True)
        elif kind < 0.8:
            self.switch(depth, mask, place, closed=True)
        else:
            self.directives(depth, mask, place, closed=True)
        if draw.random() < 0.15:
            self.label(mask)
            self.closed(depth + 1, mask, place)

    def braces(self, head, depth, mask, place, tail="}", closed=False):
        self.put(head + " {")
        (self.closed if closed and self.draw.random() < 0.95 else self.block)(depth + 1, mask, place)
        self.put(tail)

    def statement(self, depth, mask, place):
        self.used += 1
        kind = self.draw.random()
        if depth > 5 or kind < 0.22:
            if kind < 0.12 and self.end(mask, place): return True
            self.simple(mask, place)
        elif kind < 0.40: self.branch(depth, mask, place)
        elif kind < 0.54: self.loop(depth, mask, place)
        elif kind < 0.68: self.switch(depth, mask, place)
        elif kind < 0.82: self.directives(depth, mask, place)
        elif kind < 0.90: self.label(mask)
        elif kind < 0.97: self.macro(depth, mask, place)
        else: self.braces("", depth, mask, place)
        return False

    def simple(self, mask, place):
        draw = self.draw
        jump = draw.choice([j for j, can in (("break", place.breaks), ("continue", place.continues), ("GOTO", True))
                            if can])
        self.goto(draw.choice(("f(0);", "n++;", f"int k{len(self.lines)} = f(2);", ";",
                               f"({{ if ({self.value()}) {jump}; }});",
                               f"n = ({{ if (n) {jump}; 1; }});", f"WHEN({self.value()}, {jump});")), mask)

    def branch(self, depth, mask, place):
        self.braces(f"if ({self.value()})", depth, mask, place)
        if self.draw.random() < 0.4: self.braces("else", depth, mask, place)

    def loop(self, depth, mask, place):
        inner = Place(breaks=True, continues=True, outer=place)
        kind = self.draw.choice(("while", "while", "for", "for (;;)", "while (1)", "do", "do 0", "do 1", "no braces"))
        if kind == "while": self.braces(f"while ({self.value()})", depth, mask, inner)
        elif kind == "for": self.braces("for (int i = 0; i < n; i++)", depth, mask, inner)
        elif kind == "do": self.braces("do", depth, mask, inner, f"}} while ({self.value()});")
        elif kind == "do 0": self.braces("do", depth, mask, inner, "} while (0);")
        elif kind == "do 1": self.braces("do", depth, mask, inner, "} while (1);")
        elif kind == "no braces": self.braces(f"while (1) if ({self.value()})", depth, mask, inner)
        else: self.braces(kind, depth, mask, inner)

    def switch(self, depth, mask, place, closed=False):
        cases = Cases()
        inner = Place(breaks=True, continues=place.continues, outer=place, cases=cases)
        block = self.closed if closed else self.block
        self.put(f"{'switch' if closed else self.draw.choice(('switch', 'MATCH'))} ({self.value()}) {{")
        for _ in range(self.draw.randint(1, 3)):
            cases.put(self, mask)
            block(depth + 1, mask, inner)
        if closed and self.draw.random() < 0.3: self.directives(depth, mask, inner, closed, cases.put_default)
        elif (closed or self.draw.random() < 0.5) and cases.put_default(self, mask): block(depth + 1, mask, inner)
        self.put("}")

    def macro(self, depth, mask, place):
        if self.draw.random() < 0.6:
            self.braces(f"EACH({self.value()})", depth, mask, Place(breaks=True, continues=True, outer=place))
        else:
            self.braces(f"UNLESS({self.value()})", depth, mask, place)

    def directives(self, depth, mask, place, closed=False, before=lambda body, mask: True):
        draw, left, word, block = self.draw, ALWAYS, "#if", self.closed if closed else self.block
        before = draw.choice((before, before, Body.label)) if closed else before
        while True:
            name = draw.choice(MACROS)
            text, there = draw.choice(((name, OF_MACRO[name]), (f"!{name}", ALWAYS & ~OF_MACRO[name]), ("0", 0),
                                       (f"defined UNKNOWN || {name}", OF_MACRO[name])) if word == "#if" else
                                      ((name, OF_MACRO[name]), (f"!{name}", ALWAYS & ~OF_MACRO[name])))
            self.put(f"{word} {text}")
            if closed and draw.random() < 0.95: before(self, mask & left & there)
            block(depth + 1, mask & left & there, place)
            left &= ~there
            word = "#elif"
            if draw.random() < 0.8: break
        if draw.random() < (0.95 if closed else 0.7):
            self.put("#else")
            if closed and draw.random() < 0.95: before(self, mask & left)
            block(depth + 1, mask & left, place)
        self.put("#endif")


class Cases:
    def __init__(self):
        self.count, self.has_default = 0, 0

    def put(self, body, mask):
        self.count += 1
        body.put(f"case {self.count}:;")

    def put_default(self, body, mask):
        if self.has_default & mask: return False
        self.has_default |= mask
        body.put("default:;")
        return True


class Place:
    """Statements allowed here: break, continue; labels and cases, which begin a path."""

    def __init__(self, breaks=False, continues=False, outer=None, cases=None):
        self.breaks, self.continues = breaks, continues
        self.cases = cases or (outer and outer.cases)

    def opens(self, body, mask):
        kind = body.draw.random()
        if self.cases and kind < 0.5: self.cases.put(body, mask)
        elif self.cases and kind < 0.8 and self.cases.put_default(body, mask): pass
        else: body.label(mask)


def make(seed, count):
    draw = random.Random(seed)
    return [Body(draw).text for _ in range(count)]


def lay_out(bodies, head, opening, closing):
    """One file with all bodies, and the line before the first line of each."""
    parts, starts, line = [head], [], head.count("\n")
    for at, text in enumerate(bodies):
        starts.append(line)
        parts.append(opening % at + text + closing)
        line += 2 + text.count("\n")
    return "".join(parts), starts


def judge_by_ufc(bodies, first=0):
    """The messages for each refused body."""
    head, foot = "flow F {\nint n;\ntask T {\n", "step End { done; }\n}\n}\n"
    text, starts = lay_out(bodies, head, "step S%d {\n", "}\n")
    done = subprocess.run([UFC, "--check", "-Wno-unreachable-step", "-"], input=text + foot, capture_output=True,
                          text=True)
    if done.returncode not in (0, 1): sys.exit(f"ufc ended with {done.returncode}:\n{done.stderr[:2000]}")
    if "are not shown" in done.stderr: # ufc prints at most a hundred
        half = len(bodies) // 2
        return judge_by_ufc(bodies[:half], first) | judge_by_ufc(bodies[half:], first + half)
    refused = collections.defaultdict(list)
    for line, message in re.findall(r"^[^\n]*?:(\d+):\d+: error: (.*)$", done.stderr, re.M):
        refused[first + bisect.bisect_left(starts, int(line)) - 1].append(message)
    if "[UF01" in done.stderr or "[UF02" in done.stderr or (done.returncode and not refused):
        sys.exit(f"ufc does not understand a body:\n{done.stderr[:2000]}")
    return dict(refused)


def judge_by_gcc(compiler, folder, name, bodies, combination):
    """The bodies that can reach their end in one combination of the requested macros."""
    on = [name for name, value in zip(MACROS, combination) if value]
    asked = [at for at, body in enumerate(bodies) if all(re.search(rf"^#.*\b{name}\b", body, re.M) for name in on)]
    # For ufc, text that is never compiled ends here; gcc must compile it.
    texts = [bodies[at].replace(NEVER, "return 4;") for at in asked]
    text, starts = lay_out(texts, HEAD + INTENTS, "int S%d(void) {\n", "}\n")
    path = os.path.join(folder, f"{name}_{'_'.join(on)}.c")
    with open(path, "w", encoding="utf-8") as file: file.write(text)
    defines = [f"-D{name}={value}" for name, value in zip(MACROS, combination)]
    # With link-time optimisation, the compiler only does the analysis that finds such ends.
    done = subprocess.run([*compiler, "-std=gnu11", "-O0", "-Wreturn-type", "-S", "-o", "/dev/null", *defines, path],
                          capture_output=True, text=True)
    if done.returncode: sys.exit(f"{' '.join(done.args)}:\n{done.stderr[:2000]}")
    return {asked[bisect.bisect_left(starts, int(line)) - 1]
            for line in re.findall(r"^[^\n]*?\.c:(\d+):\d+: warning: .*\[-Wreturn-type\]$", done.stderr, re.M)}


def judge(compiler, folder, first, bodies, pool):
    return pool.submit(judge_by_ufc, bodies), {
        c: pool.submit(judge_by_gcc, compiler, folder, f"b{first}", bodies, c) for c in COMBINATIONS}


def find_compiler():
    compiler = [shutil.which("gcc") or CC, "-flto"]
    works = subprocess.run([*compiler, "-S", "-o", "/dev/null", "-x", "c", "-"], input="int n;", capture_output=True,
                           text=True)
    return compiler if works.returncode == 0 else compiler[:1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show")
    options = parser.parse_args()
    compiler, bodies = find_compiler(), make(options.seed, options.count)
    wrong, alone, counts = [], collections.Counter(), collections.Counter()
    shown = 0
    with tempfile.TemporaryDirectory(prefix="uflow-") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        chunks = [(first, judge(compiler, folder, first, bodies[first:first + CHUNK], pool))
                  for first in range(0, len(bodies), CHUNK)]
        for first, (refused, falls) in chunks:
            refused, falls = refused.result(), {c: fall.result() for c, fall in falls.items()}
            for at in range(len(bodies[first:first + CHUNK])):
                bad = [c for c, fall in falls.items() if at in fall]
                counts["refused" if at in refused else "accepted", "falls" if bad else "ends"] += 1
                if bad and at not in refused: wrong.append((first + at, bad))
                if at in refused and not bad:
                    code = re.search(r"UF\d+", refused[at][0])[0]
                    alone[code] += 1
                    if code == options.show and shown < 5:
                        shown += 1
                        print(f"-- {first + at}: {refused[at]}\n{bodies[first + at]}")
    for at, bad in wrong[:3]:
        print(f"-- body {at} of seed {options.seed}, accepted by ufc, falls off its end with "
              f"{' or '.join(' '.join(f'{n}={on}' for n, on in zip(MACROS, c)) for c in bad)}:\n{bodies[at]}")
    ends = counts["accepted", "ends"] + counts["refused", "ends"]
    print(f"{len(bodies)} bodies: {counts['accepted', 'ends']} accepted, {counts['refused', 'falls']} refused by both, "
          f"{sum(alone.values())} by ufc alone ({', '.join(f'{n} {code}' for code, n in alone.most_common())}), "
          f"{len(wrong)} by gcc alone")
    if wrong: sys.exit("ufc accepts bodies that fall off their end")
    if alone["UF0501"] > OPEN_AT_MOST * ends or sum(alone.values()) > ALONE_AT_MOST * ends:
        sys.exit("ufc refuses too much of what ends well")


if __name__ == "__main__":
    main()
