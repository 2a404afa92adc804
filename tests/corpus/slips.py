#!/usr/bin/env python3
"""Typing errors in correct programs. ufc must refuse the program, with one error, at the place of the slip. If you
follow its help, ufc must accept the result.

The programs are those of this directory and the examples. Slips change tokens of the language (words, heads, intents
and arms), not the C between them. The seed determines the slips.

Text that ufc leaves to C, such as `waits;` for `stay;`, goes to the C compiler. The test also follows the help of the
examples of errors.

usage: slips.py --ufc UFC --root ROOT [--cc CC] [--seed N] [--count N] [--kind KIND]... [--show] [FILE...]
       --count 0: all slips; --show prints each slip with a wrong result
"""
import argparse
import bisect
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Programs about names and bytes: words there are mostly C names, and columns differ from Python's.
LEFT_OUT = {"words_as_names", "words_of_arms_as_names", "words_of_sharing_as_names",
            "words_of_tests_as_names", "names_that_meet", "old_c", "bom",
            "utf8",
            "digraphs", "splices", "deep", "fifty_flows", "two_hundred_steps", "crlf", "literals"}

INTENTS = {"next", "stay", "await", "done", "fail", "become", "describe", "submit"}
HEADS = {"flow", "task", "step", "on", "worker", "forever", "shutdown"}
LINES = {"signal", "checkpoint", "mailbox", "job", "import"} # replace a word, and all up to the `;`
EVENTS = {"until", "timeout", "run", "idle", "all", "fired", "arrived", "readable", "writable", "stopping"}
CONTROL = {"if", "while", "for", "switch"}
BEGIN_BEHIND = {"{", "}", ";", ":", "else", "do"}  # use a statement or member
KINDS_BEFORE = {"directive", "#if", "#else", "#elif", "#endif", "block"}
OPENING = {"(": ")", "[": "]", "{": "}"}
# Help for text in other languages, or with another possible meaning.
WRONG = {"flow": ["class", "machine"], "task": ["state", "func"], "step": ["state", "phase"], "on": ["when", "upon"],
         "next": ["goto", "then"], "stay": ["wait", "again"], "await": ["wait", "select"], "done": ["finish"],
         "fail": ["throw"], "become": ["switch_to", "goto"], "submit": ["start", "post"], "until": ["when", "if"],
         "timeout": ["after", "every"], "run": ["call", "start"], "every": ["each"], "worker": ["thread", "function"],
         "signal": ["event"], "import": ["include", "using"], "job": ["handle"], "mailbox": ["queue"],
         "forever": ["loop"], "idle": ["finished"], "checkpoint": ["barrier"]}

# The permitted proportion of each verdict among the slips of a kind. Other verdicts are not permitted.
BOUNDS = {None: {"as it should be": 1, "followed": 1, "left to C": 0.2},
          # ufc finds a missing or extra bracket where the brackets stop matching.
          "mark left out": {"several errors": 0.009, "elsewhere": 0.01, "help that fails": 0.0015,
                            "without help": 0.001},
          "mark doubled": {"several errors": 0.001, "elsewhere": 0.008},
          "bare duration": {"several errors": 0.015}, # before a directive
          "intent as a value": {"several errors": 0.012, "elsewhere": 0.02},
          "macro of time": {"several errors": 0.015},
          "wrong mark": {"several errors": 0.005, "elsewhere": 0.001},
          "misspelled word": {"several errors": 0.002, "elsewhere": 0.001},
          # ufc sees these as C, so only their consequences are wrong.
          "word left out": {"several errors": 0.006, "elsewhere": 0.05},
          "wrong word": {"several errors": 0.003, "elsewhere": 0.04, "without help": 0.001}}

# Examples of errors whose fix needs more than one change.
TWICE = {"unknown_flow_used_twice", "unknown_step_used_twice", "misspelled_await_with_a_parenthesis"}

Token = collections.namedtuple("Token", "kind text begin end line")
Slip = collections.namedtuple("Slip", "kind what text lines")


class Program:
    def __init__(self, path, ufc):
        self.path = path
        self.folder, self.name = os.path.split(path)
        with open(path, encoding="utf-8", newline="") as file:
            self.text = file.read()
        self.starts = [0] + [m.end() for m in re.finditer("\n", self.text)]
        dump = subprocess.run([ufc, "--dump=tokens", self.name], cwd=self.folder, stdout=subprocess.PIPE, check=True)
        self.tokens = []
        for line in dump.stdout.decode().split("\n")[:-1]:
            place, kind, text = line.split("\t", 2)
            row, column = map(int, place.split(":"))
            begin = self.starts[row - 1] + column - 1
            self.tokens.append(Token(kind, text, begin, begin + len(text), row))
        self.match = self.partners()
        self.role = self.roles()

    def line_of(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def partners(self):
        match, open_at = {}, []
        for i, t in enumerate(self.tokens):
            if t.text in OPENING: open_at.append(i)
            elif t.text in OPENING.values() and open_at:
                match[i] = open_at.pop()
                match[match[i]] = i
        return match

    def roles(self):
        """The class of each token in the language: word, mark, duration, unit, or none."""
        tokens, match, role = self.tokens, self.match, {}
        stack, head = [], None  # contents of the braces: members, statements, arms
        i = 0
        while i < len(tokens):
            t = tokens[i]
            before = tokens[i - 1].text if i else ";"
            inside = stack[-1] if stack else "file"
            begins = before in BEGIN_BEHIND or (i > 0 and tokens[i - 1].kind in KINDS_BEFORE)
            if before == ")" and inside == "statements":
                opener = match[i - 1]
                begins = opener > 0 and tokens[opener - 1].text in CONTROL
            if t.kind in ("header", "source") and inside == "file":
                role[i] = "word"
            elif (inside in ("file", "flow", "task") and (t.kind in HEADS or t.kind in LINES)
                  and (begins or tokens[i - 1].kind in HEADS)):
                role[i] = "word"
                if t.kind == "flow" and inside == "flow": head = None
                elif t.kind not in ("forever", "shutdown"): head = t.kind
                if t.kind in LINES or t.kind == "on": self.mark_line(i, role)
                if t.kind == "on" and tokens[i + 1].kind in ("init", "enter", "exit"): role[i + 1] = "word"
                if t.kind in LINES:
                    while tokens[i].text != ";": i += 1
            elif t.text == "{":
                if before == "await": stack.append("arms")
                elif inside in ("file", "flow") and head in ("flow", "task"): stack.append(head)
                elif inside in ("file", "flow", "task") and head in ("step", "worker", "on"): stack.append("statements")
                else: stack.append("statements" if inside == "statements" and before != "(" else "C")
                if stack[-1] != "C": role[i] = "mark"
                if stack[-1] != "C" and inside != "statements": head = None
            elif t.text == "}":
                if stack and stack.pop() != "C": role[i] = "mark"
            elif inside == "statements" and begins and t.kind in INTENTS and self.is_intent(i):
                role[i] = "word"
                if tokens[i + 1].text != "{": self.mark_line(i, role)
            elif inside == "arms" and before in ("{", ";"):
                self.mark_line(i - 1, role)
            i += 1
        return role

    def is_intent(self, i):
        after = self.tokens[i + 1]
        if self.tokens[i].kind in ("next", "become", "submit"): return after.kind == "name"
        return after.kind not in ("operator", "->", ".", "[", ":") and (after.text != "("
                                                                        or self.tokens[i].kind == "await")

    def mark_line(self, i, role):
        """The tokens of an intent, an arm or a line, up to its `;` at the same depth."""
        tokens, depth, has_arrow = self.tokens, 0, False
        for at in range(i + 1, len(tokens)):
            t = tokens[at]
            if t.text in ")]}": depth -= 1
            in_all = depth == 1 and tokens[i + 1].kind == "all"
            if depth == 0 or in_all:
                if t.kind == "->" and (has_arrow or tokens[i].kind in INTENTS - {"await", "stay"}): continue
                has_arrow = has_arrow or t.kind == "->"
                if t.kind in ("->", ";", "else") or t.text in "()": role[at] = "mark"
                elif t.kind in EVENTS | INTENTS | {"every"} and "." not in (tokens[at - 1].text, tokens[at + 1].text):
                    role[at] = "word"
                elif t.kind == "for": role[at] = "for"
                elif t.kind == "duration": role[at] = "duration"
                elif t.text in ("ns", "us", "ms", "s", "min", "h") and tokens[at - 1].text == ")": role[at] = "unit"
            if t.text in "([{": depth += 1
            if t.text == ";" and depth == 0: return
            if depth < 0 or t.text == "{": return

    # -- slips ---------------------------------------------------------------------------------------------------------

    def change(self, kind, i, new, what, lines=()):
        """Replaces a token. The error belongs to the token's line, to that of its neighbours, or to the
        given lines."""
        t, near = self.tokens[i], self.tokens[max(i - 1, 0):i + 2]
        return Slip(kind, f"{self.name}:{t.line}: {what}", self.text[:t.begin] + new + self.text[t.end:],
                    {n.line for n in near} | set(lines))

    def closings(self, i):
        """The closing brackets that follow directly, and the next token."""
        while i + 1 < len(self.tokens):
            i += 1
            yield self.tokens[i]
            if self.tokens[i].text not in "})": return

    def slips(self, chance):
        tokens = self.tokens
        for i in sorted(self.role):
            t, role = tokens[i], self.role[i]
            partner = [tokens[self.match[i]].line] if i in self.match else []
            if t.text in "})":  # of several in a row, any one may be the extra one
                partner += [n.line for n in self.closings(i)]
            if role == "word":
                for way, bad in misspelled(t.text, chance):
                    yield self.change("misspelled word", i, bad, f"`{bad}` for `{t.text}` ({way})")
                for bad in WRONG.get(t.text, []):
                    yield self.change("wrong word", i, bad, f"`{bad}` for `{t.text}`")
                yield self.change("word left out", i, "", f"no `{t.text}`")
                if t.text == "on" and tokens[i + 1].kind in ("init", "enter", "exit"):
                    yield Slip("one word for two", f"{self.name}:{t.line}: `on_{tokens[i + 1].text}`",
                               self.text[:t.end] + "_" + self.text[tokens[i + 1].begin:], {t.line, tokens[i + 1].line})
                    yield Slip("one word for two", f"{self.name}:{t.line}: `on{tokens[i + 1].text.capitalize()}`",
                               self.text[:t.end] + tokens[i + 1].text.capitalize() + self.text[tokens[i + 1].end:],
                               {t.line, tokens[i + 1].line})
                if t.text in ("await", "submit"):
                    yield self.change("intent as a value", i, f"n = {t.text}", f"`n = {t.text}`")
            elif role == "duration":
                number = re.match(r"[0-9.']+", t.text)[0]
                yield self.change("unit left out", i, number, f"`{number}` for `{t.text}`")
                yield self.change("unit beside it", i, f"{number} {t.text[len(number):]}", f"`{t.text}` in two words")
                macro = {"us": "UF_US", "ms": "UF_MS", "s": "UF_S"}.get(t.text[len(number):])
                if macro: yield self.change("macro of time", i, f"{macro}({number})",
                                            f"`{macro}({number})` for `{t.text}`")
                if macro: yield self.change("macro of time", i, f"{macro}(n + 1)", f"`{macro}(n + 1)` for `{t.text}`")
                yield self.change("bare duration", i, "flow->n ms", f"`flow->n ms` for `{t.text}`")
                yield self.change("bare duration", i, "n * 2 ms", f"`n * 2 ms` for `{t.text}`")
            elif role == "for":
                yield self.change("word left out", i, "", "no `for`")
            elif role == "unit":
                yield self.change("unit left out", i, "", f"no `{t.text}`")
            else:
                yield self.change("mark left out", i, "", f"no `{t.text}`", partner)
                if t.text in "{}(),":
                    yield self.change("mark doubled", i, t.text * 2, f"`{t.text * 2}` for `{t.text}`", partner)
                for bad in {"->": ["=", "=>", ".", ":", "- >"], ";": [","], "(": ["["], ")": ["]"]}.get(t.text, []):
                    yield self.change("wrong mark", i, bad, f"`{bad}` for `{t.text}`", partner)


def misspelled(word, chance):
    at = chance.randrange(len(word))
    yield "a letter twice", word[:at + 1] + word[at:]
    if len(word) > 2: yield "a letter left out", word[:at] + word[at + 1:]
    at = chance.randrange(len(word) - 1)
    if word[at] != word[at + 1]: yield "swapped", word[:at] + word[at + 1] + word[at] + word[at + 2:]
    yield "in capitals", word.capitalize()


# -- the reports of ufc -----------------------------------------------------------------------------------------------


def offset(text, line, column):
    """Columns count bytes. All text examined here is ASCII."""
    at = 0
    for _ in range(line - 1): at = text.index("\n", at) + 1
    return at + column - 1


def follow(text, report):
    """The text after following the help of a report; None if that cannot be automated."""
    begin = offset(text, report["line"], report["column"])
    end = offset(text, report["end_line"], report["end_column"])
    said, help_text = report["message"], " ".join(report["help"])
    match = re.fullmatch(r"write the step alone: `(.+)`", help_text)
    if match: return text[:begin] + text[end:].lstrip()
    match = re.fullmatch(r"did you mean `(.+)`\?", help_text)
    if match: return text[:begin] + match[1] + text[end:]
    match = re.match(r"there is no `(\S+)` after ", said)
    if match: return text[:begin] + match[1] + " " + text[begin:]
    match = re.match(r"there is no `(\S+)` before ", said)
    if match: return text[:begin] + match[1] + " " + text[begin:]
    match = re.fullmatch(r"for something computed write `([^`]*)`(?:, or .* for a `uf_time`)?", help_text)
    if match and "…" not in match[1]: return text[:begin] + match[1] + text[end:]
    match = re.fullmatch(r"write `([0-9.']+[a-z]+|\(.*\) [a-z]+)`(?:: a `uf_time` is in nanoseconds)?", help_text)
    if match: return text[:begin] + match[1] + text[end:]
    if said == "expected `;`, found `,`" and "`with run`" not in help_text: return text[:begin] + ";" + text[end:]
    match = re.fullmatch(r"write `stay (every|timeout) [^`]+`", help_text)
    if match: return text[:begin] + match[1] + " " + text[begin:]
    return None


def ufc(options, program, text):
    done = subprocess.run([options.ufc, "--check", "--diagnostics=json", "--stdin-filename", program.name, "-"],
                          cwd=program.folder,
                          input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    try:
        return done.returncode, json.loads(done.stderr.decode() or "[]")
    except ValueError:
        return done.returncode, None


def compiles(options, program, text):
    """Does the C compiler accept the output of ufc?"""
    made = os.path.join(options.made, "slip.c")
    command = [options.ufc, "--stdin-filename", program.name, "-o", made, "-"]
    if subprocess.run(command, cwd=program.folder, input=text.encode(),
                      stderr=subprocess.DEVNULL).returncode: return False
    include = [f"-I{d}" for d in (options.made, program.folder, os.path.join(options.root, "runtime", "include"))]
    return subprocess.run([options.cc, "-std=gnu11", "-w", "-Werror=implicit-function-declaration", "-fsyntax-only",
                           *include, made],
                          stderr=subprocess.DEVNULL).returncode == 0


def judge(options, program, slip):
    """The verdict on the reports of ufc, in a word, and the reports."""
    status, reports = ufc(options, program, slip.text)
    if status not in (0, 1) or reports is None: return "internal error", f"status {status}"
    errors = [r for r in reports if r["severity"] == "error"]
    said = "\n".join(f"      {r['line']}:{r['column']}: {r['severity']}: {r['message']} = {' '.join(r['help'])}"
                     for r in reports)
    # In an omitted branch, a statement that lost a word may be valid C.
    may_be_c = slip.kind == "word left out" or "#if" in slip.text
    if status == 0: return "accepted" if not may_be_c and compiles(options, program, slip.text) else "left to C", said
    if not errors: return "internal error", "status 1 without an error"
    if len(errors) > 1: return "several errors", said
    if errors[0]["line"] not in slip.lines: return "elsewhere", said
    if not errors[0]["help"] and not re.search(r"^expected |there is no `",
                                               errors[0]["message"]): return "without help", said
    followed = follow(slip.text, errors[0]) if slip.kind != "wrong word" else None
    if followed is not None:
        status, reports = ufc(options, program, followed)
        if any(r["severity"] == "error" for r in reports):
            return "help that fails", said + "\n      then: " + reports[0]["message"]
    return "as it should be" if followed is None else "followed", said


def check_examples(options):
    """Follows the help of the examples of errors; ufc must accept the results. Returns the number followed, and the
    failures."""
    folder, followed, failures = os.path.join(options.root, "tests", "golden", "errors"), 0, []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".uflow") or name[:-6] in TWICE: continue
        with open(os.path.join(folder, name), "rb") as file: text = file.read()
        if not text.isascii(): continue
        program = argparse.Namespace(folder=folder, name=name)
        _, reports = ufc(options, program, text.decode())
        errors = [r for r in reports or [] if r["severity"] == "error"]
        better = follow(text.decode(), errors[0]) if len(errors) == 1 and errors[0]["file"] == name else None
        if better is None: continue
        followed += 1
        _, reports = ufc(options, program, better)
        failures += [f"{name}: what the help says fails: {r['message']}" for r in reports
                     if r["severity"] == "error"][:1]
    return followed, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    options.ufc = os.path.abspath(options.ufc)
    options.root = os.path.abspath(options.root)
    examples = os.path.join(options.root, "examples")
    files = options.files or sorted([os.path.join(HERE, name) for name in os.listdir(HERE)]
                                    + [os.path.join(d, name) for d, _, names in os.walk(examples) for name in names])
    chance = random.Random(options.seed)
    slips = []
    for path in files:
        if not path.endswith(".uflow") or os.path.basename(path)[:-6] in LEFT_OUT: continue
        program = Program(os.path.abspath(path), options.ufc)
        slips += [(program, slip) for slip in program.slips(chance) if not options.kind or slip.kind in options.kind]
    if 0 < options.count < len(slips): slips = chance.sample(slips, options.count)

    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as options.made:
        for path in files:
            if path.endswith(".uflow"): # imports include each other's headers
                subprocess.run([options.ufc, os.path.basename(path), "-o",
                                os.path.join(options.made, os.path.basename(path)[:-6] + ".c")],
                               cwd=os.path.dirname(path), check=True)
        for program, slip in slips:
            verdict, said = judge(options, program, slip)
            counts[slip.kind][verdict] += 1
            if options.show and verdict not in ("as it should be", "followed", "left to C"):
                print(f"{verdict}: {slip.kind}: {slip.what}\n{said}", flush=True)
    failures = 0
    for kind in sorted(counts):
        total = sum(counts[kind].values())
        print(f"{kind}: {total}: " + ", ".join(f"{n} {verdict}" for verdict, n in counts[kind].most_common()))
        for verdict, n in counts[kind].items():
            bound = BOUNDS.get(kind, {}).get(verdict, BOUNDS[None].get(verdict, 0))
            # The limit applies to all slips. A sample may contain a few more failures.
            if n > bound * total + (1 + 4 * (bound * total) ** 0.5 if bound and options.count else 0):
                failures += 1
                print(f"  more than {bound:.1%} {verdict}: --show --kind \"{kind}\" shows them")
    followed, failed = check_examples(options)
    for failure in failed: print(failure)
    print(f"{followed} examples of errors whose help can be followed, {len(failed)} that fail then")
    return 1 if failures or failed or not slips or not followed else 0


if __name__ == "__main__":
    sys.exit(main())
