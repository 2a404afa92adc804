"""Arms: as ufi_wait_text() and ufi_is_waited_for() of runtime/observe/waits.c."""
import gdb

from .memory import Struct, offset_of, text_at
from .times import FOREVER

PENDING = 0  # uf_arm.state
IN_POOL = 0xffffffff  # uf_flow.parent_offset
JOB_PENDING = 1  # uf_job.status
JOB_TEXTS = ("none", "pending", "done", "failed", "timed out", "rejected")
KINDS = ("UNUSED TIMEOUT INTERVAL HELD OPERAND RUN JOB ANY JOBS READABLE WRITABLE SIGNAL CHECKPOINT ARRIVED MAILBOX "
         "ROOM VACANT EMPTY IDLE STOPPING PREEMPT COMPANION ON_TIMEOUT DEADLINE").split()  # uf_arm_kind
WORDS = {  # as UF_ARM_KINDS
    "TIMEOUT": "timeout", "INTERVAL": "stay: again", "HELD": "until a condition has held", "RUN": "run", "JOB": "job",
    "ANY": "any", "JOBS": "all", "READABLE": "readable", "WRITABLE": "writable", "SIGNAL": "signal",
    "CHECKPOINT": "checkpoint", "ARRIVED": "arrived", "MAILBOX": "mailbox", "ROOM": "room in", "VACANT": "vacant",
    "EMPTY": "idle", "IDLE": "idle", "STOPPING": "stopping", "DEADLINE": "deadline", "PREEMPT": "on",
    "ON_TIMEOUT": "on timeout", "COMPANION": "with run",
}
TIMES = ("TIMEOUT", "INTERVAL", "DEADLINE", "ON_TIMEOUT")


def work_of(job):
    """The record of a pending job; None: it has none, or the debug information does not know it."""
    try:
        return Struct("uf_work", job["work"]) if job["status"] == JOB_PENDING and job["work"] else None
    except gdb.GdbError:
        return None


class Arm(Struct):
    def __init__(self, flow, address):
        super().__init__("uf_arm", address)
        self.flow, self.kind = flow, KINDS[self["kind"]] if self["kind"] < len(KINDS) else "UNUSED"

    def is_pending(self):
        kind, pending = self.kind, self["state"] == PENDING
        if kind in ("UNUSED", "OPERAND"): return False
        if kind in ("HELD", "TIMEOUT", "DEADLINE", "ON_TIMEOUT"): return True
        if kind == "INTERVAL": return bool(self["on_list"]) or self["on.deadline"] == FOREVER
        if kind == "JOB":
            job = self["on.job"] and Struct("uf_job", self["on.job"])
            return bool(job and job["worker"] and job["status"] == JOB_PENDING)
        if kind in ("SIGNAL", "PREEMPT", "CHECKPOINT", "ARRIVED", "MAILBOX"): return pending and self["on.signal"] != 0
        if kind in ("RUN", "COMPANION", "IDLE"): return pending and self["on.target"] != 0 and self["on_list"] != 0
        return pending

    def is_released(self, signal):
        return signal["word"] >> 32 != self["since"]

    def checkpoint(self):
        return Struct("uf_checkpoint", self["on.signal"] - offset_of("uf_checkpoint", "arrived"))

    def deadline(self):
        """The logical time at which it is due."""
        return self["on.deadline"] if self.kind in TIMES else FOREVER

    def text(self):
        def named(address):
            return f"{words} {text_at(address)}" if address else f"{words} without a name"
        kind, words = self.kind, WORDS[self.kind]
        if kind in TIMES: return f"{words} {self.flow.pump().until(self['on.deadline'])}"
        if kind in ("RUN", "COMPANION", "IDLE"): return f"{words} {self.flow.at(self['on.target']).path()}"
        if kind == "JOB": return f"{words} {self.job_text()}"
        if kind in ("ANY", "JOBS"): return words + self.jobs_text()
        if kind in ("READABLE", "WRITABLE"): return f"{words} {self['on.fd']}"
        if kind in ("SIGNAL", "PREEMPT"): return named(Struct("uf_signal", self["on.signal"])["name"])
        if kind == "CHECKPOINT":
            held = Struct("uf_signal", self["on.signal"])
            stopped = f"{held['word'] & 0xffffffff} stopped; who resumes it is not known"
            return named(held["name"]) + f" ({'resumed' if self.is_released(held) else stopped})"
        if kind == "ARRIVED": return named(self.checkpoint()["held.name"])
        if kind == "MAILBOX": return named(Struct("uf_mailbox", self["on.signal"])["name"])
        if kind in ("ROOM", "VACANT", "EMPTY"):
            name = Struct("uf_arm", self.address + self.size)["on.name"]
            receiver = self.receiver() if kind == "ROOM" else None
            return named(name) + (f" of {receiver.path()}" if receiver else "")
        return words

    def receiver(self):
        """Of ROOM: the flow of the mailbox, if that still exists."""
        if not self["on_list"] or not self["next"]: return None
        return self.flow.at(Struct("uf_mailbox", self["on.room"] - offset_of("uf_mailbox", "room"))["owner"])

    def checkpoint_name(self):
        name = Struct("uf_signal", self["on.signal"])["name"] if self.kind == "CHECKPOINT" else 0
        return text_at(name) if name else ""

    def job_text(self):
        job, of = Struct("uf_job", self["on.job"]), self.flow
        worker = name = text_at(Struct("uf_worker", job["worker"])["name"])
        for info in of.type.jobs:
            at = of.address + info["offset"] + self["index"] * info["stride"]
            if at != job.address or of.type.tasks[info["task"]] != of.task: continue
            name = text_at(info["name"]) + (f"[{self['index']}]" if info["count"] else "")
        work = work_of(job)
        if not work: return name
        passed = self.flow.pump().passed(self.flow.pump().real_now() - work["submitted"])
        if work["begun"]: return f"{name} ({worker}, runs, submitted {passed} ago)"
        return f"{name} ({worker}, in the queue for {passed})"

    def jobs_text(self):
        info, from_ = Struct("uf_job_info", self["on.jobs"]), self.flow.address
        jobs = [Struct("uf_job", from_ + info["offset"] + i * info["stride"]) for i in range(info["count"])]
        pending = [job for job in jobs if job["status"] == JOB_PENDING]
        begun = sum(bool(work and work["begun"]) for work in map(work_of, pending))
        return f"({text_at(info['name'])}) ({len(pending)} pending, {begun} of them run)"

    def awaited(self):
        """The running flows that the arm waits for: their end, or that they receive or arrive."""
        kind, flows = self.kind, []
        if not self["on_list"]: return []
        if kind in ("RUN", "COMPANION", "IDLE"): flows = [self.flow.at(self["on.target"])]
        elif kind == "ROOM": flows = [flow for flow in [self.receiver()] if flow]
        elif kind in ("VACANT", "EMPTY"):
            pool = self["on.room"] - offset_of("uf_members", "vacant" if kind == "VACANT" else "empty")
            flows = sorted((flow for flow in self.flow.pump().flows
                            if flow["parent_offset"] == IN_POOL and flow.member()["pool"] == pool),
                           key=lambda flow: flow.address)
        elif kind == "ARRIVED":
            around = [flow for flow in self.flow.pump().flows
                      if flow.address <= self["on.signal"] < flow.address + flow.type["size"]]
            flows = [max(around, key=lambda flow: flow.address)] if around else []
        return [flow for flow in flows if flow.running]

    def blockers(self):
        """Those of them by which a cycle can lead: no companion, and no pool of which one member ends by itself."""
        others = [] if self.kind == "COMPANION" else self.awaited()
        if self.kind not in ("VACANT", "EMPTY"): return others
        waiting = [flow for flow in others if any(arm.on_flows() for _what, arm in flow.waits())]
        return [] if self.kind == "VACANT" and len(waiting) < len(others) else waiting

    def on_flows(self):
        return self.kind in ("RUN", "IDLE", "ROOM", "ARRIVED", "VACANT", "EMPTY") and self["on_list"] != 0
