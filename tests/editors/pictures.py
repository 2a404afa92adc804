#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of a mistake in each editor that runs in a terminal, for docs/guides/editors.md: the editor runs in tmux,
and its screen becomes an SVG.

usage: pictures.py [EDITOR...]     vim, neovim, emacs; without names, all
The environment names UFC and UFLOW_LSP; without them, those of build/bin are taken."""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EDITORS, OUTPUT = os.path.join(ROOT, "editors"), os.path.join(ROOT, "docs/guides/editors")
UFC = os.path.abspath(os.environ.get("UFC", os.path.join(ROOT, "build/bin/ufc")))
LSP = os.path.abspath(os.environ.get("UFLOW_LSP", os.path.join(ROOT, "build/bin/uflow-lsp")))
COLUMNS, LINES, LIMIT = 112, 26, 120  # and seconds
SHOWN = "has no step"

VIM = f"""set nocompatible runtimepath^={EDITORS}/vim background=dark noswapfile shortmess+=I
filetype plugin indent on
syntax on
autocmd FileType uflow compiler ufc
autocmd BufWritePost *.uflow silent make! | redraw! | cwindow 4
"""
NEOVIM = f"""set runtimepath^={EDITORS}/vim noswapfile shortmess+=I number
filetype plugin indent on
syntax on
lua require("uflow").setup({{ cmd = {{ "{LSP}" }} }})
"""
EMACS = f"""
(setq inhibit-startup-screen t eglot-autoshutdown t auto-save-default nil create-lockfiles nil
      make-backup-files nil)
(menu-bar-mode -1)
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder))
(add-to-list 'load-path "{EDITORS}/emacs")
(require 'uflow-mode)
(require 'eglot)
(add-to-list 'eglot-server-programs '(uflow-mode . ("{LSP}")))
(add-hook 'uflow-mode-hook 'eglot-ensure)
(setq frame-background-mode 'dark)
(frame-set-background-mode (selected-frame))
"""

# The settings, the command, the keys once the editor shows the file, and those that show the message, which may come
# late. Vim checks when it writes.
CHOICES = {
    "vim": (VIM, ["vim", "-i", "NONE", "-u", "SETTINGS", "door.uflow"],
            [":%s/-> Pause/-> Pauze/", "Enter", ":w", "Enter"], []),
    "neovim": (NEOVIM, ["nvim", "-i", "NONE", "-u", "SETTINGS", "door.uflow"],
               [":%s/-> Pause/-> Pauze/", "Enter"], []),
    "emacs": (EMACS, ["emacs", "-nw", "-Q", "-l", "SETTINGS", "door.uflow"],
              ["C-s", "-> Pause", "Enter", "BSpace", "BSpace", "ze"],
              ["M-<", "M-x", "flymake-goto-next-error", "Enter"]),
}

# The sixteen colours, and those of 6 × 6 × 6 and of grey that follow.
BASE = ["#2e3440", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9",
        "#5c6370", "#ff7b86", "#b5e890", "#ffd68a", "#82c4ff", "#dd9bf0", "#7fdbe6", "#ffffff"]
BACK, INK = "#1e222a", "#d8dee9"


def colour(number):
    if number < 16: return BASE[number]
    if number >= 232: return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{levels[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))


def take_colour(codes):
    """Behind 38, 48 or 58: `5;N` or `2;R;G;B`."""
    if codes[:1] == [5]: return colour(codes[1]), codes[2:]
    return "#" + "".join(f"{part:02x}" for part in codes[1:4]), codes[4:]


def apply(style, text):
    """Changes a style by the parameters of an `ESC [ … m`."""
    plain = re.sub(r"4:\d", "4", text).replace("::", ":").replace(":", ";")
    codes = [int(part) if part else 0 for part in plain.split(";")]
    while codes:
        code, codes = codes[0], codes[1:]
        if code == 0: style.clear()
        elif code in (1, 3, 4, 7): style[{1: "bold", 3: "italic", 4: "underline", 7: "reverse"}[code]] = True
        elif code in (22, 23, 24, 27): style.pop({22: "bold", 23: "italic", 24: "underline", 27: "reverse"}[code], None)
        elif code in (38, 48, 58): style[code], codes = take_colour(codes)
        elif code in (39, 49, 59): style.pop(code - 1, None)
        elif 30 <= code <= 37 or 90 <= code <= 97: style[38] = BASE[code % 10 + (8 if code >= 90 else 0)]
        elif 40 <= code <= 47 or 100 <= code <= 107: style[48] = BASE[code % 10 + (8 if code >= 100 else 0)]


def pieces_of(screen):
    """Rows of (column, text, style)."""
    style = {}
    for line in screen.split("\n"):
        row, column = [], 0
        for part in re.split(r"(\x1b\[[\d;:]*m)", line):
            found = re.fullmatch(r"\x1b\[([\d;:]*)m", part)
            if found: apply(style, found[1])
            elif part:
                row.append((column, part, dict(style)))
                column += len(part)
        yield row


def draw(screen, title):
    width, height = 7.8, 17
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * width + 24:.0f} {LINES * height + 20}" '
           f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" role="img">',
           f"<title>{escape(title)}</title>", f'<rect width="100%" height="100%" rx="6" fill="{BACK}"/>']
    for number, row in enumerate(pieces_of(screen)):
        y = 10 + number * height
        for column, text, style in row:
            ink, back = style.get(38, INK), style.get(48)
            if style.get("reverse"): ink, back = back or BACK, ink
            x, length = 12 + column * width, len(text) * width
            if back:
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{height}" fill="{back}"/>')
            if not text.strip(): continue
            marks = "".join([' font-weight="bold"' if style.get("bold") else "",
                             ' font-style="italic"' if style.get("italic") else ""])
            out.append(f'<text x="{x:.1f}" y="{y + 13}" textLength="{length:.1f}" xml:space="preserve" '
                       f'fill="{ink}"{marks}>{escape(text)}</text>')
            if style.get("underline"):
                out.append(f'<path d="M{x:.1f} {y + 15.5}h{length:.1f}" stroke="{style.get(58, ink)}"/>')
    return "\n".join(out) + "\n</svg>\n"


class Terminal:
    def __init__(self, folder, command):
        self.tmux = ["tmux", "-L", f"uflow-pictures-{os.getpid()}", "-f", "/dev/null"]
        environment = {**os.environ, "HOME": folder, "PATH": os.path.dirname(UFC) + ":" + os.environ["PATH"],
                       "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), *command], check=True,
                       cwd=folder, env=environment)
        subprocess.run([*self.tmux, "set", "-g", "status", "off"], check=True)

    def screen(self, *more):
        return subprocess.run([*self.tmux, "capture-pane", "-p", *more], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def wait(self, words, *keys):
        """Until the screen has the words; meanwhile, it types the keys now and then."""
        end = time.monotonic() + LIMIT
        for number in itertools.count():
            if words in self.screen(): return
            if number % 10 == 0: self.type(keys)
            if time.monotonic() > end: raise SystemExit(f"not shown: {words}\n{self.screen()}")
            time.sleep(0.2)

    def type(self, keys):
        for key in keys:
            subprocess.run([*self.tmux, "send-keys", "--", key], check=True)
            time.sleep(0.3)

    def end(self):
        subprocess.run([*self.tmux, "kill-server"], check=False)
        time.sleep(2)  # the editor writes no more


def picture(name):
    settings, command, keys, more = CHOICES[name]
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, "door")
        shutil.copytree(os.path.join(ROOT, "examples/04_door"), project)
        subprocess.run(["git", "init", "-q", project], check=True)
        path = os.path.join(folder, "settings")
        with open(path, "w", encoding="utf-8") as file: file.write(settings)
        terminal = Terminal(project, [path if word == "SETTINGS" else word for word in command])
        try:
            terminal.wait("flow Door")
            terminal.type(keys)
            terminal.wait(SHOWN, *more)
            time.sleep(1)
            return draw(terminal.screen("-e"), f"{name}: a mistake, and what ufc says about it")
        finally:
            terminal.end()


def main():
    os.makedirs(OUTPUT, exist_ok=True)
    for name in sys.argv[1:] or CHOICES:
        if name not in CHOICES: raise SystemExit(f"pictures.py: there is no {name}; there are: {' '.join(CHOICES)}")
        with open(os.path.join(OUTPUT, name + ".svg"), "w", encoding="utf-8") as file: file.write(picture(name))


if __name__ == "__main__": main()
