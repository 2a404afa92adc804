"""Pretty-printers for uf_flow, uf_signal, uf_job and uf_time."""
import gdb
import gdb.printing

from .arms import JOB_TEXTS
from .flows import process
from .memory import Struct, text_at
from .times import in_words


class Printer:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def to_string(self):
        try:
            process.begin()
            return self.text(self.value)
        except (gdb.error, gdb.GdbError, TypeError):
            return "not initialised"


def flow_value(value):
    return process.flow_at(int(value.address)).summary() if int(value["type"]) else "not initialised"


def signal_value(value):
    word, name = int(value["word"]), text_at(int(value["name"])) or "without a name"
    return f"signal {name}, fired {word >> 32} times, {word & 0xffffffff} waiting"


def job_value(value):
    worker = int(value["worker"])
    name = text_at(Struct("uf_worker", worker)["name"]) if worker else "never submitted"
    return f"job {name} ({JOB_TEXTS[min(int(value['status']), 5)]})"


def printers():
    collection = gdb.printing.PrettyPrinter("uflow", [])
    texts = {"uf_flow": flow_value, "uf_signal": signal_value, "uf_job": job_value,
             "uf_time": lambda value: in_words(int(value))}
    collection.subprinters = [gdb.printing.SubPrettyPrinter(name) for name in texts]
    enabled = {printer.name: printer for printer in collection.subprinters}

    def choose(value):
        name = value.type.unqualified().name
        return Printer(texts[name], value) if name in texts and enabled[name].enabled else None
    collection.__class__ = type("Printers", (gdb.printing.PrettyPrinter,), {"__call__": lambda _self, v: choose(v)})
    return collection


gdb.printing.register_pretty_printer(None, printers(), replace=True)
