# SPDX-License-Identifier: MIT
"""Checks the sentences of comments and documents: none has a word of RULES, and no part has more than WORDS words.

usage: prose.py ROOT"""
import os
import re
import sys

from sources import SUFFIXES, sources

WORDS = 30  # between two of `.`, `:` and `;`
# A pattern, and what to write. The glossary of docs/concepts.md has the terms.
RULES = [
    (r"\b(?:is|are|was|were|be|been) told\b", "is notified"),
    (r"\b[Pp]re-empt", "preempt"),
    (r"\b[Oo]rder of the text\b", "source order"),
    (r"\b[Ff]irst come,? first served\b", "in FIFO order"),
    (r"\b[Ss]ub-task", "subtask"),
    (r"\b[Tt]rajector", "trace, step history"),
    (r"\bhand(?:s|ed|ing)? out\b", "return, pass"),
    (r"\bdriven by hand\b", "caller-driven"),
    (r"\bways? out\b", "exit; or fix, hint"),
    (r"\bordered stop\b", "graceful shutdown"),
    (r"\b(?:is|are) being worked on\b", "is running"),
    (r"\b(?:and|or) (?:its|their|the) like\b", "name them, or write `similar`"),
    (r"\bbut for\b", "except"),
    (r"\bbe it\b", "name both cases"),
    (r"\b[Ww]hat else\b", "name it"),
    (r"^Of [^,;:]*\.?$", "name the thing first: `The path of a flow.`"),
    (r"^Whos?e? (?![^?]*\?$)", "name the person or thing"),
    (r"^(?:Is|Has|Does|Are) it [^?]*, (?:and|nor) no\b", "one question, then a sentence"),
]
TEXTS = ("CHANGELOG.md", "docs/errors.md", "docs/internals/performance-log.md", "tests/golden/", "tests/corpus/",
         "tests/habits/prose.py")
EXCEPTIONS = {  # lists, tables and code that read as one sentence
    "tests/declarations/macros.py", "tests/declarations/type_places.py", "tests/e2e/names.py", "tests/e2e/c_types.py",
}
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*)', re.S)
HASHES = re.compile(r'(?m)^[ \t]*(#(?!!)[^\n]*(?:\n[ \t]*#[^\n]*)*)')
FENCES = re.compile(r"(?ms)^[ \t]*```.*?^[ \t]*```|<!--.*?-->|^    [^\n]*|^[ \t]*#[^\n]*")


def paragraphs(path, text):
    """The paragraphs of comments, docstrings and documents; not tables, samples and lines that are indented more."""
    if path.endswith(".md"):
        parts = [FENCES.sub("", text)]
    elif path.endswith((".py", ".cmake", ".sh", ".txt")) or "." not in os.path.basename(path):
        parts = HASHES.findall(text) + (re.findall(r'(?:^|:\n+)[ \t]*"""(.*?)"""', text, re.S))
    else:
        parts = COMMENT.findall(text)
    marks = r"" if path.endswith(".md") else r"^[ \t]*(?:/\*|\*/|\*|//+|#+)? ?|\s*\*/$"
    for part in parts:
        lines = [re.sub(marks, "", line) for line in part.split("\n")]
        kept = ("" if re.match(r"\s|\||[-*] |\d+\. ", line) else line for line in lines)
        yield from re.split(r"\n\n+", "\n".join(kept))


def problems(path, text):
    for paragraph in paragraphs(path, text):
        for sentence in re.split(r"(?<=[.?!])(?:\*\*)?\s+(?=[A-Z`(*])", " ".join(paragraph.split())):
            for pattern, better in RULES:
                if re.search(pattern, sentence): yield f"{path}: `{sentence[:100]}`: write: {better}"
            longest = max(re.split(r"[.;:](?=\s|$)", sentence), key=lambda part: len(part.split()))
            if len(longest.split()) > WORDS and path not in EXCEPTIONS and not sentence.startswith("**Errors:**"):
                yield f"{path}: `{longest[:100]}`: {len(longest.split())} words; at most {WORDS}: make two sentences"


def main():
    root = sys.argv[1]
    paths = [path for path in sources(root, SUFFIXES + (".md",)) if not path.startswith(TEXTS)]
    found = []
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            found += problems(path, re.sub(".*SPDX-License-" "Identifier.*\n", "", file.read()))
    print("\n".join(found[:100]) or f"{len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
