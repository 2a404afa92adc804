# SPDX-License-Identifier: MIT
"""Pretty-printers for uf_flow, uf_arm, uf_signal, uf_checkpoint, uf_mailbox, uf_members, uf_job and uf_time."""
import gdb
import gdb.printing

from .arms import JOB_TEXTS, Arm
from .flows import process
from .memory import Struct, text_at
from .times import FOREVER, counted, in_words


def flow_value(value):
    return process.flow_at(int(value.address)).summary() if int(value["type"]) else "not initialised"


def name_of(value):
    return text_at(int(value["name"])) or "without a name"


def signal_value(value):
    word = int(value["word"])
    return f"signal {name_of(value)}, fired {counted(word >> 32, 'time')}, {word & 0xffffffff} waiting"


def checkpoint_value(value):
    held, name = int(value["held"].address), name_of(value["held"])
    if not int(value["held"]["word"]) >> 32 & 1: return f"checkpoint {name}, not armed"
    flows = [flow.path() for flow in process.all_flows() for _what, arm in flow.waits()
             if arm.kind == "CHECKPOINT" and arm["on.signal"] == held]
    return f"checkpoint {name}, " + ("held: " + ", ".join(flows) if flows else "armed")


def mailbox_value(value):
    head, tail, most = int(value["head"]), int(value["tail"]), int(value["capacity"])
    count = head - tail if head >= tail else int(value["limit"]) - tail + head
    owner = int(value["owner"])
    of = f" of {process.flow_at(owner).path()}" if owner else ""
    return f"mailbox {name_of(value)}{of}, {min(count, most)} of {most}"


def pool_value(value):
    if not int(value["info"]): return "not initialised"
    info, owner = Struct("uf_members_info", int(value["info"])), process.flow_at(int(value["owner"]))
    return f"pool {text_at(info['name'])} of {owner.path()}, {int(value['busy'])} of {int(value['most'])} busy"


def job_value(value):
    worker = int(value["worker"])
    name = text_at(Struct("uf_worker", worker)["name"]) if worker else "never submitted"
    return f"job {name} ({JOB_TEXTS[min(int(value['status']), 5)]})"


def arm_value(value):
    if not int(value["owner"]): return "not set"
    arm = Arm(process.flow_at(int(value["owner"])), int(value.address))
    return arm.text() if arm.is_pending() else "not set"


def time_value(value):
    """In words, which truncate, and exactly."""
    return "never" if int(value) == FOREVER else f"{in_words(int(value))} ({int(value)} ns)"


TEXTS = {"uf_flow": flow_value, "uf_signal": signal_value, "uf_checkpoint": checkpoint_value,
         "uf_mailbox": mailbox_value, "uf_members": pool_value, "uf_job": job_value, "uf_arm": arm_value,
         "uf_time": time_value}


class Printer:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def to_string(self):
        try:
            process.begin()
            return self.text(self.value)
        except Exception:  # pylint: disable=broad-except  # whatever memory that is not initialised leads to
            return "not readable"


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("uflow", [gdb.printing.SubPrettyPrinter(name) for name in TEXTS])

    def __call__(self, value):
        name = value.type.unqualified().name
        enabled = any(printer.name == name and printer.enabled for printer in self.subprinters)
        return Printer(TEXTS[name], value) if enabled else None


gdb.printing.register_pretty_printer(None, Printers(), replace=True)
