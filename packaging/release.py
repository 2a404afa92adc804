#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes what a release consists of, for the commit that is checked out: archives, packages, files for package managers,
the changes as text, and checksums. The same commit gives the same bytes.

usage: release.py VERSION OUTPUT [--without-debs] [--ufc UFC] [--url URL]

It refuses if the version or the date of the changes is not that of a release, if something is not committed, or if the
tag is there. It makes no tag and uploads nothing: it prints what is left to do. --url is where the archive will be."""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PYTHON = [sys.executable, "-EsB"]
CHECKS = ("tests/habits/version.py", "tests/habits/spdx.py", "tests/docs/links.py", "tests/docs/facts.py")
NOT_AVAILABLE = 77
LEFT = """
Left to do by hand, after `.ci/run` and `./dev nightly` have passed for this commit:
    git tag -s v{version} -F {notes}
    git push origin v{version}
    upload the files of {output}, with SHA256SUMS
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file: return file.read()


def git(*arguments):
    return subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, *arguments], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def changes(version):
    """The section of CHANGELOG.md, and what is wrong with its heading."""
    found = re.search(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", read(ROOT, "CHANGELOG.md"), re.M | re.S)
    wrong = "" if re.fullmatch(rf"{re.escape(version)}, \d{{4}}-\d\d-\d\d: ABI \d+", found[1]) else \
        f"CHANGELOG.md: the newest heading is `{found[1]}`; that of a release is `{version}, YYYY-MM-DD: ABI N`"
    return f"uflow {found[1]}\n{found[2]}", wrong


def problems(version):
    yield changes(version)[1]
    stated = re.search(r"^project\(uflow VERSION ([\d.]+)", read(ROOT, "CMakeLists.txt"), re.M)[1]
    if stated != version: yield f"CMakeLists.txt: the version is {stated}"
    if git("status", "--porcelain"): yield "there are changes that are not committed, or files that git does not know"
    if git("tag", "--list", f"v{version}"): yield f"the tag v{version} is there"
    for check in CHECKS:
        done = subprocess.run([*PYTHON, os.path.join(ROOT, check), ROOT], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode not in (0, NOT_AVAILABLE): yield f"{check}:\n{done.stdout.rstrip()}"


def make(options, output):
    kinds = [] if not options.without_debs else ["source"]
    subprocess.run([os.path.join(HERE, "make.sh"), output, *kinds], check=True, stdout=subprocess.DEVNULL)
    archive = os.path.join(output, f"uflow-{options.version}.tar.gz")
    with tempfile.TemporaryDirectory(dir=output) as work:
        more = [*(["--url", options.url] if options.url else []), *(["--ufc", options.ufc] if options.ufc else [])]
        subprocess.run([*PYTHON, os.path.join(HERE, "ways.py"), archive, os.path.join(work, "ways"), *more], check=True)
        name = f"uflow-arduino-{options.version}.zip"
        shutil.move(os.path.join(work, "ways", name), os.path.join(output, name))
        subprocess.run([*PYTHON, os.path.join(ROOT, "runtime/amalgamate.py"), os.path.join(work, "one")], check=True)
        pack(os.path.join(work, "one"), os.path.join(output, f"uflow-amalgamation-{options.version}.tar.gz"))
    text = changes(options.version)[0]
    with open(os.path.join(output, "CHANGES.txt"), "w", encoding="utf-8") as file: file.write(text)
    sums = ""
    for name in sorted(os.listdir(output)):
        with open(os.path.join(output, name), "rb") as file: content = file.read()
        sums += f"{hashlib.sha256(content).hexdigest()}  {name}\n"
    with open(os.path.join(output, "SHA256SUMS"), "w", encoding="utf-8") as file: file.write(sums)
    print(sums, end="")


def pack(folder, name):
    """With the time of the commit and no names of users."""
    archive = subprocess.run(["tar", "-c", "-C", folder, "--sort=name", "--format=gnu", "--owner=0", "--group=0",
                              "--numeric-owner", f"--mtime=@{git('log', '-1', '--format=%ct').strip()}",
                              "--mode=u+rw,go+r,go-w,a+X", "."], stdout=subprocess.PIPE, check=True).stdout
    with open(name, "wb") as file: subprocess.run(["gzip", "-9n"], input=archive, stdout=file, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("output")
    parser.add_argument("--without-debs", action="store_true")
    parser.add_argument("--ufc", help="makes the example of the library for Arduino")
    parser.add_argument("--url")
    options = parser.parse_args()
    options.ufc = options.ufc and os.path.abspath(options.ufc)
    found = [problem for problem in problems(options.version) if problem]
    if found:
        for problem in found: print(f"release: {problem}", file=sys.stderr)
        return 1
    output = os.path.abspath(options.output)
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    make(options, output)
    notes = os.path.join(options.output, "CHANGES.txt")
    print(LEFT.format(version=options.version, notes=notes, output=options.output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
