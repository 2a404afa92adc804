#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The whole project as others build and install it."""
import os
import re
import subprocess

from cmake import SHARED_LINES, write_cell_and_its_users
from cmake_project import CMAKE, FIND, Project
from e2e import CFLAGS, ROOT, main


class Whole(Project):
    """An install of the whole project with the shared library, and its removal."""
    def test_shared_library(self):
        self.configure("Ninja", "-DUFLOW_SHARED=ON", "-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF",
                       "-UUFLOW_UFC", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS), source=ROOT)
        refused = subprocess.run([CMAKE, "--install", self.path("build"), "--prefix", self.path("prefix")],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertIn("build all first: ./dev", " ".join(refused.stdout.split()))
        self.assertFalse(os.path.exists(self.path("prefix")), "an install of what is not built leaves no files")
        self.build(timeout=600)
        library = "build/lib/libuflow.so"
        symbols = self.must("nm", "-D", "--defined-only", library).out.decode().split()[2::3]
        self.assertGreater(len(symbols), 100)
        self.assertEqual([name for name in symbols if not re.match(r"uf_|UFLOW_\d+$", name)], [])
        self.assertRegex(self.must("objdump", "-p", library).out.decode(), r"SONAME +libuflow\.so\.\d+\n")

        self.must(CMAKE, "--install", "build", "--prefix", self.path("prefix"))
        self.assertIn("prefix/share/uflow/gdb/uflow.py", self.files())
        self.assertTrue([name for name in self.files() if re.search(r"/auto-load/.*/libuflow\.so\..*-gdb\.py$", name)])
        write_cell_and_its_users(self)
        self.write("CMakeLists.txt", FIND + SHARED_LINES)
        self.configure("Ninja", "-DUFLOW_SHARED=ON", "-DCMAKE_PREFIX_PATH=" + self.path("prefix"), "-UUFLOW_UFC",
                       "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS), build="user")
        self.build(build="user")
        self.assertIn(b"libuflow.so.", self.must("ldd", "user/by_hand").out)

        self.write("prefix/lib/other", "")
        self.build("--target", "uflow_uninstall")
        self.assertEqual([name for name in self.files() if name.startswith("prefix/")], ["prefix/lib/other"])
        self.assertFalse(os.path.exists(self.path("prefix/include/uflow")))
        self.assertNotEqual(self.run_in_folder(CMAKE, "--build", "build", "--target", "uflow_uninstall").status, 0)

        # The name of a directory is no pattern: other files in it stay.
        for name in ("a[1]", "b*", "c?"):
            self.write(f"{name}/uflow/kept", "")
            self.write(f"{name}/uflow/share/uflow/page", "")
            self.write("build/install_manifest.txt", self.path(f"{name}/uflow/share/uflow/page"))
            self.build("--target", "uflow_uninstall")
            self.assertTrue(os.path.exists(self.path(f"{name}/uflow/kept")), name)
            self.assertFalse(os.path.exists(self.path(f"{name}/uflow/share/uflow")), name)


if __name__ == "__main__":
    main()
