#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The source archive is the same in any directory. It builds the grammar without re2c and lemon, from copies of their
output, with CMake and Meson. It needs both again when the grammar has been changed."""
import filecmp
import os
import re
import shutil
import subprocess

from package import CC, make_twice, need, run

GENERATED = ("uflow_scan.c", "uflow_parse.c", "uflow_parse.h")
ABSENT = ("-DUFLOW_RE2C=/nowhere/re2c", "-DUFLOW_LEMON=/nowhere/lemon")


def configure(tree, name, *options):
    run("cmake", "-S", tree, "-B", os.path.join(tree, name), "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}",
        "-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF", *options)


def build(tree, name, target, status=0):
    done = subprocess.run(["cmake", "--build", os.path.join(tree, name), "--target", target], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == status, done.stdout[-4000:]
    return done.stdout


def meson(tree, *command, status=0):
    """In an environment without re2c and lemon."""
    path = os.path.join(tree, "programs")
    os.makedirs(path, exist_ok=True)
    for program in ("meson", "ninja", "sh", CC, "as", "ld", "ar"):
        if not os.path.lexists(os.path.join(path, os.path.basename(program))):
            os.symlink(shutil.which(program), os.path.join(path, os.path.basename(program)))
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PATH": path, "CC": CC})
    assert (done.returncode != 0) == status, done.stdout[-4000:]
    return done.stdout


def main():
    need("cmake", "ninja", "meson", "re2c", "lemon", "tar", "gzip")
    folder, output, names = make_twice("source")
    archive, = names
    tree = os.path.join(folder, archive[:-len(".tar.gz")])
    run("tar", "-xzf", os.path.join(output, archive), "-C", folder)
    assert os.stat(os.path.join(tree, "README.md")).st_mtime == 1700000000
    assert os.stat(os.path.join(tree, "README.md")).st_mode & 0o777 == 0o644
    assert os.stat(os.path.join(tree, "dev")).st_mode & 0o777 == 0o755
    run("sha256sum", "-c", "generated/inputs.sha256", cwd=os.path.join(tree, "grammar"))

    configure(tree, "build-without", *ABSENT)
    build(tree, "build-without", "ufc_grammar")

    meson(tree, "meson", "setup", "build-meson")
    targets = meson(tree, "ninja", "-C", "build-meson", "-t", "targets", "all")
    objects = re.findall(r"^(\S*uflow_(?:scan|parse)\.c\.o|\S*syntax_parse\.c\.o): ", targets, re.M)
    assert len(objects) == 3, objects
    meson(tree, "ninja", "-C", "build-meson", *objects)

    # The files equal a fresh generation.
    shutil.move(os.path.join(tree, "grammar/generated"), os.path.join(folder, "generated"))
    configure(tree, "build-fresh", "-DUFLOW_GRAMMAR_LINES=OFF")
    build(tree, "build-fresh", "uflow_grammar_sources")
    for name in GENERATED:
        assert filecmp.cmp(os.path.join(folder, "generated", name), os.path.join(tree, "build-fresh/grammar", name),
                           shallow=False), f"{name} in the archive is not what re2c and lemon make"
    shutil.move(os.path.join(folder, "generated"), os.path.join(tree, "grammar/generated"))

    # A changed grammar is not ignored.
    with open(os.path.join(tree, "grammar/uflow_parse.y"), "a", encoding="utf-8") as file:
        file.write("/* changed */\n")
    assert "/nowhere/lemon" in build(tree, "build-without", "ufc_grammar", status=1)
    assert "'lemon' not found" in meson(tree, "ninja", "-C", "build-meson", *objects, status=1)

    # The archive can be made from an unpacked archive.
    run("bash", os.path.join(tree, "packaging/make.sh"), os.path.join(folder, "again"), "source")
    print(f"{archive}: {os.path.getsize(os.path.join(output, archive))} bytes, twice")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
