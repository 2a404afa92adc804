#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a site of the documents: a page for each document, file and directory that README.md leads to.

usage: make.py OUTPUT      needs python3-markdown-it

Pages are plain files: a browser shows them from a disk or from any server. The list of pages is the table `Where next`
of README.md. Code is coloured by editors/vscode/syntaxes/uflow.tmLanguage.json."""
import html
import json
import os
import re
import shutil
import sys

from markdown_it import MarkdownIt

import textmate

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COPIED = (".html", ".svg", ".webp", ".png", ".css", ".js")  # as they are, if they are linked
CODE = (".c", ".h", ".uflow", ".cpp", ".def", ".re", ".y")
LINK = re.compile(r'(\b(?:href|src|srcset)=")([^"]*)(")')
GRAMMAR = textmate.Grammar(os.path.join(ROOT, "editors/vscode/syntaxes/uflow.tmLanguage.json"))

PAGE = """<!DOCTYPE html>
<html lang="en" data-root="{root}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}site.css">
<header><a href="{root}index.html">uflow</a>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off">
<ul id="found" hidden></ul></header>
<div class="page"><nav aria-label="Pages"><details><summary>All pages</summary>
{pages}</details></nav>
<main>
{body}</main></div>
<script src="{root}index.js"></script>
<script src="{root}site.js"></script>
</html>
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file: return file.read()


def slug(heading, seen):
    """The anchor that hosts of repositories make."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
    seen[name] = seen.get(name, -1) + 1
    return f"{name}-{seen[name]}" if seen[name] else name


def coloured(text, language):
    if language == "uflow": return GRAMMAR.html(text)
    return GRAMMAR.html(text, "c") if language in ("c", "cpp") else html.escape(text, quote=False)


def fence(self, tokens, index, _options, _environment):
    token = tokens[index]
    language = (token.info.split() or [""])[0]
    return f"<pre><code>{coloured(token.content, language)}</code></pre>\n"


def markdown():
    parser = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
    parser.add_render_rule("fence", fence)
    parser.add_render_rule("table_open", lambda *_: '<div class="table"><table>')
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


def place(path):
    """The file of the site for a file or directory of the repository."""
    if path == "README.md": return "index.html"
    if os.path.isdir(os.path.join(ROOT, path)):
        return os.path.join(path, "index.html") if path != "." else "files.html"
    if os.path.basename(path) == "README.md": return os.path.join(os.path.dirname(path), "index.html")
    if path.endswith(".md"): return path[:-3] + ".html"
    return path if path.endswith(COPIED) else path + ".html"


class Site:
    def __init__(self, output):
        self.output, self.parser, self.todo, self.done = output, markdown(), ["README.md"], set()
        self.sections, self.menu = [], []

    def write(self, name, text):
        path = os.path.join(self.output, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file: file.write(text)

    def link(self, path, target):
        """A link of a document, for its page. What it names gets a page, too."""
        if re.match(r"\w+:", target) or target.startswith("#"): return target
        name, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if os.path.isdir(os.path.join(ROOT, file)) and os.path.exists(os.path.join(ROOT, file, "README.md")):
            file = os.path.join(file, "README.md")
        if not os.path.exists(os.path.join(ROOT, file)): raise SystemExit(f"{path}: {target}: there is no such file")
        self.todo.append(file)
        there = os.path.relpath(place(file), os.path.dirname(place(path)) or ".")
        return there + (f"#{anchor}" if anchor else "")

    def document(self, path):
        text = read(path)
        tokens, seen, title = self.parser.parse(text), {}, ""
        for token, inner in zip(tokens, tokens[1:]):
            if token.type != "heading_open": continue
            token.attrSet("id", slug(inner.content, seen))
            plain = re.sub(r"`|\[([^\]]*)\]\([^)]*\)", r"\1", inner.content)
            title = title or plain
            self.sections.append({"url": f"{place(path)}#{token.attrGet('id')}", "title": plain, "page": title,
                                  "text": ""})
        self.index(tokens, len(seen) and self.sections[-sum(count + 1 for count in seen.values()):])
        body = self.parser.renderer.render(tokens, self.parser.options, {})
        return title or path, LINK.sub(lambda m: m[1] + html.escape(self.link(path, html.unescape(m[2]))) + m[3], body)

    @staticmethod
    def index(tokens, sections):
        """The text below each heading."""
        at = -1
        for token in tokens:
            if token.type == "heading_open": at += 1
            elif token.type in ("inline", "fence") and at >= 0 and sections:
                sections[at]["text"] += " " + " ".join(re.sub(r"[`*]|\]\([^)]*\)", " ", token.content).split())

    def directory(self, path):
        names = sorted(name for name in os.listdir(os.path.join(ROOT, path))
                       if not name.startswith((".", "__", "build")))
        rows = ""
        for name in names:
            file = os.path.join(path, name)
            if os.path.isdir(os.path.join(ROOT, file)): rows += f"<li>{html.escape(name)}/</li>\n"
            else: rows += f'<li><a href="{html.escape(self.link(path + "/x", name))}">{html.escape(name)}</a></li>\n'
        return path, f"<h1>{html.escape(path)}</h1>\n<ul>\n{rows}</ul>\n"

    def source(self, path):
        language = "uflow" if path.endswith(".uflow") else "c" if path.endswith(CODE) else ""
        return path, f"<h1>{html.escape(path)}</h1>\n<pre><code>{coloured(read(path), language)}</code></pre>\n"

    def make_menu(self):
        """Headings with links, from the table of README.md."""
        table = re.search(r"^## Where next\n(.*?)(?=^## |^Licence|\Z)", read("README.md"), re.M | re.S)[1]
        for row in re.findall(r"^\| (\w[\w ]*) \| (.*) \|$", table, re.M):
            links = re.findall(r"\[([^\]]*)\]\(([^)]*)\)", row[1])
            self.menu.append((row[0], [(name, target) for name, target in links]))

    def menu_of(self, path):
        out = ""
        for heading, links in self.menu:
            out += f"<h2>{heading}</h2>\n"
            for name, target in links:
                url = self.link("README.md", target)
                here = ' aria-current="page"' if url == place(path) else ""
                root = "../" * place(path).count("/")
                out += f'<a href="{root}{url}"{here}>{html.escape(name)}</a>\n'
        return out

    def make(self):
        self.make_menu()
        while self.todo:
            path = self.todo.pop()
            if path in self.done: continue
            self.done.add(path)
            if path.endswith(COPIED):
                os.makedirs(os.path.dirname(os.path.join(self.output, path)), exist_ok=True)
                shutil.copy(os.path.join(ROOT, path), os.path.join(self.output, path))
                continue
            if os.path.isdir(os.path.join(ROOT, path)): title, body = self.directory(path)
            elif path.endswith(".md"): title, body = self.document(path)
            else: title, body = self.source(path)
            if path != "README.md": title += " · uflow"
            root = "../" * place(path).count("/")
            self.write(place(path), PAGE.format(root=root, title=html.escape(title), body=body,
                                                pages=self.menu_of(path)))
        self.write("index.js", f"const sections = {json.dumps(self.sections, ensure_ascii=False)};\n")
        for name in ("site.css", "site.js"): shutil.copy(os.path.join(HERE, name), self.output)
        return len(self.done)


def main():
    output = os.path.abspath(sys.argv[1])
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    print(f"{Site(output).make()} pages in {output}")


if __name__ == "__main__":
    main()
