#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generated C, and the headers as C++, under the strictest flags of compilers and analyzers: none reports anything that
is not in the table of allowed warnings.

usage: check.py --ufc UFC --root ROOT [--programs=emit,corpus,examples] [--judge NAME] [NAME...]

The programs of this directory come first; --programs adds those of tests/golden/emit, of tests/corpus, and examples.
Judges that are not installed are left out. A program that needs a standard has a second line like
`// for gcc, clang: -std=gnu23`; compilers that know the standard judge it. In a run of all programs by all judges, a
row of the table that allows nothing is a complaint, too.
"""
import argparse
import concurrent.futures
import fnmatch
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

# The allowed reports of a judge about generated C, and why. With a pattern: only at places that end like it.
ALLOWED = {
    "-Wpadded": "structs are padded",
    "-Wpadded-bitfield": "structs are padded",
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
    "-Wunused-macros": "macros that name what the user may need",
    "-Wimplicit-fallthrough .uflow": "the user's own text",
    "-Wunreachable-code-return": "a step returns at its end even if the user's text never gets there",
    "-Wdouble-promotion .uflow": "a float as an argument of the user's format",
    "-Wunused-variable .uflow": "the user's own text",
    "-Wunused-function .uflow": "the user's own text",
    "-Wunreachable-code .uflow": "the user's own text",
    "-Wused-but-marked-unused tftp_test.c": "a header that is compiled alone calls no uf_House_clear()",
    "-Wcast-align .c": "a uf_flow begins the struct of its flow, which may be more aligned",
    "-Wglobal-constructors .c": "the tests of a file register themselves",
    "-Wfloat-equal _test.uflow": "a test expects exactly this number",
    "bugprone-macro-repeated-side-effects tests.c": "UF_SIDE evaluates its argument once, the other is in a typeof",
    "clang-analyzer-core.uninitialized.Assign words.h": "uf_copy_volatile() copies the bytes of a number one by one",
    "clang-analyzer-security.insecureAPI.strcpy _test.c": "the user's own text: constants into arrays of known size",
    # What programs of tests/corpus write on purpose:
    "-Watomic-implicit-seq-cst words_of_c11.*": "_Atomic fields, which the init sets too",
    "-Wc11-extensions words_of_c11.*": "_Atomic fields in the header",
    "-Wused-but-marked-unused words_of_c11.*": "their attribute is copied with a parameter",
    "-Wc++-keyword literals.uflow": "wchar_t",
    "-Wc23-compat corpus/*.uflow": "u8",
    "-Wc99-compat corpus/*.uflow": "u8",
    "-Wcomma corpus/*.uflow": "expressions of all kinds",
    "-Wdiscarded-qualifiers old_c.uflow": "C before const",
    "-Wdocumentation splices.uflow": "a spliced comment",
    "-Wduplicated-cond deep.uflow": "many equal branches",
    "-Wextra-semi-stmt expressions.uflow": "empty statements",
    "-Wformat= formats.uflow": "a short unsigned number, which is promoted to int",
    "-Wjump-misses-init switches.uflow": "cases across declarations",
    "-Wold-style-definition old_c.uflow": "C before prototypes",
    "-Wshadow names_of_bindings_declared.uflow": "`index`, which a C library has too",
    "-Wswitch-default switches.uflow": "a switch without default",
    "-Wunreachable-code-break jobs.uflow": "a break after a return",
    "-Wzero-as-null-pointer-constant mailboxes.uflow": "0 as a pointer in a header",
    "bugprone-misplaced-widening-cast jobs.c": "a cast of a sum",
    "clang-analyzer-deadcode.DeadStores words_of_sharing_as_names.c": "a variable that is set last",
}

GCC = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wundef",
       "-Wswitch-enum", "-Wswitch-default", "-Wcast-qual", "-Wcast-align", "-Wpointer-arith", "-Wwrite-strings",
       "-Wredundant-decls", "-Wformat=2", "-Wformat-signedness", "-Wfloat-equal", "-Wnull-dereference",
       "-Wduplicated-cond", "-Wlogical-op", "-Wmissing-declarations", "-Wdate-time", "-Winit-self"]
OF_C = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-Wold-style-definition", "-Wnested-externs",
        "-Wbad-function-cast", "-Wjump-misses-init"]
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
# The programs that are not for a judge: they use what it lacks.
LEFT_OUT = {
    "arm-none-eabi-gcc": {  # a hosted C library, and an operating system
        "failures", "formats", "formats_of_reals", "mqtt", "mqtt_test", "prologue", "server", "server_test", "tftp",
        "tftp_test", "transfer"},
    "tcc": {  # digraphs, _Pragma, u8"", _Atomic and <stdatomic.h>
        "digraphs", "directives", "formats", "literals", "weather", "weather_test", "words_of_c11"},
    "g++": {  # fields with the name of their type, and <stdatomic.h> before C++23
        "durable_words_as_names", "lasting", "weather", "weather_test", "words_of_tests_as_names"},
    "cppcheck": {"utf8"},  # names in UTF-8
}
SAID = re.compile(r"^(?P<place>[^\s:]+):\d+(?::\d+)?: (?:fatal )?(?:warning|error|performance|portability): .*", re.M)


@functools.lru_cache(None)
def knows(compiler, option):
    """Not only a draft of C23, as gcc 14 does."""
    text = "#if __STDC_VERSION__ < 202311L\n#error draft\n#endif\n" if "23" in option else ""
    return subprocess.run([compiler, option, "-x", "c", "-fsyntax-only", "-"], input=text.encode(), capture_output=True,
                          check=False).returncode == 0


def rows_of(said):
    """The rows that allow a report."""
    options = re.search(r"\[(?:-Werror[,=])?([^\]]*)\]$", said.group())

    def allows(row):
        option, _, pattern = row.partition(" ")
        return option in options.group(1).split(",") and fnmatch.fnmatchcase(said["place"], "*" + pattern)
    return set(filter(allows, ALLOWED)) if options else set()


def judge(name, path, include, standard):
    """Returns: the complaints, and the rows that allow other reports."""
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
    rows = [(said.group(), rows_of(said)) for said in SAID.finditer(text)]
    complaints = [complaint for complaint, allowing in rows if not allowing]
    if not complaints and done.returncode:
        complaints = [f"exit status {done.returncode}: {text[-2000:]}"]
    return ("".join(f"{os.path.basename(path)}: {name}: {complaint}\n" for complaint in complaints),
            set().union(*(allowing for _, allowing in rows)))


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
    with open(path, "r+", encoding="utf-8", newline="") as file:
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
            if name_of(source) in LEFT_OUT.get(name, ()):
                continue
            usual = "-std=gnu11" if suffix == ".c" and command not in ("tcc", "cppcheck") else None
            yield name, path[:-2] + suffix, own, standard or usual
    if not options.names:
        for path in public_headers(options.root, folder):
            for name in names:
                if JUDGES[name][2] == ".h":
                    yield name, path, include, None


def is_complete(options):
    return not options.names and not options.judge and set(options.programs.split(",")) == set(GROUPS) and all(
        command and shutil.which(command) for command, _, _ in JUDGES.values())


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
        judged = list(pool.map(lambda one: judge(*one), work))
    said = [text for text, _ in judged if text]
    if is_complete(options):
        needed = set().union(*(rows for _, rows in judged))
        said += [f"no report needs the row {row}\n" for row in ALLOWED if row not in needed]
    for text in said:
        print(text, end="")
    print(f"{len(work)} judgements by {', '.join(sorted({one[0] for one in work}))}: {len(said)} with complaints")
    return 1 if said or not work else 0


if __name__ == "__main__":
    sys.exit(main())
