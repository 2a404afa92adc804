# SPDX-License-Identifier: MIT
"""Completes command lines in bash and zsh, which run on a pseudo-terminal, and in fish."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time

# Each begins with keys that insert all completions, and an echo whose text the echoed input does not contain.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "PS1= PS2=; bind 'set enable-bracketed-paste off'; source {share}/bash-completion/completions/{program}\n",
             "\x1b*"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1=; unset zle_bracketed_paste; unsetopt prompt_cr; fpath=({share}/zsh/site-functions $fpath)\n"
            "autoload -U compinit; compinit -u -D; bindkey -e; bindkey '^X' complete-word\n"
            "zstyle ':completion:*' completer _all_matches _complete; zstyle ':completion:*' insert true\n",
            "\x18"),
}
LIMIT = 60  # seconds for an answer


class Terminal:
    def __init__(self, command, folder):
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", HISTFILE="/dev/null", LC_ALL="C.UTF-8")
            os.execvp(command[0], command)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 30000, 0, 0))
        self.out = ""

    def send(self, text):
        os.write(self.file, text.encode())

    def wait_for(self, marker):
        """Returns the output up to the marker."""
        end = time.monotonic() + LIMIT
        while marker not in self.out:
            if time.monotonic() > end or not select.select([self.file], [], [], LIMIT)[0]:
                raise TimeoutError(f"no {marker!r} in {self.out!r}")
            self.out += os.read(self.file, 65536).decode(errors="replace")
        before, self.out = self.out.split(marker, 1)
        return before

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.file)


class Typed:
    """A shell that is typed at."""

    def __init__(self, name, share, folder, program):
        command, setup, self.keys = SHELLS[name]
        self.terminal = Terminal(command, folder)
        self.terminal.send(setup.format(share=share, program=program) + "echo BE''GUN\n")
        self.terminal.wait_for("BEGUN")

    def complete(self, line):
        """All words that the shell offers for the last word of the line."""
        self.terminal.send(f"{line}{self.keys}\x01echo FR''OM; printf '<%s>\\n' \necho T''O\n")
        self.terminal.wait_for("FROM")
        words = re.findall(r"(?m)^<(.*)>\r?$", self.terminal.wait_for("TO"))
        return words[len(line.split()) - (not line.endswith(" ")):]

    def close(self):
        self.terminal.close()


class Fish:
    def __init__(self, _, share, folder, program):
        self.script, self.folder = f"{share}/fish/vendor_completions.d/{program}.fish", folder

    def complete(self, line):
        """Without the words that only resemble the last one: which these are depends on the version."""
        done = subprocess.run(["fish", "--no-config", "-c", f"source {self.script}; complete -C '{line}'"],
                              cwd=self.folder, stdout=subprocess.PIPE, check=True, text=True, timeout=LIMIT)
        words = [word.split("\t")[0] for word in done.stdout.splitlines()]
        return [word for word in words if word.startswith(line.split(" ")[-1])]

    def close(self):
        pass


def shells(share, folder, program="ufc"):
    for name, kind in (("bash", Typed), ("zsh", Typed), ("fish", Fish)):
        if shutil.which(name):
            yield name, kind(name, share, folder, program)
