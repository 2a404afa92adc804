#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the ways in of packaging/, with the source archive of the committed files, and the table of them in
packaging/README.md.

usage: ways.py [--update] [NAME...]     --update writes the table. With UFLOW_DRY_RUN in the environment, recipes that
build uflow only configure it, and let ninja say what it would do."""
import configparser
import glob
import importlib.util
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from package import BUILD, CC, ROOT, run

sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402

DRY = os.environ.get("UFLOW_DRY_RUN")
UFC = os.environ.get("UFC", os.path.join(BUILD, "bin/ufc"))
IMITATIONS = os.path.join(ROOT, "tests/package/imitations")
DOCUMENT = os.path.join(ROOT, "packaging/README.md")
TABLE = re.compile(r"(?<=\| way \| files \| state \| test \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)*")
TRIED, DRY_RUN, SCHEMA = "tried", "dry run", "checked by schema"
WAYS = [  # the way, its files, its state, the test
    ("CMake: a subdirectory, FetchContent, `find_package()`", "examples/adopt", TRIED, "adopt.projects"),
    ("Meson, make, automake, pkg-config", "examples/adopt", TRIED, "adopt.projects"),
    ("packages of Debian", "packaging/debian", TRIED, "package.debs"),
    ("one C file and one header", "runtime/amalgamate.py", TRIED, "amalgamation.compilers"),
    ("vcpkg", "packaging/vcpkg", DRY_RUN, "package.ways"),
    ("Conan 2: the library, and `ufc` as a tool", "packaging/conan", DRY_RUN, "package.ways"),
    ("Homebrew", "packaging/homebrew", DRY_RUN, "package.ways"),
    ("ESP-IDF, a chip with one CPU", "packaging/esp-idf", DRY_RUN, "package.ways"),
    ("Zephyr, one CPU", "packaging/zephyr", DRY_RUN, "package.ways"),
    ("Arduino, boards with a Cortex-M", "packaging/arduino", SCHEMA, "package.ways"),
    ("PlatformIO, boards with a Cortex-M", "packaging/arduino", SCHEMA, "package.ways"),
]
ARDUINO = """#include <cstddef>
#include <cstdint>
#define LED_BUILTIN 13
#define OUTPUT 1
#define HIGH 1
#define LOW 0
void pinMode(int, int);
void digitalWrite(int, int);
unsigned long millis();
"""
CATEGORIES = ("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing", "Data Storage",
              "Data Processing", "Other")


def table():
    return "".join(f"| {way} | [{files}](../{files}) | {state} | `{test}` |\n" for way, files, state, test in WAYS)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file: return file.read()


def write(text, *path):
    name = os.path.join(*path)
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w", encoding="utf-8") as file: file.write(text)


class Ways(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="uflow-ways-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("bash", os.path.join(ROOT, "packaging/make.sh"), cls.folder, "source")
        cls.archive, = glob.glob(cls.folder + "/*.tar.gz")
        cls.version = re.search(r"-([\d.]+)\.tar", cls.archive)[1]
        cls.made = os.path.join(cls.folder, "made")
        cls.make(cls.made)

    @classmethod
    def make(cls, output):
        run(sys.executable, "-EsB", os.path.join(ROOT, "packaging/ways.py"), cls.archive, output, "--ufc", UFC)

    def work(self, name):
        path = os.path.join(self.folder, name)
        os.mkdir(path)
        return path

    def test_same_bytes_twice(self):
        again = os.path.join(self.folder, "again")
        self.make(again)
        run("diff", "-r", self.made, again)

    def test_vcpkg(self):
        port = os.path.join(self.made, "vcpkg/uflow")
        facts = json.loads(read(port, "vcpkg.json"))
        self.assertEqual(set(facts), {"name", "version", "description", "license", "supports", "dependencies"})
        self.assertEqual((facts["name"], facts["version"], facts["license"]), ("uflow", self.version, "MIT"))
        dry = ["-DDRY_RUN=1"] if DRY else []
        said = run("cmake", f"-DPORT={port}", f"-DWORK={self.work('vcpkg')}", *dry, "-P",
                   os.path.join(IMITATIONS, "vcpkg.cmake"))
        self.assertNotIn("not used by the project", said)

    def test_conan(self):
        sys.path.insert(0, IMITATIONS)
        for name, wanted in (("uflow", ("lib/libuflow.a", "include/uflow/uflow.h", "licenses/LICENSE")),
                             ("ufc", ("bin/ufc", "cmake/uflow.cmake"))):
            spec = importlib.util.spec_from_file_location(name, os.path.join(self.made, "conan", name, "conanfile.py"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            recipe = getattr(module, name.capitalize())(self.work("conan-" + name))
            self.assertEqual((recipe.name, recipe.version), (name, self.version))
            for step in ("source", "generate", "build", "package", "package_info"): getattr(recipe, step)()
            for path in wanted:
                if DRY and path.startswith(("lib/", "bin/")): continue
                self.assertTrue(os.path.exists(os.path.join(recipe.package_folder, path)), path)

    @unittest.skipUnless(shutil.which("ruby"), "needs ruby")
    def test_homebrew(self):
        run("ruby", os.path.join(IMITATIONS, "homebrew.rb"), os.path.join(self.made, "homebrew/uflow.rb"),
            self.work("homebrew"))

    def component(self, name, directory, headers):
        """Compiles the component, with a part of the system's headers."""
        work = self.work(name)
        write(f"""cmake_minimum_required(VERSION 3.20)
project({name} C)
set(CMAKE_C_STANDARD 11)
set(CONFIG_UFLOW y)
set(SYSTEM {headers} "{ROOT}/tests/bare/freertos")
add_compile_options(-Wall -Werror)
add_compile_definitions(CONFIG_FREERTOS_UNICORE)
include("{IMITATIONS}/components.cmake")
add_subdirectory("{ROOT}/packaging/{directory}" component)
if(NOT COMMAND target_uflow_sources)
    message(FATAL_ERROR "no target_uflow_sources()")
endif()
""", work, "CMakeLists.txt")
        run("cmake", "-S", work, "-B", work + "/build", "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}", f"-DUFLOW_UFC={UFC}")
        run("cmake", "--build", work + "/build", "--", "-j2")

    def test_esp_idf(self):
        subset = os.path.join(ROOT, "tests/bare/freertos/subset")
        headers = os.path.join(self.folder, "esp-headers")
        write(f'#include "{subset}/FreeRTOS.h"\nBaseType_t xPortInIsrContext(void);\n', headers, "freertos/FreeRTOS.h")
        write(f'#include "{subset}/task.h"\n', headers, "freertos/task.h")
        self.component("esp", "esp-idf/uflow", headers)

    def test_zephyr(self):
        module = read(ROOT, "zephyr/module.yml")
        for path in re.findall(r"(?:cmake|kconfig): (\S+)", module):
            self.assertTrue(os.path.exists(os.path.join(ROOT, path)), path)
        self.component("zephyr", "zephyr", os.path.join(ROOT, "tests/bare/zephyr/subset"))

    def test_arduino(self):
        library = os.path.join(self.made, "arduino/uflow")
        reader = configparser.ConfigParser(delimiters="=", interpolation=None)
        reader.read_string("[library]\n" + read(library, "library.properties"))
        facts = reader["library"]
        self.assertEqual(set(facts), {"name", "version", "author", "maintainer", "sentence", "paragraph", "category",
                                      "url", "architectures", "includes"})
        self.assertEqual((facts["name"], facts["version"]), ("uflow", self.version))
        self.assertIn(facts["category"], CATEGORIES)
        self.assertTrue(os.path.exists(os.path.join(library, "src", facts["includes"])))
        arm = shutil.which("arm-none-eabi-gcc")
        compiler = [arm, "-mcpu=cortex-m0plus", "-mthumb"] if arm else [CC]
        work = self.work("arduino")
        for path in glob.glob(library + "/src/*.c") + glob.glob(library + "/examples/*/*.c"):
            run(*compiler, "-std=gnu11", "-Os", "-Wall", "-Werror", f"-I{library}/src", "-c", path, "-o", work + "/o.o")
        write(ARDUINO, work, "Arduino.h")
        if shutil.which("g++"):
            run("g++", "-std=gnu++17", "-Wall", "-Werror", "-fsyntax-only", "-include", work + "/Arduino.h",
                f"-I{library}/src", f"-I{library}/examples/Blink", "-x", "c++", library + "/examples/Blink/Blink.ino")

    def test_platformio(self):
        library = os.path.join(self.made, "arduino/uflow")
        facts = json.loads(read(library, "library.json"))
        self.assertLessEqual({"name", "version", "description", "keywords", "license"}, set(facts))
        self.assertEqual(facts["version"], self.version)
        for name in facts["headers"]: self.assertTrue(os.path.exists(os.path.join(library, "src", name)), name)


class Document(unittest.TestCase):
    def test_table(self):
        self.assertEqual(TABLE.search(read(DOCUMENT))[0], table(), "tests/package/ways.py --update writes the table")

    def test_tests_are_there(self):
        lists = "".join(map(read, glob.glob(os.path.join(ROOT, "tests/*/CMakeLists.txt"))))
        for _, files, _, test in WAYS:
            self.assertTrue(os.path.exists(os.path.join(ROOT, files)), files)
            last = test.split(".")[-1]
            self.assertRegex(lists, rf"NAME {re.escape(test)}\b|IN ITEMS [\w ]*\b{last}\b")


def update():
    text = TABLE.sub(lambda _: table(), read(DOCUMENT), count=1)
    write(text, DOCUMENT)


if __name__ == "__main__":
    run_tests(update)
