#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow-lsp in Neovim and in Emacs with eglot, without a screen: diagnostics, definition, completion, rename.

usage: editors.py [NAME...]"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from check import DOOR, MAIN, MOTOR
from client import SERVER

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EDITORS = os.path.join(ROOT, "editors")
WRONG = DOOR.replace("-> Reopen;", "-> Reopenn;")

# `check` writes what is true. vim.wait() and the loops of Emacs end as soon as their condition holds.
LUA = """
local function check(name, is) io.stdout:write((is and "good " or "bad ") .. name .. "\\n") end
local function places(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params or vim.lsp.util.make_position_params(), 30000)) do
    return answer.result
  end
end
local function at(words) vim.fn.cursor(1, 1); vim.fn.search("\\\\V" .. words, "ce") end

local ok, why = pcall(function()
require("uflow").setup({ cmd = { "SERVER" } })
vim.cmd("edit FOLDER/door.uflow")
check("attach", vim.wait(30000, function() return #vim.lsp.buf_get_clients(0) > 0 end))
check("diagnostics", vim.wait(30000, function()
  local list = vim.diagnostic.get(0)
  return #list > 0 and list[1].code == "UF0301"
end))
vim.cmd("%s/Reopenn/Reopen/")
check("no diagnostics", vim.wait(30000, function() return #vim.diagnostic.get(0) == 0 end))
at("Motor.Mov")
local found = places("textDocument/definition")
check("definition", found and found.uri:match("motor.uflow$") and found.range.start.line == 2)
at("flow->m")
local names, offered = {}, places("textDocument/completion")
for _, item in ipairs(offered.items or offered) do names[item.label] = true end
check("completion", names.motor and names.here and not names.tries)
at("step Latc")
vim.lsp.buf.rename("Lock")
check("rename", vim.wait(30000, function()
  return vim.fn.search("step Lock", "nw") > 0 and vim.fn.search("Latch", "nw") == 0
end))
check("formatting", places("textDocument/formatting", vim.lsp.util.make_formatting_params()))
vim.cmd("write")
vim.cmd("edit FOLDER/main.c")
at("(void)Door_start_Clos")
check("C", vim.wait(30000, function() return #vim.lsp.buf_get_clients(0) > 0 end))
found = places("textDocument/definition")
check("definition from C", found and found.uri:match("door.uflow$"))
end)
if not ok then io.stderr:write(why) end
vim.cmd("qa!")
"""

ROOT_OF = """
require("uflow").setup({ cmd = { "SERVER" } })
vim.cmd("edit FOLDER/sub/door.uflow")
vim.wait(30000, function() return #vim.lsp.get_active_clients() > 0 end)
io.stdout:write(vim.lsp.get_active_clients()[1].config.root_dir == "PLACE" and "good " or "bad ", "root\\n")
vim.cmd("qa!")
"""

MISSING = """
require("uflow").setup({ cmd = { "/no/uflow-lsp" } })
vim.cmd("silent! edit FOLDER/door.uflow")
io.stdout:write((vim.v.errmsg:match("attempt") or vim.v.errmsg:match("expected")) and "bad " or "good ", "message\\n")
vim.cmd("qa!")
"""

LISP = """
(require 'eglot)
(require 'uflow-mode)
(setq eglot-sync-connect t eglot-connect-timeout 30 eglot-server-programs '((uflow-mode . ("SERVER")))
      eglot-confirm-server-initiated-edits nil eglot-send-changes-idle-time 0)
(defun check (name is) (princ (format "%s %s\\n" (if is "good" "bad") name)))
(defun await (condition)
  (let ((tries 600))
    (while (and (not (funcall condition)) (> (setq tries (1- tries)) 0)) (accept-process-output nil 0.05)))
  (funcall condition))
(find-file "FOLDER/door.uflow")
(check "mode" (eq major-mode 'uflow-mode))
(eglot-ensure)
(call-interactively #'eglot)
(check "attach" (eglot-current-server))
(check "diagnostics" (await (lambda () (flymake-start) (flymake-diagnostics))))
(goto-char (point-min))
(search-forward "Reopenn")
(delete-char -1)
(eglot--signal-textDocument/didChange)
(check "no diagnostics" (await (lambda () (flymake-start) (null (flymake-diagnostics)))))
(goto-char (point-min))
(search-forward "-> Latc")
(let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (check "definition" (and place (= 45 (xref-location-line (xref-item-location place))))))
(eglot-rename "Lock")
(goto-char (point-min))
(check "rename" (and (search-forward "step Lock" nil t)
                     (progn (goto-char (point-min)) (not (search-forward "Latch" nil t)))))
(goto-char (point-min))
(search-forward "flow->m")
(let ((found (run-hook-with-args-until-success 'completion-at-point-functions)))
  (check "completion" (member "motor" (all-completions "m" (nth 2 found)))))
(eglot-shutdown (eglot-current-server))
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.made.name)
        os.mkdir(os.path.join(self.folder, ".git"))
        for name, text in (("motor.uflow", MOTOR), ("door.uflow", WRONG), ("main.c", MAIN)): self.write(name, text)

    def tearDown(self):
        self.made.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file: file.write(text)
        return os.path.join(self.folder, name)

    def run_editor(self, command, count):
        done = subprocess.run(command, timeout=300, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "HOME": self.folder, "XDG_CONFIG_HOME": self.folder})
        lines = [line for line in done.stdout.splitlines() if line.startswith(("good", "bad"))]
        self.assertEqual([line for line in lines if line.startswith("bad")], [], done.stderr)
        self.assertEqual(len(lines), count, done.stdout + done.stderr)


@unittest.skipUnless(shutil.which("nvim"), "needs nvim")
class Neovim(Case):
    @staticmethod
    def command(script):
        return ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", f"set rtp^={EDITORS}/vim",
                "--cmd", "filetype plugin on", "--cmd", f"luafile {script}"]

    def test_requests(self):
        script = self.write("test.lua", LUA.replace("SERVER", SERVER).replace("FOLDER", self.folder))
        self.run_editor(self.command(script), LUA.count("check(\""))

    def test_root(self):
        """The folder with `.git`, which is a file in a worktree; without it, that of the file."""
        os.mkdir(os.path.join(self.folder, "sub"))
        self.write("sub/door.uflow", DOOR)
        for kind in ("directory", "file", "none"):
            with self.subTest(kind):
                if kind == "file": os.rmdir(os.path.join(self.folder, ".git")), self.write(".git", "gitdir: /x\n")
                if kind == "none": os.unlink(os.path.join(self.folder, ".git"))
                root = self.folder if kind != "none" else os.path.join(self.folder, "sub")
                script = self.write("test.lua", ROOT_OF.replace("SERVER", SERVER).replace("FOLDER", self.folder)
                                    .replace("PLACE", root))
                self.run_editor(self.command(script), 1)

    def test_a_server_that_is_missing(self):
        script = self.write("test.lua", MISSING.replace("FOLDER", self.folder))
        self.run_editor(self.command(script), 1)


def eglot_folders():
    """Where Debian's packages of eglot are; Emacs 29 needs none of them."""
    root = "/usr/share/emacs/site-lisp/elpa"
    return [os.path.join(root, name) for name in (sorted(os.listdir(root)) if os.path.isdir(root) else [])]


def has_eglot():
    if not shutil.which("emacs"): return False
    paths = [word for folder in eglot_folders() for word in ("-L", folder)]
    return subprocess.run(["emacs", "-Q", "--batch", *paths, "--eval", "(require 'eglot)"], timeout=120, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(has_eglot(), "needs emacs with eglot")
class Emacs(Case):
    def test_requests(self):
        script = self.write("test.el", LISP.replace("SERVER", SERVER).replace("FOLDER", self.folder))
        paths = [word for folder in eglot_folders() for word in ("-L", folder)]
        self.run_editor(["emacs", "-Q", "--batch", *paths, "-L", os.path.join(EDITORS, "emacs"), "-l", script],
                        LISP.count("(check \""))


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(ROOT, "tests"))
    from chosen import run_tests
    run_tests()
