#!/usr/bin/env python3
"""The Debian packages are the same in any directory, please lintian, and work in an unpacked Debian: they are
installed, a program stops in gdb in a line of its .uflow file, is compiled with pkg-config and with CMake, shared and
static, and runs; then they are removed without a trace. With a directory as argument, tests the packages there."""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

from package import ROOT, make_twice, need, run

LINKS = os.path.join(ROOT, "tests", "docs", "links.py")
PACKAGES = ("ufc", r"libuflow\d+", "libuflow-dev", "uflow-doc")
WANTED = {"ufc": ("usr/bin/ufc", "usr/share/man/man1/ufc.1.gz", "usr/share/man/man7/uflow.7.gz",
                  "usr/share/bash-completion/completions/ufc", "usr/share/zsh/vendor-completions/_ufc",
                  "usr/share/fish/vendor_completions.d/ufc.fish"),
          "libuflow-dev": ("usr/include/uflow/uflow.h",),
          "uflow-doc": ("usr/share/doc/uflow-doc/README.md", "usr/share/doc/uflow-doc/docs/tutorial.md",
                        "usr/share/doc/uflow-doc/examples/04_door/door.uflow")}
INCLUDED = "gcc,libc6-dev,cmake,make,pkg-config,gdb-minimal"
START = """\
set -eux
cp -r /usr/share/doc/uflow-doc/examples/04_door /tmp/start
cd /tmp/start
ufc door.uflow -o door.c
cc -g main.c door.c $(pkg-config --cflags --libs uflow) -o door
gdb -nx -batch -ex 'break door.uflow:33' -ex run ./door
"""
USE = """\
set -eux
cp -r /usr/share/doc/uflow-doc/examples/04_door /use
cd /use
ufc door.uflow -o door.c
cc main.c door.c $(pkg-config --cflags --libs uflow) -o door
readelf -d door | grep 'NEEDED.*libuflow.so'
./door | diff - expected.txt
cc main.c door.c $(pkg-config --cflags uflow) -l:libuflow.a -pthread -o door-static
./door-static | diff - expected.txt
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(use C)
find_package(uflow REQUIRED)
add_uflow(flows SOURCES door.uflow)
add_executable(use main.c)
target_link_libraries(use PRIVATE flows)
EOF
cmake -S . -B build
cmake --build build
build/use | diff - expected.txt
"""


def debian(folder):
    """Unpacks a Debian with a compiler. Returns None if that is not possible here."""
    if os.geteuid() != 0 or not shutil.which("debootstrap", path=os.environ["PATH"] + ":/usr/sbin"): return None
    root = os.path.join(folder, "debian")
    done = subprocess.run(["debootstrap", "--variant=minbase", f"--include={INCLUDED}", "bookworm", root],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
    if done.returncode:
        print("debootstrap:", done.stdout[-1000:])
        return None
    return root


def files_of(root):
    found = set()
    for at, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(at, name)[len(root):] not in
                      ("/proc", "/sys", "/dev", "/tmp", "/use", "/var/cache", "/var/log", "/var/lib/dpkg")]
        found.update(os.path.join(at, name)[len(root):] for name in files)
    return found


def use(root, debs):
    before = files_of(root)
    for path in debs: shutil.copy(path, os.path.join(root, "tmp"))
    inside = ["chroot", root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]
    begin = time.monotonic()
    run(*inside, "sh", "-c", "dpkg --install /tmp/*.deb")
    print(run(*inside, "ufc", "--version"), end="")
    with_proc = ["unshare", "--mount", "--pid", "--fork", "sh", "-c", f"mount -t proc proc {root}/proc && exec \"$@\"",
                 "-"]  # gdb needs it
    said = run(*with_proc, *inside, "sh", "-c", START)
    assert re.search(r"^Breakpoint 1, Door_Close_Reopen .* at \S*door\.uflow:33$", said, re.M), said
    print(f"{time.monotonic() - begin:.1f} s from the packages to a breakpoint")
    run(*inside, "sh", "-c", USE)
    names = [os.path.basename(path).split("_")[0] for path in debs]
    assert run(*inside, "dpkg", "--verify", *names) == ""
    run(*inside, "dpkg", "--purge", *names)
    left = files_of(root) - before - {"/etc/ld.so.cache"}
    assert not left, f"left behind: {sorted(left)}"


def main():
    need("dpkg-buildpackage", "dh", "lintian", "cmake", "ninja")
    if len(sys.argv) > 1: folder, output = os.path.join(ROOT, "build"), sys.argv[1]
    else: folder, output, _ = make_twice("all")
    debs = sorted(glob.glob(os.path.join(output, "*.deb")))
    names = [os.path.basename(path).split("_")[0] for path in debs]
    for pattern in PACKAGES: assert any(re.fullmatch(pattern, name) for name in names), (pattern, names)
    assert len(names) == len(PACKAGES), names

    said = run("lintian", "--fail-on", "error,warning", "--show-overrides", *debs)
    assert not re.search(r"^[EWO]: ", said, re.M), said

    for name, path in zip(names, debs):
        contents = {line.split()[-1].removeprefix("./") for line in run("dpkg-deb", "-c", path).splitlines()}
        for wanted in WANTED.get(name, ()): assert wanted in contents, f"{wanted} is not in {name}"

    unpacked = os.path.join(folder, "unpacked")
    for path in debs: run("dpkg-deb", "-x", path, unpacked)
    print(run(sys.executable, "-B", LINKS, "--installed", os.path.join(unpacked, "usr/share/doc/uflow-doc")), end="")
    shutil.rmtree(unpacked)

    root = debian(folder)
    if root: use(root, debs)
    else: print("not installed: there is no debootstrap, or no network")
    if root: shutil.rmtree(root)
    print(f"{len(debs)} packages")
    if len(sys.argv) == 1: shutil.rmtree(folder)


if __name__ == "__main__":
    main()
