#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the source archive, the Debian packages and the archive for Windows of the commit that is checked out. The same
# commit gives the same bytes, in any directory. The revision of the packages, -0uflow1, is older than any of a
# distribution.
#
# usage: packaging/make.sh OUTPUT [source|deb|windows]     without the second argument, all; without mingw-w64 or wine
#                                                          none for Windows
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

usage() {
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
}
[[ ${1:--} != -* && " all source deb windows " == *" ${2:-all} "* ]] || usage

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
what=${2:-all}
version=$(sed -n 's/^project(uflow VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
name=uflow-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_checkout() { [[ -e $root/.git ]]; }
as_git() { git -c safe.directory='*' -C "$root" "$@"; }

# The time of the files: that of the commit, or in an unpacked source archive that of its files.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
    if is_checkout; then SOURCE_DATE_EPOCH=$(as_git log -1 --format=%ct); else
        SOURCE_DATE_EPOCH=$(stat -c %Y "$root/CMakeLists.txt")
    fi
fi
export SOURCE_DATE_EPOCH

# The sources, and the output of re2c and lemon for the grammar, with the hashes of their inputs.
make_source() {
    local tree=$work/$name
    if is_checkout; then
        as_git archive --prefix="$name/" HEAD | tar -x -C "$work"
        if [[ -n $(as_git status --porcelain --untracked-files=no) ]]; then
            echo "packaging: changes that are not committed are left out" >&2
        fi
    else
        mkdir "$tree"
        tar -c -C "$root" --exclude='./build*' --exclude='./*.log' --exclude=__pycache__ . | tar -x -C "$tree"
    fi
    if [[ ! -e $tree/grammar/generated ]]; then
        cmake -S "$tree" -B "$work/grammar" -DUFLOW_GRAMMAR_LINES=OFF -DUFLOW_BUILD_TESTS=OFF \
            -DUFLOW_BUILD_EXAMPLES=OFF
        cmake --build "$work/grammar" --target uflow_grammar_sources
        mkdir "$tree/grammar/generated"
        cp "$work"/grammar/grammar/uflow_{scan.c,parse.c,parse.h} "$tree/grammar/generated"
        (cd "$tree/grammar" && sha256sum uflow_scan.re uflow_parse.y >generated/inputs.sha256)
    fi
    tar -c -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --mode=u+rw,go+r,go-w,a+X "$name" | gzip -9n >"$output/$name.tar.gz"
}

make_debs() {
    local tree=$work/debian/$name abi
    mkdir "$work/debian"
    tar -x -C "$work/debian" -f "$output/$name.tar.gz"
    cp -r "$tree/packaging/debian" "$tree/debian"
    abi=$(cat "$tree"/runtime/include/uflow/*.h | sed -n 's/^#define UF_ABI *\([0-9]*\).*/\1/p')
    sed "s/@ABI@/$abi/" "$tree/debian/control.in" >"$tree/debian/control"
    sed -e "s/@VERSION@/$version/" -e "s/@DATE@/$(date -R -d "@$SOURCE_DATE_EPOCH")/" "$tree/debian/changelog.in" \
        >"$tree/debian/changelog"
    mv "$tree/debian/libuflow.install" "$tree/debian/libuflow$abi.install"
    rm "$tree"/debian/*.in
    (cd "$tree" && DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc)" dpkg-buildpackage --build=binary --no-sign)
    cp "$work"/debian/*.deb "$output"
}

# The programs are made by mingw-w64. Its ufc makes the manual and the page's bytes, so wine runs it.
make_windows() {
    local tree=$work/windows/$name built=$work/windows/build wine part=$name-windows-x86_64
    wine=$(PATH=$PATH:/usr/lib/wine command -v wine64 || command -v wine || true)
    if [[ -z $wine ]] || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
        echo "packaging: no archive for Windows, which needs mingw-w64 and wine" >&2
        [[ $what == all ]]
        return
    fi
    mkdir "$work/windows"
    tar -x -C "$work/windows" -f "$output/$name.tar.gz"
    export WINEPREFIX=$work/wine WINEDEBUG=-all
    cmake -S "$tree" -B "$built" -DCMAKE_TOOLCHAIN_FILE="$tree/cmake/mingw-w64.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DUFLOW_CROSS_UFC=ON -DCMAKE_CROSSCOMPILING_EMULATOR="$wine" -DUFLOW_BUILD_TESTS=OFF \
        -DUFLOW_BUILD_EXAMPLES=OFF -DCMAKE_C_FLAGS="-ffile-prefix-map=$work/windows=." \
        -DCMAKE_EXE_LINKER_FLAGS='-static -Wl,--no-insert-timestamp' >/dev/null
    cmake --build "$built" --parallel >/dev/null
    cmake --install "$built" --prefix "$work/windows/$part" --strip >/dev/null
    cp "$tree"/{LICENSE,README.md,CHANGELOG.md} "$work/windows/$part"
    rm -f "$output/$part.zip"
    (cd "$work/windows" && find "$part" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} + &&
        find "$part" -type f | LC_ALL=C sort | zip -q -X -9 -@ "$output/$part.zip")
}

case $what in
all) make_source && make_debs && make_windows ;;
source) make_source ;;
deb) make_debs ;;
windows) make_windows ;;
esac
