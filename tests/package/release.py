#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""./dev release: it refuses what is no release, and two clones give the same checksums.

Without the packages of Debian, which package.debs makes twice."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from package import BUILD, ROOT, need, run

UFC = os.environ.get("UFC", os.path.join(BUILD, "bin/ufc"))
NAMES = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "safe.directory=*")


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="uflow-release-")
        self.addCleanup(shutil.rmtree, self.folder)

    def clone(self, name):
        """A clone whose CHANGELOG.md is that of a release."""
        tree = os.path.join(self.folder, name)
        run("git", *NAMES, "clone", "-q", "--no-hardlinks", ROOT, tree)
        path = os.path.join(tree, "CHANGELOG.md")
        with open(path, encoding="utf-8") as file: text = file.read()
        found = re.search(r"^## ([\d.]+),.*: (ABI \d+)", text, re.M)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(found[0], f"## {found[1]}, 2026-01-02: {found[2]}", 1))
        run("git", *NAMES, "-C", tree, "commit", "-q", "-m", "Release", "CHANGELOG.md",
            env={**os.environ, "GIT_COMMITTER_DATE": "2026-01-02T00:00:00Z", "GIT_AUTHOR_DATE": "2026-01-02T00:00:00Z"})
        return tree, found[1]

    def release(self, tree, version, status=0):
        output = os.path.join(tree, "build/release")
        command = [os.path.join(tree, "packaging/release.py"), version, output, "--without-debs", "--ufc", UFC,
                   "--url", "https://example.org/uflow.tar.gz"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def test_same_checksums_twice(self):
        said = []
        for name in ("one", "the second"):
            tree, version = self.clone(name)
            said.append(self.release(tree, version))
            run("sha256sum", "-c", "SHA256SUMS", cwd=os.path.join(tree, "build/release"))
        sums = [re.findall(r"^[0-9a-f]{64}  .*$", text, re.M) for text in said]
        self.assertEqual(sums[0], sums[1])
        self.assertEqual([line.split()[1] for line in sums[0]],
                         ["CHANGES.txt", f"uflow-{version}.tar.gz", f"uflow-amalgamation-{version}.tar.gz",
                          f"uflow-arduino-{version}.zip"])
        self.assertIn(f"git tag -s v{version}", said[0])

    def test_refuses(self):
        tree, version = self.clone("tree")
        self.assertIn("the version is", self.release(tree, "9.9.9", 1))
        run("git", *NAMES, "-C", tree, "tag", f"v{version}")
        with open(os.path.join(tree, "README.md"), "a", encoding="utf-8") as file: file.write("[nothing](nowhere.md)\n")
        said = self.release(tree, version, 1)
        for part in ("not committed", f"tag v{version} is there", "nowhere.md"): self.assertIn(part, said)
        self.assertFalse(os.path.exists(os.path.join(tree, "build/release")))


if __name__ == "__main__":
    need("git", "tar", "gzip", "cmake", "re2c", "lemon")
    if not os.path.exists(os.path.join(ROOT, ".git")): need("a git repository")
    unittest.main()
