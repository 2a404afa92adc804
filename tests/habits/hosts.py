#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the files for the hosts of the repository: CI, templates, .clangd and the hook that formats.

usage: hosts.py ROOT"""
import glob
import os
import subprocess
import sys
import tempfile
import unittest

import format

try:
    import yaml
except ImportError:
    yaml = None
ROOT = os.path.abspath(sys.argv.pop())
ITEMS = {"markdown": {"value"}, "textarea": {"label"}, "input": {"label"}, "dropdown": {"label", "options"},
         "checkboxes": {"label", "options"}}  # of GitHub's forms, with what each needs


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file: return file.read()


def found(pattern):
    return [os.path.relpath(path, ROOT) for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]


@unittest.skipUnless(yaml, "needs python3-yaml")
class Files(unittest.TestCase):
    def test_ci_calls_the_one_script(self):
        github = yaml.safe_load(read(".github/workflows/ci.yml"))
        self.assertEqual(set(github[True]), {"push", "pull_request"})  # YAML 1.1 reads the word `on` as true
        gitlab = yaml.safe_load(read(".gitlab-ci.yml"))
        jobs = [[step.get("run") for step in job["steps"]] for job in github["jobs"].values()]
        jobs += [job["script"] for job in gitlab.values()]
        self.assertEqual(len(jobs), 2)
        for job in jobs: self.assertEqual(job[-1], ".ci/run")
        self.assertTrue(os.access(os.path.join(ROOT, ".ci/run"), os.X_OK))
        images = {job["container"]["image"] for job in github["jobs"].values()}
        images |= {job["image"] for job in gitlab.values()}
        self.assertEqual(images, {"debian:12"})

    def test_forms(self):
        paths = [path for path in found(".github/ISSUE_TEMPLATE/*.yml") if not path.endswith("config.yml")]
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path=path):
                form = yaml.safe_load(read(path))
                self.assertLessEqual(set(form), {"name", "description", "title", "labels", "body"})
                self.assertTrue(form["name"] and form["description"])
                names = [item["id"] for item in form["body"] if item["type"] != "markdown"]
                self.assertEqual(len(names), len(set(names)))
                self.assertTrue(names)
                for item in form["body"]: self.assertLessEqual(ITEMS[item["type"]], set(item["attributes"]))

    def test_settings(self):
        yaml.safe_load(read(".github/ISSUE_TEMPLATE/config.yml"))
        self.assertEqual(yaml.safe_load(read(".clangd")), {"CompileFlags": {"CompilationDatabase": "build"}})


class Templates(unittest.TestCase):
    def test_both_hosts_ask_the_same(self):
        self.assertEqual(read(".github/PULL_REQUEST_TEMPLATE.md"), read(".gitlab/merge_request_templates/Default.md"))
        kinds = {os.path.basename(path).split(".")[0] for path in found(".github/ISSUE_TEMPLATE/*.yml")} - {"config"}
        self.assertEqual(kinds, {os.path.basename(path).split(".")[0].lower()
                                 for path in found(".gitlab/issue_templates/*.md")})

    def test_the_named_list_is_there(self):
        self.assertIn('"What else a change touches"', read(".github/PULL_REQUEST_TEMPLATE.md"))
        self.assertIn("\n## What else a change touches\n", read("CONTRIBUTING.md"))


@unittest.skipUnless(format.formatter(), "needs clang-format 14")
class Hook(unittest.TestCase):
    UGLY, PRETTY = "int  f( void ) {return 1;}\n", "int f(void)\n{\n    return 1;\n}\n"

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="uflow-hook-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write(".clang-format", read(".clang-format"))
        self.git("init", "-q")
        self.git("config", "core.hooksPath", os.path.join(ROOT, ".ci/hooks"))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file: file.write(text)

    def git(self, *arguments, status=0):
        done = subprocess.run(["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", *arguments],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                              env={"PATH": os.environ["PATH"], "HOME": self.folder})
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def test_formats_what_is_committed(self):
        for name in ("a b.c", "c.txt", "left.h"): self.write(name, self.UGLY)
        self.git("add", "a b.c", "c.txt")
        self.git("commit", "-q", "-m", "first")
        self.assertEqual(self.git("show", "HEAD:a b.c"), self.PRETTY)
        self.assertEqual(self.git("show", "HEAD:c.txt"), self.UGLY)
        self.assertEqual(self.git("status", "--porcelain"), "?? .clang-format\n?? left.h\n")

    def test_refuses_to_mix(self):
        self.write("a.c", self.UGLY)
        self.git("add", "a.c")
        self.write("a.c", self.UGLY + "int  g;\n")
        self.assertIn("./dev fmt", self.git("commit", "-q", "-m", "first", status=1))
        self.git("add", "a.c")
        self.git("commit", "-q", "-m", "first")


if __name__ == "__main__":
    unittest.main()
