#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests cores that are compiled with a config.

check.py UFC WORK_DIRECTORY KIND [--few]
  refused   a wrong config does not compile or link, and the message tells what mends it
  lto       the structs of core and program stay one pump with -flto
  project   uflow_fit() in a project with libraries
  unused    a program links nothing for texts that nobody reads, nor for a shutdown that it does not have
  signals   signals of one pump against those of several
  alone     programs that use one feature each, and nothing that observes them, against the same on a full core
  own       tests of the runtime, each on a core with what it uses and no more
  off       for each switch, a core that lacks it, with tests that do not use it
  pairs     the same for each pair of switches
  random    random programs, each on a core with what it uses: the traces are those of the full core"""
import argparse
import glob
import itertools
import os
import re
import sys

import alone
from fitted import FEATURES, ROOT, RUNTIME, Fitted, Refused, amalgamation, with_implied

sys.path.insert(0, os.path.join(ROOT, "tests/random"))
PRIVATE = f"{ROOT}/runtime/include/uflow/priv"
NOT_FITTED = {"modules"}  # it reads the release of a flow's type, which no small core keeps
FEW = ("alone", "arrays", "chat", "deadlines", "ended")
HELPERS = [f"{ROOT}/runtime/observe/trace.c", f"{RUNTIME}/log.c"]


def sources_of(fitted, name):
    return [f"{RUNTIME}/{name}.c", fitted.generated(f"{RUNTIME}/{name}.uflow", name), *HELPERS]


def least(fitted, names):
    """What each test uses; its program is built."""
    for name in names:
        flow = f"{RUNTIME}/{name}.uflow"
        yield name, fitted.least_program(sources_of(fitted, name), fitted.config([flow]), name)


def check_own(fitted, names):
    for name, features in least(fitted, names):
        fitted.run([f"./{name}"])
        print(f"{name}: {' '.join(sorted(features))}")


def without(*names):
    """All features, but these and those that imply them."""
    return {feature for feature in FEATURES if not with_implied({feature}) & set(names)}


def check_lacks(fitted, names, lists, most):
    uses = dict(least(fitted, names))
    for lacking in lists:
        features, ran = without(*lacking), []
        fitted.core(features)
        for name in names:
            if len(ran) == most or not uses[name] <= features: continue
            fitted.run([fitted.program(sources_of(fitted, name), features, os.path.join(fitted.work, f"{name}_lacks"))])
            ran.append(name)
        print(f"without {' and '.join(lacking)}: {' '.join(ran) or 'compiles'}")


def check_random(fitted, count):
    from programs import SECOND_PART, THIRD_PART, Batch
    driver = f"{ROOT}/tests/random/driver.c"
    for first in itertools.chain.from_iterable(range(part, part + count) for part in (0, SECOND_PART, THIRD_PART)):
        batch, paths = Batch(first, 1), [os.path.join(fitted.work, name) for name in ("batch.uflow", "table.c")]
        for path, text in zip(paths, (batch.uflow, batch.c)):
            with open(path, "w", encoding="utf-8") as file: file.write(text)
        sources = [fitted.generated(paths[0], "batch"), paths[1], driver]
        options = ["-w", f"-I{ROOT}/tests/random"]
        features = fitted.least_program(sources, fitted.config(paths[:1]), "fit", *options)
        fitted.program(sources, set(FEATURES), "full", *options)
        if fitted.run(["./fit"]) != fitted.run(["./full"]): sys.exit(f"program {first} has another trace")
        print(f"{first}: without {' '.join(sorted(set(FEATURES) - features))}")


def expect(action, text):
    try: action()
    except Refused as refused:
        if text not in str(refused): sys.exit(f"no `{text}` in:\n{refused}")
    else: sys.exit(f"nothing says `{text}`")


def check_lists():
    """Each feature has its switch in the two lists that a preprocessor cannot make of the table."""
    for name in ("everything", "settings"):
        listed = re.findall(r"\bUF_USES_([A-Z_]+)\b", amalgamation.amalgamate.read(f"{PRIVATE}/{name}.h"))
        if set(listed) - {"HOST", "ALWAYS"} != set(FEATURES): sys.exit(f"{name}.h and features.h differ")


def check_guarded(fitted):
    """A use of any function that a core has left out does not compile, also with -flto, whose linker sees core's own
    declaration."""
    guarded = re.findall(r"^UF_GUARDED\((\w+), (\w+)\)",
                         amalgamation.amalgamate.read(os.path.join(fitted.work, "uflow/uflow.h")), re.M)
    if {name for name, _ in guarded} - set(FEATURES) or len(guarded) < 20: sys.exit(f"guarded: {guarded}")
    path = os.path.join(fitted.work, "calls.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "uflow/uflow.h"\nvoid (*calls[])(void) = {\n')
        file.writelines(f"    (void (*)(void)){function}, /* {name} */\n" for name, function in guarded)
        file.write("};\n")
    for option in ("-O0", "-flto"):
        try: fitted.run([*fitted.cc, option, *fitted.switches(set()), "-c", path, "-o", "calls.o"])
        except Refused as refused: said = str(refused)
        else: sys.exit("all calls compile")
        for name, function in guarded:
            if not re.search(f"{function}.*set UF_USES_{name} to 1 in uf_config.h", said):
                sys.exit(f"{function} compiles without {name}:\n{said}")


def check_one_pump(fitted):
    """With -flto, what core writes to a pump is what the program reads, though their structs differ."""
    paths = [os.path.join(fitted.work, name) for name in ("inner.c", "outer.c")]
    functions = "void set(uf_pump *pump, uint64_t round);\nuint64_t get(const uf_pump *pump);\n"
    with open(paths[0], "w", encoding="utf-8") as file:
        file.write(f'#define UFI_CORE\n#include "uflow/uflow.h"\n{functions}'
                   "void set(uf_pump *pump, uint64_t round) { pump->round = round; }\n"
                   "uint64_t get(const uf_pump *pump) { return pump->round; }\n")
    with open(paths[1], "w", encoding="utf-8") as file:
        file.write(f'#include "uflow/uflow.h"\n{functions}'
                   "static uf_pump pump;\nstatic uf_pump *volatile same = &pump;\nint main(void)\n{\n"
                   "    uf_pump *const again = same;\n    set(&pump, 1);\n    set(again, 2);\n"
                   "    return get(&pump) != 2;\n}\n")
    for option in ("-Os", "-O2"):
        objects = [path[:-1] + "o" for path in paths]
        for path, compiled in zip(paths, objects):
            fitted.run([*fitted.cc, option, "-flto", *fitted.switches({"COUNTS"}), "-c", path, "-o", compiled])
        fitted.run([*fitted.cc, option, "-flto", "-Wno-lto-type-mismatch", *objects, "-o", "one_pump"])
        fitted.run(["./one_pump"])


def check_files(fitted):
    """The files of core compile with a config that has nothing, as they do in the amalgamation."""
    folders = [f"{ROOT}/runtime/{name}" for name in ("include", "core", "recorder", "port")]
    for path in (*glob.glob(f"{folders[1]}/*/*.c"), *glob.glob(f"{folders[2]}/*.c"), f"{folders[3]}/bare.c"):
        fitted.run(["gcc", "-std=c11", "-DUFP_BARE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                    *fitted.switches(set()), *(f"-I{folder}" for folder in folders), path])


def check_refused(fitted):
    check_lists()
    check_files(fitted)
    if int(fitted.run(["gcc", "-dumpversion"]).split(b".")[0]) >= 12: check_guarded(fitted)
    flow, c = os.path.join(fitted.work, "door.uflow"), os.path.join(fitted.work, "main.c")
    with open(flow, "w", encoding="utf-8") as file:
        file.write("signal bell;\nflow Door { task Open { step A { await bell -> done; } } }\n")
    with open(c, "w", encoding="utf-8") as file:
        file.write('#include "door.h"\nint main(void)\n{\n    static uf_pump pump;\n    static Door door;\n'
                   "    (void)uf_pump_init(&pump, NULL);\n    (void)Door_init(&door, &pump, NULL);\n"
                   "    (void)uf_flow_cancel(&door.uf);\n    return 0;\n}\n")
    door, uses = fitted.generated(flow, "door"), fitted.config([flow])
    compiled = [os.path.join(fitted.work, name) for name in ("door.o", "main.o")]

    def build(source, features, output):
        fitted.run([*fitted.cc, *fitted.switches(features), "-c", source, "-o", output])

    expect(lambda: build(door, set(), compiled[0]), "flows of this file use SIGNALS, and uf_config.h does not have it: "
                                                    "run `ufc --emit=config` again, with all flows of the program")
    expect(lambda: build(c, uses, compiled[1]), "set UF_USES_CANCEL to 1 in uf_config.h")
    expect(lambda: build(c, uses | {"STOP"}, compiled[1]),
           "UF_USES_STOP needs UF_USES_CANCEL: set it to 1 in uf_config.h, too")
    build(door, uses, compiled[0])
    build(c, with_implied(uses | {"CANCEL"}), compiled[1])
    expect(lambda: fitted.run([*fitted.cc, *compiled, fitted.core(uses)]),
           "undefined reference to `uf_pump_init_with_another_uf_config_h_")
    build(c, with_implied(uses | {"CANCEL", "SCALE"}), compiled[1])
    expect(lambda: fitted.run([*fitted.cc, *compiled, fitted.core(with_implied(uses | {"CANCEL", "SCALE"}))]),
           "undefined reference to `uf_flow_init_with_another_uf_config_h_")


def check_other_pump(fitted):
    """Flows of two pumps that wait for one signal, on a core whose signals have one pump."""
    flow, c = os.path.join(fitted.work, "twice.uflow"), os.path.join(fitted.work, "twice_main.c")
    with open(flow, "w", encoding="utf-8") as file:
        file.write("signal bell;\nflow Door { task Open { step A { await bell -> done; } } }\n")
    with open(c, "w", encoding="utf-8") as file:
        file.write('#include "twice.h"\nint main(void)\n{\n    static uf_pump pumps[2];\n    static Door doors[2];\n'
                   "    for (int i = 0; i < 2; i++) {\n        (void)uf_pump_init(&pumps[i], NULL);\n"
                   '        (void)Door_init(&doors[i], &pumps[i], "door");\n        (void)Door_start_Open(&doors[i]);\n'
                   "        (void)uf_pump_round(&pumps[i], 0);\n    }\n    return uf_signal_fire(&bell) != 2;\n}\n")
    twice, uses = fitted.generated(flow, "twice"), fitted.config([flow])

    def run(features): fitted.run([fitted.program([twice, c], features, os.path.join(fitted.work, "twice"))])

    expect(lambda: run(uses), "set UF_USES_PUMPS to 1 in uf_config.h")
    run(with_implied(uses | {"PUMPS"}))


def check_signals(fitted):
    """Signals of one pump release the same flows as those of several pumps."""
    here = os.path.dirname(os.path.abspath(__file__))
    sources = [f"{here}/signals.c", fitted.generated(f"{here}/signals.uflow", "signals")]
    features = fitted.least_program(sources, fitted.config([f"{here}/signals.uflow"]), "one")
    if "PUMPS" in features: sys.exit("its core has signals of several pumps")
    fitted.program(sources, with_implied(features | {"PUMPS"}), "several")
    if fitted.run(["./one"]) != fitted.run(["./several"]): sys.exit("the traces differ")


UNUSED = """\
signal go[3];
worker int look(int place) { return place; }
flow Lamp(int place) {
    mailbox int orders[2];
    task Light -> int {
        job looks[2]: look;
        step A { submit looks[flow->place](7); await any(looks) -> B; }
        step B { await go[flow->place] -> C; }
        step C { await { looks[flow->place] -> D; orders -> D; } }
        step D { done flow->place; }
    }
}
flow One {
    flow Lamp lamps[3](index);
    task Run {
        with run Lamp.Light(&flow->lamps[0]);
        step A { await all(run Lamp.Light(&flow->lamps[1]), room(&flow->lamps[2].orders)) -> B; }
        step B { await first(run Lamp.Light(&flow->lamps[*])) -> done; }
    }
}
"""
WRITERS = {"ufi_format", "ufi_format_args", "ufi_join", "uf_element_name", "uf_reason", "uf_status_text"}
STOPS = {"mailbox_c_hooks"}


def check_unused(fitted):
    """A core that has the feature links all of them, so that none has another name by now."""
    paths = [os.path.join(fitted.work, name) for name in ("alone.uflow", "alone_main.c")]
    for path, text in zip(paths, (UNUSED, alone.MAIN)):
        with open(path, "w", encoding="utf-8") as file: file.write(text)
    sources = [fitted.generated(paths[0], "alone"), paths[1]]
    features = fitted.least_program(sources, fitted.config(paths[:1]), "silent")
    for added, least in ((set(), set()), ({"NAMES"}, WRITERS), ({"STOP"}, STOPS)):
        program = fitted.program(sources, with_implied(features | added), "unused", "-Wl,--gc-sections")
        linked = {line.split()[-1] for line in fitted.run(["nm", program]).decode().splitlines()} & (WRITERS | STOPS)
        if linked != least: sys.exit(f"with {added or 'nothing'} it links {linked or 'none'}")


def check_project(fitted):
    """uflow_fit() finds all targets that see the pump."""
    build = os.path.join(fitted.work, "build")
    fitted.run(["cmake", "-S", os.path.join(os.path.dirname(os.path.abspath(__file__)), "project"), "-B", build,
                f"-DUFLOW_UFC={fitted.ufc}"])
    fitted.run(["cmake", "--build", build, "--target", "fitted"])
    fitted.run([f"{build}/fitted"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("work")
    parser.add_argument("kind", choices=("refused", "lto", "project", "unused", "signals", "alone", "own", "off",
                                         "pairs", "random"))
    parser.add_argument("--few", action="store_true")
    options = parser.parse_args()
    sections = ("-Os", "-ffunction-sections", "-fdata-sections") if options.kind == "unused" else ("-O0",)
    fitted = Fitted(options.ufc, options.work, sections)
    names = [name for name in amalgamation.tests_of_core()
             if name not in NOT_FITTED and (not options.few or name in FEW)]
    if options.kind == "refused":
        check_refused(fitted)
        check_other_pump(fitted)
    elif options.kind == "lto": check_one_pump(fitted)
    elif options.kind == "project": check_project(fitted)
    elif options.kind == "unused": check_unused(fitted)
    elif options.kind == "signals": check_signals(fitted)
    elif options.kind == "alone": alone.check(fitted, set(FEATURES))
    elif options.kind == "own": check_own(fitted, names)
    elif options.kind == "off": check_lacks(fitted, names, [(name,) for name in FEATURES], 1 if options.few else 4)
    elif options.kind == "pairs": check_lacks(fitted, names, list(itertools.combinations(FEATURES, 2)), 2)
    else: check_random(fitted, 2 if options.few else 20)
    return 0


if __name__ == "__main__":
    try: sys.exit(main())
    except Refused as refused: sys.exit(str(refused))
