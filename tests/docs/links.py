#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links between the documents.

Every relative link names a file or directory that exists, and its anchor a heading of that file. Every document can be
reached from README.md by links. Every code of a diagnostic is one of docs/errors.md. CHANGELOG.md names the current
UF_ABI.

usage: links.py ROOT
       links.py --installed DIRECTORY     only whether the files and headings exist
"""
import os
import re
import sys

CODE = re.compile(r"^```.*?^```$", re.S | re.M)
SPAN = re.compile(r"`[^`\n]*`")  # code within a line
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HTML_LINK = re.compile(r'\b(?:href|src|srcset)="([^"\s]+)"')
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.M)
SKIPPED = ("build", "node_modules")


def documents(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and not name.startswith((".", "build-")))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return CODE.sub("", file.read())


def anchors(text):
    """The anchors that GitHub and most other renderers make of the headings."""
    found, seen = set(), {}
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def check_targets(root, pages):
    """The faults in targets of links, and the pages that each page links to."""
    failures, linked = [], {path: set() for path in pages}
    for path, text in pages.items():
        text = SPAN.sub("", text)
        for target in LINK.findall(text) + HTML_LINK.findall(text):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(os.path.join(root, file)):
                failures.append(f"{path}: {target}: there is no such file")
            elif file in pages:
                linked[path].add(file)
                if anchor and anchor not in anchors(pages[file]):
                    failures.append(f"{path}: {target}: there is no such heading")
    return failures, linked


def report(pages, failures):
    for failure in sorted(set(failures)):
        print(failure)
    print(f"{len(pages)} documents, {len(set(failures))} failures")
    return 1 if failures else 0


def main(root, installed=False):
    pages = {path: read(root, path) for path in documents(root)}
    failures, linked = check_targets(root, pages)
    if installed: return report(pages, failures)
    reached, todo = set(), ["README.md"]
    while todo:
        path = todo.pop()
        if path not in reached:
            reached.add(path)
            todo += linked[path]
    failures += [f"{path}: no link leads here from README.md" for path in pages if path not in reached]
    codes = set(re.findall(r"^### (UF\d{4})", pages["docs/errors.md"], re.M))
    failures += [f"{path}: {code} is not in docs/errors.md" for path, text in pages.items()
                 for code in re.findall(r"\bUF\d{4}\b", text) if code not in codes]
    abi = re.search(r"#define UF_ABI +(\d+)", read(root, "runtime/include/uflow/version.h"))[1]
    newest = re.search(r"^## .*?ABI (\d+)", pages["CHANGELOG.md"], re.M)
    if not newest or newest[1] != abi:
        failures.append(f"CHANGELOG.md: UF_ABI is {abi}; the newest heading names another one")
    return report(pages, failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], "--installed" in sys.argv[1:]))
