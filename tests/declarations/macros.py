#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""User macros against generated names. The test reads the C that ufc generates for the corpus and the golden tests. It
collects every identifier that is not a C keyword, not the runtime's (uf_, UF_) and not in the program. It defines
each one as a macro that breaks any code, at the end of the program's first `header` block and of its first `source`
block. All programs must still compile. New emitters are covered automatically.

usage: macros.py --ufc UFC --root ROOT [--list] [NAME...]
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

WORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local""".split())
# Words of directives, of C++ (the header's `extern "C"`), and words with a meaning in bodies (`self->load.value`).
# Macros of these names rewrite the user's own text first.
DIRECTIVES = set("""define elif else endif error if ifdef ifndef include line undef defined pragma GCC diagnostic
    ignored __cplusplus""".split())
OF_BODIES = {"flow", "self", "result", "reason", "outcome", "job", "value", "uf"}
# Names that generated code could use in future, by itself or through the runtime's macros.
ALWAYS = set("""NULL abi bool count edges entry false flags index int32_t int64_t jobs kind line memcpy memset name
    offset offsetof preempts pump release run size source state states steps task tasks time true turn type uint16_t
    uint32_t uint64_t unit which INT64_C UINT16_C UINT32_C""".split())
NAME = re.compile(r"[A-Za-z_\x80-\uffff][A-Za-z0-9_\x80-\uffff]*")


def plain(text):
    """Without comments, strings and #line directives."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', " ", text, flags=re.S)
    text = re.sub(r"(?m)^\s*#\s*(?:line|include|error|pragma)\b.*$", " ", text)
    return re.sub(r"\b\d\w*", " ", text)


def generated_names(made, own):
    known = WORDS | DIRECTIVES | OF_BODIES | own
    joined = re.compile("|".join(sorted(re.escape(n) + "_" for n in own if n not in WORDS)) or "(?!)")
    names = set()
    for name in NAME.findall(made):
        if name in known or name.startswith(("uf_", "UF_", "__")): # two underscores: the compiler's
            continue
        if joined.match(name): # built from the user's names: Picker_start_Pick
            continue
        names.add(name)
    return names


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def make(options, folder, name, text):
    with open(os.path.join(folder, name + ".uflow"), "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return run([options.ufc, name + ".uflow", "-o", name + ".c"], folder)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return file.read()


def check(options, folder, name, text, failures, all_names):
    status, said = make(options, folder, name, text)
    if status:
        return
    names = set()
    own = set(NAME.findall(plain(text)))
    for imported in re.findall(r'(?m)^\s*import\s+"([^"]+)"', text):
        own |= set(NAME.findall(read(folder, imported)))
    for ending in (".c", ".h"):
        names |= generated_names(plain(read(folder, name + ending)), own)
    all_names |= names
    names |= ALWAYS - own
    macros = "".join(f"#undef {one}\n#define {one} !{one} is hostile!\n" for one in sorted(names))
    block = "header" if "header" in options.where else "source"
    # The program's own system headers come first: they use names without underscores, too.
    includes = "\n".join(re.findall(r"(?m)^\s*#\s*include\s*<[^>\n]+>", text))
    hostile = f"{text}\n{block} {{\n{includes}\n{macros}\n}}\n"
    status, said = make(options, folder, name, hostile)
    if status:
        failures.append(f"{name}: ufc says:\n{said[:1000]}")
        return
    include = ["-I", os.path.join(options.root, "runtime", "include"), "-I", folder]
    for cc in options.cc:
        status, said = run([cc, "-std=c11", *include, "-fsyntax-only", name + ".c"], folder)
        if status:
            guilty = sorted(set(re.findall(r"!(\w+) is hostile", said)) or set(re.findall(r"macro ‘(\w+)’", said)))
            failures.append(f"{name}: {cc}: {', '.join(guilty)}\n{said[:1200]}")
    if options.where == "header":
        with open(os.path.join(folder, name + ".cpp"), "w", encoding="utf-8") as file:
            file.write(f'#include "{name}.h"\n')
        for cxx in options.cxx:
            status, said = run([cxx, "-std=c++17", *include, "-fsyntax-only", name + ".cpp"], folder)
            if status:
                failures.append(f"{name}: {cxx}:\n{said[:1200]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    options.cc = [one for one in ("gcc",) if shutil.which(one)] or ["cc"]
    options.cxx = [one for one in ("g++",) if shutil.which(one)]
    failures, names, count = [], set(), 0
    for where in ("header", "source"):
        options.where = where
        for directory in ("tests/corpus", "tests/golden/emit"):
            with tempfile.TemporaryDirectory() as folder:
                source = os.path.join(options.root, directory)
                programs = sorted(f[:-6] for f in os.listdir(source) if f.endswith(".uflow"))
                for program in programs:
                    shutil.copy(os.path.join(source, program + ".uflow"), folder)
                for program in programs: # headers include each other
                    run([options.ufc, program + ".uflow", "-o", program + ".c"], folder)
                for program in programs:
                    if options.names and program not in options.names:
                        continue
                    text = read(folder, program + ".uflow")
                    check(options, folder, program, text, failures, names)
                    make(options, folder, program, text)
                    count += 1
    if options.list:
        print(" ".join(sorted(names)))
    for failure in failures:
        print(failure)
    print(f"{count} programs, {len(names)} identifiers that are not its own in generated C: {len(failures)} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
