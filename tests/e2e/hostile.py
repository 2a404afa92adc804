#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile input: ufc reports a clear error at its place with status 1, in a short time."""
import random
import resource

from e2e import GOOD, Case, main

LIMIT = 16 * 1024 * 1024


def cpu_seconds():
    """The CPU time of ufc so far: its wall-clock time depends on other processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Hostile(Case):
    def rejected(self, text, at=None, says=b"", seconds=20):
        self.write("a.uflow", text)
        begin = cpu_seconds()
        result = self.refused(1, "a.uflow", says=says, timeout=240)
        self.assertLess(cpu_seconds() - begin, seconds)
        self.assertRegex(result.err, rb"(?m)^a\.uflow:\d+:\d+: error: .*\[UF\d{4}\]$")
        if at:
            self.assertIn(f"a.uflow:{at}: error".encode(), result.err)
        return result

    def survives(self, text, seconds=20):
        """Compiles or does not, but ends as documented."""
        self.write("a.uflow", text)
        begin = cpu_seconds()
        result = self.ufc("a.uflow", timeout=240)
        self.assertIn(result.status, (0, 1), result)
        self.assertLess(cpu_seconds() - begin, seconds)
        return result

    def test_nul(self):
        self.rejected(b"flow A {\n  \0task T { step S { done; } } }\n", at="2:3")
        self.rejected(b"flow A { task T { step S { f(\"x\0y\"); done; } } }\n")
        self.rejected(b"// comment \0\n" + GOOD.encode())
        self.rejected(b"\0" * 100000)
        self.rejected(GOOD.encode() + b"\0")

    def test_bad_utf8(self):
        for bad in (b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"):
            with self.subTest(bad=bad):
                self.rejected(b"flow A" + bad + b" { task T { step S { done; } } }\n")
                self.rejected(b"flow A { task T { step S { f(\"" + bad + b"\"); done; } } }\n")
                self.rejected(b"// " + bad + b"\n" + GOOD.encode())

    def test_utf8_that_is_good(self):
        self.write("a.uflow", "// größer, 大きい, 🙂\n" + GOOD)
        self.assertEqual(self.good("a.uflow").err, b"")

    def test_never_closed(self):
        for text, at in (("flow A {\n  task T { step S { done; } }\n", "1:8"),
                         ("flow A { task T { step S {\n   /* never\n closed", "2:4"),
                         ("flow A { task T { step S {\n  f(\"never);\n done; } } }\n", "2:5"),
                         ("flow A { task T { step S {\n  f('x);\n done; } } }\n", "2:5"),
                         ("flow A { task T { step S {\n#if X\n done; } } }\n", "2:1"),
                         ("header {\n int x;\n", "1:8"),
                         ("flow A { task T { step S { f(1, (2;\n done; } } }\n", None),
                         ("flow A { int a[3; task T { step S { done; } } }\n", None),
                         ('import "axis.uflow', "1:8"),
                         ("flow A { task T { step S { await {\n", None)):
            with self.subTest(text=text):
                self.rejected(text, at=at)

    def test_every_prefix_of_a_good_file(self):
        # A thousand runs would take too long, so this takes every seventh.
        for end in range(0, len(GOOD), 7):
            with self.subTest(end=end):
                self.survives(GOOD[:end])

    def test_depth(self):
        for opening, closing in (("{", "}"), ("(", ")"), ("[", "]"), ("if (x) {", "}"), ("if (x) ", "f();"),
                                 ("switch (x) { case 1:", "}"), ("do {", "} while (x);"), ("else ", ""),
                                 ("x ? y : ", "z"), ("a: ", ";"), ("all(", ")")):
            with self.subTest(opening=opening):
                deep = opening * 10000 + closing * 10000
                self.survives(f"flow A {{ task T {{ step S {{ {deep}; done; }} }} }}\n")
        self.survives("flow A " + "{" * 10000)
        self.survives("#if 1\n" * 10000)
        self.survives("flow A { task T { step S {\n" + "#if X\n" * 10000 + "#endif\n" * 10000 + "done; } } }\n")
        self.survives("flow A { int x = " + "(" * 10000 + "1" + ")" * 10000 + "; task T { step S { done; } } }\n")

    def test_large_file(self):
        filler = "// " + "x" * 1021 + "\n"
        text = (filler * (LIMIT // len(filler)))[: LIMIT - len(GOOD)] + "\n"
        self.survives(text[: LIMIT - len(GOOD) - 1] + "\n" + GOOD, seconds=30)
        self.rejected("/" * (LIMIT + 1), seconds=30)
        self.rejected(b"\n" * (3 * LIMIT), seconds=30)
        self.survives("(" * LIMIT, seconds=30)
        self.survives("flow A { task T { step S { " + "x" * (LIMIT - 100), seconds=30)
        self.survives("a;" * (LIMIT // 2 - 10), seconds=30)
        self.survives('"\\' * (LIMIT // 2 - 10), seconds=30)

    def test_endless_standard_input(self):
        with open("/dev/zero", "rb") as zero:
            result = self.ufc("-", stdin=zero, timeout=240)
        self.assertEqual(result.status, 1, result.err[:2000])

    def test_long_names(self):
        self.survives(f"flow {'A' * 100000} {{ task T {{ step S {{ done; }} }} }}\n")
        self.survives(f"flow A {{ task T {{ step S {{ next {'B' * 100000}; }} }} }}\n")

    def test_many_errors(self):
        result = self.rejected("flow A { task T { step S {\n" + "next Nowhere;\n" * 100000 + "} } }\n")
        self.assertLess(len(result.err), 1_000_000)

    def test_much_that_is_missing(self):
        flows = "".join(f"flow F{n} {{\n task T {{\n  step S next S; }} }} }}\n" for n in range(2000))
        self.rejected(flows, says=b"there is no `{` after `S`")
        steps = "".join(f"step S{n} {{ f((1; done; }}\n" for n in range(2000))
        self.rejected("flow F { task T {\n" + steps + "} }\n")

    def test_empty(self):
        self.survives("")
        self.survives("\ufeff")
        self.survives("\r\r\r")
        self.survives("\\")
        self.survives("#")
        self.survives("\\\n" * 100000)

    def test_line_ends(self):
        for end in ("\r\n", "\n"):
            self.write("a.uflow", GOOD.replace("\n", end))
            self.assertEqual(self.good("a.uflow").err, b"")

    def test_noise(self):
        generator = random.Random(1)
        words = """flow task step A ( ) { } ; -> next await until run all timeout 2s stay every done fail "%d" ,
                   become on enter import header #if #endif if else for ' /* int describe idle & forever = [ ] . *
                   switch case : return signal worker""".split() + ["\n"]
        for i in range(150):
            with self.subTest(i=i):
                self.survives(" ".join(generator.choice(words) for _ in range(generator.randrange(1, 400))))
        for i in range(50):
            with self.subTest(i=i):
                text = bytearray(GOOD.encode())
                for _ in range(generator.randrange(1, 10)):
                    text[generator.randrange(len(text))] = generator.randrange(256)
                self.survives(bytes(text))


if __name__ == "__main__":
    main()
