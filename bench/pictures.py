#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/performance/*.svg from results.json with gnuplot, so that no picture is older than the figures. A picture
names its sources: versions of gnuplot draw differently.

usage: pictures.py [--update]

Without an option it compares (exit status 0: the pictures are up to date)."""
import hashlib
import os
import re
import subprocess
import sys

from cases import CASES
from document import COLUMNS, COMPILER, load

DOCS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "performance")
NAMES = {"uflow": "uflow", **COLUMNS}
FONT = "DejaVu Sans,Verdana,sans-serif"
# Ink, grid, and a colour per implementation: the colours differ without red and green, too.
THEMES = {
    "light": ("#1b2330", "#d5dbe3", {"uflow": "#0b62d6", "baseline": "#5b6675", "protothread": "#c46a00",
                                     "coroutine": "#7d3fb8", "uv": "#1f8a70"}),
    "dark": ("#e4e9f0", "#333d4a", {"uflow": "#6fb1ff", "baseline": "#a5b0be", "protothread": "#f0b45c",
                                    "coroutine": "#cba0f7", "uv": "#6ad0b5"}),
}
TURNS = {1: ("W1", "one flow, a chain of transitions"), 100: ("W2", "round robin over 100 flows"),
         10000: ("W2", "round robin over 10 000 flows"), 1000000: ("W2", "round robin over 1 000 000 flows")}
PARKED = {1: ("W1", "one flow, a chain of transitions"), 1000: ("W3", "one active beside 1 000 parked"),
          100000: ("W3", "one active beside 100 000 parked")}


def medians():
    """(workload, what) -> implementation -> median."""
    found = {}
    for row in load("results.json")["rows"]:
        if row["compiler"] == COMPILER:
            found.setdefault((row["workload"], row["what"]), {})[row["implementation"]] = row["median"]
    return found


def style(theme, width, height):
    ink, grid, _ = THEMES[theme]
    return f"""set terminal svg size {width},{height} dynamic font "{FONT},13" linewidth 1
set border 0
set tics textcolor rgb "{ink}" nomirror scale 0
set key textcolor rgb "{ink}" outside bottom center horizontal samplen 1.2
set title textcolor rgb "{ink}"
set xlabel textcolor rgb "{ink}"
set grid lc rgb "{grid}" lt 1
"""


def ratios(theme):
    """Bars from 1: to the right what takes more time than the baseline, to the left what takes less."""
    found, colours = medians(), THEMES[theme][2]
    cases = [case for case in CASES if case.name and case.unit == "ns" and
             "baseline" in found.get((case.workload, case.what), {})]
    others = [name for name in NAMES if name != "baseline"]
    tics, blocks = [], {name: [] for name in others}
    for place, case in enumerate(reversed(cases)):
        here = found[(case.workload, case.what)]
        there = [name for name in others if name in here]
        tics.append(f'"{case.name}" {place}')
        for i, name in enumerate(there):
            y, ratio = place + 0.4 - 0.8 * (i + 0.5) / len(there), here[name] / here["baseline"]
            blocks[name].append(f"1 {y:.3f} {min(1, ratio):.4g} {max(1, ratio):.4g} {y - 0.09:.3f} {y + 0.09:.3f}")
    data = "".join(f"${name} << EOD\n" + "\n".join(lines) + "\nEOD\n" for name, lines in blocks.items())
    plots = ", ".join(f'${name} using 1:2:3:4:5:6 with boxxyerror fc rgb "{colours[name]}" title "{NAMES[name]}"'
                      for name in others)
    return style(theme, 900, 640) + data + f"""set logscale x
set xrange [0.3:200000]
set yrange [-0.6:{len(cases) - 0.4}]
set format x "10^{{%T}}"
set ytics ({", ".join(tics)})
set grid xtics noytics
set style fill solid
set arrow from 1,graph 0 to 1,graph 1 nohead lw 2 lc rgb "{colours["baseline"]}"
set title "Time, relative to the least C that does the same work" offset -12,0
set lmargin 45
set key inside bottom right vertical Left reverse
plot {plots}
"""


def growth(theme):
    found, colours = medians(), THEMES[theme][2]
    text = style(theme, 900, 420)
    panels = (("flows that take turns: ns per transition", "flows", TURNS),
              ("one flow beside parked flows: ns per transition", "parked flows", PARKED))
    for number, (_, _, points) in enumerate(panels):
        for name in NAMES:
            lines = [f"{count} {found[key][name]}" for count, key in points.items() if name in found[key]]
            text += f"${name}{number} << EOD\n" + "\n".join(lines) + "\nEOD\n"
    text += 'set multiplot layout 1,2\nset logscale xy\nset yrange [1:1000000]\nset format "10^{%T}"\n'
    text += "set key inside top left vertical Left reverse\n"
    for number, (title, axis, _) in enumerate(panels):
        plots = ", ".join(f'${name}{number} with linespoints lw 2.5 pt 7 ps 0.5 lc rgb "{colours[name]}" '
                          f'title "{NAMES[name]}"' for name in NAMES)
        text += f'set title "{title}"\nset xlabel "{axis}"\nplot {plots}\nunset key\n'
    return text + "unset multiplot\n"


def source(script):
    """The last line of a picture."""
    return f"<!-- drawn from {hashlib.sha256(script.encode()).hexdigest()} -->\n"


def draw(script):
    done = subprocess.run(["gnuplot"], input=script.encode(), stdout=subprocess.PIPE, check=True)
    picture = re.sub(r"<title>[^<]*</title>\n|<desc>[^<]*</desc>\n", "", done.stdout.decode())  # names the version
    return picture.rstrip() + "\n" + source(script)


def main():
    failures = 0
    for picture in (ratios, growth):
        for theme in THEMES:
            path, script = os.path.join(DOCS, f"{picture.__name__}-{theme}.svg"), picture(theme)
            if sys.argv[1:] == ["--update"]:
                with open(path, "w", encoding="utf-8") as file: file.write(draw(script))
                continue
            with open(path, encoding="utf-8") as file: old = file.read()
            if not old.endswith("\n" + source(script)):
                failures += 1
                print(f"{path} is not made from these figures: use --update")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
