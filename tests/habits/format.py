"""Checks that the C files are formatted with .clang-format: ./dev fmt does it. Shows the first file that is not.

usage: format.py ROOT"""
import shutil
import subprocess
import sys

from sources import sources


def main():
    root = sys.argv[1]
    if not shutil.which("clang-format"):
        sys.exit(77)
    # Samples of the documents are narrower.
    paths = [path for path in sources(root, (".c", ".h"), ()) if not path.startswith("docs/")]
    done = subprocess.run(["clang-format", "--dry-run", "--Werror", "--ferror-limit=1", *paths], cwd=root,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        first = done.stderr.split(":", 1)[0]
        formatted = subprocess.run(["clang-format", first], cwd=root, stdout=subprocess.PIPE, text=True).stdout
        print(f"{first} is not formatted; ./dev fmt formats all files:", flush=True)
        subprocess.run(["diff", "-u", first, "-"], cwd=root, input=formatted, text=True)
        sys.exit(1)
    print(f"{len(paths)} files")


if __name__ == "__main__":
    main()
