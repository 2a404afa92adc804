# SPDX-License-Identifier: MIT
"""Common parts of the tests of packages: the sources at two places, and packaging/make.sh run there."""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("UFLOW_BUILD", os.path.join(ROOT, "build"))
CC = os.environ.get("CC", "cc")


def need(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print("not found:", *missing)
        sys.exit(77)


def run(*command, **options):
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run(command, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{' '.join(command)}: status {done.returncode}\n{(done.stdout or '')[-6000:]}"
    return done.stdout


def sources_at(tree):
    """Copies what is committed; without a repository, all but what is built."""
    if os.path.exists(os.path.join(ROOT, ".git")):
        os.makedirs(tree)
        run("sh", "-c", f"git -c safe.directory='*' -C '{ROOT}' archive HEAD | tar -x -C '{tree}'")
        return
    copy_of_sources(tree)


def copy_of_sources(tree):
    shutil.copytree(ROOT, tree, symlinks=True,
                    ignore=lambda at, names: [name for name in names if name in (".git", "__pycache__") or
                                              at == ROOT and name.startswith(("build", "_build"))])


def make_twice(what, time="1700000000"):
    """Runs packaging/make.sh in two directories and environments, compares its files, and returns their directory."""
    folder = tempfile.mkdtemp(prefix="uflow-package-")
    outputs = []
    for place, more in (("first", {"TZ": "Asia/Tokyo", "LANG": "C"}),
                        ("the second one", {"TZ": "America/Lima", "LANG": "C.UTF-8", "USER": "other", "HOME": "/"})):
        tree, output = os.path.join(folder, place, "tree"), os.path.join(folder, place, "output")
        copy_of_sources(tree)
        run("bash", os.path.join(tree, "packaging/make.sh"), output, what,
            env={**os.environ, "SOURCE_DATE_EPOCH": time, **more}, umask=0o077 if "second" in place else 0o022)
        outputs.append(output)
    names = sorted(os.listdir(outputs[0]))
    assert names and names == sorted(os.listdir(outputs[1])), names
    _, different, wrong = filecmp.cmpfiles(*outputs, names, shallow=False)
    assert not different and not wrong, f"two builds differ: {different + wrong}, see {folder}"
    return folder, outputs[0], names
