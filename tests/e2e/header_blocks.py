#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The includes of a `header` block, at every position in it, seen from C and from C++. They stand outside the generated
header's extern "C", everything else inside, and each line keeps its number."""
import shutil

from e2e import INCLUDE, Case, main

# Omits the headers that C++ does not have.
STANDARD = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdbool stddef stdint stdio stdlib string tgmath time uchar wchar wctype""".split()
PARTS = """\
#ifndef PARTS_H
#define PARTS_H
typedef struct vec { double x, y; } vec;
#ifdef __cplusplus
template <class T> T twice(T x) { return x + x; }
inline int overloaded(int x) { return x; }
inline int overloaded(vec v) { return (int)v.x; }
#endif
#endif
"""
# `@`: the includes. `own` gets C linkage from the header.
POSITIONS = {
    "first": "@\nint own(void);",
    "last": "int own(void);\n@",
    "alone": "@",
    "twice": "@\nint own(void);\n@\nint also(void);",
    "between": "struct a { int x; };\nint own(void); // why\n/* over\ntwo lines */ @\nextern int also;",
    "in #if": "int own(void);\n#ifdef A\n@\n#endif\nint also(void);",
    "after #if": "#ifdef A\nint also(void);\n@\n#else\n@\nint another(void);\n#endif\nint own(void);",
    "in #else": "#if defined A\nint own(void);\n#elif defined B\n@\nint own(void);\n#else\nint own(void);\n@\n#endif",
    "in nested #if": "#ifndef B\n#ifdef A\n@\n#endif\nint also(void);\n#ifdef A\n@\n#endif\n#endif\nint own(void);\n@",
    "whole #if": "#ifdef A\n@\nint own(void);\n#else\n@\nint own(void);\n#endif\n@",
    "after macros": "#define ONE 1\n@\n#define TWO (ONE + \\\n    1)\nenum { TWO_OF = TWO };\n#undef ONE\n@\n"
                    "int own(void);",
    "after #pragma": "#pragma GCC poison nobody\n@\n#pragma STDC FP_CONTRACT OFF\nint own(void);",
    "after macros without ;": "#define BEGIN\n#define DECLARE(x, y) int x;\nint own(void);\nBEGIN\n@\n"
                              "DECLARE(a, (b, c))\n@\nDECLARE(d, e)\nBEGIN // why\n@\nBEGIN DECLARE(f, g)\n@",
    "after _Pragma": '_Pragma("pack(1)") _Pragma("pack()")\n@\nint own(void);',
    "in the body of a function": "#define BEGIN\nBEGIN\nstatic inline int one(void)\n#include \"body.h\"\n"
                                 "int own(void);\n@",
    "divided braces": "#ifdef A\nstruct a {\n#else\nstruct b {\n#endif\nint x;\n#include \"members.h\"\n};\n@\n"
                      "int own(void);",
    "before #if in a declaration": "@\n#ifdef A\n__attribute__((unused))\n#else\nextern\n#endif\nint own(void);",
    "before #if in a struct": "@\n#ifdef A\nstruct pt { long\n#else\nstruct pt { int\n#endif\nx; };\nint own(void);",
    "before #if of includes and C": "@\n#ifdef A\n@\nextern\n#elif defined B\nint also(void);\n#endif\nint own(void);",
    # Not a place for declarations: stays where it is.
    "in an enum": "enum e {\n#include \"numbers.h\"\nENOUGH };\n@\nint own(void);",
    "in an initialiser": "static const int table[] = {\n#include \"values.h\"\n};\nint own(void);\n@\n"
                         "enum { SIZE_OF = sizeof table };",
    "in the middle": "typedef struct m\n#include \"braces.h\"\nm;\n@\nint own(void);",
    "in their own extern": "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#include \"old.h\"\nint own(void);\n"
                           "#ifdef __cplusplus\n}\n#endif\n@",
}
FILES = {"parts.h": PARTS, "members.h": "int y;\n", "numbers.h": "ENUMERATOR_ONE,\n",
         "values.h": "1,\n", "body.h": "{ return 1; }\n", "braces.h": "{ int x; }\n", "old.h": "int old(void);\n"}
MAIN = """\
#include "f.h"
int main(int argc, char **)
{
#ifdef PARTS_H
    argc += twice(overloaded(argc));
#endif
    return argc ? own() - 1 : F_start_T(nullptr);
}
"""
# Each is a position.
SPELLINGS = ['#  include NAME', '%:include "parts.h"', '/**/ # include "parts.h"', '#\\\ninclude "parts.h"',
             '#/* */include "parts.h"', '# /* over\nlines */ include "parts.h"', '#inc\\\nlude "parts.h"',
             '%:\\\n include/**/"parts.h"', '#\tinclude\t"parts.h"']
POSITIONS.update({f"spelled {text!r}": f'#define NAME "parts.h"\nint own(void);\n{text}\nint also(void);'
                  for text in SPELLINGS})
CC = [path for path in map(shutil.which, ("gcc", "clang")) if path]
CXX = [path for path in map(shutil.which, ("g++", "clang++")) if path]


def numbered(text, first):
    """After each line that ends a declaration or an include, checks that it has its number."""
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        if line.endswith((");", ">", ".h\"")) and "own" in line:
            at = first + len(lines)
            lines.append(f"typedef char line_{at}[__LINE__ == {at} ? 1 : -1];")
    return "\n".join(lines)


class HeaderBlocks(Case):
    def test_positions(self):
        self.assertTrue(CC and CXX)
        for name, text in FILES.items(): self.write(name, text)
        for i, (name, position) in enumerate(POSITIONS.items()):
            headers = STANDARD if name in ("first", "between", "in #if") else ["stdio"]
            block = position.replace("@", "\n".join(['#include "parts.h"', *(f"#include <{n}.h>" for n in headers)]))
            own = "" if "own" in block else "int own(void);"
            for is_plain in (False, True):
                first = block if is_plain else numbered(block, 2)
                self.write("f.uflow", f"header {{\n{first}\n}}\nheader {{ {own} }}\n"
                           "source { int own(void) { return 1; } }\n"
                           "flow F { task T { step S { if (own()) done; fail; } } }\n")
                self.good("f.uflow", *(["--no-line"] if is_plain else []))
                self.compile(name, CC[i % len(CC)], CXX[(i + is_plain) % len(CXX)])

    def test_sizes(self):
        """ufc does not read includes: the C compiler refuses an array of signals whose size it finds elsewhere."""
        self.write("gates.h", "#ifdef A\nenum { GATES = 8 };\n#endif\n")
        self.write("f.uflow", "header {\n#include \"gates.h\"\n#ifndef A\nenum { GATES = 2 };\n#endif\n}\n"
                   "signal opened[GATES];\n"
                   "flow F { signal shut[GATES]; task T { step S {\n"
                   "    await { opened[1] -> done; shut[1] -> done; }\n} } }\n")
        self.good("f.uflow")
        for compiler in CC:
            command = (compiler, "-std=c11", "-I", INCLUDE, "-fsyntax-only", "f.c")
            self.must(*command)
            refused = self.run_in_folder(*command, "-DA")
            self.assertNotEqual(refused.status, 0)
            for line in (b"f.uflow:7:", b"f.uflow:8:"): self.assertIn(line, refused.err)

    def compile(self, name, c, cxx):
        for flag in ("-DA", "-DB", "-DNEITHER") if "#if" in name or "#else" in name else ("-DA",):
            with self.subTest(position=name, compilers=(c, cxx), flag=flag):
                self.must(c, "-std=gnu11", flag, "-I", INCLUDE, "-fsyntax-only", "f.c")
                self.write("main.cpp", MAIN)
                self.must(cxx, flag, "-I", INCLUDE, "-S", "main.cpp", "-o", "main.s")
                self.assertRegex(self.read("main.s").decode(), r"\bown\b.*\n(.*\n)*.*\bF_start_T\b")


if __name__ == "__main__":
    main()
