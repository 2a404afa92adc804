#!/usr/bin/env python3
"""Holds the documents against the program.

Every ```uflow block is compiled, by ufc without a diagnostic and by the C compiler; every ```c block is compiled against the
flows of the nearest ```uflow block above it. Blocks below one of these comments are compared, and written by --update:

    <!-- file: PATH -->          the block is that file (from the root of the repository)
    <!-- output: ufc ARGS -->    the block is what the command prints, run in tests/docs

usage: check.py --ufc UFC --cc CC --root ROOT [--update] DOCUMENT...
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!-- (?P<what>file|output): (?P<arg>[^\n]*?) -->\n)?```(?P<lang>\w*)\n(?P<text>.*?)```\n", re.S)
CFLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def expected(what, arg, options):
    if what == "file":
        with open(os.path.join(options.root, arg), encoding="utf-8") as file:
            return file.read()
    words = arg.split()
    assert words[0] == "ufc", f"only ufc is run by a document: {arg}"
    return run([options.ufc, *words[1:]], os.path.join(options.root, "tests", "docs"))[1]


def compile_uflow(text, folder, options):
    with open(os.path.join(folder, "sample.uflow"), "w", encoding="utf-8") as file:
        file.write(text)
    status, said = run([options.ufc, "sample.uflow", "-o", "sample.c"], folder)
    if status or said:
        return said or f"ufc: exit status {status}"
    return run([options.cc, *CFLAGS, "-I", os.path.join(options.root, "runtime", "include"), "sample.c"], folder)[1]


def compile_c(text, folder, options):
    with open(os.path.join(folder, "use.c"), "w", encoding="utf-8") as file:
        file.write(text)
    return run([options.cc, *CFLAGS, "-I", os.path.join(options.root, "runtime", "include"), "-I", folder, "use.c"], folder)[1]


def check(path, options):
    with open(path, encoding="utf-8") as file:
        document = file.read()
    failures = []
    samples = 0

    def visit(block):
        nonlocal samples
        text, where = block["text"], f"{path}:{document.count(chr(10), 0, block.start('text'))}"
        if block["what"]:
            wanted = expected(block["what"], block["arg"], options)
            if options.update:
                text = wanted
            elif text != wanted:
                failures.append(f"{where}: is not what {block['arg']} gives; run with --update")
        said = ""
        if block["lang"] == "uflow":
            samples += 1
            said = compile_uflow(text, folder, options)
        elif block["lang"] == "c":
            samples += 1
            said = compile_c(text, folder, options)
        if said:
            failures.append(f"{where}: the sample does not compile:\n{said}")
        start, end = block.start("text") - block.start(), block.end("text") - block.start()
        return block[0][:start] + text + block[0][end:]

    with tempfile.TemporaryDirectory() as folder:
        updated = BLOCK.sub(visit, document)
    if options.update and updated != document:
        with open(path, "w", encoding="utf-8") as file:
            file.write(updated)
    return samples, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="+")
    options = parser.parse_args()
    options.root, options.ufc = os.path.abspath(options.root), os.path.abspath(options.ufc)
    total, failed = 0, []
    for path in options.documents:
        samples, failures = check(path, options)
        total += samples
        failed += failures
    for failure in failed:
        print(failure)
    print(f"{total} samples in {len(options.documents)} documents, {len(failed)} failures")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
