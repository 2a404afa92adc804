# SPDX-License-Identifier: MIT
"""The commands `uflow flows`, `uflow flow`, `uflow why` and `uflow trace`."""
import gdb

from .flows import process
from .memory import Struct, text_at
from .recorder import read_armers, show_trace
from .times import counted

CHANGING = 0x80000000  # of uf_flow.ticks
MOST_SHOWN = 10  # members of a pool, or flows that wait for one
CAUSES = {"JOB": "a worker function", "ANY": "a worker function", "JOBS": "worker functions", "SIGNAL": "who fires it",
          "PREEMPT": "who fires it", "ARRIVED": "a flow that stops there", "MAILBOX": "who sends",
          "ROOM": "who receives", "STOPPING": "a shutdown"}


def flow_named(path):
    """The flow with this path, or the only one whose path ends so; otherwise an expression."""
    flows = process.all_flows()
    found = ([flow for flow in flows if flow.path() == path] or
             [flow for flow in flows if flow.path().endswith("." + path)])
    if len(found) == 1: return found[0]
    if found: raise gdb.GdbError(f"{len(found)} flows are called {path}: " + ", ".join(
        f"{flow.path()} (at {flow.address:#x} of {flow.pump().name()})" for flow in found))
    try:
        value = gdb.parse_and_eval(path)
        address = int(value if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT)
                      else value.address)
    except (gdb.error, TypeError):
        address = 0
    found = [flow for flow in flows if flow.address == address]
    if not found: raise gdb.GdbError(f"No flow is called {path}. `uflow flows` shows all.")
    return found[0]


def waiting_for(flow):
    """The flows that wait for this one, with the arm of each."""
    return [(other, arm) for other in process.all_flows() for _what, arm in other.waits() if flow in arm.awaited()]


def state_of(flow):
    """Its step and for how long, or how it ended."""
    if not flow.running or flow.starts: return flow.summary().split("  ", 1)[1]
    described = f'  "{flow.description()}"' if flow.description() else ""
    return f"{flow.place()}  for {flow.in_step()}{flow.paused()}{flow.keeping()}{described}"


def told(arm):
    """With the flow that armed the checkpoint, if a recorder knows it."""
    if not arm.checkpoint_name(): return arm.text()
    if process.armers is None: process.armers = read_armers()
    armer = process.armers.get(arm.checkpoint_name())
    return arm.text() + (f", armed by {armer}" if armer else "")


def own_waits(flow):
    """Those of its step, without the handlers and companions of its task."""
    return [told(arm) for what, arm in flow.waits() if what == "waits"]


def step_does(flow):
    if flow.is_in_turn(): return "its step runs now: `thread apply all backtrace` shows where"
    waits = own_waits(flow) + ["a condition"] * flow.polls()
    if not waits and flow.awaits_store(): return flow.awaits_store()
    return "waits: " + "; ".join(waits) if waits else "is ready to run"


def doing(flow):
    return "; ".join([step_does(flow)] + [f"{what}: {arm.text()}" for what, arm in flow.waits() if what != "waits"])


def more_than_shown(items):
    return f", and {len(items) - MOST_SHOWN} more" if len(items) > MOST_SHOWN else ""


def show_given_up(pump):
    """As uf_pump_dump() prints it."""
    for work in pump.given_up():
        path = process.flow_at(work["flow"]).path() if work["flow"] else "a flow that is gone"
        print(f"a worker function of a job that was given up still runs: "
              f"{text_at(Struct('uf_worker', work['worker'])['name'])} for {path}, submitted "
              f"{pump.passed(pump.real_now() - work['submitted'])} ago")


def show_flows(argument):
    """With an argument: the flows with a name in their path that begins with it."""
    for pump in process.pumps():
        wanted = [flow for flow in pump.flows if not argument or f".{argument}" in f".{flow.path()}"]
        running = sum(flow.running for flow in pump.flows)
        print(f"{pump.name()}: {counted(len(pump.flows), 'flow')}, {running} running, round {pump['round']}")
        for flow in wanted:
            name = flow.path() if argument else "  " * flow.path().count(".") + text_at(flow["name"])
            print(f"  {name:<22}  {state_of(flow)}" + (f"  {doing(flow)}" if flow.running else ""))
        show_given_up(pump)
        if pump.damage: print(f"  The rest of its list of flows cannot be read: {pump.damage}.")
    if not argument: print_cycles(find_cycles(process.all_flows()))


def show_flow(argument):
    if not argument: raise gdb.GdbError("Which flow? `uflow flow PATH`; `uflow flows` shows all paths.")
    flow = flow_named(argument)
    print(flow.summary())
    own = own_waits(flow)
    if flow.running and not own: print(f"    {step_does(flow)}")
    for number, (what, arm) in enumerate(flow.waits(), 1):
        awaited = arm.awaited()
        others = ", ".join(f"{other.path()} is in {other.position()}" for other in awaited[:MOST_SHOWN])
        print(f"    {what}: {arm.text()}" + (f"  [{others}{more_than_shown(awaited)}]" if others else ""))
        if number == len(own) and flow.polls(): print("    waits: a condition")
    waiting = waiting_for(flow)
    for other, arm in waiting[:MOST_SHOWN]:
        print(f"    waited for by {other.path()}  {other.position()}: {arm.text()}")
    if len(waiting) > MOST_SHOWN: print(f"    waited for by {len(waiting) - MOST_SHOWN} more")
    is_first = flow.running and flow.outcome == "never ran"
    print(f"    of flow {flow.type.name} in {flow.type.source}, run {flow['run']}, body ran "
          f"{counted(flow['ticks'] & ~CHANGING, 'time')} in this step; "
          f"{'no earlier run' if is_first else f'the last run: {flow.outcome}'}; "
          f"at {flow.address:#x}")


def find_cycles(flows):
    """Depth first, each flow once. Of the members of a pool that wait for its flow, only the first one counts."""
    cycles, done = [], set()

    def follow(flow, before):
        if flow in done or len(before) > 500: return
        for _what, arm in flow.waits():
            way, known = before + [(flow, arm)], len(cycles)
            for other in arm.blockers():
                on_way = [at for at, _arm in way]
                if other in on_way: cycles.append(way[on_way.index(other):])
                else: follow(other, way)
                if any((flow, arm) in cycle for cycle in cycles[known:]): break
        done.add(flow)

    for flow in flows: follow(flow, [])
    return cycles


def print_cycles(cycles):
    for cycle in cycles:
        print("this flow waits for itself:" if len(cycle) == 1 else f"these {len(cycle)} flows wait for each other:")
        for flow, arm in cycle: print(f"    {flow.path()}  {flow.position()}  {arm.text()}")


def show_why(argument):
    """The chain of waits, depth first; each flow once. Then the cycles on it. Without a flow: all cycles."""
    shown = set()

    def follow(flow, depth):
        here = "  " * depth
        print(f"{here}{flow.path()}  " + ("as above" if flow in shown else state_of(flow)))
        if flow in shown: return
        shown.add(flow)
        if flow.running and not own_waits(flow): print(f"{here}  {step_does(flow)}")
        for what, arm in flow.waits():
            others = arm.awaited()
            on = "" if others else f", which depends on {CAUSES[arm.kind]}" if arm.kind in CAUSES else ""
            print(f"{here}  {'waits for' if what == 'waits' else 'its task has'} {told(arm)}{on}" + ":" * bool(others))
            for other in others[:MOST_SHOWN]: follow(other, depth + 2)
            if len(others) > MOST_SHOWN: print(f"{here}    and {len(others) - MOST_SHOWN} more")

    if argument: follow(flow_named(argument), 0)
    cycles = find_cycles([flow_named(argument)] if argument else process.all_flows())
    print_cycles(cycles)
    if not argument and not cycles: print("No flows wait for each other.")
    if not argument: print_suspects(process.all_flows())


def print_suspects(flows):
    """Prints other causes of a delay: steps that have not returned, and flows that have failed."""
    running = [flow for flow in flows if flow.is_in_turn()]
    failed = [flow for flow in flows if not flow.running and flow.outcome == "failed"]
    if running: print("In a step that has not returned; `thread apply all backtrace` shows where:")
    for flow in running: print(f"  {flow.path()}  {state_of(flow)}")
    if failed: print("Failed, so others may wait for what they did before:")
    for flow in failed[:MOST_SHOWN]: print(f"  {flow.path()}  {state_of(flow)}")
    if len(failed) > MOST_SHOWN: print(f"  and {len(failed) - MOST_SHOWN} more")
    print("`uflow flows` shows what each flow waits for.")


class Prefix(gdb.Command):
    """Show what flows do and what they wait for. The commands read memory only, also that of a core dump."""

    def __init__(self):
        super().__init__("uflow", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, _argument, _from_tty):
        gdb.execute("help uflow")


class Command(gdb.Command):
    def __init__(self, name, function, text, with_path):
        self.function, self.with_path, self.__doc__ = function, with_path, text
        super().__init__("uflow " + name, gdb.COMMAND_STATUS)

    def invoke(self, argument, _from_tty):
        self.dont_repeat()
        try:
            process.begin()
            self.function(argument.strip())
        except gdb.GdbError:
            raise
        except KeyboardInterrupt:
            print("Interrupted.")
        except Exception as error:  # pylint: disable=broad-except  # whatever damaged memory leads to
            program = gdb.current_progspace().filename or "no program"
            raise gdb.GdbError(f"The memory of the flows is damaged, or not in the core dump, or it is of another "
                               f"program than {program}: {error}") from None

    def complete(self, text, word):
        if word is None: return []  # gdb asks which characters separate words
        try:
            process.begin()
            paths = [flow.path() for flow in process.all_flows()] if self.with_path else []
        except (gdb.error, gdb.GdbError):
            paths = []
        return [path[len(text) - len(word):] for path in paths if path.startswith(text)]


Prefix()
Command("flows", show_flows, "uflow flows [TEXT]: all flows, or those with a name that begins with TEXT.", True)
Command("flow", show_flow, "uflow flow PATH: one flow: its step, what it waits for, and who waits for it.", True)
Command("why", show_why, "uflow why [PATH]: whom the flow waits for, whom those wait for; the cycles.", True)
Command("trace", show_trace, "uflow trace [COUNT] [PATTERN]: the last events of the flight recorder.", False)
