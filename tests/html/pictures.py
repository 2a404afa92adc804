#!/usr/bin/env python3
"""The replay and the pictures in docs/replay are those that this version makes.

The environment is that of check.py, and CC and UFLOW_LIBRARY. --update writes the files. Without a Chromium, only the
replay is compared. Pictures of other versions of Chromium and its fonts differ a little: they are compared coarsely."""
import base64
import os
import subprocess
import sys

from browser import Browser

UFC, UFLOW_TRACE, CHROMIUM = (os.environ[name] for name in ("UFC", "UFLOW_TRACE", "CHROMIUM"))
ROOT, WORK = os.environ["UFLOW_ROOT"], os.path.join(os.environ["WORK"], "pictures")
EXAMPLE = os.path.join(ROOT, "examples/03_pick_and_place")
FLOWS = ["load_picker", "orchestrator", "stage", "unload_picker", "axis"]
DOCS = os.path.join(ROOT, "docs/replay")
MOST = 10  # of 255: the mean difference of a block
UPDATE = "--update" in sys.argv[1:]

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
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
})(%s)"""


def run(*command):
    subprocess.run(command, cwd=EXAMPLE, stdout=subprocess.DEVNULL, check=True)


def read(path):
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def make_replay():
    """Runs the example in virtual time. Its files are named as there, so that the page has no other path."""
    made = [os.path.join(WORK, name) for name in FLOWS]
    for name, to in zip(FLOWS, made):
        run(UFC, name + ".uflow", "--emit=c,h,html", "-o", to + ".c")
    program, trace, replay = (os.path.join(WORK, name) for name in ("program", "trace", "pick_and_place.html"))
    sources = ["main.c", "cell.c", *(to + ".c" for to in made)]
    run(*os.environ["CC"].split(), *os.environ.get("UFLOW_CFLAGS", "").split(), "-I" + ROOT + "/runtime/include", "-I.",
        "-I" + WORK, *sources, os.environ["UFLOW_LIBRARY"], "-pthread", "-lm", "-o", program)
    run(program, "2", "1", "0", trace)
    run(UFLOW_TRACE, "--flow=cell*", *("--page=" + to + ".html" for to in made), trace, "-o", replay)
    return replay


def take_picture(browser, replay, dark):
    """The load picker waits for room on the stage."""
    browser.open(replay, 1200, 780, dark)
    browser.key("/")
    for letter in "AskForRoom":
        browser.key(letter)
    browser.run("[...document.querySelectorAll('#found button')].filter(e => e.textContent.includes('→ AskForRoom'))"
                "[1].click()")
    browser.run("document.getElementById('search').value = ''; document.activeElement.blur()")
    browser.key("ArrowRight", shift=True)
    assert browser.errors == [], browser.errors
    return base64.b64decode(browser.call("Page.captureScreenshot", format="webp", quality=70)["data"])


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
    os.makedirs(WORK, exist_ok=True)
    os.makedirs(DOCS, exist_ok=True)
    replay = make_replay()
    failures = check("pick_and_place.html", lambda old, new: old == new, read(replay))
    if not os.path.exists(CHROMIUM):
        return failures or 77
    with Browser(CHROMIUM) as browser:
        def looks_same(old, new):
            browser.call("Page.navigate", url="about:blank")  # the page itself admits no pictures
            browser.wait("document.readyState === 'complete'")
            texts = [base64.b64encode(data).decode() for data in (old, new)]
            difference = browser.run(COMPARE % texts) if old else 255
            print(f"the mean difference is {difference:.1f}")
            return difference < MOST

        for dark in (False, True):
            name = f"pick_and_place-{'dark' if dark else 'light'}.webp"
            failures += check(name, looks_same, take_picture(browser, replay, dark))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
