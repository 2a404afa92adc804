# SPDX-License-Identifier: MIT
"""Arms: as ufi_wait_text() and ufi_is_waited_for() of runtime/observe/waits.c."""
import gdb

from .memory import Struct, offset_of, text_at
from .times import FOREVER

PENDING = 0  # uf_arm.state
KEPT = 10  # uf_arm.cause
IN_POOL = 0xffffffff  # uf_flow.parent_offset
JOB_PENDING = 1  # uf_job.status
JOB_TEXTS = ("none", "pending", "done", "failed", "timed out", "rejected")
KINDS = (  # name, words and target of each uf_arm_kind, as UF_ARM_KINDS
    ("UNUSED", "a condition", "NOTHING"), ("TIMEOUT", "timeout", "TIME"), ("INTERVAL", "stay: again", "TIME"),
    ("HELD", "until a condition has held", "CONDITION"), ("OPERAND", "", "NOTHING"), ("RUN", "run", "FLOW"),
    ("JOB", "job", "JOB"), ("ANY", "any", "JOBS"), ("JOBS", "all", "JOBS"), ("READABLE", "readable", "DESCRIPTOR"),
    ("WRITABLE", "writable", "DESCRIPTOR"), ("SIGNAL", "signal", "SIGNAL"),
    ("CHECKPOINT", "checkpoint", "CHECKPOINT"), ("ARRIVED", "arrived", "ARRIVAL"), ("MAILBOX", "mailbox", "MAILBOX"),
    ("ROOM", "room in", "ROOM"), ("VACANT", "vacant", "POOL"), ("EMPTY", "idle", "POOL"), ("IDLE", "idle", "FLOW"),
    ("STOPPING", "stopping", "STOP"), ("PREEMPT", "on", "SIGNAL"), ("COMPANION", "with run", "FLOW"),
    ("ON_TIMEOUT", "on timeout", "TIME"), ("DEADLINE", "deadline", "TIME"), ("ENDED", "ended", "POOL"),
    ("TIMEOUT_REAL", "timeout real", "REAL_TIME"), ("ON_TIMEOUT_REAL", "on timeout real", "REAL_TIME"),
)


def work_of(job):
    """The record of a pending job; None: there is none, or the debug information does not have it."""
    try:
        return Struct("uf_work", job["work"]) if job["status"] == JOB_PENDING and job["work"] else None
    except gdb.GdbError:
        return None


class Arm(Struct):
    def __init__(self, flow, address):
        super().__init__("uf_arm", address)
        self.flow = flow
        self.kind, self.words, self.target = KINDS[self["kind"] if self["kind"] < len(KINDS) else 0]

    def is_pending(self):
        target, pending = self.target, self["state"] == PENDING
        if target == "NOTHING": return False
        if self.kind == "INTERVAL":
            return bool(self["on_list"] or self["cause"] == KEPT) or self["on.deadline"] == FOREVER
        if target in ("CONDITION", "TIME", "REAL_TIME"): return True
        if target == "JOB":
            job = self["on.job"] and Struct("uf_job", self["on.job"])
            return bool(job and job["worker"] and job["status"] == JOB_PENDING)
        if target in ("SIGNAL", "CHECKPOINT", "ARRIVAL", "MAILBOX"): return pending and self["on.signal"] != 0
        if target == "FLOW": return pending and self["on.target"] != 0 and self["on_list"] != 0
        return pending

    def is_released(self, signal):
        return signal["word"] >> 32 != self["since"]

    def checkpoint(self):
        return Struct("uf_checkpoint", self["on.signal"] - offset_of("uf_checkpoint", "arrived"))

    def deadline(self):
        """The logical time at which it is due. While the flow stands, the arm has what remains instead."""
        if self.target != "TIME": return FOREVER
        at = self["on.deadline"]
        is_left = self.flow.is_paused() and self.kind != "DEADLINE" and at != FOREVER
        return self.flow.pump().now() + at if is_left else at

    def text(self):
        def named(address):
            return f"{words} {text_at(address)}" if address else f"{words} without a name"
        target, words = self.target, self.words
        if target == "TIME": return f"{words} {self.flow.pump().until(self.deadline())}"
        if target == "REAL_TIME": return f"{words} {self.flow.pump().until_real(self['on.deadline'])}"
        if target == "FLOW": return f"{words} {self.flow.at(self['on.target']).path()}"
        if target == "JOB": return f"{words} {self.job_text()}"
        if target == "JOBS": return words + self.jobs_text()
        if target == "DESCRIPTOR": return f"{words} {self['on.fd']}"
        if target == "SIGNAL":
            signal = Struct("uf_signal", self["on.signal"])
            fires = signal["word"] >> 32 & 0xffffffff
            return named(signal["name"]) + (f" (fires so far: {fires})" if fires else "")
        if target == "CHECKPOINT":
            held = Struct("uf_signal", self["on.signal"])
            stopped = f"{held['word'] & 0xffffffff} stopped; who resumes it is not known"
            return named(held["name"]) + f" ({'resumed' if self.is_released(held) else stopped})"
        if target == "ARRIVAL": return named(self.checkpoint()["held.name"])
        if target == "MAILBOX": return named(Struct("uf_mailbox", self["on.signal"])["name"])
        if target in ("ROOM", "POOL"):
            name = Struct("uf_arm", self.address + self.size)["on.name"]
            receiver = self.receiver() if target == "ROOM" else None
            return named(name) + (f" of {receiver.path()}" if receiver else "")
        return words

    def receiver(self):
        """For ROOM: the flow of the mailbox, if that still exists."""
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
        target, flows = self.target, []
        if not self["on_list"]: return []
        if target == "FLOW": flows = [self.flow.at(self["on.target"])]
        elif target == "ROOM": flows = [flow for flow in [self.receiver()] if flow]
        elif target == "POOL":
            pool = self["on.room"] - offset_of("uf_members", "vacant" if self.kind == "VACANT" else "empty")
            flows = sorted((flow for flow in self.flow.pump().flows
                            if flow["parent_offset"] == IN_POOL and flow.member()["pool"] == pool),
                           key=lambda flow: flow.address)
        elif target == "ARRIVAL":
            around = [flow for flow in self.flow.pump().flows
                      if flow.address <= self["on.signal"] < flow.address + flow.type["size"]]
            flows = [max(around, key=lambda flow: flow.address)] if around else []
        return [flow for flow in flows if flow.running]

    def blockers(self):
        """The waits by which a cycle can lead: no companion, and no pool of which one member ends by itself."""
        others = [] if self.kind == "COMPANION" else self.awaited()
        if self.target != "POOL": return others
        waiting = [flow for flow in others if any(arm.on_flows() for _what, arm in flow.waits())]
        return [] if self.kind == "VACANT" and len(waiting) < len(others) else waiting

    def on_flows(self):
        return self.target in ("FLOW", "ROOM", "ARRIVAL", "POOL") and self["on_list"] != 0
