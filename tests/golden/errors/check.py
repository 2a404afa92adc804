#!/usr/bin/env python3
"""Compares the diagnostics with their examples, and docs/errors.md with both.

Each NAME.uflow here is a source and, behind it in a comment, what `ufc --check` says about it. Each has one fault and
must give one report. A file with several says so in its first line: `// expect N`. Every code of diag_codes.def needs
an example in which it is the only report. docs/errors.md is generated from the catalogue and the examples.

usage: check.py --ufc UFC --root ROOT [--update] [NAME...]     --update writes the comments and docs/errors.md
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
from chosen import chosen  # noqa: E402
ENTRY = re.compile(r'DIAG\(\s*(\d{4}),\s*(ERROR|WARNING),\s*"([^"]*)",\s*'
                   r'((?:"(?:[^"\\]|\\.)*"\s*)+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)'
                   r'|/\* -- (.*?) -+ \*/', re.S)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
REPORT = re.compile(r"^[^\n]*?:\d+:\d+: (error|warning): .*\[(UF\d{4})\b[^\]]*\]$", re.M)
MARK = "\n// ufc says:\n"

# Examples that are too large to be stored.
MADE = {
    "file_too_large": lambda: "flow Door {" + " " * (16 << 20) + "}",
    "flow_too_large": lambda: "flow Door { task Close {" +
    "".join(f"step S{i} {{ next S{i + 1}; }}\n" for i in range(65540))
                              + "step S65540 { done; } } }",
}


def text_of(literals):
    joined = "".join(STRING.findall(literals))
    return re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), joined)


def catalogue(root):
    """Returns, for each code: section, severity, name of the warning, title, explanation."""
    with open(os.path.join(root, "generator", "support", "diag_codes.def"), encoding="utf-8") as file:
        text = file.read()
    codes, section = {}, ""
    for entry in ENTRY.finditer(text):
        if entry[6]:
            section = entry[6].strip()
        else:
            codes["UF" + entry[1]] = (section, entry[2].lower(), entry[3], text_of(entry[4]), text_of(entry[5]))
    assert len(codes) == text.count("DIAG(") - text[: text.find("\nDIAG(")].count("DIAG("), "cannot parse an entry"
    return codes


def read(name):
    """Returns the source of an example, and what ufc should say; None: nothing is known of it yet."""
    with open(os.path.join(HERE, name + ".uflow"), encoding="utf-8", errors="surrogateescape", newline="") as file:
        source, mark, comment = file.read().partition(MARK)
    expected = "".join(line[3:] + "\n" for line in comment.split("\n")[:-1]) if mark else None
    return MADE[name]() if name in MADE else source, expected


def write_expected(name, source, said):
    comment = "".join("// " + line + "\n" if line else "//\n" for line in said.split("\n")[:-1])
    write(os.path.join(HERE, name + ".uflow"), ("" if name in MADE else source) + MARK + comment)


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def run_ufc(options, folder, name, *more):
    done = subprocess.run([options.ufc, "--check", *more, name + ".uflow"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done, done.stdout.decode("utf-8", "surrogateescape")


def check_example(name, options, examples, failures):
    source, expected = read(name)
    with tempfile.TemporaryDirectory() as made:
        write(os.path.join(made, name + ".uflow"), source)
        shutil.copytree(os.path.join(HERE, "import"), os.path.join(made, "import"))
        done, said = run_ufc(options, made, name)
        reports = REPORT.findall(said)
        if any(kind == "warning" for kind, _ in reports):
            _, strict = run_ufc(options, made, name, "-Werror")
            if [code for _, code in REPORT.findall(strict)] != [code for _, code in reports]:
                failures.append(f"{name}: with -Werror it is not the same reports:\n{strict}")
    wanted = re.match(r"// expect (\d+)", source)
    count = int(wanted[1]) if wanted else 1
    if len(reports) != count:
        failures.append(f"{name}: {len(reports)} diagnostics instead of {count}:\n{said}")
    elif done.returncode != (1 if any(kind == "error" for kind, _ in reports) else 0):
        failures.append(f"{name}: exit status {done.returncode}")
    elif options.update:
        write_expected(name, source, said)
    elif said != expected:
        failures.append(f"{name}: is not as expected (--update accepts it):\n{said}")
    if len(reports) == 1:
        examples.setdefault(reports[0][1], (name, said))


def anchor(code, title):
    """The anchor of a heading, as renderers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", f"{code}: {title}".lower()).replace(" ", "-")


def document(codes, examples):
    lines = ["# Diagnostics", "",
             "Every diagnostic of `ufc` has a code that does not change. `ufc --explain CODE` prints the explanation "
             "that is on this page.",
             "A test generates this page from the catalogue of the compiler and from its examples.", ""]
    lines += ["## Index", "", "| code | warning | what is wrong |", "|---|---|---|"]
    for code, (_, _, name, title, _) in sorted(codes.items()):
        lines.append(f"| [{code}](#{anchor(code, title)}) | {f'`{name}`' if name else ''} | {title} |")
    lines += ["", "## Warnings by name", "",
              "All warnings are on. `-Wno-NAME` silences one, `-Werror=NAME` makes it an error, and `-Werror` makes "
             "all of them errors.",
              "See [the options](ufc.md#options).", ""]
    named = {name: (code, title) for code, (_, _, name, title, _) in codes.items() if name}
    lines += [f"* `{name}`: {title} ([{code}](#{anchor(code, title)}))" for name,
              (code, title) in sorted(named.items())]
    last = None
    for code, (section, severity, name, title, explanation) in sorted(codes.items()):
        if section != last:
            lines += ["", f"## {section[:1].upper()}{section[1:]}"]
            last = section
        lines += ["", f"### {code}: {title}", ""]
        if name:
            lines += [f"Warning `{name}`.", ""]
        lines += [explanation]
        if code in examples:
            example, said = examples[code]
            source, _ = read(example)
            if len(source) < 2000 and all(c == "\n" or c.isprintable() for c in source):
                lines += ["", "```uflow", source.rstrip("\n"), "```", "", "```text", said.rstrip("\n"), "```"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.ufc = os.path.abspath(options.ufc)
    options.root = os.path.abspath(options.root)

    failures, examples = [], {}
    every = sorted(name[:-6] for name in os.listdir(HERE) if name.endswith(".uflow"))
    names = chosen(options.names, every)
    for name in names:
        check_example(name, options, examples, failures)
    if not options.names:
        codes = catalogue(options.root)
        failures += [f"{code} ({codes[code][3]}): there is no example of it" for code in codes if code not in examples]
        failures += [f"{code}: is not in diag_codes.def" for code in examples if code not in codes]
        path = os.path.join(options.root, "docs", "errors.md")
        page = document(codes, examples)
        with open(path, encoding="utf-8", newline="") as file:
            present = file.read()
        if options.update:
            write(path, page)
        elif present != page:
            failures.append("docs/errors.md: is not up to date (--update writes it)")
    for failure in failures:
        print(failure)
    print(f"{len(names)} examples, {len(failures)} failures")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
