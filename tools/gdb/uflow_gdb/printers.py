"""Pretty-printers for uf_flow, uf_arm, uf_signal, uf_job and uf_time."""
import gdb
import gdb.printing

from .arms import JOB_TEXTS, Arm
from .flows import process
from .memory import Struct, text_at
from .times import in_words


def flow_value(value):
    return process.flow_at(int(value.address)).summary() if int(value["type"]) else "not initialised"


def signal_value(value):
    word, name = int(value["word"]), text_at(int(value["name"])) or "without a name"
    return f"signal {name}, fired {word >> 32} times, {word & 0xffffffff} waiting"


def job_value(value):
    worker = int(value["worker"])
    name = text_at(Struct("uf_worker", worker)["name"]) if worker else "never submitted"
    return f"job {name} ({JOB_TEXTS[min(int(value['status']), 5)]})"


def arm_value(value):
    if not int(value["owner"]): return "not set"
    arm = Arm(process.flow_at(int(value["owner"])), int(value.address))
    return arm.told() if arm.is_pending() else "not set"


TEXTS = {"uf_flow": flow_value, "uf_signal": signal_value, "uf_job": job_value, "uf_arm": arm_value,
         "uf_time": lambda value: in_words(int(value))}


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
