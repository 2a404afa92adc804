#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one C file and one header of the runtime, to copy into another project.

amalgamate.py OUTPUT_DIRECTORY [--core]

It writes uflow.c and uflow/uflow.h; with --core, of core and recorder alone: without threads, pools, console and
trace. These are freestanding if the compiler is, or with -DUFP_BARE.

All files become one translation unit. So names of file scope get the name of their file as a prefix, and macros of a
file end with it."""
import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))
PUBLIC_OF_CORE = ("uflow.h", "generated.h", "generated/durable.h", "recorder.h")
PUBLIC_OF_HOST = ("runtime.h", "console.h", "counters.h", "coverage.h", "dump.h", "inspect.h", "recorder_file.h",
                  "trace.h")
INTERNAL = ("core", "recorder", "host", "inspect", "observe", "port")

TOKEN = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
                   r"""|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<arrow>->)"""
                   r"""|(?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)|(?P<other>.)""", re.S | re.M)
OF_DIRECTIVE = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<![\w.>])[A-Za-z_]\w*')  # texts are never the name of something
INCLUDE = re.compile(r'^#include "([^"]+)"[^\n]*\n', re.M)
FEATURE = re.compile(r"^#(?:undef|define) _(?:GNU|POSIX_C)_SOURCE.*\n", re.M)
# In the one file, clang reports functions of headers that nothing calls. Which these are depends on the chosen parts.
QUIET = """#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
"""
LICENCE_LINE = re.compile(r"\A/\* SPDX-License-" r"Identifier: .* \*/\n")
PREFIXED = re.compile(r"uf[ihp]?_|UF[A-Z]*_")  # names that are unique anyway


def read(path):
    """The text, without the line that names the licence: the whole licence is at the top of each output."""
    with open(path, encoding="utf-8") as file: return LICENCE_LINE.sub("", file.read())


def tokens(text):
    return [(match.lastgroup, match[0]) for match in TOKEN.finditer(text)]


def code_of(text):
    return [(kind, token) for kind, token in tokens(text)
            if kind not in ("comment", "directive") and not token.isspace()]


def file_scope(text):
    """The names that a C file declares for itself: functions, variables, types and constants."""
    found, depth, chunk, before = set(), 0, [], ""
    for kind, token in code_of(text):
        if token == "{":
            if depth == 0: is_body = before == ")"
            if depth == 0 and is_body: found |= declared(chunk)
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0 and is_body: chunk = []
        elif depth == 0 and token == ";":
            found |= declared(chunk)
            chunk = []
        elif depth == 0:
            chunk.append(token)
        elif depth == 1 and kind == "name" and before in ("{", ",") and "enum" in chunk and "=" not in chunk:
            found.add(token)
        before = token
    return {name for name in found if not PREFIXED.match(name)}


DECLARES = ("typedef", "static", "enum", "struct", "union", "UF_NOINLINE", "INLINE")


def declared(chunk):
    """The names that a declaration at file scope declares, if other files cannot see them."""
    if not chunk or chunk[0] not in DECLARES: return set()
    names = [token for token in chunk if re.match(r"[A-Za-z_]", token)]
    tagged = names[0] in ("typedef", "enum", "struct", "union")
    found = {names[at + 1] for at in range(min(2, len(names) - 1))
             if tagged and names[at] in ("enum", "struct", "union")}
    if "static" not in names and names[0] != "typedef": return found
    text = re.sub(r"\[[^]]*\]", "", " ".join(chunk).split(" =")[0])
    name = re.search(r"\( (?:WINAPI )?\* (?:const )?(\w+)", text.split(" ) (")[0]) or re.search(r"(\w+) \(", text)
    return found | {name[1] if name else re.findall(r"\w+", text)[-1]}


def renamed(text, names):
    """The file with other names. Members keep theirs, also where a struct of the file declares them."""
    all_tokens = tokens(text)
    solid = [at for at, (kind, token) in enumerate(all_tokens) if kind != "comment" and not token.isspace()]
    after = {at: all_tokens[later] for at, later in zip(solid, solid[1:])}
    out, before, earlier, structs = [], "", "", []
    for at, (kind, token) in enumerate(all_tokens):
        if kind == "directive":
            is_include = token.lstrip(" #").startswith("include")
            new = OF_DIRECTIVE.sub(lambda match: names.get(match[0], match[0]), token)
            out.append(token if is_include else new)
            continue
        new = token
        if token == "{": structs.append("struct" in (before, earlier) or "union" in (before, earlier))
        if token == "}" and structs: structs.pop()
        if kind == "name" and before not in (".", "->"):
            kind_after, text_after = after.get(at, ("", ""))
            is_offset = "offsetof" in "".join(out[-8:]) and before == ","
            is_type = kind_after == "name" or text_after == "*"
            is_member = is_offset or structs and structs[-1] and before != "[" and not is_type
            if not is_member: new = names.get(token, token)
        out.append(new)
        if at in after or not token.isspace() and kind != "comment": earlier, before = before, token
    return "".join(out)


class Amalgamation:
    def __init__(self, directories):
        self.directories = [os.path.join(ROOT, directory) for directory in directories]
        self.included = set()
        headers = "".join(read(path) for directory in directories for path in files(directory, ".h"))
        self.shared = set(re.findall(r"\b(?:struct|enum|union) (\w+)", headers))  # tags

    def find(self, name):
        for directory in self.directories:
            path = os.path.join(directory, name)
            if os.path.exists(path): return path
        return None

    def with_includes(self, text):
        """The text with each header at the place where it is included first."""
        def content(match):
            path = self.find(match[1])
            if not path: sys.exit(f"amalgamate.py: there is no {match[1]}")
            if path in self.included: return ""
            self.included.add(path)
            return f"\n{self.with_includes(read(path)).strip()}\n\n"
        return INCLUDE.sub(content, text)

    def file(self, path):
        text, stem = FEATURE.sub("", read(path)), re.sub(r"\W", "_", os.path.splitext(os.path.basename(path))[0])
        names = {name: f"{stem}_c_{name}" for name in file_scope(text) if name not in self.shared}
        macros = re.findall(r"^#define (\w+)", text, re.M)
        end = "".join(f"#undef {macro}\n" for macro in dict.fromkeys(macros))
        return f"\n{self.with_includes(renamed(text, names)).strip()}\n{end}"


def files(directory, end):
    return sorted(os.path.join(path, name) for path, _, names in os.walk(os.path.join(ROOT, directory))
                  for name in names if name.endswith(end))


def sources(directory):
    return files(directory, ".c")


def header(core):
    whole = Amalgamation(["include"])
    names = PUBLIC_OF_CORE + (() if core else PUBLIC_OF_HOST)
    return whole.with_includes("".join(f'#include "uflow/{name}"\n' for name in names)).strip() + "\n", whole.included


def choice(condition, first, second):
    return f"\n#if {condition}\n{''.join(first)}\n#else\n{''.join(second)}\n#endif\n"


def source(core, headers):
    whole = Amalgamation(["include", *INTERNAL])
    whole.included = set(headers)
    port = os.path.join(ROOT, "port")
    parts = ['#define UFI_CORE\n#include "uflow/uflow.h"\n']
    parts += map(whole.file, sources("core") + sources("recorder"))
    if core:
        bare, alone, windows, posix = (whole.file(os.path.join(port, name))
                                       for name in ("bare.c", "alone.c", "windows.c", "posix.c"))
        system = choice("defined(_WIN32)", windows, posix)
        parts.append(choice("defined(UFP_BARE) || !__STDC_HOSTED__", bare, alone + system))
        feature = "#if !defined(UFP_BARE) && __STDC_HOSTED__ && !defined(_POSIX_C_SOURCE)\n" \
                  "#define _POSIX_C_SOURCE 200809L\n#endif\n"
    else:
        windows, posix = ([path for path in sources("port") if re.search(rf"/{name}\w*\.c$", path)]
                          for name in ("windows", "posix"))
        parts += map(whole.file, sources("observe") + sources("host"))
        parts.append(choice("defined(_WIN32)", [whole.file(path) for path in windows],
                            [whole.file(path) for path in sources("inspect") + posix]))
        feature = "#if !defined(_GNU_SOURCE)\n#define _GNU_SOURCE\n#endif\n"
    return feature + QUIET + "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--core", action="store_true")
    options = parser.parse_args()
    what = "core and recorder" if options.core else "the runtime"
    notice = "".join(f" * {line}".rstrip() + "\n" for line in read(os.path.join(ROOT, "../LICENSE")).splitlines())
    top = f"/* uflow: {what} in one file, made by runtime/amalgamate.py.\n *\n{notice} */\n"
    text, headers = header(options.core)
    os.makedirs(os.path.join(options.output, "uflow"), exist_ok=True)
    for name, content in (("uflow/uflow.h", text), ("uflow.c", source(options.core, headers))):
        with open(os.path.join(options.output, name), "w", encoding="utf-8") as file: file.write(top + content)


if __name__ == "__main__":
    main()
