#!/usr/bin/env python3
"""The C compiler reports errors in the user's text at the place in the .uflow file.

Each `name`@ in PROGRAM is a place where the user writes C. The test replaces one at a time by an undeclared name. The
first error of both compilers must name that line of the file. Where the generated text has the same column as the file
(@@), the error must name that column too. With --no-line the errors must name the C file.

usage: places.py --ufc UFC --include DIR --cc COMPILER..."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

AXIS = """flow Axis(double at) {
    task Move(double to) -> double { step Go { flow->at = self->to; done flow->at; } }
}
"""
PROGRAM = """header {
typedef `int`@@ number;

enum { SIZE = 4 };
}
source {

static int helper(int a) { return a + `0`@@; }
}
import "axis.uflow";
signal stop;

worker `number`@ weigh(`int`@ channel, number by) {
    number grams = channel * `1`@@;
    if (channel > 7) fail "%d"
        " %d", channel, `2`@;
    if (channel < 0) fail; else if (by) return
        grams + `3`@@;
    return helper(`4`@@);
}
worker void rest(number long_enough) { if (helper(`5`@)) fail "%d", `6`@; }

flow Probe(`number`@ lane,
           const `char`@ *label) {
    flow Axis x(`1`@);
    flow Axis
        y(flow->lane
          + `2`@);
    signal near;
    mailbox `number`@ box[`SIZE`@
        + 1];
    on stop -> fail "%d",
        `6`@;
    int plain = helper(`3`@), second = `4`@;
    `int`@ matrix[`SIZE`@] = {
        1,
        `2`@
    };

    on init {
        flow->plain = helper(flow->plain) +
            `5`@@;
    }

    task Work(int a, `int`@ b) -> `number`@ {
        int field = `6`@, other;

        on stop -> Done(self->field
            + `5`@);
        on enter { self->other = `7`@@; }
        on exit
        {
            if (outcome == UF_DONE) flow->second = `8`@@;
        }

        step Begin {
            int local = self->a; // a comment
            if (local == `9`@@) next Params(`1`@,
                local + `2`@);
            describe "%d %d", local,

                `3`@;
            if (`local`@@)
                fail "%d"
                     "%d", `4`@, self->b;
            local++; stay every (local
                + `5`@) ms;
        }
        step Params(int c, `number`@ d)
        {
            int local = c * d;

            if (c > 3) {
                await {
                    /* nothing here */
                    until (helper(c) == `1`@@) for (local + `2`@) ms -> Params(`3`@,
                                                                            d + `4`@);
                    until (helper(c) > `1`@@) -> Done(c);
                    if (c) until (helper(c) < `2`@@) -> Done(c);
                    run Axis.Move(&flow->`x`@,
                                  helper(local) + `5`@) -> Done(result + `6`@) else fail "%s %d", reason, `7`@;
                    all(idle(&flow->`x`@), idle(&flow->`y`@)) -> done `8`@;
                    timeout (local + `9`@) ms
                        -> become Other(
                            `1`@);
                } local = `2`@;
            }
            local += `3`@@;
            stay every (local) ms timeout (local + `4`@) s -> Done(c + `5`@);
        }
        step Done(double e) { if (e > `6`@@) done `7`@; else done; }
    }
    task Listen {
        step Go {
            `number`@@ local = 0;
            await {
                stop -> done;
                fired(local ? &flow->near
                            : `0`@) -> fail "%d", `1`@;
                all(near, fired(&flow->`near`@)) -> Next(`2`@);
                box -> Next(
                    `3`@);
            }
        }
        step Next(int a) { if (a) await near -> done; else await { near -> done; stop -> Next(a + `4`@); } }
    }
    task Measure -> number {
        job scale: weigh;
        job
            pause: rest;
        step Go {
            number local = 1;
            submit scale(local +
                `1`@, self->scale.`value`@) timeout (local
                + `2`@) ms;
            submit pause(`3`@); local += 1;
            if (local == `4`@@) submit pause(0) timeout 1s;
            await {
                all(scale, idle(&flow->`x`@)) -> done self->scale.value + `5`@;
                pause -> fail else fail "%s %d",
                    reason, `6`@;
            }
        }
    }
    task Other(int level) { step Go { if (self->level) done; await 1s -> fail "level %d", self->level + `8`@; } }
}
"""
# a valid program: no statement follows an intent
PROGRAM = PROGRAM.replace("} local = `2`@;\n            }", "}\n            }").replace("else done; }",
                                                                                        "else done 0; }")
MARK = re.compile(r"`([^`]*)`(@@?)")


def variants():
    """The valid program, then one for each place: text, line, column or None."""
    yield MARK.sub(r"\1", PROGRAM), 0, None
    for index, chosen in enumerate(MARK.finditer(PROGRAM)):
        before = MARK.sub(r"\1", PROGRAM[:chosen.start()])
        text = before + f"undeclared_{index}" + MARK.sub(r"\1", PROGRAM[chosen.end():])
        column = len(before) - before.rfind("\n") if chosen[2] == "@@" else None
        yield text, before.count("\n") + 1, column


def first_error(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.decode(errors="replace")
    found = re.search(r"^([^\s:]+):(\d+):(\d+): (?:fatal )?error:", said, re.M)
    return (found[1], int(found[2]), int(found[3])) if found else None, said


ODD_NAMES = ['"quoted".uflow', "back\\slash.uflow", "who??/is.uflow", "*/end.uflow", "/*begin.uflow", "100%d.uflow",
             "h\u00e4user.uflow",
             "new\nline.uflow", "tab\there.uflow"]


def check_odd_name(name, options, cc, folder):
    """File names occur in comments, strings and directives. They must not end them or change their meaning."""
    text = MARK.sub(r"\1", PROGRAM).replace("local++;", "undeclared++;")
    subprocess.run([options.ufc, "--stdin-filename=" + name, "-I.", "-", "-o", "odd.c"], input=text.encode(),
                   cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    done = subprocess.run([cc, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-fsyntax-only",
                           "-I" + options.include, "-I.", "odd.c"], cwd=folder, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    reports = [line for line in done.stdout.decode(errors="replace").split("\n") if ": error: " in line
               or ": warning: " in line]
    line = text[:text.index("undeclared++")].count("\n") + 1
    # gcc and clang print a newline in a name unchanged
    good = len(reports) == 1 and reports[0].startswith(f"{name}:{line}:".split("\n")[-1])
    return None if good else f"{cc}: {name!r}:\n{done.stdout.decode(errors='replace')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--cc", action="append", default=[])
    options = parser.parse_args()
    options.ufc, options.include = os.path.abspath(options.ufc), os.path.abspath(options.include)

    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        def ufc(name, *arguments):
            subprocess.run([options.ufc, name + ".uflow", "-o", name + ".c", *arguments], cwd=folder, check=True,
                           stderr=subprocess.DEVNULL)

        def compile_with(cc):
            return first_error([cc, "-std=c11", "-fsyntax-only", "-I" + options.include, "-I.", "probe.c"], folder)

        with open(os.path.join(folder, "axis.uflow"), "w", encoding="utf-8") as file:
            file.write(AXIS)
        ufc("axis")
        for text, line, column in variants():
            with open(os.path.join(folder, "probe.uflow"), "w", encoding="utf-8") as file:
                file.write(text)
            ufc("probe")
            for cc in options.cc:
                count += 1
                place, said = compile_with(cc)
                if line == 0:
                    good = place is None
                else:
                    good = place and place[:2] == ("probe.uflow", line) and column in (None, place[2])
                if not good:
                    failures.append(f"{cc}: line {line}, column {column}: it speaks of {place}\n{said}")
        for name in ODD_NAMES:
            for cc in options.cc:
                count += 1
                complaint = check_odd_name(name, options, cc, folder)
                failures += [complaint] if complaint else []
        ufc("probe", "--no-line")
        place, said = compile_with(options.cc[0])
        if not place or place[0] not in ("probe.c", "probe.h"):
            failures.append(f"--no-line: it speaks of {place}\n{said}")
    for failure in failures:
        print(failure)
    print(f"{count} compilations, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
