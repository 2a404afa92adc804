# SPDX-License-Identifier: MIT
"""What the recipes use of conan.tools.files."""
import fnmatch
import hashlib
import os
import shutil
import subprocess


def get(recipe, url, sha256, strip_root):
    path = url.removeprefix("file://")
    with open(path, "rb") as file: assert hashlib.sha256(file.read()).hexdigest() == sha256, "checksum"
    assert strip_root
    os.makedirs(recipe.source_folder)
    subprocess.run(["tar", "-xzf", path, "--strip-components=1", "-C", recipe.source_folder], check=True)


def copy(_recipe, pattern, src, dst, keep_path=True, excludes=()):
    without = [excludes] if isinstance(excludes, str) else excludes
    for at, _, files in os.walk(src):
        for name in fnmatch.filter(files, pattern):
            path = os.path.join(at, name)
            if any(fnmatch.fnmatch(path, one) for one in without): continue
            to = os.path.join(dst, os.path.relpath(at, src) if keep_path else "", name)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(path, to)
