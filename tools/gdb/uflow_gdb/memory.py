# SPDX-License-Identifier: MIT
"""Structs in the memory of a process or a core dump, by the debug information of the program."""
import re

import gdb

CHUNK = 1 << 20
WITHOUT = ("Without -g, uflow-trace shows the flight recorder of a core dump: "
           "ufc --emit=json FLOWS.uflow -o FLOWS.json; uflow-trace --map=FLOWS.json CORE.")


class Struct:
    """A struct in memory, which is read once. `self["a.b"]` is the number or the address in a member."""
    layouts, order = {}, "little"

    def __init__(self, type_name, address):
        self.address, (self.size, self.members) = address, self.layout(type_name)
        self.bytes = None

    @classmethod
    def layout(cls, name):
        if name not in cls.layouts:
            try:
                kind = gdb.lookup_type(name).strip_typedefs()
                members = dict(cls.members_of(kind, "", 0))
            except (gdb.error, TypeError):
                members = {}
            if not members:
                raise gdb.GdbError(f"No debug information about {name}: compile the generated code with -g. {WITHOUT}")
            cls.layouts[name] = kind.sizeof, members
        return cls.layouts[name]

    @classmethod
    def members_of(cls, kind, prefix, at):
        for field in kind.fields():
            place, inner = at + field.bitpos // 8, field.type.strip_typedefs()
            name = prefix + (field.name or "")
            if field.name: yield name, (place, inner.sizeof, "unsigned" not in (inner.name or "unsigned"))
            if inner.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                yield from cls.members_of(inner, name + "." if field.name else prefix, place)

    def __getitem__(self, member):
        if self.bytes is None: self.bytes = read(self.address, self.size)
        at, size, signed = self.members[member]
        return int.from_bytes(self.bytes[at:at + size], self.order, signed=signed)

    def get(self, member, otherwise):
        """The number in a member, or another one in a program without the member."""
        return self[member] if member in self.members else otherwise

    @classmethod
    def to_bytes(cls, number, size):
        return number.to_bytes(size, cls.order)

    def address_of(self, member):
        return self.address + self.members[member][0]


def offset_of(type_name, member):
    return Struct.layout(type_name)[1][member][0]


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def printable(text):
    """Text of a process, without characters that a terminal obeys and those for the direction of text."""
    return re.sub("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "?", text)


def text_at(address, most=4096):
    """A C string, printable. It never reads beyond its last page."""
    found = b""
    while address and len(found) < most and b"\0" not in found:
        found += read(address + len(found), 256 - (address + len(found)) % 256)
    return printable(found.split(b"\0")[0][:most].decode(errors="replace"))


def begin():
    Struct.order = "big" if "big endian" in gdb.execute("show endian", to_string=True) else "little"


def pointer_size():
    return gdb.lookup_type("void").pointer().sizeof


def writable_regions():
    """The writable sections of a core dump, or mappings of a process. If those are unknown: the program's data."""
    sections, data, of_core = gdb.execute("maint info sections", to_string=True), [], False
    for line in sections.splitlines():
        of_core = of_core or line.startswith("Core file")
        match = re.match(r".*?(0x[0-9a-f]+)->(0x[0-9a-f]+) at 0x[0-9a-f]+: (\S+) (.*)", line)
        if not match or "READONLY" in match[4] or "ALLOC" not in match[4]: continue
        if of_core and not match[3].startswith("load"): continue
        data.append((of_core, int(match[1], 16), int(match[2], 16)))
    if of_core: return [(low, high) for core, low, high in data if core]
    try:
        mappings = gdb.execute("info proc mappings", to_string=True)
    except gdb.error:
        mappings = ""
    found = re.findall(r"(?m)^\s*(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+0x[0-9a-f]+\s+0x[0-9a-f]+\s+rw", mappings)
    return [(int(low, 16), int(high, 16)) for low, high in found] or [(low, high) for _core, low, high in data]


def search(pattern, longest):
    """The addresses at which the writable memory matches a pattern of at most that many bytes."""
    for low, high in writable_regions():
        for start in range(low, high, CHUNK):
            try:
                chunk = read(start, min(CHUNK + longest - 1, high - start))
            except gdb.MemoryError:
                continue
            yield from (start + hit.start() for hit in pattern.finditer(chunk))
