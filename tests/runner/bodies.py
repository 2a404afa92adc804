#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of all ends, and what the runner reports about each: bodies.uflow says it beside them.

usage: bodies.py PROGRAM FILE [address | thread]"""
import os
import re
import subprocess
import sys

import tap

PROGRAM, FILE = map(os.path.abspath, sys.argv[1:3])
SANITIZED = sys.argv[3:]
SANITIZERS = re.compile("Sanitizer|runtime error")
HANGS = "1s"  # the limit of a step for the tests that do not return


def expectations():
    """By name: the line of the head, that of the report, the message (None: it passes), parts of the report. `cuts` are
    parts of it unless a sanitizer is linked: then all output is shown."""
    expected, places, said = {}, {}, []
    with open(FILE, encoding="utf-8") as file: lines = file.read().split("\n")
    name = None
    for number, line in enumerate(lines, 1):
        comment = re.match(r"// (passes|fails|has|leaks|cuts)(?:: (.*))?$", line)
        head = re.match(r'test "(.*?)"', line)
        mark = re.search(r"// <-(?: (.*))?$", line)
        if comment: said.append(comment.groups())
        if head:
            name = head[1]
            message = next((text for word, text in said if word == "fails"), None)
            if ("leaks", None) in said and "address" in SANITIZED: message = "memory leaks"
            assert said, f"line {number}: what is expected of {name}?"
            shown = ("has",) if SANITIZED else ("has", "cuts")
            expected[name] = (number, message, [text for word, text in said if word in shown])
            said = []
        if mark: places[mark[1] or name] = number
    return {name: (line, places.get(name), message, has) for name, (line, message, has) in expected.items()}


def run(*options):
    done = subprocess.run([PROGRAM, *options], capture_output=True, check=False, timeout=600)
    assert not done.stderr, done.stderr.decode()
    raw = re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", done.stdout)
    assert not raw, f"a character that controls a terminal: {raw}"
    return done.returncode, done.stdout.decode(errors="surrogateescape")


def wrong_with(name, expected, result):
    line, place, message, has = expected
    passed, block = result
    base = os.path.basename(FILE)
    if message is None: return [] if passed and not block else [f"{name}: {block}"]
    if passed: return [f"{name}: it passes"]
    if "thread" in SANITIZED and "of real time" in message:  # ThreadSanitizer calls handlers of signals later
        message, place = message.split(",")[0], line
    is_crash = "crash: SIGSEGV" in message
    fits = block["message"] == message or (SANITIZED and is_crash and SANITIZERS.search(block["message"]))
    found = [] if fits else [f"{name}: message {block['message']!r}, expected {message!r}"]
    if block["at"] != f"{base}:{place}": found.append(f"{name}: at {block['at']}, expected line {place}")
    replay = f"{os.path.basename(PROGRAM)} --only {base}:{line}"
    if block["replay"] != replay: found.append(f"{name}: {block['replay']}, expected {replay}")
    lines = [text for key in ("history", "waits", "output") for text in block.get(key, [])]
    lines.append("cause: " + block.get("cause", ""))
    for text in has:
        wanted = re.sub(r"{at\+(\d)}", lambda match: str(line + int(match[1])), text)
        if not any(wanted in text for text in lines): found.append(f"{name}: no `{wanted}` in {lines}")
    return found


def main():
    expected = expectations()
    hang = [name for name, (_, _, message, _) in expected.items() if message and "of real time" in message]
    others = [name for name in expected if name not in hang]
    found = []
    for names, options in ((hang, ["--step-limit", HANGS]), (others, []), (others, ["--jobs", "3"])):
        status, output = run(*options, *(word for name in names for word in ("--only", name)))
        results, comments = tap.read(output)
        if status != 1: found.append(f"exit status {status}")
        if list(results) != names: found.append(f"the order is {list(results)}")
        found += [problem for name in names for problem in wrong_with(name, expected[name], results[name])]
        passed = sum(result[0] for result in results.values())
        if comments != [f"# {passed} passed, {len(names) - passed} failed"]: found.append(f"{comments}")
    print("\n".join(found) or f"{len(expected)} tests")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
