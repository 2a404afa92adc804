# SPDX-License-Identifier: MIT
"""A test that takes names of examples, documents or test cases refuses an unknown one: it lists the known names, and
exits with 2.

usage: unknown_names.py ROOT"""
import os
import re
import subprocess
import sys
import tempfile

TAKES_NAMES = re.compile(r"^(?:usage: )?check\.py .*\[(?:NAME|PROJECT|DOCUMENT)\.\.\.\]|^from chosen import", re.M)
ENVIRONMENT = ("UFC", "UFLOW_TRACE", "UFLOW_COV", "TRACES", "COVERED", "EVENTS", "LAPS", "CHROMIUM", "UFLOW_LSP")
# Their other arguments, and an existing name.
SCRIPTS = {
    "adopt/check.py": (["build"], "meson"),
    "docs/check.py": (["--ufc=ufc", "--library=a", "--cc=cc", "--root=."], "README.md"),
    "e2e/beside.py": ([], "Beside"),
    "e2e/compare.py": ([], "Compare"),
    "e2e/fmt.py": ([], "Layout"),
    "editors/check.py": ([], "Words"),
    "golden/dump/check.py": (["--ufc=ufc"], "picker"),
    "golden/emit/check.py": (["--ufc=ufc", "--include=include"], "picker"),
    "golden/errors/check.py": (["--ufc=ufc", "--root=."], "flow_too_large"),
    "html/check.py": ([], "Diagrams.test_layout"),
    "html/opening.py": ([], "Opening"),
    "html/pictures.py": ([], "simulator"),
    "html/shapes.py": ([], "Shapes"),
    "html/standstill.py": ([], "Standstill"),
    "lsp/check.py": ([], "Life"),
    "manual/check.py": ([], "Completions"),
    "package/ways.py": ([], "Ways"),
    "strict/check.py": (["--ufc=ufc", "--root=."], "c23"),
    "vscode/check.py": ([], "Manifest"),
    "top/check.py": ([], "Documents"),
}


def takers(tests):
    for folder, _, files in os.walk(tests):
        for file in files:
            path = os.path.join(folder, file)
            if not file.endswith(".py") or folder == tests:
                continue
            with open(path, encoding="utf-8") as text:
                if TAKES_NAMES.search(text.read()):
                    yield os.path.relpath(path, tests)


def main():
    root = os.path.abspath(sys.argv[1])
    tests, failures = os.path.join(root, "tests"), []
    failures += [f"{script}: is not in the table of tests/habits/unknown_names.py" for script in takers(tests)
                 if script not in SCRIPTS]
    environment = {**os.environ, **dict.fromkeys(ENVIRONMENT, sys.executable), "UFLOW_ROOT": root, "SIZES": "1",
                   "LINE": "line", "WORK": os.path.join(tempfile.gettempdir(), "uflow-unknown-names")}
    for script, (arguments, known) in SCRIPTS.items():
        for more in ([], ["--update"]) if script != "strict/check.py" else ([],):
            done = subprocess.run([sys.executable, "-B", os.path.join(tests, script), *arguments, *more, "no_such"],
                                  cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  stdin=subprocess.DEVNULL, timeout=60)
            if done.returncode != 2 or "no_such`; there are:" not in done.stderr or known not in done.stderr:
                failures.append(f"{script} {' '.join(more)} no_such: exits with {done.returncode}\n{done.stderr}")
    for failure in failures:
        print(failure)
    print(f"{len(SCRIPTS)} scripts, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
