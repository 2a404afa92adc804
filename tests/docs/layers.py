#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/internals/layers-*.svg: the directories of uflow, each above those whose headers it includes, and the
folders of core in the same way.

usage: layers.py ROOT [--update]

Without the option it compares. It fails if directories include each other, for then there are no layers."""
import os
import re
import sys
import textwrap

ROOT, UPDATE = sys.argv[1], "--update" in sys.argv[2:]
# Ink, faint ink, background of a box, of a box in it, border.
THEMES = {"light": ("#1b2330", "#5b6675", "#ffffff", "#e9f1fc", "#9fb0c3"),
          "dark": ("#e4e9f0", "#a5b0be", "#161d27", "#22314a", "#4a5a6d")}
# The columns: title, line below it, left edge, width, and what it shows.
COLUMNS = (("ufc", "bytes → tokens → AST → checked AST → IR → text", 0, 290, ("grammar", "generator")),
           ("the runtime", "generated code uses the public headers only", 310, 420, ("runtime",)),
           ("tools", "programs of their own", 750, 250, ("tools",)))
TOP, GAP, LINE, HEAD, NARROW = 62, 8, 15, 26, 80  # pixels
ROW = HEAD + LINE + 4 + GAP  # of a box with one line
NAMES = {"runtime/include": "include/uflow", "runtime/port": "port: its headers",
         "runtime/port.c": "port: the platforms"}
WIDE = {"runtime/core": 3}
SOURCES = (".c", ".h", ".re", ".y", ".def", ".py", ".awk")


def box_of(path):
    """The box of a file: its directory. Users of the port see its headers, not the platforms behind them."""
    directory = os.path.dirname(path)
    if directory.startswith("runtime/include"): return "runtime/include"
    if directory == "runtime/port" and path.endswith(".c"): return "runtime/port.c"
    return "/".join(directory.split("/")[:2])


def source_files():
    for tree in ("grammar", "generator", "runtime", "tools"):
        for directory, _, names in os.walk(os.path.join(ROOT, tree)):
            here = os.path.relpath(directory, ROOT)
            if here != "runtime": yield from (f"{here}/{name}" for name in names if name.endswith(SOURCES))


def read_sources(box_of):
    """For each box, the boxes that it uses."""
    found = sorted(source_files())
    uses = {box_of(path): set() for path in found}
    for path in found:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            included = re.findall(r'^\s*#\s*include ["<]([^">]+)[">]', file.read(), re.M)
        for name in included:
            public = name.startswith("uflow/")
            others = [other for other in found if other.endswith("/" + name) and
                      public == other.startswith("runtime/include/")]
            beside = [other for other in others if os.path.dirname(other) == os.path.dirname(path)]
            of_tree = [other for other in others if tree_of(other) == tree_of(path)]
            uses[box_of(path)] |= {box_of(other) for other in beside or of_tree or others} - {box_of(path)}
    return uses


def level_of(box, uses, above=()):
    if box in above: sys.exit("these directories include each other: " + ", ".join(above[above.index(box):]))
    below = [other for other in uses[box] if tree_of(other) == tree_of(box)]
    return 1 + max((level_of(other, uses, (*above, box)) for other in below), default=-1)


def tree_of(box):
    return box.split("/")[0].replace("grammar", "generator")


def name_of(box):
    return NAMES.get(box, box.split("/")[-1])


def core_layers():
    """Each folder of core with the folders that it uses and its files, the highest first."""
    uses = read_sources(lambda path: os.path.dirname(path) if path.startswith("runtime/core/") else "")
    uses.pop("")
    for used in uses.values(): used.discard("")
    for folder in sorted(uses, key=lambda folder: (-level_of(folder, uses), folder)):
        files = sorted(name for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(SOURCES))
        yield name_of(folder), ", ".join(sorted(map(name_of, uses[folder]))), " ".join(files)


class Picture:
    def __init__(self, theme):
        self.ink, self.faint, self.paper, self.inner, self.border = THEMES[theme]
        self.parts = []

    def text(self, x, y, text, size=11, bold=False, faint=False):
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        weight = ' font-weight="bold"' if bold else ""
        colour = self.faint if faint else self.ink
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}"{weight} fill="{colour}">{text}</text>')

    def box(self, x, y, width, height, fill):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" '
                          f'stroke="{self.border}"/>')

    def layers(self, x, y, width):
        """The folders of core, as rows. Returns: the height."""
        at = y
        for name, used, files in core_layers():
            lines = ["uses " + used if used else "uses no other", *textwrap.wrap(files, (width - 16) * 10 // 63)]
            self.box(x, at, width, LINE * len(lines) + 5, self.inner)
            self.text(x + 8, at + LINE - 1, name, bold=True)
            for number, line in enumerate(lines):
                self.text(x + (8 if number else 84), at + LINE * (number + 1) - 1, line, faint=True)
            at += LINE * len(lines) + 7
        return at - y

    def directory(self, x, y, width, box, used):
        """Returns: the height."""
        text = "uses " + ", ".join(used) if used else ""
        lines = textwrap.wrap(text, (width - 16) * 10 // 63, break_long_words=False)
        at, frame = y + HEAD + LINE * len(lines), len(self.parts)
        self.text(x + 10, y + 18, name_of(box), 13, bold=True)
        for number, line in enumerate(lines): self.text(x + 10, y + HEAD + 8 + LINE * number, line, faint=True)
        if box == "runtime/core": at += self.layers(x + 10, at + 4, width - 20)
        self.parts.insert(frame, "")
        end = len(self.parts)
        self.box(x, y, width, at - y + 4, self.paper)
        self.parts[frame] = self.parts.pop(end)
        return at - y + 4

    def column(self, title, below, x, width, boxes, uses):
        """The highest level first; the boxes of a level side by side."""
        levels, y = {}, TOP
        for box in sorted(boxes): levels.setdefault(level_of(box, uses), []).append(box)
        self.text(x, 22, title, 16, bold=True)
        self.text(x, 42, below, faint=True)
        for level in sorted(levels, reverse=True):
            y += GAP + self.level(x, y, width, [(box, sorted(map(name_of, uses[box]))) for box in levels[level]])
        return y

    def level(self, x, y, width, boxes):
        """Boxes side by side, or below each other if they would be narrow. Returns: the height."""
        shares = [WIDE.get(box, 1) for box, _ in boxes]
        left, highest = width - GAP * (len(boxes) - 1), 0
        if left // sum(shares) < NARROW and any(used for _, used in boxes):
            return sum(self.level(x, y + number * ROW, width, [box]) and ROW for number, box in enumerate(boxes)) - GAP
        for (box, used), share in zip(boxes, shares):
            each = left * share // sum(shares)
            highest = max(highest, self.directory(x, y, each, box, used))
            x += each + GAP
        return highest


def draw(theme, uses):
    picture, height = Picture(theme), 0
    for title, below, x, width, trees in COLUMNS:
        boxes = [box for box in uses if box.split("/")[0] in trees]
        height = max(height, picture.column(title, below, x, width, boxes, uses))
    width = COLUMNS[-1][2] + COLUMNS[-1][3]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width + 2} {height}" width="{width + 2}" '
            f'height="{height}" font-family="DejaVu Sans,Verdana,sans-serif">\n' + "\n".join(picture.parts) +
            "\n</svg>\n")


def main():
    uses, failures = read_sources(box_of), 0
    for theme in THEMES:
        path, made = os.path.join(ROOT, f"docs/internals/layers-{theme}.svg"), draw(theme, uses)
        old = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if made == old: continue
        if UPDATE:
            with open(path, "w", encoding="utf-8") as file:
                file.write(made)
            continue
        print(f"{path} is out of date: tests/docs/layers.py . --update")
        failures = 1
    return failures


if __name__ == "__main__":
    sys.exit(main())
