# SPDX-License-Identifier: MIT
"""What the recipes use of conan.tools.cmake."""
import os
import subprocess


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe, self.cache_variables = recipe, {}

    def generate(self):
        self.recipe.definitions = [f"-D{name}={'ON' if value else 'OFF'}"
                                   for name, value in self.cache_variables.items()]


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        subprocess.run(["cmake", "-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-G", "Ninja",
                        *self.recipe.definitions], check=True, stdout=subprocess.DEVNULL)

    def build(self, target):
        dry = ["-n"] if os.environ.get("UFLOW_DRY_RUN") else []
        subprocess.run(["cmake", "--build", self.recipe.build_folder, "--target", target, "--", *dry],
                       check=True, stdout=subprocess.DEVNULL)
