# SPDX-License-Identifier: MIT
"""Reads the output of a runner: TAP version 14 with blocks of YAML."""
import json
import re

LINE = re.compile(r"(not )?ok (\d+) - (.*?)(?: # time ([\d.]+ m?s), (\d+) schedules?)?$")


def value_of(text):
    """A value of a block. A string in quotes is one of JSON, except \\xNN."""
    if not text.startswith(('"', "[")): return text
    return json.loads(re.sub(r'\\(x[0-9a-f]{2}|.)', lambda m: "\\u00" + m[1][1:] if len(m[1]) == 3 else m[0], text))


def block_of(lines):
    """The keys of a block. A list may have several lines."""
    block, key = {}, None
    for line in lines:
        start = re.match(r"  (\w+): (.*)$", line)
        if start: key, block[start[1]] = start[1], start[2]
        else: block[key] += line
    return {key: value_of(text) for key, text in block.items()}


def read(output):
    """The results by name: whether it passed, and the block; and the lines of comments."""
    lines = output.split("\n")
    assert lines[0] == "TAP version 14", lines[0]
    results, comments, numbers = {}, [], []
    at = 2
    while at < len(lines):
        match = LINE.match(lines[at])
        if match:
            block = {}
            if at + 1 < len(lines) and lines[at + 1] == "  ---":
                end = lines.index("  ...", at)
                block = block_of(lines[at + 2:end])
                at = end
            name = re.sub(r"\\(.)", r"\1", match[3])
            assert name not in results, name
            numbers.append(int(match[2]))
            results[name] = (not match[1], block)
            assert bool(match[4]) == (not match[1]), match[0]
        elif lines[at]: comments.append(lines[at])
        at += 1
    assert lines[1] == f"1..{len(numbers)}" and numbers == list(range(1, len(numbers) + 1)), (lines[1], numbers)
    return results, comments
