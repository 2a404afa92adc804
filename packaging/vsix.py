#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the extension for VS Code: one file, to install with `code --install-extension`. The same sources and modules
give the same bytes.

usage: vsix.py OUTPUT [--modules DIR]     DIR: node_modules with vscode-languageclient; otherwise npm brings it"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from xml.sax.saxutils import escape, quoteattr

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTENSION = os.path.join(ROOT, "editors/vscode")
MODULE = "vscode-languageclient"
# What the editor does not load: sources, maps, documents.
LEFT_OUT = (".map", ".ts", ".md", ".yml", ".yaml", ".tgz", ".lock", ".tsbuildinfo")
TYPES = {".json": "application/json", ".js": "application/javascript", ".cjs": "application/javascript",
         ".mjs": "application/javascript", ".md": "text/markdown", ".txt": "text/plain",
         ".vsixmanifest": "text/xml"}


def complain(text):
    print(f"vsix: {text}", file=sys.stderr)
    sys.exit(1)


def bring_modules(folder):
    """npm installs what package-lock.json names, and runs no script of a package."""
    if not shutil.which("npm"): complain(f"{MODULE} is missing, and there is no npm. Debian: npm")
    for name in ("package.json", "package-lock.json"): shutil.copy(os.path.join(EXTENSION, name), folder)
    done = subprocess.run(["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0: complain(f"npm cannot install {MODULE}:\n{done.stdout}")
    return os.path.join(folder, "node_modules")


def files_in(folder):
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names): yield os.path.relpath(os.path.join(at, name), folder)


def read(path):
    with open(path, "rb") as file: return file.read()


def collect(modules):
    """The files of the archive: name and content."""
    made = {}
    for name in files_in(EXTENSION):
        if name.startswith("node_modules/") or name == "package-lock.json": continue
        made["extension/" + ("readme.md" if name == "README.md" else name)] = read(os.path.join(EXTENSION, name))
    made["extension/LICENSE.txt"] = read(os.path.join(ROOT, "LICENSE"))
    made["extension/changelog.md"] = read(os.path.join(ROOT, "CHANGELOG.md"))
    for name in files_in(modules):
        is_text = os.path.splitext(name)[1] in (".js", ".cjs", ".mjs", ".json")
        is_licence = os.path.basename(name).lower().startswith(("licen", "thirdparty"))
        if name.endswith(LEFT_OUT) and not is_licence or not (is_text or is_licence): continue
        # A name without an ending has no type in the archive.
        end = "" if os.path.splitext(name)[1] in TYPES else ".txt"
        made[f"extension/node_modules/{name}{end}"] = read(os.path.join(modules, name))
    return made


def head(json_):
    properties = {"Microsoft.VisualStudio.Code.Engine": json_["engines"]["vscode"],
                  "Microsoft.VisualStudio.Code.ExtensionDependencies": "",
                  "Microsoft.VisualStudio.Code.ExtensionKind": "workspace"}
    rows = "".join(f"      <Property Id={quoteattr(key)} Value={quoteattr(value)} />\n"
                   for key, value in properties.items())
    assets = {"Microsoft.VisualStudio.Code.Manifest": "extension/package.json",
              "Microsoft.VisualStudio.Services.Content.Details": "extension/readme.md",
              "Microsoft.VisualStudio.Services.Content.Changelog": "extension/changelog.md",
              "Microsoft.VisualStudio.Services.Content.License": "extension/LICENSE.txt"}
    parts = "".join(f"    <Asset Type={quoteattr(kind)} Path={quoteattr(path)} Addressable=\"true\" />\n"
                    for kind, path in assets.items())
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(json_["name"])} Version={quoteattr(json_["version"])} \
Publisher={quoteattr(json_["publisher"])} />
    <DisplayName>{escape(json_["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(json_["description"])}</Description>
    <Tags>{escape(",".join(json_["keywords"]))}</Tags>
    <Categories>{escape(",".join(json_["categories"]))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
{rows}    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
{parts}  </Assets>
</PackageManifest>
"""


def types_of(names):
    ends = sorted({os.path.splitext(name)[1] for name in names} - {""})
    unknown = [end for end in ends if end not in TYPES]
    if unknown: complain(f"files of unknown types: {' '.join(unknown)}")
    rows = "".join(f"  <Default Extension={quoteattr(end)} ContentType={quoteattr(TYPES[end])} />\n" for end in ends)
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n{rows}</Types>\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--modules")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        modules = chosen.modules or bring_modules(folder)
        if not os.path.exists(os.path.join(modules, MODULE, "package.json")): complain(f"{modules} has no {MODULE}")
        made = collect(modules)
    made["extension.vsixmanifest"] = head(json.loads(made["extension/package.json"])).encode()
    made = {"[Content_Types].xml": types_of(made).encode(), **made}
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    with zipfile.ZipFile(chosen.output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in made.items():
            info = zipfile.ZipInfo(name, when)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(info, content)


if __name__ == "__main__": main()
