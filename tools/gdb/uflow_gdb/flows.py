# SPDX-License-Identifier: MIT
"""Pumps, their flows, and how they are found: no list of all pumps exists, so by the flows' pointers to descriptors."""
import os
import re
import time

import gdb

from .arms import Arm
from .memory import WITHOUT, Struct, begin, offset_of, pointer_size, search, text_at
from .times import FOREVER, in_words

ABI = 1  # UF_ABI of runtime/include/uflow/version.h
IDLE, CLAIMED, CANCEL, STEP = 0x80000000, 0x40000000, 0x20000000, 0xffff  # of uf_flow.state
ARMED, DESCRIBED, POLLING = 1 << 0, 1 << 9, 1 << 10  # of uf_flow.flags
WAIT = 0x0fff0000  # of uf_flow.state
IN_POOL = 0xffffffff  # uf_flow.parent_offset
SHUTDOWN = 2  # uf_task_kind
OUTCOME_TEXTS = ("never ran", "running", "done", "failed", "cancelled", "became")


class Process:
    """Data about the process, valid until it runs again."""

    def __init__(self):
        self.forget_names()
        self.note_stop()

    def note_stop(self, _event=None):
        self.stopped_at = time.monotonic_ns()  # the clock of a runtime on this machine

    def forget_names(self, _event=None):
        self.names = None  # of the descriptors
        self.forget()

    def forget(self, _event=None):
        self.types, self.flows, self.by_address = {}, {}, {}
        self.found, self.known, self.armers, self.pid = None, None, None, 0
        Struct.layouts.clear()

    def begin(self):
        pid = gdb.selected_inferior().pid
        if pid == 0:
            raise gdb.GdbError("There is no process and no core dump: run the program, attach to it, or load its core.")
        if pid != self.pid: self.forget()
        self.pid, self.armers = pid, None
        begin()

    def descriptors(self):
        if self.known is None: self.known = descriptors()
        return self.known

    def type_at(self, address):
        if address not in self.descriptors(): raise gdb.MemoryError(f"there is no descriptor at {address:#x}")
        if address not in self.types: self.types[address] = FlowType(address)
        return self.types[address]

    def flow_at(self, address):
        if address not in self.flows: self.flows[address] = Flow(address)
        return self.flows[address]

    def pump_at(self, address):
        if address not in self.by_address:
            if not Pump.is_pump(address): raise gdb.MemoryError(f"there is no pump at {address:#x}")
            self.by_address[address] = Pump(address)
        return self.by_address[address]

    def pumps(self):
        """Those with flows."""
        if self.found is None: self.found = find_pumps()
        if not self.found: raise gdb.GdbError("No flow is attached to a pump.")
        return self.found

    def all_flows(self):
        return [flow for pump in self.pumps() for flow in pump.flows]


process = Process()
for changes in (gdb.events.cont, gdb.events.exited, gdb.events.memory_changed):
    changes.connect(process.forget)
gdb.events.new_objfile.connect(process.forget_names)
gdb.events.clear_objfiles.connect(process.forget_names)
gdb.events.stop.connect(process.note_stop)


def descriptors():
    """The addresses of all variables of type uf_flow_type. Generated code calls them FLOW_type."""
    Struct.layout("uf_flow_type")
    if process.names is None:
        listed = gdb.execute("info variables -q -n -t uf_flow_type _type$", to_string=True)
        process.names = re.findall(r"\buf_flow_type (\w+);", listed)
    symbols = [symbol for name in process.names for symbol in
               [gdb.lookup_global_symbol(name), *(gdb.lookup_static_symbols(name) or ())] if symbol]
    addresses = {int(symbol.value().address) for symbol in symbols}
    if not addresses:
        raise gdb.GdbError("No flows: the generated code has no debug information, or is not linked. " + WITHOUT)
    for abi in {Struct("uf_flow_type", address)["abi"] for address in addresses}:
        if abi != ABI:
            raise gdb.GdbError(f"The program has UF_ABI {abi}, this uflow.py is for {ABI}: take that of its release.")
    return addresses


def durable_marker():
    """The address that the descriptors of durable flows have as `preempting`; None: the program has none."""
    symbol = gdb.lookup_global_symbol("uf_durable_preempting")
    return int(symbol.value().address) if symbol else None


def find_pumps():
    """The pumps of the flows that the memory holds. A false match is not on the list of a pump."""
    wanted = re.compile(b"|".join(re.escape(Struct.to_bytes(at, pointer_size())) for at in process.descriptors()))
    pumps, seen = [], set()
    for hit in search(wanted, pointer_size()):
        try:
            at = Struct("uf_flow", hit - offset_of("uf_flow", "type"))["pump"]
            if at in seen or hit % pointer_size(): continue
            seen.add(at)
            if process.pump_at(at).flows: pumps.append(process.pump_at(at))
        except (gdb.MemoryError, gdb.GdbError):
            continue
    return sorted(pumps, key=lambda pump: pump.address)


class Pump(Struct):
    def __init__(self, address):
        super().__init__("uf_pump", address)
        self.attached, self.first, self.damage = None, None, ""

    @property
    def flows(self):
        if self.attached is None: self.attached = list(self.read_flows())
        return self.attached

    def read_flows(self):
        """The flows on its list, up to damage."""
        link, seen = self["flows.next"], set()
        try:
            while link != self.address_of("flows"):
                if link in seen: raise gdb.MemoryError("it leads in a circle")
                seen.add(link)
                flow = process.flow_at(link - offset_of("uf_flow", "attached"))
                yield flow
                link = flow["attached.next"]
        except gdb.MemoryError as error:
            self.damage = str(error)

    @staticmethod
    def is_pump(address):
        """It is initialised, and its list of flows leads back to it, at least at one end: it may be changing."""
        pump = Struct("uf_pump", address)
        first, last = (Struct("uf_link", pump["flows." + end]) for end in ("next", "prev"))
        leads_back = pump.address_of("flows") in (first["prev"], last["next"])
        return leads_back and pump["config.stay_interval"] > 0

    def given_up(self):
        """The records of worker functions that still run although their jobs were abandoned or have timed out."""
        link = self["works.next"] if self["works_in_flight"] else self.address_of("works")
        for _ in range(self["works_in_flight"]):
            if link == self.address_of("works"): return
            work = Struct("uf_work", link - offset_of("uf_work", "of_pump"))
            if not work["job"] and work["begun"]: yield work
            link = work["of_pump.next"]

    def lags(self):
        """A core dump does not say when it was written: real time has passed since the last round of its runtimes."""
        connection = getattr(gdb.selected_inferior(), "connection", None)
        return bool(self["host"]) and not (connection and connection.type == "native")

    def passed(self, ns):
        """A duration up to now, as text."""
        return "at least " * self.lags() + in_words(max(ns, 0))

    def until(self, deadline):
        """The time from now until a deadline, as text."""
        return self.text_until(deadline, deadline - self.now())

    def until_real(self, deadline):
        return self.text_until(deadline, deadline - self.real_now())

    def text_until(self, deadline, left):
        if deadline == FOREVER: return "never"
        if left < 0: return "overdue for " + self.passed(-left)
        return "in " + "at most " * self.lags() + in_words(left)

    def real_now(self):
        if not self["host"]: return self["clock.real"]
        if not self.lags(): return process.stopped_at
        return max(pump["clock.real"] for pump in process.pumps() if pump["host"])  # of a core dump: the newest

    def first_deadline(self):
        """A sleeping runtime would have woken by then: it was stopped before, and gdb was notified later."""
        if self.first is None:
            try:
                deadlines = [arm.deadline() for flow in self.flows if not flow.is_paused()
                             for _what, arm in flow.waits()]
            except (gdb.MemoryError, gdb.GdbError):  # of a flow that is damaged
                deadlines = []
            self.first = min(deadlines, default=FOREVER)
        return self.first

    def now(self):
        """Logical time. While a runtime sleeps, its clock lags: a process has a real time at which it was stopped."""
        clock = {name: self["clock." + name] for name in ("real", "logical")}
        clock |= {name: self.get("clock.speed." + name, usual)  # a small core has no speed
                  for name, usual in (("scale", 1 << 32), ("residue", 0), ("frozen", 0))}
        if not self["host"] or clock["frozen"]: return clock["logical"]
        passed = max(self.real_now() - clock["real"], 0)
        now = clock["logical"] + (passed * clock["scale"] + clock["residue"] >> 32)
        return now if self["in_round"] else min(now, max(self.first_deadline(), clock["logical"]))

    def name(self):
        if self["host"]: return "runtime " + text_at(self.address + self.size, 16)  # uf_runtime.name
        symbol = gdb.execute(f"info symbol {self.address}", to_string=True).split(" in section")[0]
        where = hex(self.address) if symbol.startswith("No symbol") else symbol
        return "pump " + where


class FlowType(Struct):
    def __init__(self, address):
        super().__init__("uf_flow_type", address)
        self.name, self.source = text_at(self["name"]), text_at(self["source"])
        self.steps = [(text_at(step["name"]), step["line"], step["task"]) for step in self.table("step")]
        self.rows = self.table("task")
        self.rows = self.table("task", max([len(self.rows)] + [task["group"] for task in self.rows]))
        self.tasks = [text_at(row["name"]) for row in self.rows]  # then the groups
        self.jobs = self.table("job")

    def table(self, what, count=None):
        if count is None: count = self[what + "_count"]
        size = Struct.layout(f"uf_{what}_info")[0] if count else 0
        return [Struct(f"uf_{what}_info", self[what + "s"] + i * size) for i in range(count)]

    def place_of(self, handler):
        """`task`, or the words for the group that a handler belongs to."""
        of = handler["task"]
        return f"group {self.tasks[of]}" if self["task_count"] <= of < len(self.tasks) else "task"


class Flow(Struct):
    def __init__(self, address):
        super().__init__("uf_flow", address)
        self.type, self.state = process.type_at(self["type"]), self["state"]
        self.running = not self.state & IDLE
        self.starts = self.state & ~CANCEL == CLAIMED | CANCEL - 1  # claimed: another thread is about to start it
        step = self.state & STEP
        if not self.starts and step >= len(self.type.steps):
            raise gdb.MemoryError(f"there is no flow at {address:#x}")
        self.step, self.line, task = ("", 0, 0) if self.starts else self.type.steps[step]
        self.task = "" if self.starts else self.type.tasks[task]
        self.outcome, self.arms = OUTCOME_TEXTS[min(self["outcome"], 5)], None

    def pump(self):
        return process.pump_at(self["pump"])

    def container(self):
        distance = self["parent_offset"]
        if distance == IN_POOL: return process.flow_at(Struct("uf_members", self.member()["pool"])["owner"])
        return process.flow_at(self.address - distance * pointer_size()) if distance else None

    def member(self):
        return Struct("uf_member", self.address + self.type["size"])

    def path(self):
        container = self.container()
        return (container.path() + "." if container else "") + text_at(self["name"])

    def text(self, what):
        offset = self.type[what + "_offset"]
        return text_at(self.address + offset, 4096) if offset else ""

    def description(self):
        return self.text("description") if self.running and self["flags"] & DESCRIBED else ""

    def is_paused(self):
        return self.state & (IDLE | CLAIMED | CANCEL) == CANCEL

    def runner(self):
        """The flow that runs it as a subtask, as a companion or as a member; None: it runs alone."""
        last = arm = self["waiters"]
        while arm:
            arm = Struct("uf_arm", arm)["next"]
            waiter = Arm(self, arm)
            if waiter.kind in ("RUN", "COMPANION") and waiter["state"] == 0: return process.flow_at(waiter["owner"])
            if arm == last: break
        return self.container() if self["parent_offset"] == IN_POOL else None

    def paused(self):
        """For how long it stands: since the first pause in effect, its own or one of its runners."""
        if not self.is_paused(): return ""
        at, since, holds, hold = self, FOREVER, {}, self.pump()["holds"]
        while hold:
            record = Struct("uf_pause", hold)
            if record["is_in_effect"]: holds[record["flow"]] = record["since"]
            hold = record["next"]
        while at and at.is_paused():
            since, at = min(since, holds.get(at.address, FOREVER)), at.runner()
        return "  paused for " + self.pump().passed(self.pump().now() - since)

    def durable(self):
        """The second member of the struct of a durable flow, if its pump has a store for it; else None."""
        if "preempting" not in self.type.members or self.type["preempting"] != durable_marker(): return None
        durable = Struct("uf_durable", self.address + self.size)
        return durable if durable["store"] else None

    def keeping(self):
        """What is kept, and for how long that has been so; see ufi_keeping() of the runtime."""
        durable = self.durable()
        is_shutdown = not self.starts and self.type.rows[self.type.steps[self.state & STEP][2]]["kind"] == SHUTDOWN
        if not durable or is_shutdown: return ""
        store, since = Struct("uf_store", durable["store"]), durable["since"]
        words = ("suspended" if durable["is_suspended"] else "held" if durable["is_held"] else
                 "not kept" if store["is_failed"] else "" if since < 0 else
                 "waits for a commit" if durable["put"] > store["kept"] else "kept")
        passed = self.pump().passed(self.pump().real_now() - since)
        return (f"  {words}" if words else "") + (f" for {passed}" if since >= 0 else "")

    def awaits_store(self):
        """What its turn waits for, if that is its store; else an empty text."""
        durable = self.durable()
        if not durable: return ""
        if durable["is_held"]: return "goes on after uf_store_release()"
        return "goes on after the commit" if durable["is_waiting"] else ""

    def in_step(self):
        """The time that it has been in its step, as text."""
        if self.state & (IDLE | CLAIMED): return in_words(0)
        if self.is_paused(): return in_words(self["entered"])
        return self.pump().passed(self.pump().now() - self["entered"])

    def polls(self):
        """Does it poll a condition? An `until` with `for` is an arm instead."""
        polls = self.running and not self.starts and self["flags"] & POLLING and self.state & WAIT
        return bool(polls) and not any(arm.kind == "HELD" for _what, arm in self.waits())

    def is_in_turn(self):
        pump = self.pump()
        return bool(pump["in_round"]) and pump["current"] == self.address

    def position(self):
        return f"{self.task}.{self.step}:{self.line}"

    def place(self):
        return f"{self.task}.{self.step} ({os.path.basename(self.type.source)}:{self.line})"

    def summary(self):
        """The lines of a dump for the flow."""
        reason = ": " + self.text("reason") if self.outcome == "failed" else ""
        if not self.running: return f"{self.path()}  idle, {self.outcome}{reason}{self.keeping()}"
        if self.starts: return f"{self.path()}  starts"
        ordinal = 0 if self.state & CLAIMED else self["ordinal"]
        described = "  " + self.description() if self.description() else ""
        said = self.paused() + self.keeping() + described
        return f"{self.path()}  {self.position()}  #{ordinal:02}  for {self.in_step()}{said}"

    @staticmethod
    def at(address):
        return process.flow_at(address)

    def arms_at(self, offset, count):
        size = Struct.layout("uf_arm")[0]
        return [Arm(self, self.address + self.type[offset] + i * size) for i in range(self.type[count])]

    def waits(self):
        """The arms that the flow waits for, each as a pair with `waits`, `task` or `group NAME`."""
        if self.arms is None: self.arms = self.read_arms() if self.running and not self.starts else []
        return self.arms

    def read_arms(self):
        own = self.arms_at("arms_offset", "arm_count") if self["flags"] & ARMED else []
        return ([("waits", arm) for arm in own if arm.is_pending()] +
                [(self.type.place_of(handler), arm) for handler, arm in
                 zip(self.type.table("preempt"), self.arms_at("preempts_offset", "preempt_count")) if arm.is_pending()])
