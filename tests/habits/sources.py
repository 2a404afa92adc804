# SPDX-License-Identifier: MIT
"""Lists the hand-written files: the whole repository except builds, expected outputs and data."""
import os

SUFFIXES = (".c", ".h", ".cpp", ".hpp", ".uflow", ".py", ".re", ".y", ".def", ".cmake", ".sh", ".js", ".css")
NAMES = ("CMakeLists.txt", "dev", "run")


def sources(root, suffixes=SUFFIXES, names=NAMES):
    """Paths, relative to the root."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build", "_build", "__")) or f == ".ci")
        for file in sorted(files):
            if file.endswith(tuple(suffixes)) or file in names:
                yield os.path.relpath(os.path.join(folder, file), root)
