#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of docs/functional-safety.md.

usage: figures.py [--update] [calls] [misra] [generated] [coverage] [mcdc]     without a name: calls

calls      core has no recursion by direct calls, in the call graph of gcc, apart from durable flows
misra      what the addon of cppcheck for MISRA C:2012 reports on core; takes minutes
generated  the same for the files that ufc makes of the examples, without your own lines; UFC in the environment is ufc
coverage   lines and branches of core that tests/runtime and tests/unit/core reach, by gcov; builds in build-gcov,
           which takes minutes
mcdc       conditions of core whose independent effect on their decision the same tests show, by clang 18 or later;
           builds in build-mcdc

Without --update, calls must agree with the document, misra and generated may report no rule more often than the
document says, each rule that they report must be among the deviations, and coverage and mcdc may not be more than a
percent below the document. Exit status 77: a program is not there."""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNTIME = os.path.join(ROOT, "runtime")
DOCUMENT = os.path.join(ROOT, "docs/functional-safety.md")
INCLUDES = [f"-I{RUNTIME}/{folder}" for folder in ("include", "core", "port")]
# Of MISRA C:2012 with amendments 1 to 3. All others are required or advisory.
MANDATORY = set("9.1 12.5 13.6 17.3 17.4 17.6 19.1 21.13 21.17 21.18 21.19 21.20 22.2 22.4 22.5 22.6".split())
ADVISORY = set("""1.2 1.5 2.3 2.4 2.5 2.6 2.7 4.2 5.9 8.7 8.9 8.11 8.13 8.16 10.5 11.4 11.5 12.1 12.3 12.4 13.3 13.4
    15.1 15.4 15.5 17.5 17.8 17.11 18.4 18.5 19.2 20.1 20.5 21.12 21.25""".split())


def sources():
    return sorted(glob.glob(f"{RUNTIME}/core/*/*.c")) + [f"{RUNTIME}/port/bare.c"]


def need(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print("not found:", *missing)
        sys.exit(77)


def cycles(calls):
    """What is left if functions that lead nowhere are taken off: functions that reach themselves, and their callers."""
    left = {name: set(targets) & set(calls) for name, targets in calls.items()}
    while True:
        ends = {name for name, targets in left.items() if not targets}
        if not ends: return sorted(left)
        left = {name: targets - ends for name, targets in left.items() if name not in ends}


def calls():
    need("gcc")
    graph, pointers = {}, set()
    with tempfile.TemporaryDirectory() as work:
        for path in sources():
            if "/core/durable/" in path: continue # plain structs inside plain structs; other programs do not link it
            subprocess.run(["gcc", "-std=c11", "-O1", "-fno-inline", "-ffreestanding", "-fcallgraph-info", *INCLUDES,
                            '-DUFP_INTERRUPTS="zephyr_interrupts.h"', f"-I{ROOT}/tests/bare/zephyr/subset", "-c", path],
                           check=True, cwd=work)
        for path in glob.glob(work + "/*.ci"):
            with open(path, encoding="utf-8") as file: text = file.read()
            for caller in re.findall(r'^node: \{ title: "([^"]*)" label: "[^"]*\\n', text, re.M):
                graph.setdefault(caller, set())
            for caller, target in re.findall(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text, re.M):
                graph.setdefault(caller, set()).add(target)
                if target == "__indirect_call": pointers.add(caller)
    recursive = cycles(graph)
    print(f"{len(graph)} functions, {len(recursive)} recursive, {len(pointers)} call through pointers")
    if recursive: sys.exit(f"these call themselves, or are called in a circle: {', '.join(recursive)}")
    return f"| functions of core | {len(graph)} |\n| of them, recursive by direct calls | 0 |\n" \
           f"| of them, with a call through a pointer | {len(pointers)} |\n"


def kind_of(rule):
    return "mandatory" if rule in MANDATORY else "advisory" if rule in ADVISORY else "required"


def reports(paths, includes, where):
    """How often each rule is reported, in files whose names match."""
    need("cppcheck")
    done = subprocess.run(["cppcheck", "--addon=misra", "-q", "--std=c11", "-DUFP_BARE", *includes,
                           "--template={id} {file}:{line}", *paths],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    found = re.findall(r"^misra-c2012-([\d.]+) (.*):\d+$", done.stderr, re.M)
    if not found: sys.exit("cppcheck has no addon for MISRA")
    return collections.Counter(rule for rule, file in found if re.match(where, file))


def misra():
    return rows_of_rules(reports(sources(), INCLUDES, ""))


def generated():
    ufc, found = os.environ.get("UFC", f"{ROOT}/build/bin/ufc"), collections.Counter()
    for example in sorted(glob.glob(f"{ROOT}/examples/*/")):
        with tempfile.TemporaryDirectory() as work:
            for path in sorted(glob.glob(f"{example}*.uflow")):
                if path.endswith(("_test.uflow", "/live.uflow")): continue
                flow = os.path.join(work, os.path.basename(path)[:-len("uflow")] + "c")
                subprocess.run([ufc, f"-I{example}", path, "-o", flow], check=True, stderr=subprocess.DEVNULL)
            made = sorted(glob.glob(f"{work}/*.c"))
            if made: found += reports(made, INCLUDES[:1], re.escape(work))
    return rows_of_rules(found)


def rows_of_rules(found):
    kinds = collections.Counter()
    rules = collections.defaultdict(list)
    for rule, count in found.most_common():
        kinds[kind_of(rule)] += count
        rules[kind_of(rule)].append(f"{rule} ({count})")
    if rules["mandatory"]: sys.exit(f"mandatory rules: {rules['mandatory']}")
    return "".join(f"| {kind} | {kinds[kind]} | {', '.join(rules[kind]) or '–'} |\n"
                   for kind in ("mandatory", "required", "advisory"))


def run(*command):
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def build_and_run(build, flags, *more):
    run("cmake", "--preset", "debug", "-B", build, f"-DCMAKE_C_FLAGS={flags}", "-DUFLOW_BUILD_EXAMPLES=OFF",
        "-DUFLOW_BUILD_TOOLS=OFF", *more)
    run("cmake", "--build", build, "--target", "tests/runtime/all", "tests/unit/core/all")
    without = "core_symbols"  # it would find those of the instrumentation
    run("ctest", "--test-dir", build, "-R", r"^(runtime|unit\.core)\.", "-E", without, "-j", str(os.cpu_count()))


def coverage():
    need("gcc", "gcov", "cmake", "ninja")
    build = os.path.join(ROOT, "build-gcov")
    if not os.environ.get("UFLOW_GCOV_RAN"): build_and_run(build, "--coverage")
    folders = collections.defaultdict(collections.Counter)
    for path in sorted(glob.glob(f"{build}/runtime/core/**/*.gcda", recursive=True)):
        text = subprocess.run(["gcov", "--json-format", "-b", "-t", path], cwd=build, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True, text=True).stdout
        for file in json.loads(text)["files"]:
            inside = re.search(r"runtime/core/(\w+)/\w+\.c$", file["file"])
            if inside: count(file["lines"], folders[inside[1]])
    folders["all of core"] = sum(folders.values(), collections.Counter())
    return "".join(f"| {name} | {share(sums, 'lines')} | {share(sums, 'branches')} | {share(sums, 'blocks')} |\n"
                   for name, sums in folders.items())


def count(lines, sums):
    """Blocks: lines whose every block ran. gcov writes a line once for each function that it is in."""
    for line in lines:
        sums["lines"] += 1
        sums["lines taken"] += line["count"] > 0
        sums["blocks"] += 1
        sums["blocks taken"] += line["count"] > 0 and not line["unexecuted_block"]
        for branch in line["branches"]:
            if branch["throw"]: continue
            sums["branches"] += 1
            sums["branches taken"] += branch["count"] > 0


def newest_clang():
    """The version of the newest clang that measures MC/DC and has its tools beside it."""
    tools = ("clang", "llvm-profdata", "llvm-cov")
    for version in range(30, 17, -1):
        if all(shutil.which(f"{tool}-{version}") for tool in tools): return version
    print("not found: clang 18 or later with llvm-profdata and llvm-cov")
    sys.exit(77)


def mcdc():
    need("cmake", "ninja")
    version, build = newest_clang(), os.path.join(ROOT, "build-mcdc")
    os.environ["LLVM_PROFILE_FILE"] = f"{build}/profiles/%4m.profraw"
    build_and_run(build, "-O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc",
                  f"-DCMAKE_C_COMPILER=clang-{version}")
    merged = os.path.join(build, "all.profdata")
    run(f"llvm-profdata-{version}", "merge", "-o", merged, *glob.glob(f"{build}/profiles/*.profraw"))
    objects = [f"-object={path}" for path in glob.glob(f"{build}/runtime/core/**/*.o", recursive=True)]
    text = subprocess.run([f"llvm-cov-{version}", "export", "-summary-only", f"-instr-profile={merged}", *objects],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    folders = collections.defaultdict(collections.Counter)
    for file in json.loads(text)["data"][0]["files"]:
        inside = re.search(r"runtime/core/(\w+)/\w+\.c$", file["filename"])
        if not inside: continue
        found = file["summary"]["mcdc"]
        folders[inside[1]].update({"conditions": found["count"], "conditions taken": found["covered"]})
    folders["all of core"] = sum(folders.values(), collections.Counter())
    return "".join(f"| {name} | {share(sums, 'conditions')} |\n" for name, sums in sorted(folders.items()))


def share(sums, what):
    return f"{100 * sums[what + ' taken'] / sums[what]:.1f} % of {sums[what]}"


HEADS = {calls: "| call graph | |\n|---|---:|\n", misra: "| rules, core | reports | rule (reports) |\n|---|---:|---|\n",
         generated: "| rules, generated files | reports | rule (reports) |\n|---|---:|---|\n",
         coverage: "| folder | lines | branches | lines without a block that did not run |\n|---|---:|---:|---:|\n",
         mcdc: "| folder | conditions that decide alone |\n|---|---:|\n"}


def table(text, part):
    found = re.search(re.escape(HEADS[part]) + r"((?:\|.*\n)*)", text)
    if not found: sys.exit(f"{DOCUMENT} has no table for {part.__name__}")
    return found


def percents(text):
    return [float(number) for number in re.findall(r"([\d.]+) %", text)]


def counts(text):
    return {rule: int(count) for rule, count in re.findall(r"(\d+\.\d+) \((\d+)\)", text)}


def without_reason(text):
    """Rules of the two tables that are no deviation, or the other way round."""
    given = re.search(r"\| deviation \|.*?\n\n", text, re.S)[0]
    listed = {rule for part in (misra, generated) for rule in counts(table(text, part)[1])}
    return sorted(listed ^ set(re.findall(r"\b\d+\.\d+\b", re.sub(r"(?m)^(\|[^|]*\|).*$", r"\1", given))))


def problem(part, told, made):
    if part in (misra, generated):
        was = counts(told)
        more = [f"{rule}: {count}, was {was.get(rule, 0)}" for rule, count in counts(made).items()
                if count > was.get(rule, 0)]
        return "; ".join(more)
    if part in (coverage, mcdc):
        lower = [(old, new) for old, new in zip(percents(told), percents(made)) if new < old - 1]
        return f"less than the document says: {lower}" if lower or len(percents(told)) != len(percents(made)) else ""
    # Numbers of functions change often; the document must not promise less than is there.
    same = re.findall(r"recursive.*", told) == re.findall(r"recursive.*", made)
    return "" if same else "another number of recursions"


def main():
    chosen = [part for part in (calls, misra, generated, coverage, mcdc) if part.__name__ in sys.argv[1:]] or [calls]
    with open(DOCUMENT, encoding="utf-8") as file: lost = without_reason(file.read())
    failures = bool(lost) and "--update" not in sys.argv
    if failures: print(f"rules without a deviation, or deviations from rules that nothing reports: {', '.join(lost)}")
    for part in chosen:
        made = part()
        with open(DOCUMENT, encoding="utf-8") as file: text = file.read()
        found = table(text, part)
        if "--update" in sys.argv:
            with open(DOCUMENT, "w", encoding="utf-8") as file:
                file.write(text[:found.start(1)] + made + text[found.end(1):])
            continue
        complaint = problem(part, found[1], made)
        if complaint:
            failures += 1
            print(f"{part.__name__}: {complaint}; tests/safety/figures.py --update {part.__name__} writes the table")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
