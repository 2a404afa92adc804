#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Words of the language as names of C, in every position, and members that lack their `;`."""
import itertools
import json
import os
import re

from e2e import EFFORT, ROOT, Case, main

with open(os.path.join(ROOT, "generator", "support", "utf8.c"), encoding="utf-8") as file:
    UNSEEN = [chr(int(first, 16)) for first in re.findall(r"\{0x([0-9a-f]+), 0x[0-9a-f]+, \"", file.read())]
# `@` for such a character: outside of strings and comments. Characters of IN_BLOCKS are no directives of a body.
IN_BODIES = ["@#ifdef X\n#endif", "#@ifdef X\n#endif", "#ifdef@X\n#endif", "#ifdef X@\n#endif", "#if@1 + X\n#endif",
             "#if 1@+ X\n#endif", "#if X\n#@else\n#endif", "#if X\n#else@\n#endif", "#if X\n#@elif Y\n#endif",
             "#if X\n#elif@Y\n#endif", "#if X\n#@endif", "#if X\n#endif@", "#ifdef X // why\n#endif /* @ */@",
             "#line@20", "#@line 20", "#line 20 \"a@b\"@", "#pragma@omp", "@int y@;", "%:@ifdef X\n%:endif"]
IN_BLOCKS = ["#@define X 1", "#define@X 1", "#define X@1", "#define X '@' @", "#define X(a) \\\n (a@+ 1)", "#undef X@",
             "#include@<stdio.h>", "#@include <stdio.h>", "#include <stdio.h>@ // a", "#pragma once@"]


def words_of(row, *path):
    with open(os.path.join(ROOT, "generator", *path), encoding="utf-8") as file:
        return re.findall(rf'(?m)^{row}', file.read())


WORDS = words_of(r'WORD\(T_\w+, "([a-z]+)", IS_(?:NAME|MEMBER)', "syntax", "words.def")
WORDS += words_of(r'EVENT\(\w+, +"(\w+)"', "support", "arms.def")
WORDS += words_of(r'INTENT\(\w+, +"(\w+)"', "support", "intents.def")

TYPE = "header { typedef int @; }\n"
STEP = "flow F { task T { step S { BODY } } }"
# Programs with `@` for the word.
POSITIONS = {
    "field": "flow F { int a, @ = 2, *b; task T { step S { flow->@ = 1; done; } } }",
    "type of a field": TYPE + "flow F { @ a; task T { step S { flow->a = 1; done; } } }",
    "type of a pointer": TYPE + "flow F { @ *a; task T { step S { flow->a = 0; done; } } }",
    "type of an array": TYPE + "flow F { @ a[3]; task T { step S { flow->a[0] = 0; done; } } }",
    "type of two fields": TYPE + "flow F { @ a, b; task T { step S { flow->a = flow->b; done; } } }",
    "type of an initialised field": TYPE + "flow F { @ a = 3; task T { step S { flow->a = 1; done; } } }",
    "field of a task": "flow F { task T { int @, b = 1; step S { self->@ = self->b; done; } } }",
    "parameter": "flow F(int @) { task T(int @) { step S { flow->@ = self->@; done; } } }",
    "type of a parameter": TYPE + "flow F(@ a) { task T(@ *b) { step S { flow->a = *self->b; done; } } }",
    "result": TYPE + "flow F { task T -> @ { step S { done 3; } } }",
    "task": "flow F { task T { step S { become @; } } task @ { step S { done; } } }",
    "step": "flow F { task T { step S { next @(1); } step @(int a) { await timeout 1s -> @(a); } } }",
    "argument": "flow F { task T { step S { next R(@, @(1)); } step R(int x, int y) { if (x + y) done; fail; } } }",
    "member": "flow F { struct s { struct s *@; } a; task T { step S { flow->a.@->@ = 0; done; } } }",
    "tag": "flow F { struct @ { int b; } a; task T { step S { flow->a.b = 1; done; } } }",
    "local": STEP.replace("BODY", "int a = 1, @ = a; (@)++; if (@) done; fail;"),
    "call in a condition": STEP.replace("BODY", "if (@(1)) done; else if (-@()) stay; fail;"),
    "call in parentheses": STEP.replace("BODY", "(@)(1), (void)@(2); done;"),
    "label": STEP.replace("BODY", "int a = 0; @: a++; if (a < 3) goto @; done;"),
}
# Words that have a meaning in a position, and names that another name of the program is made of.
KEPT = {
    "field": "flow",
    "type of a field": "flow task on mailbox worker",
    "type of a pointer": "task",
    "type of an array": "flow task on signal checkpoint mailbox worker",
    "type of two fields": "flow task on mailbox worker",
    "type of an initialised field": "flow task on signal checkpoint mailbox worker",
    "field of a task": "flow",
    "parameter": "flow",
    "task": "on init",
    "step": "enter exit next done fail become",
    "local": "flow",
}

MEMBERS = ["int n = 1", "node *n", "int n[3]", "int n[] = { 1 }", "int n = f(1)"]
OF_FLOW = [*MEMBERS, "flow Part n", "flow Part n(1)", "signal go", "checkpoint go", "mailbox int go[3]"]
OF_TASK = [*MEMBERS, "job n: weigh", "on stop -> Go"]
AFTER_IN_FLOW = ["task Run { step Go { done; } }", "forever task Run { step Go { stay; } }",
                 "shutdown task Run { step Go { done; } }", "task Run(int a) -> int { step Go { done 1; } }",
                 "group Run { task Go { step Go { done; } } }",
                 "group Run { on stop -> fail; task Go { step Go { done; } } }",
                 "on init { f(1); }", "on stop -> fail;", "int z;", "node *z;", "struct node *z;", "flow Part z;",
                 "signal sg;", "checkpoint cp;", "mailbox int mb[2];"]
OF_GROUP = ["on stop -> fail", "on timeout 5s -> fail", "with run Part.T(&flow->part)", "on stop -> become Last"]
AFTER_IN_GROUP = ["task Run { step Go { done; } }", "forever task Run { step Go { stay; } }",
                  "group Run { task Go { step Go { done; } } }", "on enter { f(1); }", "on exit { f(2); }",
                  "on pause -> fail;"]
AFTER_IN_TASK = ["step Run { done; }", "step Run(int a) { if (a) done; fail; }", "on enter { f(1); }",
                 "on exit { f(2); }", "on stop -> fail;", "int z;", "job z: weigh;"]
BEFORE = """\
signal stop, pause; header { typedef int node; } source { int f(int a); } worker int weigh(int a) { return a; }
flow Part { task T { step S { done; } } }
"""

BODIES = [STEP, "worker int w(int a) { BODY return a; }\n" + STEP.replace("BODY", "done;"),
          *(f"flow F {{ on {event} {{ BODY }} task T {{ step S {{ done; }} }} }}" for event in ("init", "end")),
          *(f"flow F {{ group G {{ on {event} {{ BODY }} task T {{ step S {{ done; }} }} }} }}"
            for event in ("enter", "exit")),
          *(f"flow F {{ task T {{ on {event} {{ BODY }} step S {{ done; }} }} }}" for event in ("enter", "exit"))]
LOCALS = ["int b, @ = 1; b = @;", "enum { @ };", "typedef int @;", "int *@(int);", "for (int @ = 0; @ < 3; @++) { }"]


class Words(Case):
    def test_what_one_cannot_see(self):
        """Each such character in each place of a directive: it is named, and nothing else is reported."""
        self.assertGreater(len(UNSEEN), 20)
        places = [(place, "flow F { int x; task T { step S {\n%s\ndone; } } }\n") for place in IN_BODIES]
        places += [(place, "source {\n%s\n}\nflow F { task T { step S { done; } } }\n")
                   for place in IN_BLOCKS + IN_BODIES]
        for number, (place, program) in enumerate(places):
            characters = UNSEEN if EFFORT == "nightly" else [UNSEEN[number % len(UNSEEN)], "\u00a0"]
            for character in characters:
                with self.subTest(place=place, character=f"U+{ord(character):04X}"):
                    self.write("a.uflow", program % place.replace("@", character))
                    said = self.ufc("a.uflow", "-o", "-", "-Wno-unused-field").err.decode()
                    wanted = place.replace("'@'", "").replace("a@b", "").replace("/* @ */", "").count("@")
                    self.assertEqual(re.findall(r"error: .*?U\+([0-9A-F]+),", said), [f"{ord(character):04X}"] * wanted)
                    self.assertEqual(said.count("error:"), wanted, said)

    def errors(self, text):
        result = self.ufc("--check", "--diagnostics=json", "-", input=text.encode())
        self.assertIn(result.status, (0, 1), result)
        return [report for report in json.loads(result.err.decode() or "[]") if report["severity"] == "error"]

    def test_as_names(self):
        self.assertIn("shutdown", WORDS)
        for position, text in POSITIONS.items():
            self.assertEqual(self.errors(text.replace("@", "plain")), [], position)
            for word in WORDS:
                with self.subTest(position=position, word=word):
                    if word in KEPT.get(position, "").split(): continue
                    if word == "pause" and ("call" in position or position == "argument"): continue # it blocks
                    self.assertEqual(self.errors(text.replace("@", word)), [])

    def test_reserved_locals(self):
        for body, local, name in itertools.product(BODIES, LOCALS, ("uf_self", "uf_work_fail", "UF_OK")):
            with self.subTest(body=body, local=local, name=name):
                text = body.replace("BODY", local.replace("@", name) + " done;" * (body is STEP))
                self.assertEqual([report["code"] for report in self.errors(text)], ["UF0310"])

    def one_error_at(self, line, text):
        errors = self.errors(text)
        self.assertEqual([report["line"] for report in errors], [line], errors)

    def test_missing_semicolons(self):
        for head, members, afters, last in (("", OF_FLOW, AFTER_IN_FLOW, "task Last { step Go { done; } }"),
                                            (" task T {", OF_TASK, AFTER_IN_TASK, "step Last { done; }"),
                                            (" flow Part part; group G {", OF_GROUP, AFTER_IN_GROUP,
                                             "task Last { step Go { done; } }")):
            for member, after in itertools.product(members, afters):
                is_part = re.match("(task|step|group|forever|shutdown) ", after) # these may follow in the same line
                for gap in ("\n    ", " ") if is_part else ("\n    ",):
                    with self.subTest(member=member, after=after, gap=gap):
                        self.one_error_at(4, f"{BEFORE}flow Door {{{head}\n    {member}{gap}{after}\n    {last}\n"
                                             f"}}{' }' if head else ''}\n")

    def test_quotation_marks(self):
        """Characters of word processors: one report for each text, and nothing else."""
        for opening, closing in ("“”", "‘’", "„“", "«»", "””", "’’", "“\"", "‘'"):
            for place in ('import @axis.uflow@;\n', 'header {\n#include @a.h@\n}\n',
                          'source { int x = f(@text 1@, 2); }\n',
                          'flow A { task T { step S { fail @no %d@, 3; } } }\n',
                          'flow A { task T { step S { await 1s -> fail @no@; } } }\n',
                          'flow A { task T { step S { describe @it is@; f(x@y@); done; } } }\n'):
                text = place
                for number in range(place.count("@")): text = text.replace("@", closing if number % 2 else opening, 1)
                is_single = opening == "‘" or opening == "’"
                if is_single and not place.startswith(("header", "source")): continue
                with self.subTest(text=text):
                    self.write("a.uflow", text)
                    said = self.ufc("a.uflow", "-o", "-").err.decode()
                    self.assertEqual(said.count("[UF0112]"), place.count("@") // 2, said)
                    self.assertEqual(said.count("error:"), place.count("@") // 2, said)

    def test_words_are_no_misspellings(self):
        for text in ("flow flow A { task T { step S { done; } } }", "flow A { task task T { step S { done; } } }",
                     "flow A { exit task T { step S { stay; } } }", "flow A;", "import timeout;", "flow A { flow x; }",
                     "checkpoint A { }", "flow A { task T -> { step S { done; } } }"):
            with self.subTest(text=text):
                errors = self.errors(text + "\n")
                self.assertTrue(errors)
                for report in errors: self.assertNotRegex(report["message"], "is not a keyword|no `;` before")

    def test_misspelled_task(self):
        for word in ("forever", "shutdown"):
            errors = self.errors(f"flow A {{ {word} tsak T {{ step S {{ done; }} }} }}\n")
            self.assertEqual([report["help"] for report in errors], [["did you mean `task`?"]])

    def test_else_without_if_beside_a_part_left_out(self):
        errors = self.errors("flow A {\n#if 0\n    task Old { }\n#endif\n    task T { step S {\n#else\n#endif\n"
                             "        done;\n    } }\n}\n")
        self.assertEqual([(report["line"], report["code"]) for report in errors], [(6, "UF0110")])


if __name__ == "__main__":
    main()
