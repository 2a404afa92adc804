# SPDX-License-Identifier: MIT
"""uflow.py - gdb commands and pretty-printers for programs with flows: `source uflow.py`, then `help uflow`."""
import importlib
import os
import sys

_uflow_directory = os.path.dirname(os.path.realpath(__file__))
if _uflow_directory not in sys.path: sys.path.insert(0, _uflow_directory)
for _uflow_name in [name for name in sys.modules if name.split(".")[0] == "uflow_gdb"]: del sys.modules[_uflow_name]
# An installed directory keeps the files that the package manager knows, and no others.
_uflow_before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
importlib.import_module("uflow_gdb")
sys.dont_write_bytecode = _uflow_before
