#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Operands of arms and companions: each way to name a flow, a signal, a checkpoint or a mailbox in a member.

Wrong ways must be errors of ufc (UF0417) with help, so that no operand is reported by the C compiler alone. The C
compiler and ufc must accept the text of the help, too.

usage: operands.py --ufc UFC --root ROOT --cc CC
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = """\
flow Child {{
    signal bell;
    checkpoint gate;
    mailbox int box[4];
    forever task Ever {{ step S {{ await {{ bell -> S; gate -> S; box -> S; }} }} }}
}}
flow Nest {{ flow Child inner, more[2]; task T {{ step S {{ await idle(&flow->inner) -> done; }} }} }}
flow A(Child *other) {{
    flow Child sub, many[3];
    flow Nest nest;
    pool Child ms[3];
    task Start {{ step S {{ spawn ms.Ever(); await run Nest.T(&flow->nest) -> done; }} }}
    task Work {{
        {companion}
        step S {{ {before} await {{ {arm}; timeout 1s -> done; }} }}
    }}
    task Idle {{ step S {{ await {{ idle(&flow->sub) -> T; idle(flow->other) -> T; idle(&flow->many[0]) -> T; }} }}
                 step T {{ done; }} }}
}}
"""
ARMS = {
    "run": ("", "run Child.Ever(@) -> done"),
    "idle": ("", "idle(@) -> done"),
    "room": (".box", "room(@) -> done"),
    "fired": (".bell", "fired(@) -> done"),
    "arrived": (".gate", "arrived(@) -> done"),
    "member of all": (".bell", "all(fired(@), deadline(3)) -> done"),
    "guarded": (".box", "if (flow->other) room(@) -> done"),
}
COMPANION = "with run Child.Ever(@);"
PLACES = ("sub", "many[1]", "nest.inner", "nest.more[1]")
RIGHT = [f"&flow->{place}" for place in PLACES]
WRONG = [form + place for place in PLACES for form in ("", "&", "flow->")]
POOL = ["ms[1]", "&ms[1]", "flow->ms[1]", "&flow->ms[1]"]


def cases():
    for operands, code in ((RIGHT, None), (WRONG, "UF0417"), (POOL, "UF0417")):
        for operand in operands:
            for name, (suffix, arm) in ARMS.items():
                text = operand + suffix
                yield f"{name} of {text}", dict(companion="", before="", arm=arm.replace("@", text)), code
            yield f"companion {operand}", dict(companion=COMPANION.replace("@", operand), before="",
                                               arm="deadline(3) -> done"), code
    # Locals hide members.
    for name, (suffix, arm) in ARMS.items():
        pointer = f"&sub->{suffix[1:]}" if suffix else "sub"
        yield f"{name} of a local", dict(companion="", before="Child *const sub = flow->other;",
                                         arm=arm.replace("@", pointer)), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--cc", required=True)
    options = parser.parse_args()
    ufc, include = os.path.abspath(options.ufc), os.path.join(os.path.abspath(options.root), "runtime", "include")
    failures, accepted, count = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return done.returncode, done.stdout

        def translate(text):
            with open(os.path.join(folder, "x.uflow"), "w", encoding="utf-8") as file:
                file.write(text)
            return run(ufc, "x.uflow")

        for name, fields, code in cases():
            count += 1
            text = PROGRAM.format(**fields)
            status, said = translate(text)
            errors = re.findall(r"error: .*\[(UF\d{4})\]", said)
            if code and (errors != [code] or "= help: " not in said):
                failures.append(f"{name}: not one {code} with help:\n{said}")
            help_text = re.search(r"= help: write `(&flow->[^`]*)`", said)
            wrong = re.search(r"of (\S+)$|companion (\S+)$", name)
            if code and help_text:  # the text that the help names, in its place
                accepted.append((f"help of {name}", text.replace(f"({wrong[1] or wrong[2]})", f"({help_text[1]})")))
            elif not code:
                accepted.append((name, text))
        for name, text in accepted:
            status, said = translate(text)
            if status or "error" in said:
                failures.append(f"{name}: ufc says\n{said}")
                continue
            status, said = run(options.cc, "-std=c11", "-fsyntax-only", "-Werror", "-I", include, "x.c")
            if status:
                failures.append(f"{name}: {options.cc} says\n{said}")
    for failure in failures[:20]:
        print(failure)
    print(f"{count} operands, {len(accepted)} accepted ones: {len(failures)} failures")
    return 1 if failures or not accepted else 0


if __name__ == "__main__":
    sys.exit(main())
