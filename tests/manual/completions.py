#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The completions of the tools are those of their --help, and work in bash, zsh and fish.

usage: completions.py BIN_DIRECTORY [--update]     --update writes them"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from shells import shells

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = ("trace", "cov", "mutate", "store", "top")
OPTION = re.compile(r"^ {2}(?:-(\w), | {4})--([\w-]+)(?:=(\w+))?(?:; -(\w), --(\w+)$| +(\S.*)$)")
PLACES = {".bash": "bash-completion/completions/{}", ".zsh": "zsh/site-functions/_{}",
          ".fish": "fish/vendor_completions.d/{}.fish"}  # of an installation
NOTE = "made by tests/manual/completions.py --update of the output of --help"


class Option:
    def __init__(self, short, long, argument, text):
        self.short, self.long, self.argument, self.text = short, long, argument, text
        self.choices = []

    def finish(self):
        """The words of the choices, and the start of the help."""
        plain = re.sub(r" \([^)]*\)", "", self.text)
        if self.argument in ("FORMAT", "KEY"):
            self.choices = re.split(r", or |, | or ", re.sub(r"^sorts by |\.$", "", plain))
            self.text = "the order" if self.argument == "KEY" else "the format"
        self.text = re.split(r"[;:.](?= |$)", plain if not self.choices else self.text)[0].replace("'", "")
        self.names = ([f"-{self.short}"] if self.short else []) + [f"--{self.long}"]
        return self


def options(shown):
    found = []
    for line in shown.split("\n"):
        option = OPTION.match(line)
        if option and option[5]:
            found += [Option(None, option[2], None, "prints the version"),
                      Option(option[4], option[5], None, "prints this help")]
        elif option: found.append(Option(option[1], option[2], option[3], option[6]))
        elif found and re.match(r" {10,}\S", line): found[-1].text += " " + line.strip()
    return [option.finish() for option in found]


def bash(name, rows):
    function = "_" + name.replace("-", "_")
    words = [word for row in rows
             for word in row.names[:-1] + [row.names[-1] + ("=" if row.argument else "")]]
    cases = ""
    for row in rows:
        if not row.argument: continue
        does = ":"
        if row.choices: does = f"mapfile -t COMPREPLY < <(compgen -W '{' '.join(row.choices)}' -- \"$word\")"
        if row.argument in ("FILE", "DIR"):
            kind = "-d" if row.argument == "DIR" else "-f"
            does = f"mapfile -t COMPREPLY < <(compgen {kind} -- \"$word\") && compopt -o filenames"
        cases += f"    {' | '.join(row.names)}) {does} ;;\n"
    return f"""# bash completion for {name}, {NOTE}
{function}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}}
    COMPREPLY=()
    if [[ $word == = ]]; then # readline splits words at `=`
        word=
    elif [[ $option == = && $COMP_CWORD -gt 2 ]]; then
        option=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case $option in
{cases}    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '{' '.join(words)}' -- "$word")
            [[ ${{#COMPREPLY[@]}} -ne 1 || ${{COMPREPLY[0]}} != *= ]] || compopt -o nospace
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames
        fi
        ;;
    esac
}}
complete -F {function} {name}
"""


def zsh(name, rows):
    lines = ""
    for row in rows:
        action = {"FILE": "_files", "DIR": "_files -/"}.get(row.argument, "")
        if row.choices: action = f"({' '.join(row.choices)})"
        tail = f":{row.argument}:{action}" if row.argument else ""
        text = row.text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
        for spelling in row.names:
            mark = ("=" if spelling.startswith("--") else "+") if row.argument else ""
            lines += f"    '{spelling}{mark}[{text}]{tail}' \\\n"
    return f"#compdef {name}\n# zsh completion for {name}, {NOTE}\n_arguments -s -S \\\n{lines}    '*:file:_files'\n"


def fish(name, rows):
    lines = ""
    for row in rows:
        names = (f" -s {row.short}" if row.short else "") + f" -l {row.long}"
        values = ""
        if row.choices: values = f" -x -a '{' '.join(row.choices)}'"
        elif row.argument == "FILE": values = " -r -F"
        elif row.argument == "DIR": values = " -x -a '(__fish_complete_directories (commandline -ct))'"
        elif row.argument: values = " -x"
        lines += f"complete -c {name}{names}{values} -d '{row.text}'\n"
    return f"# fish completion for {name}, {NOTE}\n{lines}"


MAKERS = {".bash": bash, ".zsh": zsh, ".fish": fish}


def offers(name, rows, share, folder):
    """Compares what the shells offer with the options."""
    wanted = {"--": {f"--{row.long}" for row in rows}}
    for row in rows:
        if row.choices: wanted[f"--{row.long}="] = set(row.choices)
        if row.argument == "FILE": wanted[f"--{row.long}=n"] = {"notes.txt"}
        if row.argument == "DIR": wanted[f"--{row.long}="] = {"inner"}
    wanted["n"] = {"notes.txt"}
    for shell_name, shell in shells(share, folder, name):
        for word, words in wanted.items():
            found = {re.sub(r"^-.*=(?=.)", "", text).rstrip("=/") for text in shell.complete(f"{name} {word}")}
            if found != words: yield f"{name} in {shell_name}: `{word}` gives {sorted(found)}, not {sorted(words)}"
        shell.close()


def main():
    folder, update, failures = sys.argv[1], "--update" in sys.argv, []
    with tempfile.TemporaryDirectory() as place:
        share, files = os.path.join(place, "share"), os.path.join(place, "files")
        os.makedirs(os.path.join(files, "inner"))
        with open(os.path.join(files, "notes.txt"), "w", encoding="utf-8"): pass
        for tool in TOOLS:
            name = f"uflow-{tool}"
            program = os.path.join(folder, name)
            if not os.path.exists(program): continue
            rows = options(subprocess.check_output([program, "--help"], text=True))
            for suffix, make in MAKERS.items():
                path = os.path.join(ROOT, "tools", tool, "completions", name + suffix)
                text = make(name, rows)
                if update:
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "w", encoding="utf-8") as file: file.write(text)
                with open(path, encoding="utf-8") as file: same = file.read() == text
                if not same: failures.append(f"{path} is not what --help says; completions.py --update writes it")
                installed = os.path.join(share, PLACES[suffix].format(name))
                os.makedirs(os.path.dirname(installed), exist_ok=True)
                shutil.copy(path, installed)
            failures += offers(name, rows, share, files)
    print("\n".join(failures) or f"{len(TOOLS)} tools")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
