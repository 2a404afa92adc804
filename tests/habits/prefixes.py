# SPDX-License-Identifier: MIT
"""External names of the libraries begin with the prefix of their layer, so that none is a name of the user's program.

prefixes.py NM ARCHIVE..."""
import re
import subprocess
import sys

PREFIXES = re.compile(r"(uf|ufi|ufp|ufh|uft)_|main$|LLVMFuzzerTestOneInput$|__wrap_")


def external_names(nm, archive):
    done = subprocess.run([nm, "-g", "--defined-only", "-P", archive], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, universal_newlines=True, check=True)
    return {line.split()[0] for line in done.stdout.splitlines() if len(line.split()) > 1}


def main():
    nm, failures = sys.argv[1], 0
    for archive in sys.argv[2:]:
        names = external_names(nm, archive)
        strange = sorted(name for name in names if not PREFIXES.match(name))
        print(f"{archive}: {len(names)} names" + "".join(f"\n    {name}" for name in strange))
        failures += bool(strange) or not names
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
