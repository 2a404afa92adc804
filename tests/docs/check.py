#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the documents with the program.

Every ```uflow block is compiled, by ufc without a diagnostic and by the C compiler. Every ```c block is compiled
against the flows of the nearest ```uflow block above it. A comment above a block changes that, and --update writes
blocks of two kinds:

    <!-- file: PATH -->          the block is that file (from the root of the repository); written by --update,
                                 and is a file of its name for the commands below
    <!-- save: NAME -->          the block is a file of that name, for the commands below
    <!-- run -->                 the block is a list of shell commands. They run in a directory that looks like the root
                                 of a built repository and holds the saved files; each must succeed
    <!-- prints -->              the block is what the commands above it print; written by --update

usage: check.py --ufc UFC --library LIBRARY --cc CC [--cflags FLAGS] --root ROOT [--update] [DOCUMENT...]
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from chosen import chosen  # noqa: E402

BLOCK = re.compile(r"(?:<!-- (?P<what>file|save|run|prints)(?:: (?P<arg>[^\n]*?))? -->\n)?"
                   r"```(?P<lang>\w*)\n(?P<text>.*?)```\n", re.S)
CFLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]


def run(command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                          **more)
    return done.returncode, done.stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def compile_uflow(text, folder, options):
    write(os.path.join(folder, "sample.uflow"), text)
    status, printed = run([options.ufc, "--tests", "sample.uflow", "-o", "sample.c"], folder)
    if status or printed:
        return printed or f"ufc: exit status {status}"
    return run([options.cc, *CFLAGS, "-I", os.path.join(options.root, "runtime", "include"), "sample.c"], folder)[1]


def compile_c(text, folder, options):
    write(os.path.join(folder, "use.c"), text)
    return run([options.cc, *CFLAGS, "-I", os.path.join(options.root, "runtime", "include"), "-I", folder, "use.c"],
               folder)[1]


def make_site(folder, options):
    """A directory in which the commands of a document work as they do in the root of a built repository."""
    for name in ("build/bin", "build/lib", "bin"):
        os.makedirs(os.path.join(folder, name))
    links = {name: os.path.join(options.root, name) for name in ("cmake", "docs", "examples", "runtime")}
    links |= {"build/bin/ufc": options.ufc, "build/lib/libuflow.a": options.library}
    links["build/lib/libuflow_test.a"] = os.path.join(os.path.dirname(options.library), "libuflow_test.a")
    for tool in ("uflow-cov", "uflow-mutate", "uflow-trace"):
        links["build/bin/" + tool] = os.path.join(os.path.dirname(options.ufc), tool)
    for name, target in links.items():
        os.symlink(target, os.path.join(folder, name))
    for name, compiler in (("cc", options.cc), ("c++", shutil.which("c++"))):
        path = os.path.join(folder, "bin", name)
        write(path, f'#!/bin/sh\nexec {compiler} {options.cflags} "$@"\n')
        os.chmod(path, 0o755)


class Page:
    def __init__(self, path, options, folder, site):
        self.path, self.options, self.folder, self.site = path, options, folder, site
        self.failures, self.samples, self.printed = [], 0, ""
        with open(path, encoding="utf-8") as file:
            self.document = file.read()

    def expected(self, what, arg):
        if what == "prints":
            return self.printed
        with open(os.path.join(self.options.root, arg), encoding="utf-8") as file:
            return file.read()

    def run_commands(self, text):
        path = os.path.join(self.site, "bin") + os.pathsep + os.environ["PATH"]
        status, self.printed = run(["sh", "-e", "-c", text], self.site, env={**os.environ, "PATH": path})
        return f"exit status {status}:\n{self.printed}" if status else ""

    def compile(self, block):
        if block["what"] == "run":
            return self.run_commands(block["text"])
        if block["what"] == "file":  # for the commands below, too
            write(os.path.join(self.site, os.path.basename(block["arg"])), block["text"])
        if block["what"] == "save":
            write(os.path.join(self.site, block["arg"]), block["text"])
        elif block["lang"] == "uflow" and "import" not in block["text"]:
            return compile_uflow(block["text"], self.folder, self.options)
        elif block["lang"] == "c" and not block["what"]:
            return compile_c(block["text"], self.folder, self.options)
        return ""

    def visit(self, block):
        text, where = block["text"], f"{self.path}:{self.document.count(chr(10), 0, block.start('text'))}"
        if block["what"] in ("file", "prints"):
            wanted = self.expected(block["what"], block["arg"])
            if self.options.update:
                text = wanted
            elif text != wanted:
                made_by = block["arg"] or "the commands"
                self.failures.append(f"{where}: is not what {made_by} gives; run with --update\n{wanted}")
        self.samples += block["lang"] in ("uflow", "c") or block["what"] == "run"
        failure = self.compile(block)
        if failure:
            self.failures.append(f"{where}: the sample fails:\n{failure}")
        start, end = block.start("text") - block.start(), block.end("text") - block.start()
        return block[0][:start] + text + block[0][end:]

    def check(self):
        updated = BLOCK.sub(self.visit, self.document)
        if self.options.update and updated != self.document:
            write(self.path, updated)


def all_documents(root):
    """All documents except errors.md: its samples fail on purpose, and tests/golden/errors checks them."""
    found = glob.glob(f"{root}/*.md") + glob.glob(f"{root}/docs/**/*.md", recursive=True)
    return sorted(path for path in found if os.path.basename(path) != "errors.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("ufc", "library", "cc", "root"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--cflags", default="")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="*")
    options = parser.parse_args()
    for name in ("ufc", "library", "root"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    documents = chosen([os.path.abspath(path) for path in options.documents], all_documents(options.root))
    samples, failures = 0, []
    for path in documents:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as site:
            make_site(site, options)
            page = Page(path, options, folder, site)
            page.check()
        samples += page.samples
        failures += page.failures
    for failure in failures:
        print(failure)
    print(f"{samples} samples in {len(documents)} documents, {len(failures)} failures")
    return 1 if failures or samples == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
