# SPDX-License-Identifier: MIT
"""Commands and pretty-printers of gdb for programs with flows: loaded by uflow.py, or with the shared library."""
from . import commands, printers

__all__ = ["commands", "printers"]
