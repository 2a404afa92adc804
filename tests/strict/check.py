#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generated C, and the headers as C++, under the strictest flags of compilers and analyzers: none reports anything that
is not in the table of allowed warnings.

usage: check.py --ufc UFC --root ROOT [--programs=emit,corpus,examples] [--judge NAME] [NAME...]

The programs of this directory come first; --programs adds those of tests/golden/emit, of tests/corpus, and examples.
Judges that are not installed are left out. A program that needs a standard has a second line like
`// for gcc, clang: -std=gnu23`; compilers that know the standard judge it.
"""
import argparse
import concurrent.futures
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from chosen import chosen  # noqa: E402

# The allowed reports of a judge about generated C, and why. With a suffix: only at places in files with that suffix.
ALLOWED = {
    "-Wpadded": "structs are padded",
    "-Waggregate-return": "an intent is a struct, so that `return 1;` in a step does not compile",
    "-Wdeclaration-after-statement": "C99 and later",
    "-Wpre-c11-compat": "C11 and later",
    "-Wpre-c23-compat": "C23 and later",
    "-Wc++-hidden-decl": "headers compile as C++",
    "-Wc++98-compat": "C++11 and later",
    "-Wc++98-compat-pedantic": "C++11 and later",
    "-Wunknown-attributes .uflow": "the user's own text",
    "-Wnrvo": "no copy of a struct costs anything here",
    "-Wunsafe-buffer-usage": "C has no safe buffers",
    "-Wunsafe-buffer-usage-in-libc-call": "C has no safe buffers",
    "-Wimplicit-void-ptr-cast": "C converts void pointers",
    "-Wlong-long": "C99 and later",
    "-Wunused-macros": "macros that name what the user may need",
    "-Wimplicit-fallthrough .uflow": "the user's own text",
    "-Wunreachable-code-return": "a step returns at its end even if the user's text never gets there",
    "-Wdouble-promotion .uflow": "a float as an argument of the user's format",
    "-Wformat-nonliteral .uflow": "the user's own text",
    "-Wunused-variable .uflow": "the user's own text",
    "-Wunused-function .uflow": "the user's own text",
    "-Wunreachable-code .uflow": "the user's own text",
    "-Wcast-align .c": "a uf_flow begins the struct of its flow, which may be more aligned",
}

GCC = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wundef",
       "-Wswitch-enum", "-Wswitch-default", "-Wcast-qual", "-Wcast-align", "-Wpointer-arith", "-Wwrite-strings",
       "-Wredundant-decls", "-Wformat=2", "-Wformat-signedness", "-Wfloat-equal", "-Wnull-dereference",
       "-Wduplicated-cond", "-Wlogical-op", "-Wmissing-declarations", "-Wdate-time", "-Winit-self"]
OF_C = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-Wold-style-definition", "-Wnested-externs",
        "-Wbad-function-cast", "-Wjump-misses-init", "-Wc++-compat"]
OF_CXX = ["-std=c++17", "-Wold-style-cast", "-Wuseless-cast", "-Wzero-as-null-pointer-constant", "-Wextra-semi"]
ARM = ["-mcpu=cortex-m3", "-mthumb", "-ffreestanding"]
EACH_AS_CXX = ["-x", "c++", "-fsyntax-only"]
TIDY = ("-checks=-*,bugprone-*,clang-analyzer-*,performance-*,portability-*,"
        "-bugprone-easily-swappable-parameters,"  # `(uf_flow *flow, uf_u32 state)`
        "-bugprone-reserved-identifier,"          # names of generated code begin with uf_
        "-performance-no-int-to-ptr,"             # UF_INSIDE has no branch
        "-bugprone-assignment-in-if-condition,"   # inits of sub-flows
        "-bugprone-sizeof-expression,"            # `sizeof a / sizeof *a` where the element is a pointer
        "-bugprone-branch-clone,"                 # steps with equal bodies
        "-bugprone-casting-through-void,"         # UF_INSIDE, which does not branch
        "-bugprone-implicit-widening-of-multiplication-result," # the user's own products: it ignores #line
        "-bugprone-macro-parentheses,"            # the user's own macros
        "-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling")


def newest(name):
    """The newest version of a program that is installed: clang-19."""
    return next((f"{name}-{n}" for n in range(40, 14, -1) if shutil.which(f"{name}-{n}")), None)


# Name: the command, its flags, and the files that it reads.
JUDGES = {
    "gcc": ("gcc", [*GCC, *OF_C, "-c"], ".c"),
    "gcc -fanalyzer": ("gcc", ["-O1", "-fanalyzer", "-c"], ".c"),
    "clang-14": ("clang-14", ["-Weverything", "-c"], ".c"),
    "clang": (newest("clang"), ["-Weverything", "-c"], ".c"),
    "arm-none-eabi-gcc": ("arm-none-eabi-gcc", [*ARM, *GCC, "-c"], ".c"),
    "tcc": ("tcc", ["-Wall", "-c"], ".c"),
    "g++": ("g++", [*GCC, *OF_CXX, *EACH_AS_CXX], ".h"),
    "clang++-14": ("clang++-14", ["-std=c++17", "-Weverything", "-Wno-zero-as-null-pointer-constant", *EACH_AS_CXX],
                   ".h"),  # it warns of NULL
    "clang++": (newest("clang++"), ["-std=c++17", "-Weverything", *EACH_AS_CXX], ".h"),
    "clang-tidy": ("clang-tidy", ["--quiet", TIDY], ".c"),
    "cppcheck": ("cppcheck", ["--quiet", "--enable=warning,performance,portability", "--std=c11", "--inline-suppr",
                              "--suppress=missingIncludeSystem", "--suppress=*:*.uflow",
                              "--suppress=objectIndex",  # memcpy() of a scalar
                              "--suppress=normalCheckLevelMaxBranches"], ".c"),
}
HOSTED = {"failures", "prologue"}  # programs that use what only a hosted C library has
SAID = re.compile(r"^(?P<place>[^\s:]+):\d+(?::\d+)?: (?:fatal )?(?:warning|error|performance|portability): .*", re.M)


@functools.lru_cache(None)
def knows(compiler, option):
    """Not only a draft of C23, as gcc 14 does."""
    text = "#if __STDC_VERSION__ < 202311L\n#error draft\n#endif\n" if "23" in option else ""
    return subprocess.run([compiler, option, "-x", "c", "-fsyntax-only", "-"], input=text.encode(), capture_output=True,
                          check=False).returncode == 0


def is_allowed(said):
    options = re.search(r"\[(?:-Werror[,=])?([^\]]*)\]$", said.group())
    if not options:
        return False
    return any(option in ALLOWED or f"{option} {os.path.splitext(said['place'])[1]}" in ALLOWED
               for option in options.group(1).split(","))


def judge(name, path, include, standard):
    command, flags, _ = JUDGES[name]
    files = [path]
    arguments = [command, *flags]
    own = [*include, *filter(None, [standard])]
    if command == "clang-tidy":
        files += ["--", *own]
    else:
        arguments += own
    if "-c" in flags:  # not os.devnull: as root, tcc replaces it
        files += ["-o", f"{path}.{threading.get_ident()}.o"]
    done = subprocess.run([*arguments, *files], capture_output=True, text=True, timeout=600, check=False,
                          errors="replace")
    text = done.stdout + done.stderr
    complaints = [said.group() for said in SAID.finditer(text) if not is_allowed(said)]
    if not complaints and done.returncode:
        complaints = [f"exit status {done.returncode}: {text[-2000:]}"]
    return "".join(f"{os.path.basename(path)}: {name}: {complaint}\n" for complaint in complaints)


def special_of(source):
    """The compilers of a program, and its standard: `// for gcc, clang: -std=gnu23`."""
    with open(source, encoding="utf-8") as file:
        found = re.match(r".*\n// for ([^:]*): (-std=\w+)\n", file.read())
    return (found.group(1).split(", "), found.group(2)) if found else (None, None)


GROUPS = {"emit": "tests/golden/emit/*.uflow", "corpus": "tests/corpus/*.uflow", "examples": "examples/*/*.uflow"}


def sources(root, groups):
    found = sorted(glob.glob(os.path.join(HERE, "*.uflow")))
    for group in filter(None, groups.split(",")):
        found += sorted(glob.glob(os.path.join(root, GROUPS[group])))
    return found


def name_of(source):
    return os.path.basename(source)[:-6]


def translate(source, folder, options):
    """Each directory keeps its names: programs include each other's headers."""
    place = os.path.join(folder, os.path.relpath(os.path.dirname(source), options.root).replace(os.sep, "_"))
    os.makedirs(place, exist_ok=True)
    path = os.path.join(place, name_of(source) + ".c")
    subprocess.run([options.ufc, "--tests", source, "-o", path], check=True, stderr=subprocess.DEVNULL)
    with open(path, "r+", encoding="utf-8") as file:
        text = file.read().replace("NOLINT", "nolint")  # clang-tidy is a judge here
        file.seek(0)
        file.write(text)
    return path


def public_headers(root, folder):
    """Compiles each one as C++, alone, as a user includes it."""
    include = os.path.join(root, "runtime", "include")
    for header in sorted(glob.glob(os.path.join(include, "uflow", "**", "*.h"), recursive=True)):
        name = os.path.relpath(header, include)
        path = os.path.join(folder, name.replace(os.sep, "_"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#include "{name}"\n')
        if name != "uflow/uv.h" or glob.glob("/usr/include/uv.h"):
            yield path


def judgements(options, folder):
    """(judge, file, include directories, standard)"""
    include = ["-I" + os.path.join(options.root, "runtime", "include")]
    names = [name for name, (command, _, _) in JUDGES.items()
             if command and shutil.which(command) and (not options.judge or name in options.judge)]
    every = sources(options.root, options.programs)
    paths = {source: translate(source, folder, options) for source in every}
    for source, path in paths.items():
        if options.names and os.path.basename(path)[:-2] not in options.names:
            continue
        own = [*include, "-I" + os.path.dirname(path), "-I" + os.path.dirname(source)]
        compilers, standard = special_of(source)
        for name in names:
            command, _, suffix = JUDGES[name]
            if standard and (name not in compilers or not knows(command, standard)):
                continue
            if command == "arm-none-eabi-gcc" and name_of(source) in HOSTED:
                continue
            usual = "-std=gnu11" if suffix == ".c" and command not in ("tcc", "cppcheck") else None
            yield name, path[:-2] + suffix, own, standard or usual
    if not options.names:
        for path in public_headers(options.root, folder):
            for name in names:
                if JUDGES[name][2] == ".h":
                    yield name, path, include, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--programs", default="")
    parser.add_argument("--judge", action="append")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.ufc, options.root = os.path.abspath(options.ufc), os.path.abspath(options.root)
    chosen(options.names, {name_of(source) for source in sources(options.root, ",".join(GROUPS))})
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = list(judgements(options, folder))
        said = [text for text in pool.map(lambda one: judge(*one), work) if text]
    for text in said:
        print(text, end="")
    print(f"{len(work)} judgements by {', '.join(sorted({one[0] for one in work}))}: {len(said)} with complaints")
    return 1 if said or not work else 0


if __name__ == "__main__":
    sys.exit(main())
