# SPDX-License-Identifier: MIT
"""A small part of Conan: what the recipes of packaging/conan use."""


class Properties:
    def __init__(self):
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class Settings:
    os, compiler = "Linux", "gcc"


class ConanFile:
    def __init__(self, folder):
        self.source_folder, self.build_folder = f"{folder}/source", f"{folder}/build"
        self.package_folder = f"{folder}/package"
        self.settings, self.cpp_info = Settings(), Properties()
