# SPDX-License-Identifier: MIT
"""Builds cores with a config, from the amalgamation, and programs with them."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUNTIME = os.path.join(ROOT, "tests/runtime")
sys.path[:0] = [os.path.join(ROOT, "runtime"), os.path.join(ROOT, "tests/amalgamation")]
import core as amalgamation  # noqa: E402

TABLE = amalgamation.amalgamate.read(os.path.join(ROOT, "runtime/include/uflow/priv/features.h"))
FEATURES = re.findall(r"\bFEATURE\((\w+), \"", TABLE)
IMPLIES = re.findall(r"\bIMPLIES\((\w+), (\w+)\)", TABLE.split("#define UF_IMPLICATIONS")[1])
# The members of structs that not each core has.
MEMBERS = {(re.search(r"\(\*(\w+)\)", member) or re.search(r"(\w+)(?: UF_WIDE)?$", member))[1]: name
           for file in ("pump", "clock", "priv/signal", "priv/flow", "generated/descriptors")
           for name, member in re.findall(
               r"(?:UF_WITH\(UF_USES_|\bOF\()(\w+),\s*([^;]*);",
               amalgamation.amalgamate.read(f"{ROOT}/runtime/include/uflow/{file}.h")) if name != "ALWAYS"}
MENDED_BY = re.compile(r"(?:set|needs) UF_USES_(\w+)(?::? set it)? to 1 in uf_config\.h")


def with_implied(features):
    features = set(features)
    while True:
        more = features | {other for name, other in IMPLIES if name in features}
        if more == features: return features
        features = more


class Refused(Exception):
    """A compiler or linker has refused something: its messages."""


class Fitted:
    def __init__(self, ufc, work, options=("-O0",)):
        self.ufc, self.work = os.path.abspath(ufc), os.path.abspath(work)
        self.cc = ["gcc", "-std=c11", *options, "-D_POSIX_C_SOURCE=200809L", f"-I{self.work}", f"-I{RUNTIME}"]
        os.makedirs(os.path.join(self.work, "uflow"), exist_ok=True)
        self.run([sys.executable, "-EsB", f"{ROOT}/runtime/amalgamate.py", self.work, "--core"])
        amalgamation.headers(self.work)
        self.cores = {}

    def run(self, command, cwd=None):
        done = subprocess.run(command, cwd=cwd or self.work, capture_output=True, timeout=600)
        if done.returncode:
            said = (done.stderr + done.stdout).decode(errors="replace")
            raise Refused(f"{' '.join(command)}: status {done.returncode}\n{said}")
        return done.stdout

    def config(self, flows):
        """The features that flows use, as ufc says."""
        text = self.run([self.ufc, "--emit=config", *flows]).decode()
        used = text.split("/* The flows do not use")[0]
        return {name for name in FEATURES if f"#define UF_USES_{name} 1" in used}

    def switches(self, features):
        """Options of the C compiler: a config with these features."""
        path = os.path.join(self.work, f"config_{self.number(features):x}.h")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#define UF_CONFIG_ABI UF_ABI\n")
            file.writelines(f"#define UF_USES_{name} {int(name in features)}\n" for name in FEATURES)
        return [f'-DUF_CONFIG_FILE="{path}"']

    @staticmethod
    def number(features):
        return sum(1 << FEATURES.index(name) for name in features)

    def core(self, features):
        key = self.number(features)
        if key not in self.cores:
            output = os.path.join(self.work, f"core_{key:x}.o")
            self.run([*self.cc, *self.switches(features), "-Wall", "-Wextra", "-c", "uflow.c", "-o", output])
            self.cores[key] = output
        return self.cores[key]

    def program(self, sources, features, output, *options):
        self.run([*self.cc, *self.switches(features), *options, *sources, self.core(features), "-lcmocka",
                  "-o", output])
        return output

    def least_program(self, sources, features, output, *options):
        """The same with the features that C code needs, too: the compiler names them. Returns: all features."""
        for _ in FEATURES:
            try:
                self.run([*self.cc, *self.switches(features), *options, "-fsyntax-only", *sources])
                self.objects(sources, features, options)
                break
            except Refused as refused:
                lacks = re.findall(r"has no member named .(\w+)", str(refused))
                more = set(MENDED_BY.findall(str(refused))) | {MEMBERS[name] for name in lacks if name in MEMBERS}
                more -= features
                if not more: raise
                features = with_implied(features | more)
        self.program(sources, features, output, *options)
        return features

    def objects(self, sources, features, options):
        for source in sources:
            self.run([*self.cc, *self.switches(features), *options, "-c", source, "-o", "object.o"])

    def generated(self, flow, name):
        output = os.path.join(self.work, f"{name}.c")
        self.run([self.ufc, flow, "-o", output])
        return output
