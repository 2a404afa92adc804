#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The site of `./dev site`: each link leads somewhere; no page complains in a browser, loads anything from elsewhere,
or is wider than the window, from 390 to 1280 pixels; the search finds; code has colours.

usage: check.py OUTPUT CHROMIUM [--pictures]      --pictures: screenshots in OUTPUT/../site-pictures, to look at"""
import glob
import html.parser
import importlib.util
import os
import re
import subprocess
import sys
import unittest
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests/html"), os.path.join(ROOT, "tools/site")]
from browser import Browser  # noqa: E402
OUTPUT, CHROMIUM = os.path.abspath(sys.argv[1]), sys.argv[2]
REPLAYS = "docs/replay/"  # pages of ufc, which the tests in tests/html drive


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], set()
        with open(path, encoding="utf-8") as file: self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "srcset") and not value.startswith("data:"): self.links.append(value)
            if name == "id" or name == "name" and tag == "a": self.names.add(value)


def wrong_links(pages):
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"https?:", link): continue
            name, _, anchor = urllib.parse.unquote(link).partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.isfile(os.path.join(OUTPUT, file)): yield f"{path}: {link}: no such file"
            elif anchor and file in pages and anchor not in pages[file].names: yield f"{path}: {link}: no such anchor"


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([sys.executable, "-EsB", os.path.join(ROOT, "tools/site/make.py"), OUTPUT], check=True)
        found = glob.glob(os.path.join(OUTPUT, "**/*.html"), recursive=True)
        names = (os.path.relpath(path, OUTPUT) for path in sorted(found))
        cls.pages = {name: Page(os.path.join(OUTPUT, name)) for name in names
                     if name.endswith("index.html") or not name.startswith(REPLAYS)}

    def test_no_dead_link(self):
        self.assertGreater(len(self.pages), 100)
        self.assertEqual(list(wrong_links(self.pages)), [])

    def test_each_page_can_be_reached(self):
        reached, todo = set(), ["index.html"]
        while todo:
            path = todo.pop()
            if path in reached or path not in self.pages: continue
            reached.add(path)
            todo += [os.path.normpath(os.path.join(os.path.dirname(path), link.split("#")[0]))
                     for link in self.pages[path].links]
        self.assertEqual(reached, set(self.pages))

    def test_colours(self):
        import textmate
        grammar = textmate.Grammar(os.path.join(ROOT, "editors/vscode/syntaxes/uflow.tmLanguage.json"))
        self.assertEqual(grammar.html("    step Go { await 5ms -> On; } // <on>\n"),
                         '    <span class="structure">step</span> <span class="name">Go</span> { '
                         '<span class="keyword">await</span> <span class="number">5ms</span> -&gt; On; } '
                         '<span class="comment">//</span><span class="comment"> &lt;on&gt;</span>\n')
        for path in glob.glob(os.path.join(ROOT, "examples/*/*.uflow")):
            with open(path, encoding="utf-8") as file: text = file.read()
            self.assertEqual("".join(piece for piece, _ in grammar.spans(text, "uflow")), text, path)


@unittest.skipUnless(os.path.exists(CHROMIUM), "needs Chromium")
class InBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists(os.path.join(OUTPUT, "index.html")): Site.setUpClass()
        cls.browser = Browser(CHROMIUM)
        cls.addClassCleanup(cls.browser.close)

    def open(self, name, **options):
        self.browser.open(os.path.join(OUTPUT, name), **options)

    def test_fits_and_is_silent(self):
        names = glob.glob(os.path.join(OUTPUT, "**/*.html"), recursive=True)
        names = sorted(os.path.relpath(name, OUTPUT) for name in names)
        for name in names:
            if name.startswith(REPLAYS) and not name.endswith("index.html"): continue
            self.open(name, width=390, height=800, dark=True)
            for width in (390, 700, 1280):
                self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1,
                                  mobile=False)
                wide = self.browser.run("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, f"{name} at {width}")
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file:", "data:"))], [])

    def test_search(self):
        self.open("docs/guides/jobs.html")
        self.browser.key("/")
        self.browser.run("document.execCommand('insertText', false, 'graceful shutdown')")
        self.browser.settle()
        hits = self.browser.run("[...document.querySelectorAll('#found a')].map(a => a.getAttribute('href'))")
        self.assertTrue(any("shutdown" in hit for hit in hits), hits)
        self.browser.key("Enter")
        self.browser.wait("document.readyState === 'complete' && !location.pathname.endsWith('jobs.html')")
        self.assertEqual(self.browser.errors, [])

    def test_replay_opens(self):
        self.open("index.html")
        self.browser.run("document.querySelector('a[href$=\"pick_and_place.html\"]').click()")
        self.browser.wait("document.readyState === 'complete' && !!document.querySelector('svg')")
        self.assertEqual(self.browser.errors, [])

    def test_dark_is_dark(self):
        for dark in (False, True):
            self.open("docs/language.html", dark=dark)
            red = self.browser.run("+getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]")
            self.assertEqual(red < 128, dark)

    @unittest.skipUnless("--pictures" in sys.argv, "only with --pictures")
    def test_pictures(self):
        folder = os.path.join(os.path.dirname(OUTPUT), "site-pictures")
        os.makedirs(folder, exist_ok=True)
        for name, width, dark in (("index", 390, False), ("index", 1280, False), ("docs/language", 1280, True),
                                  ("docs/language", 390, True), ("examples/04_door/door.uflow", 1280, False)):
            self.open(name + ".html", width=width, height=1000, dark=dark)
            self.browser.picture(os.path.join(folder, f"{name.replace('/', '_')}-{width}.png"))


if __name__ == "__main__":
    if not importlib.util.find_spec("markdown_it"):
        print("needs python3-markdown-it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
