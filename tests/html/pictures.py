#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The replays and the pictures in docs/replay equal those that this version makes.

usage: pictures.py [--update] [NAME]...

The environment is that of check.py, and CC and UFLOW_LIBRARY. --update writes the files. Without a Chromium, only the
replays are compared. Pictures of other versions of Chromium and its fonts differ a little: they are compared
coarsely, but must differ from a damaged page and from the pictures of other examples."""
import base64
import collections
import os
import subprocess
import sys

from browser import Browser

UFC, UFLOW_TRACE, CHROMIUM = (os.environ[name] for name in ("UFC", "UFLOW_TRACE", "CHROMIUM"))
ROOT, WORK = os.environ["UFLOW_ROOT"], os.path.join(os.environ["WORK"], "pictures")
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import chosen  # noqa: E402
DOCS = os.path.join(ROOT, "docs/replay")
MOST = 30  # of 255: the difference of a block
MOST_BYTES = 300 * 1024  # of a replay
UPDATE = "--update" in sys.argv[1:]

# An example: its directory, its .uflow files, the arguments of its program, the flows that the replay shows, and the
# event of the picture: the search for it, and its number in the result.
Program = collections.namedtuple("Program", "directory flows arguments shown size text number")
PROGRAMS = {
    "pick_and_place": Program("03_pick_and_place", ("load_picker", "orchestrator", "stage", "unload_picker", "axis"),
                              ("2", "1"), "cell*", (1200, 780), "→ AskForRoom", 1),
    "city_traffic": Program("11_city_traffic", ("city",), ("13", "1"), "city*", (1000, 740), "→ Cross", 9),
    "simulator": Program("10_simulator", ("race",), (), "race*", (1000, 740), "→ Rest", 6),
    "queue_drain": Program("05_queue_drain", ("queue",), (), "*", (1000, 740), "→ Add", 12),
    "message_dispatch": Program("06_message_dispatch", ("student",), (), "*", (1000, 740), "→ Play", 0),
    "washing_machine": Program("17_washing_machine", ("washer", "world"), (), "panel*", (1200, 780), "→ Heat", 1),
}

# A page that must fail.
DAMAGES = {
    "a blank page": "document.body.style.visibility = 'hidden'",
    "a page without its diagram": "document.querySelectorAll('svg').forEach(e => { e.style.visibility = 'hidden'; })",
}

# Both pictures as 48 times 30 blocks of grey: the largest difference.
COMPARE = """(async pictures => {
    const grey = async data => {
        const image = new Image();
        image.src = 'data:image/webp;base64,' + data;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: 48, height: 30 });
        const pen = canvas.getContext('2d');
        pen.imageSmoothingQuality = 'high';
        pen.drawImage(image, 0, 0, 48, 30);
        const bytes = pen.getImageData(0, 0, 48, 30).data;
        return Array.from({ length: 48 * 30 }, (_, i) => (bytes[4 * i] + bytes[4 * i + 1] + bytes[4 * i + 2]) / 3);
    };
    const [a, b] = await Promise.all(pictures.map(grey));
    return Math.max(...a.map((value, i) => Math.abs(value - b[i])));
})(%s)"""


def run(program, *command, **environment):
    subprocess.run(command, cwd=os.path.join(ROOT, "examples", program.directory), env={**os.environ, **environment},
                   stdout=subprocess.DEVNULL, check=True)


def read(path):
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def build(program, here):
    """Compiles the example with a recorder, see record.c."""
    for flow in program.flows:
        run(program, UFC, flow + ".uflow", "--emit=c,h,html", "-o", os.path.join(here, flow + ".c"))
    cc = [*os.environ["CC"].split(), *os.environ.get("UFLOW_CFLAGS", "").split(), "-I" + ROOT + "/runtime/include",
          "-I.", "-I" + here]
    objects = [os.path.join(here, name) for name in ("main.o", "record.o")]
    run(program, *cc, "-Duf_pump_init=init_recorded", "-c", "main.c", "-o", objects[0])
    run(program, *cc, "-c", os.path.join(ROOT, "tests/html/record.c"), "-o", objects[1])
    parts = [name for name in sorted(os.listdir(os.path.join(ROOT, "examples", program.directory)))
             if name.endswith(".c") and name not in ("main.c", "live.c")]
    run(program, *cc, *objects, *parts, *(os.path.join(here, flow + ".c") for flow in program.flows),
        os.environ["UFLOW_LIBRARY"], "-pthread", "-lm", "-o", os.path.join(here, "program"))


def make_replay(name, program):
    """Runs the example in virtual time. Its files are named as there, so that the page has no other path."""
    here = os.path.join(WORK, name)
    os.makedirs(here, exist_ok=True)
    build(program, here)
    trace, replay = (os.path.join(here, file) for file in (name + ".uftrace", name + ".html"))
    run(program, os.path.join(here, "program"), *program.arguments, TRACE=trace)
    run(program, UFLOW_TRACE, "--flow=" + program.shown,
        *("--page=" + os.path.join(here, flow + ".html") for flow in program.flows), trace, "-o", replay)
    assert os.path.getsize(replay) <= MOST_BYTES, (name, os.path.getsize(replay))
    return replay


def screenshot(browser):
    return base64.b64decode(browser.call("Page.captureScreenshot", format="webp", quality=70)["data"])


def take_picture(browser, replay, program, dark):
    browser.open(replay, *program.size, dark)
    browser.key("Home")
    browser.key("/")
    for letter in program.text.split()[-1]:
        browser.key(letter)
    browser.run("[...document.querySelectorAll('#found button')].filter(e => e.textContent.includes("
                f"'{program.text}'))[{program.number}].click()")
    browser.settle()  # the list of events scrolls no more than it must, so each of these steps is drawn
    browser.run("document.getElementById('search').value = ''; document.activeElement.blur()")
    browser.settle()
    browser.key("ArrowRight", shift=True)
    assert browser.errors == [], browser.errors
    return screenshot(browser)


def take_damaged(browser):
    """Pictures of the same page that must not pass."""
    for what, damage in DAMAGES.items():
        browser.run(damage)
        browser.settle()
        yield what, screenshot(browser)


def check(name, same, made):
    path = os.path.join(DOCS, name)
    if UPDATE:
        write(path, made)
    elif not same(read(path), made):
        write(os.path.join(WORK, name), made)
        print(f"docs/replay/{name} is not what this version makes: see {WORK}/{name}, or use --update")
        return 1
    return 0


def main():
    names = chosen([name for name in sys.argv[1:] if name != "--update"], PROGRAMS)
    os.makedirs(WORK, exist_ok=True)
    os.makedirs(DOCS, exist_ok=True)
    programs = {name: PROGRAMS[name] for name in names}
    replays, failures = {name: make_replay(name, program) for name, program in programs.items()}, 0
    for name, replay in replays.items():
        failures += check(name + ".html", lambda old, new: old == new, read(replay))
    if not os.path.exists(CHROMIUM):
        return failures or 77
    with Browser(CHROMIUM) as browser:
        def difference(old, new):
            browser.call("Page.navigate", url="about:blank")  # the page itself admits no pictures
            browser.wait("document.readyState === 'complete'")
            return browser.run(COMPARE % [base64.b64encode(data).decode() for data in (old, new)]) if old else 255

        def looks_same(old, new):
            found = difference(old, new)
            print(f"the largest difference is {found:.1f}")
            return found <= MOST

        for theme in ("light", "dark"):
            others = {}
            for name, program in programs.items():
                picture = take_picture(browser, replays[name], program, theme == "dark")
                for what, other in [*take_damaged(browser), *others.items()]:
                    assert difference(picture, other) > MOST, f"{what} passes as {name}-{theme}"
                others[f"the picture of {name}"] = picture
                failures += check(f"{name}-{theme}.webp", looks_same, picture)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
