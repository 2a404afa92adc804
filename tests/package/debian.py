# SPDX-License-Identifier: MIT
"""A fresh Debian in a directory, made by debootstrap from the mirrors of this machine's apt. Packages are kept in
$XDG_CACHE_HOME/uflow, so that the next one is made sooner."""
import os
import shutil
import subprocess

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "uflow", "debian")
SBIN = os.environ["PATH"] + ":/usr/sbin:/sbin"
# gdb needs /proc, terminals and semaphores the directories in /dev, and a program asks /sys for the CPUs.
ENTER = r"""
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" 2>/dev/null || true
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tmpfs "$root/dev/shm"
mount --bind "$cache" "$root/var/cache/apt/archives"
exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
    $trust "$@"
"""
TRUST = "NODE_EXTRA_CA_CERTS"  # npm asks its registry through the proxies of this machine, too


def output(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def mirrors():
    """The mirror of apt, or none: debootstrap has a default."""
    lines = output("apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages")
    return sorted({line.split()[1] for line in lines if line.startswith("Debian ")})[:1]


class Debian:
    """root: where it is. Raises OSError, with a text, if it cannot be made here."""

    def __init__(self, release, root):
        self.root, self.cache = root, os.path.join(CACHE, release)
        if os.geteuid() != 0: raise OSError("only root can make a Debian")
        if not shutil.which("debootstrap", path=SBIN): raise OSError("there is no debootstrap")
        os.makedirs(os.path.join(self.cache, "partial"), exist_ok=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", f"--cache-dir={self.cache}", release, root,
                               *mirrors()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PATH": SBIN}, check=False)
        if done.returncode: raise OSError("debootstrap: " + done.stdout[-1000:])
        settings = [line for line in output("apt-config", "dump", "Acquire") if "roxy" in line or "::Check-" in line]
        self.write("etc/apt/apt.conf.d/90host", "\n".join(settings) + "\n")
        self.write("etc/dpkg/dpkg.cfg.d/90fast", "force-unsafe-io\n")  # nothing here outlives a crash
        self.trust = ""
        if os.path.isfile(os.environ.get(TRUST, "")):
            shutil.copy(os.environ[TRUST], os.path.join(root, "etc/ca-of-host.pem"))
            self.trust = TRUST + "=/etc/ca-of-host.pem"

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file: file.write(text)

    def inside(self, *command):
        """The command that runs this one there."""
        enter = f"set -e; root='{self.root}' cache='{self.cache}' trust='{self.trust}'{ENTER}"
        return "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "-", *command
