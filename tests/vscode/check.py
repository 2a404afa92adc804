#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The extension for VS Code: its manifest against the files, the compiler and the schema of VS Code; its code under
Node with a stub of `vscode`; its archive; the colours of its grammar; and uflow-lsp by the protocol's own library.

What needs Node, or modules from npm, is left out by name without them.

usage: check.py [--update] [NAME...]     --update writes the snippets and the snapshots of colours"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EXTENSION = os.path.join(ROOT, "editors/vscode")
SNIPPETS = os.path.join(EXTENSION, "snippets/uflow.json")
UFC, LSP = os.environ["UFC"], os.environ.get("UFLOW_LSP", "")
MODULES = os.environ.get("UFLOW_NODE_MODULES", os.path.join(ROOT, "build/tests/vscode"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(1, os.path.join(ROOT, "tests/html"))
from browser import Browser  # noqa: E402
from chosen import run_tests  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file: return file.read()


def manifest():
    return json.loads(read(os.path.join(EXTENSION, "package.json")))


def node_version():
    if not shutil.which("node"): return 0
    return int(re.search(r"v(\d+)", subprocess.check_output(["node", "--version"], text=True))[1])


NODE = node_version() >= 18 and "node"


def modules():
    """The directory that has the modules of package.json here; None: npm or its registry is not there."""
    lock = read(os.path.join(HERE, "package-lock.json"))
    stamp = os.path.join(MODULES, "node_modules/.of")
    if os.path.exists(stamp) and read(stamp) == lock: return os.path.join(MODULES, "node_modules")
    if not shutil.which("npm") or not NODE: return None
    os.makedirs(MODULES, exist_ok=True)
    for name in ("package.json", "package-lock.json"): shutil.copy(os.path.join(HERE, name), MODULES)
    done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"],
                          cwd=MODULES, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0: return None
    with open(stamp, "w", encoding="utf-8") as file: file.write(lock)
    return os.path.join(MODULES, "node_modules")


def run_node(script, environment, *arguments):
    done = subprocess.run(["node", *arguments, os.path.join(HERE, script)], text=True,
                          env={**os.environ, **environment}, timeout=600, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout


def snippets():
    """Those of complete.def, as VS Code reads them."""
    rows = re.findall(r'^WORD\("(\w+)", ([A-Z_ |]+),\s+"(.*)"\)$',
                      read(os.path.join(ROOT, "tools/lsp/complete.def")), re.M)
    assert len(rows) > 25
    made = {}
    for word, levels, text in rows:
        where = ", ".join(level[3:].lower() for level in levels.split(" | "))
        body = text.replace("\\n", "\n").replace('\\"', '"').split("\n")
        made[f"{word} in {where}"] = {"prefix": word, "body": body, "description": f"{word}, in: {where}"}
    return json.dumps(made, indent=4, ensure_ascii=False) + "\n"


class Manifest(unittest.TestCase):
    def setUp(self):
        self.json = manifest()
        self.has = self.json["contributes"]

    def test_required_members(self):
        for key in ("name", "displayName", "description", "version", "publisher", "license", "engines", "main"):
            self.assertTrue(self.json[key], key)
        self.assertRegex(self.json["name"], r"^[a-z][a-z0-9-]*$")
        self.assertRegex(self.json["engines"]["vscode"], r"^\^1\.\d+\.0$")
        known = {"languages", "grammars", "snippets", "breakpoints", "commands", "menus", "configuration",
                 "taskDefinitions", "problemPatterns", "problemMatchers"}
        self.assertEqual(set(self.has), known)

    def test_files_are_there(self):
        paths = [self.json["main"], *(one["path"] for one in self.has["grammars"] + self.has["snippets"]),
                 *(one["configuration"] for one in self.has["languages"])]
        for path in paths: self.assertTrue(os.path.isfile(os.path.join(EXTENSION, path)), path)
        for path in glob.glob(EXTENSION + "/**/*.json", recursive=True): json.loads(read(path))

    def test_menus_name_commands(self):
        names = {one["command"] for one in self.has["commands"]}
        for rows in self.has["menus"].values():
            self.assertLessEqual({row["command"] for row in rows}, names)

    def test_settings(self):
        settings = self.has["configuration"]["properties"]
        types = {"string": str, "array": list, "integer": int, "boolean": bool}
        for name, row in settings.items():
            self.assertIsInstance(row["default"], types[row["type"]], name)
            self.assertTrue(row.get("description") or row.get("markdownDescription"), name)
            self.assertIn(row.get("scope", "window"), ("window", "resource", "machine-overridable"))
        scripts = "".join(read(path) for path in glob.glob(EXTENSION + "/**/*.js", recursive=True)
                          if "node_modules" not in path)
        used = set(re.findall(r"\bsetting\('([\w.]+)'", scripts))
        self.assertEqual({"uflow." + name for name in used}, set(settings))
        guide = read(os.path.join(ROOT, "docs/guides/editors.md"))
        self.assertEqual([name for name in settings if f"`{name}`" not in guide], [])

    def test_grammar_and_language_agree(self):
        language, = self.has["languages"]
        grammar, = self.has["grammars"]
        self.assertEqual((grammar["language"], language["extensions"]), (language["id"], [".uflow"]))
        self.assertEqual(json.loads(read(os.path.join(EXTENSION, grammar["path"])))["scopeName"], grammar["scopeName"])

    def test_language_configuration(self):
        configuration = json.loads(read(os.path.join(EXTENSION, "language-configuration.json")))
        for pattern in (configuration["wordPattern"], *configuration["indentationRules"].values()): re.compile(pattern)
        word = re.compile(configuration["wordPattern"])
        self.assertEqual(word.findall("Door_start 1'000ms self->x"), ["Door_start", "1'000ms", "self", "x"])
        more, less = (re.compile(configuration["indentationRules"][f"{way}IndentPattern"])
                      for way in ("increase", "decrease"))
        for line, opens, closes in (("    step Push {", True, False), ("        await {", True, False),
                                    ("    }", False, True), ("    task A { step S { done; } }", False, False)):
            self.assertEqual((bool(more.search(line)), bool(less.search(line))), (opens, closes), line)

    def test_problem_matcher_reads_ufc(self):
        pattern, = self.has["problemPatterns"]
        self.assertEqual(self.has["problemMatchers"][0]["pattern"], "$" + pattern["name"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.uflow")
            for target, expected in (("next U", ("3", "error", "task T has no step `U`", "UF0301")),
                                     ("done", ("2", "warning", "field `x` is never used", "UF0805"))):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"flow A {{\n    int x;\n    task T {{ step S {{ {target}; }} }}\n}}\n")
                said = subprocess.run([UFC, "--check", path], text=True, check=False, stderr=subprocess.PIPE).stderr
                found = [match for match in map(re.compile(pattern["regexp"]).match, said.splitlines()) if match]
                self.assertEqual([tuple(match[pattern[key]] for key in ("file", "line", "severity", "message", "code"))
                                  for match in found], [(path, *expected)])

    def test_snippets_are_those_of_the_server(self):
        self.assertEqual(read(SNIPPETS), snippets(), "tests/vscode/check.py --update writes them")

    def test_lock_names_no_place(self):
        for folder in (HERE, EXTENSION):
            lock = json.loads(read(os.path.join(folder, "package-lock.json")))
            for name, one in lock["packages"].items():
                self.assertNotIn("resolved", one, name)
                self.assertTrue(not name or one["integrity"], name)


@unittest.skipUnless(NODE, "needs node 18")
@unittest.skipUnless(LSP, "needs uflow-lsp")
class Extension(unittest.TestCase):
    def program(self, folder):
        """A program of the tests, and a recording of one; {}: there is no library or compiler."""
        library = os.environ.get("UFLOW_LIBRARIES", "")
        compiler = shutil.which("cc")
        if not compiler or not library: return {}
        made = {}
        subprocess.run([UFC, "--tests", "door.uflow"], cwd=folder, check=True)
        subprocess.run([UFC, "motor.uflow"], cwd=folder, check=True)
        program = os.path.join(folder, "door_test")
        subprocess.run([compiler, f"-I{ROOT}/runtime/include", "-I.", "door.c", "motor.c", *library.split(":"),
                        "-pthread", "-o", program], cwd=folder, check=True)
        made["UFLOW_PROGRAM"] = program
        if os.environ.get("UFLOW_TRACE"):
            made["UFLOW_RECORDING"] = os.path.join(folder, "door.uftrace")
            subprocess.run([program, "--trace", made["UFLOW_RECORDING"], "--only", "is wrong"], check=False, cwd=folder,
                           stdout=subprocess.DEVNULL)
        return made

    def test_under_node(self):
        with tempfile.TemporaryDirectory() as made:
            folder = os.path.realpath(made)
            for name in ("door.uflow", "motor.uflow"): shutil.copy(os.path.join(HERE, name), folder)
            subprocess.run([UFC, "--emit=html", folder + "/door.uflow", "-o", "door.html"], cwd=folder, check=True)
            environment = {"UFLOW_EXTENSION": EXTENSION, "UFLOW_WORK": folder, **self.program(folder)}
            status, said = run_node("extension.js", environment)
            self.assertEqual(status, 0, said)


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@unittest.skipUnless(NODE, "needs node 18")
@unittest.skipUnless(CHROMIUM, "needs chromium")
class Page(unittest.TestCase):
    def test_bridge(self):
        """The page in a browser: it says which line it has marked, and shows the flow that the editor names."""
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html")
            subprocess.run([UFC, "--emit=html", os.path.join(HERE, "door.uflow"), "-o", page], check=True)
            script = (f"const fs = require('fs'), page = {json.dumps(page)};"
                      f"const {{ withBridge }} = require({json.dumps(EXTENSION + '/lib/bridge')});"
                      "fs.writeFileSync(page, withBridge(fs.readFileSync(page, 'utf8')));")
            subprocess.run(["node", "-e", script], check=True)
            with open(page, encoding="utf-8") as file: text = file.read()
            stub = "<script>const said = []; function acquireVsCodeApi() { return { postMessage: m => said.push(m) }; }"
            with open(page, "w", encoding="utf-8") as file:
                file.write(text.replace("<body>", "<body>" + stub + "</script>"))
            browser = Browser(CHROMIUM)
            try:
                browser.open(page)
                self.assertEqual(browser.run("document.getElementById('flows').value"), "Door")
                browser.run("postMessage({ flow: 'Nothing' }, '*'); postMessage({ flow: 'Lamp' }, '*')")
                browser.wait("document.getElementById('flows').value === 'Lamp'")
                browser.settle()
                self.assertEqual(browser.run("said"), [])  # the cursor of the editor is in that flow
                browser.run("document.querySelector('#chart .step').focus()")
                browser.key("Enter")
                browser.wait("said.length > 0")
                source = read(os.path.join(HERE, "door.uflow")).split("\n")
                place = browser.run("said[0]")
                self.assertIn("step Shine", source[place["line"] - 1])
                self.assertTrue(place["file"].endswith("door.uflow"))
                self.assertEqual((browser.errors, len(browser.run("said"))), ([], 1))
            finally:
                browser.close()


class Archive(unittest.TestCase):
    """What `./dev package` makes."""

    def make(self, folder, *more):
        path = os.path.join(folder, "uflow.vsix")
        done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "packaging/vsix.py"), path, *more], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(path, "rb") as file: return path, file.read()

    def check(self, path):
        """The parts that VS Code reads; returns the names in the archive."""
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            self.assertEqual(len(set(names)), len(names))
            types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
            known = {one.get("Extension") for one in types}
            self.assertLessEqual({os.path.splitext(name)[1] for name in names[1:]} - {""}, known)
            space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
            head = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
            identity, json_ = head.find("v:Metadata/v:Identity", space), manifest()
            self.assertEqual((identity.get("Id"), identity.get("Version"), identity.get("Publisher")),
                             (json_["name"], json_["version"], json_["publisher"]))
            self.assertEqual(head.find("v:Metadata/v:DisplayName", space).text, json_["displayName"])
            for one in head.findall("v:Assets/v:Asset", space): self.assertIn(one.get("Path"), names)
            engine = [p.get("Value") for p in head.findall("v:Metadata/v:Properties/v:Property", space)
                      if p.get("Id") == "Microsoft.VisualStudio.Code.Engine"]
            self.assertEqual(engine, [json_["engines"]["vscode"]])
            self.assertEqual(json.loads(archive.read("extension/package.json")), json_)
            self.assertLessEqual({"extension/extension.js", "extension/lib/pages.js", "extension/LICENSE.txt",
                                  "extension/readme.md", "extension/changelog.md"}, set(names))
        return names

    def test_without_modules_it_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, "node_modules")
            os.mkdir(empty)
            done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "packaging/vsix.py"),
                                   os.path.join(folder, "a.vsix"), "--modules", empty], text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, "vscode-languageclient" in done.stdout), (1, True), done.stdout)
            self.assertFalse(os.path.exists(os.path.join(folder, "a.vsix")))

    def test_with_other_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = os.path.join(folder, "node_modules/vscode-languageclient")
            os.makedirs(fake)
            with open(os.path.join(fake, "package.json"), "w", encoding="utf-8") as file:
                json.dump({"name": "vscode-languageclient", "version": "9.0.1"}, file)
            first = self.make(folder, "--modules", os.path.dirname(fake))
            names = self.check(first[0])
            self.assertIn("extension/node_modules/vscode-languageclient/package.json", names)
            self.assertEqual(self.make(folder, "--modules", os.path.dirname(fake))[1], first[1], "the same bytes again")

    def test_with_npm(self):
        if not modules(): self.skipTest("needs npm and its registry")
        with tempfile.TemporaryDirectory() as folder:
            path, _ = self.make(folder)
            names = self.check(path)
            self.assertIn("extension/node_modules/vscode-languageclient/node.js", names)
            self.assertFalse([name for name in names if name.endswith((".map", ".ts"))])
            with zipfile.ZipFile(path) as archive: archive.extractall(folder)
            status, said = run_node("loads.js", {"UFLOW_EXTENSION": os.path.join(folder, "extension")})
            self.assertEqual(status, 0, said)


class Modules(unittest.TestCase):
    def setUp(self):
        self.modules = modules()
        if not self.modules: self.skipTest("needs npm and its registry")

    def run_here(self, script, **environment):
        status, said = run_node(script, {"NODE_PATH": self.modules, **environment})
        self.assertEqual(status, 0, said)

    def test_colours(self):
        self.run_here("grammar.js")

    @unittest.skipUnless(LSP, "needs uflow-lsp")
    def test_protocol(self):
        self.run_here("protocol.js", UFLOW_TEXTS=json.dumps([HERE + "/motor.uflow", HERE + "/door.uflow"]))


def update():
    with open(SNIPPETS, "w", encoding="utf-8") as file: file.write(snippets())
    found = modules()
    if found: print(run_node("grammar.js", {"NODE_PATH": found, "UFLOW_UPDATE": "1"})[1])


if __name__ == "__main__": run_tests(update)
