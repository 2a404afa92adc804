#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the files for package managers: a port of vcpkg, two recipes of Conan, a formula of Homebrew, and a library
for Arduino and PlatformIO. They name a source archive with its checksums. The library contains the amalgamation.

usage: ways.py ARCHIVE OUTPUT [--url URL] [--homepage URL] [--ufc UFC]

The archive is that of packaging/make.sh. --url is the place that serves it, by default the file itself. With --ufc, the
library has an example with its generated files. The same archive gives the same bytes."""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
LIBRARY = ("library.properties", "library.json")  # of Arduino and PlatformIO: one zip for both


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file: return file.read()


def write(text, *path):
    name = os.path.join(*path)
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="utf-8") as file: file.write(text)


def values(options):
    with open(options.archive, "rb") as file: content = file.read()
    version = re.search(r"uflow-([\d.]+)\.tar\.gz$", options.archive)[1]
    return {"VERSION": version, "URL": options.url or "file://" + os.path.abspath(options.archive),
            "HOMEPAGE": options.homepage, "SHA256": hashlib.sha256(content).hexdigest(),
            "SHA512": hashlib.sha512(content).hexdigest()}


def filled(text, facts):
    return re.sub(r"@([A-Z0-9]+)@", lambda match: facts[match[1]], text)


def library(output, facts, ufc):
    folder = os.path.join(output, "arduino", "uflow")
    for name in LIBRARY: write(filled(read(HERE, "arduino", name + ".in"), facts), folder, name)
    made = os.path.join(output, "arduino", "amalgamation")
    subprocess.run([sys.executable, "-EsB", os.path.join(ROOT, "runtime/amalgamate.py"), made, "--core"], check=True)
    # The IDE has no place for flags of a library, so the file chooses the port for bare metal itself.
    write("#ifndef UFP_BARE\n#define UFP_BARE\n#endif\n" + read(made, "uflow.c"), folder, "src/uflow.c")
    write(read(made, "uflow/uflow.h"), folder, "src/uflow/uflow.h")
    write('#include "uflow/uflow.h"\n', folder, "src/uflow.h")
    shutil.rmtree(made)
    shutil.copy(os.path.join(ROOT, "LICENSE"), folder)
    if ufc:
        sketch = os.path.join(folder, "examples/Blink")
        shutil.copytree(os.path.join(HERE, "arduino/examples/Blink"), sketch)
        subprocess.run([ufc, "blink.uflow"], cwd=sketch, check=True)
    pack(folder, os.path.join(output, f"uflow-arduino-{facts['VERSION']}.zip"))


def pack(folder, name):
    """Files in order, with one time and mode."""
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        for at, folders, files in os.walk(folder):
            folders.sort()
            for file in sorted(files):
                path = os.path.join(at, file)
                entry = zipfile.ZipInfo(os.path.relpath(path, os.path.dirname(folder)), (2026, 1, 1, 0, 0, 0))
                entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
                with open(path, "rb") as content: archive.writestr(entry, content.read())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive")
    parser.add_argument("output")
    parser.add_argument("--url")
    parser.add_argument("--homepage", default="https://example.org/uflow")
    parser.add_argument("--ufc")
    options = parser.parse_args()
    facts = values(options)
    for folder in ("vcpkg", "conan", "homebrew"):
        for at, _, files in os.walk(os.path.join(HERE, folder)):
            for name in files:
                text = filled(read(at, name), facts)
                write(text, options.output, os.path.relpath(at, HERE), name.removesuffix(".in"))
    library(options.output, facts, options.ufc and os.path.abspath(options.ufc))


if __name__ == "__main__":
    main()
