# SPDX-License-Identifier: MIT
"""Random, valid .uflow programs that use every arm and intent, and the C tables by which driver.c runs them.

`Batch(first, count)` holds the programs of consecutive seeds: `uflow` is one .uflow file, `c` is its C file. The names
in it are the same in all versions of the runtime, so that one batch can be built with two of them. With `guards`, the
same programs have conditions before arms, arms whose conditions are false, and deadlines in place of timeouts. They
must behave as without the conditions."""
import re

MASK = (1 << 64) - 1

# The programs before a part stay as they were recorded: those from its first seed on have more constructs.
SECOND_PART = 1000000  # handlers and companions of tasks, `on end`, `drop`, `item`, `room`
THIRD_PART = 2000000  # pools of flows
FOURTH_PART = 3000000  # groups of tasks
FIFTH_PART = 4000000  # pauses; arrays of sub-flows, signals and checkpoints; `ended`, `timeout real`, `limit`


class Draw:
    """A generator of random numbers that gives the same ones in every version of Python (splitmix64)."""

    def __init__(self, seed):
        self.state = seed * 0x9E3779B97F4A7C15 & MASK

    def below(self, limit):
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        return (mixed ^ mixed >> 31) % limit

    def chance(self, percent):
        return self.below(100) < percent

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def choice(self, items):
        return items[self.below(len(items))]


class Task:
    def __init__(self, name, parameters, has_result, kind):
        self.name, self.parameters, self.has_result, self.kind = name, parameters, has_result, kind
        self.steps = []  # (name, number of parameters)
        self.jobs = []  # (name, worker)


class Flow:
    def __init__(self, name):
        self.name = name
        self.subflows, self.signals, self.checkpoints, self.mailboxes, self.tasks = [], [], [], [], []
        self.pools = []  # (name, flow of the members)
        self.arrays = []  # of sub-flows: (name, flow of the elements, number of elements)
        self.lines = []

    def can_be_member(self):
        return (not self.pools and all(task.kind != "shutdown " for task in self.tasks) and
                all(other.can_be_member() for _, other, *_ in self.subflows + self.arrays))

    def parts(self):
        """The sub-flows and the elements of arrays: (place, flow)."""
        return self.subflows + [(f"{name}[{i}]", other) for name, other, count in self.arrays for i in range(count)]


class Scope:
    """Variables that a target may use besides `flow` and `self`."""

    def __init__(self, step_parameters=0, reason=False, result=False, item=False, index=False):
        self.step_parameters, self.reason, self.result, self.item = step_parameters, reason, result, item
        self.index = index


def elements(array):
    """The elements of `name[count]`."""
    name, count = re.fullmatch(r"(\w+)\[(\d+)\]", array).groups()
    return [f"{name}[{i}]" for i in range(int(count))]


def declared(names):
    """Names to declare: of the elements of an array, which have two, the array."""
    return [name.replace("[1]", "[2]") for name in names if not name.endswith("[0]")]


class Program:
    """One program: global signals and workers, and flows. Each flow may contain the earlier ones."""

    def __init__(self, seed, guards=False):
        self.draw, self.other = Draw(seed), Draw(seed + 1000000) if guards else None
        self.has_second_part, self.has_pools = seed >= SECOND_PART, seed >= THIRD_PART
        self.has_groups, self.groups = seed >= FOURTH_PART, 0
        self.has_fifth_part = seed >= FIFTH_PART
        self.name = f"P{seed}"
        self.signals = [f"{self.name}_g{i}" for i in range(self.draw.between(1, 2))]
        self.workers = [f"{self.name}_w{i}" for i in range(self.draw.between(1, 2))]
        self.flows = []
        if self.has_fifth_part: self.signals.append(f"{self.name}_q[2]")
        self.lines = [f"signal {', '.join(self.signals)};"]
        if self.has_fifth_part: self.signals[-1:] = elements(self.signals[-1])
        for worker in self.workers: self.put_worker(worker)
        for number in range(self.draw.choice((1, 2, 2, 2, 3))): self.add_flow(f"{self.name}_F{number}")
        self.text = "\n".join(self.lines) + "\n"

    def put_worker(self, name):
        fails = self.draw.between(2, 5)
        limit = f" limit {self.draw.between(1, 2)}" if self.has_fifth_part and self.draw.chance(50) else ""
        self.lines += [f"worker int {name}(int a){limit} {{", f"    random_worked({name[-1]}, a);",
                       f'    if (a % {fails} == 1) fail "bad input %d", a;', "    return a * 2;", "}"]

    # -- flows and tasks
    # -------------------------------------------------------------------------------------------------

    def add_flow(self, name):
        draw, flow = self.draw, Flow(name)
        for other in self.flows:
            for _ in range(draw.choice((0, 1, 1, 1, 1, 2))): flow.subflows.append((f"u{len(flow.subflows)}", other))
        members = [other for other in self.flows if other.can_be_member()] if self.has_pools else []
        if members: flow.pools = [(f"k{i}", draw.choice(members)) for i in range(draw.choice((1, 1, 2)))]
        flow.signals = [f"s{i}" for i in range(draw.below(2))]
        flow.checkpoints = [f"c{i}" for i in range(draw.below(2))]
        if self.has_fifth_part: self.add_arrays(flow)
        flow.mailboxes = [f"m{i}" for i in range(draw.below(2))]
        for number in range(draw.choice((1, 1, 2, 2, 3))):
            kind = draw.choice(("", "", "", "", "", "forever ")) if number else ""
            task = Task(f"T{number}", draw.below(3), draw.chance(40), kind)
            if kind: task.has_result = False
            flow.tasks.append(task)
        if draw.chance(30): flow.tasks.append(Task("Down", 0, False, "shutdown "))
        for task in flow.tasks:
            task.steps = [("A", 0)] + [(letter, draw.choice((0, 0, 1, 2))) for letter in "BCD"[:draw.between(1, 3)]]
            task.jobs = [(f"j{i}", draw.choice(self.workers)) for i in range(draw.choice((0, 0, 1, 2)))]
        self.flows.append(flow)
        out = self.lines
        out.append(f"flow {name} {{")
        out.append("    int n = 1, polls = 0;")
        for field, other in flow.subflows: out.append(f"    flow {other.name} {field};")
        for pool, other in flow.pools: out.append(f"    pool {other.name} {pool}[{draw.between(1, 3)}];")
        for array, other, count in flow.arrays: out.append(f"    flow {other.name} {array}[{count}];")
        for signal in declared(flow.signals): out.append(f"    signal {signal};")
        for checkpoint in declared(flow.checkpoints): out.append(f"    checkpoint {checkpoint};")
        if self.has_fifth_part: out.append("    uf_pause hold;")
        for mailbox in flow.mailboxes: out.append(f"    mailbox int {mailbox}[{draw.between(1, 3)}]{self.drop()};")
        self.put_handlers(flow, None, "    ")
        if self.has_second_part and draw.chance(60): self.put_on_end(flow)
        self.put_tasks(flow, flow.tasks, 0)
        out.append("}")

    def add_arrays(self, flow):
        draw = self.draw
        if self.flows and draw.chance(75):
            flow.arrays = [(f"r{i}", draw.choice(self.flows), draw.between(2, 3)) for i in range(draw.between(1, 2))]
        if draw.chance(60): flow.signals += elements("z[2]")
        if draw.chance(60): flow.checkpoints += elements("y[2]")

    def put_tasks(self, flow, tasks, depth):
        """Some of them in groups, which may hold groups."""
        while tasks:
            can_group = self.has_groups and depth < 4 and tasks[0].kind != "shutdown "
            if can_group and self.draw.chance(60):
                count = self.draw.between(1, sum(task.kind != "shutdown " for task in tasks))
                self.put_group(flow, tasks[:count], depth)
            else:
                count = 1
                self.put_task(flow, tasks[0])
            tasks = tasks[count:]

    def put_group(self, flow, tasks, depth):
        draw, out, name = self.draw, self.lines, f"G{self.groups}"
        self.groups += 1
        out.append(f"    group {name} {{")
        self.put_handlers(flow, None, "        ")
        if draw.chance(35): out.append(f"        on timeout {self.duration(Scope())} -> {self.leave(flow, '')};")
        if self.has_fifth_part: self.put_pauses("        ", "+", "0")
        for _ in range(draw.choice((0, 0, 1, 2)) if flow.subflows else 0):
            otherwise = f" else {self.leave(flow, 'reason')}" if draw.chance(60) else ""
            out.append(f"        with {self.companion(flow)[0]}{otherwise};")
        for words, what in (("on enter", '"+%s", 0' % name), ("on exit", "reason, (int)outcome")):
            if draw.chance(40): continue
            extra = draw.choice(("", "", f" random_fire(&{draw.choice(self.signals)});", " flow->n++;",
                                 ' if (flow->n == 7) uf_flow_fail(&flow->uf, "seven in a group");'))
            out.append(f"        {words} {{ random_say(&flow->uf, {what});{extra} }}")
        self.put_tasks(flow, tasks, depth + 1)
        out.append("    }")

    def put_pauses(self, indent, mark, value):
        """Handlers of a task or group."""
        for words, text, what in (("pause", "pause", value), ("resume", "resume", "(int)(paused / UF_US(1))")):
            if self.draw.chance(60): continue
            extra = self.draw.choice(("", "", " flow->n++;", f" random_fire(&{self.draw.choice(self.signals)});",
                                      ' if (flow->n == 7) uf_flow_fail(&flow->uf, "seven in a pause");'))
            self.lines.append(f'{indent}on {words} {{ random_say(&flow->uf, "{mark}{text}", {what});{extra} }}')

    def companion(self, flow):
        """A run of a sub-flow, or of all elements of an array. Returns its text, and whether it has `index`."""
        if flow.arrays and self.draw.chance(50): return self.array_event(flow)[0], True
        return self.run_event(flow)[0], False

    def leave(self, flow, reason):
        """The target of a handler of a group."""
        self.at = ""
        if self.draw.chance(70): return f"become {self.enter(flow, None, Scope())}"
        return f'fail "after: %s", {reason}' if reason else "fail"

    def drop(self):
        return " drop random_drop" if self.has_second_part and self.draw.chance(50) else ""

    def put_on_end(self, flow):
        """A forbidden act leaves its status in the trace."""
        extra = self.draw.choice(("", "", " flow->n++;", f" random_fire(&{self.draw.choice(self.signals)});",
                                  ' random_result("fail", uf_flow_fail(&flow->uf, "in on end"));',
                                  f" {self.start('flow', flow)}"))
        self.lines.append(f"    on end {{ random_say(&flow->uf, reason, (int)outcome);{extra} }}")

    def put_handlers(self, flow, task, indent):
        self.at = ""
        draw = self.draw
        signals = [s for s in self.signals + flow.signals if draw.chance(15 if task else 20)]
        for signal in signals:
            outcome = self.outcome(flow, task, Scope()) if task else f"become {self.enter(flow, None, Scope())}"
            self.lines.append(f"{indent}on {signal} -> {outcome};")

    def put_lasting(self, flow, task):
        """A timeout and companions of the task, in any order with its other handlers."""
        draw, made = self.draw, []
        if draw.chance(35): made.append(f"on timeout {self.duration(Scope())}{self.to(flow, task, Scope())}")
        if self.has_fifth_part and draw.chance(20):
            made.append(f"on timeout real {self.duration(Scope())}{self.to(flow, task, Scope())}")
        for _ in range(draw.choice((0, 0, 1, 1, 2)) if flow.subflows else 0):
            event, has_index = self.companion(flow)
            companion = f"with {event}"
            if draw.chance(60): companion += " else " + self.outcome(flow, task, Scope(reason=True, index=has_index))
            made.insert(draw.below(2), companion)
        self.lines += [f"        {line};" for line in made]

    def put_task(self, flow, task):
        draw, out = self.draw, self.lines
        parameters = ", ".join(f"int p{i}" for i in range(task.parameters))
        head = f"({parameters})" if parameters else ""
        out.append(f"    {task.kind}task {task.name}{head}{' -> int' if task.has_result else ''} {{")
        out.append("        int left = %d;" % draw.between(1, 4))
        for name, worker in task.jobs: out.append(f"        job {name}: {worker};")
        if draw.chance(30): out.append('        on enter { random_say(&flow->uf, "enter", self->left); }')
        if draw.chance(50):
            extra = draw.choice(("", "", f" random_fire(&{draw.choice(self.signals)});", " flow->n++;",
                                 ' if (flow->n == 7) uf_flow_fail(&flow->uf, "seven at exit");'))
            what = "reason" if self.has_second_part else '"exit"'
            out.append(f"        on exit {{ random_say(&flow->uf, {what}, (int)outcome);{extra} }}")
        if self.has_fifth_part: self.put_pauses("        ", "", "self->left")
        self.at = ""
        is_before = self.has_second_part and draw.chance(50)
        if is_before: self.put_lasting(flow, task)
        if task.kind != "shutdown ": self.put_handlers(flow, task, "        ")
        if self.has_second_part and not is_before: self.put_lasting(flow, task)
        for step, count in task.steps: self.put_step(flow, task, step, count)
        out.append("    }")

    def put_step(self, flow, task, step, count):
        parameters = ", ".join(f"int a{i}" for i in range(count))
        scope = Scope(count)
        self.at = step
        self.lines.append(f"        step {step}{f'({parameters})' if parameters else ''} {{")
        self.put(3, f'random_say(&flow->uf, "{task.name}.{step}", {self.value(task, scope)});')
        self.put(3, 'if (!random_go_on()) fail "out of fuel";')
        for name, _ in task.jobs:
            if step == "A" and self.draw.chance(70): self.put(3, f"submit {name}({self.value(task, scope)});")
        self.put_body(flow, task, scope, 3)
        self.lines.append("        }")

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    # -- bodies ------------------------------------------------------------------------------------------------------

    def put_body(self, flow, task, scope, depth):
        draw = self.draw
        for _ in range(draw.choice((0, 0, 1, 1, 2))): self.put_statement(flow, task, scope, depth)
        kind = draw.below(100)
        if kind < 18 and depth < 5:
            self.put(depth, f"if ({self.condition(task, scope)}) {{")
            self.put_body(flow, task, scope, depth + 1)
            self.put(depth, "} else {")
            self.put_body(flow, task, scope, depth + 1)
            self.put(depth, "}")
        elif kind < 28 and depth < 5:
            self.put(depth, f"if ({self.condition(task, scope)}) {self.intent(flow, task, scope)}")
            self.put_body(flow, task, scope, depth + 1)
        elif kind < 32 and depth < 4:
            self.put(depth, f"switch (({self.value(task, scope)}) & 3) {{")
            self.put(depth, "case 1: flow->n++; break;")
            self.put(depth, "case 2:")
            self.put_body(flow, task, scope, depth + 1)
            self.put(depth, "default:")
            self.put_body(flow, task, scope, depth + 1)
            self.put(depth, "}")
            self.put(depth, self.intent(flow, task, scope))
        else:
            self.put_end(flow, task, scope, depth)

    def put_statement(self, flow, task, scope, depth):
        draw = self.draw
        choices = [
            lambda: "flow->n++;",
            lambda: f"flow->n = (flow->n * 3 + {draw.below(5)}) % 11;",
            lambda: f"self->left = {draw.between(0, 4)};",
            lambda: f'describe "n is %d of {draw.below(9)}", flow->n;',
            lambda: 'describe "a third is %.3f, %04d", flow->n / 3.0, flow->n;',
            lambda: f"random_fire(&{self.signal(flow)});",
            lambda: f'(void)UF_CHECK(&flow->uf, flow->n != {draw.between(6, 10)});',
            lambda: f"if (flow->n == {draw.below(11)}) (void)uf_flow_cancel(&flow->uf);",
        ]
        if task.jobs: choices += [lambda: self.submit(task, scope)] * 4
        for name in flow.checkpoints: choices.append(lambda name=name: self.checkpoint_call(f"&flow->{name}"))
        if self.has_fifth_part: choices += [lambda: self.pause(flow)] * 3
        for field, other in flow.parts():
            choices.append(lambda field=field: f"(void)uf_flow_cancel(&flow->{field}.uf);")
            choices.append(lambda field=field, other=other: self.start(f"&flow->{field}", other))
            for name in other.checkpoints: choices.append(lambda f=field,
                                                          name=name: self.checkpoint_call(f"&flow->{f}.{name}"))
            for name in other.mailboxes:
                choices += [lambda field=field, other=other, name=name: self.result(
                    f"{other.name}_{name}_send(&flow->{field}, flow->n)")] * 2
        for name in flow.mailboxes:
            choices += [lambda name=name: "{ int got = -1; random_say(&flow->uf, \"received\", "
                        f"{flow.name}_{name}_receive(flow, &got) ? got : -1); }}"] * 2
        for pool, other in flow.pools:
            choices += [lambda pool=pool, other=other: self.spawn(flow, task, scope, pool, other)] * 4
            choices.append(lambda pool=pool, other=other: self.pool_call("flow", flow, pool, other, "flow->n"))
            choices.append(lambda pool=pool, other=other: f"{{ {other.name} *const one = {flow.name}_{pool}_at(flow, "
                           "(uf_u32)flow->n % 3); if (one) (void)uf_flow_cancel(&one->uf); }")
        self.put(depth, draw.choice(choices)())

    def pause(self, flow):
        """A pause of the flow itself or of a part, or the resume."""
        if self.draw.chance(50): return self.result("uf_flow_resume(&flow->hold)")
        place = self.draw.choice(["flow->uf"] + [f"flow->{part}.uf" for part, _ in flow.parts()] * 2)
        return self.result(f"uf_flow_pause(&{place}, &flow->hold)")

    def spawn(self, flow, task, scope, pool, other):
        made = self.draw.choice([t for t in other.tasks])
        text = f"spawn {pool}.{made.name}({self.arguments(task, scope, made.parameters)})"
        if self.draw.chance(80):
            text += " else " + self.outcome(flow, task, Scope(scope.step_parameters, reason=True))
        return text + ";"

    def pool_call(self, place, flow, pool, other, value):
        """A call of a function of a pool, from any thread."""
        made, prefix = self.draw.choice(other.tasks), f"{flow.name}_{pool}"
        spawn = f"{prefix}_spawn_{made.name}({', '.join([place] + [value] * made.parameters)})"
        return self.draw.choice((self.result(spawn), self.result(spawn), self.result(f"{prefix}_cancel_all({place})"),
                                 f'random_count("busy", {prefix}_busy({place}));',
                                 self.result(f"{prefix}_limit({place}, (uf_u32){value} % 4)")))

    def result(self, call):
        return f"random_result(\"{call.split('(')[0].split('_', 1)[1]}\", {call});"

    def checkpoint_call(self, place):
        return self.draw.choice((self.result(f"uf_checkpoint_try_arm({place})"),
                                 f"(void)uf_checkpoint_resume({place});",
                                 self.result(f"uf_checkpoint_disarm({place})")))

    def start(self, place, other):
        task = self.draw.choice([t for t in other.tasks if t.kind != "shutdown "])
        return self.result(f"{other.name}_start_{task.name}({', '.join([place] + ['flow->n'] * task.parameters)})")

    def submit(self, task, scope):
        name = self.draw.choice(task.jobs)[0]
        limit = f" timeout {self.duration(scope)}" if self.draw.chance(40) else ""
        return f"submit {name}({self.value(task, scope)}){limit};"

    def signal(self, flow):
        return self.draw.choice(self.signals + [f"flow->{s}" for s in flow.signals] +
                                [f"flow->{field}.{s}" for field, other in flow.parts() for s in other.signals])

    # -- expressions ---------------------------------------------------------------------------------------------------

    def value(self, task, scope):
        choices = ["flow->n", "flow->n + 1", str(self.draw.below(9))]
        if task: choices += ["self->left"] + [f"self->p{i}" for i in range(task.parameters)]
        choices += [f"a{i}" for i in range(scope.step_parameters)] * 2
        if task: choices += [f"self->{name}.value" for name, _ in task.jobs]
        if scope.result: choices += ["result"] * 4
        if scope.item: choices += ["item"] * 4
        if scope.index: choices += ["(int)index"] * 4
        return self.draw.choice(choices)

    def condition(self, task, scope):
        return self.draw.choice((f"flow->n > {self.draw.below(8)}", f"flow->n % {self.draw.between(2, 4)} == 0",
                                 f"{self.value(task, scope)} < {self.draw.below(9)}", "self->left-- > 0",
                                 "--self->left > 0"))

    def duration(self, scope):
        draw = self.draw
        return draw.choice((f"{draw.between(1, 9)}ms", f"{draw.choice((1, 5, 20, 100))}ms", f"{draw.between(1, 999)}us",
                            "1.5ms",
                            f"(flow->n * {draw.between(1, 4)}) ms", "0ms", "1s", "(flow->n - 3) ms", "20ms", "10ms"))

    def arguments(self, task, scope, count):
        """One of them may have a side effect, which shows when and how often it is evaluated."""
        values = [self.value(task, scope) for _ in range(count)]
        if values and self.draw.chance(25): values[0] = f"random_note(&flow->uf, {values[0]})"
        return ", ".join(values)

    def step(self, task, scope):
        later = [step for step in task.steps if step[0] > self.at]  # mostly: a step that returns may do so for ever
        name, count = self.draw.choice(later if later and self.draw.chance(75) else task.steps)
        return f"{name}({self.arguments(task, scope, count)})" if count else name

    def enter(self, flow, task, scope):
        """A task of this flow, with arguments."""
        other = self.draw.choice([t for t in flow.tasks if t.kind != "shutdown "])
        return f"{other.name}({self.arguments(task, scope, other.parameters)})" if other.parameters else other.name

    def ending(self, flow, task, scope):
        """Ends or leaves a task, both as an intent and as a target."""
        kind = self.draw.below(100)
        if kind < 60 and task.kind != "forever ":
            return f"done {self.arguments(task, scope, 1)}" if task.has_result else "done"
        if kind < 80 or task.kind == "shutdown ":
            if scope.reason and self.draw.chance(60): return 'fail "after: %s", reason'
            return self.draw.choice(("fail", f'fail "value %d", {self.value(task, scope)}'))
        return f"become {self.enter(flow, task, scope)}"

    def outcome(self, flow, task, scope):
        likely = 75 if self.at < task.steps[-1][0] else 30
        return self.step(task, scope) if self.draw.chance(likely) else self.ending(flow, task, scope)

    # -- intents -------------------------------------------------------------------------------------------------------

    def intent(self, flow, task, scope):
        """An intent that fits on a line."""
        kind = self.draw.below(100)
        if kind < (45 if self.at < task.steps[-1][0] else 12): return f"next {self.step(task, scope)};"
        if kind < 65: return f"{self.ending(flow, task, scope)};"
        if kind < 85: return f"await {self.duration(scope)} -> {self.outcome(flow, task, scope)};"
        return "stay;" if kind < 90 else f"stay every {self.duration(scope)};"

    def put_end(self, flow, task, scope, depth):
        draw, kind = self.draw, self.draw.below(100)
        if kind < 30:
            self.put(depth, self.intent(flow, task, scope))
        elif kind < 42:
            every = f" every {self.duration(scope)}" if draw.chance(60) else ""
            self.put(depth, f"stay{every} timeout {self.duration(scope)} -> {self.outcome(flow, task, scope)};")
        elif kind < 52:
            self.put(depth, f"await {self.arm(flow, task, scope)}")
        else:
            self.put(depth, "await {")
            arms = [self.arm(flow, task, scope) for _ in range(draw.between(1, 3))]
            if draw.chance(75): arms.append(f"timeout {self.duration(scope)} -> {self.outcome(flow, task, scope)};")
            if draw.chance(20): arms.insert(0, arms.pop())
            real = [arm for arm in arms if arm.startswith("timeout real")]
            arms = [arm for arm in arms if arm not in real[1:]]
            if self.other: arms = [self.guarded(flow, task, scope, arm) for arm in arms]
            branch = draw.chance(8) and len(arms) > 1
            for at, arm in enumerate(arms):
                if branch and at == 1: self.put(0, f"#if {draw.below(2)}")
                self.put(depth + 1, arm)
            if branch: self.put(0, "#endif")
            self.put(depth, "}")

    def guarded(self, flow, task, scope, arm):
        """The arm with a true condition, perhaps after an arm with a false one; from random numbers of their own."""
        draw, self.draw = self.draw, self.other
        made = arm
        # A pause moves a timeout, and no deadline.
        if arm.startswith("timeout") and "timeout real" not in arm and not self.has_fifth_part:
            if self.draw.chance(60): made = self.deadline(arm)
        if not made.startswith("timeout") and self.draw.chance(60):
            made = f"if ({self.draw.choice(('1', 'flow->n == flow->n', 'self->left < 1000'))}) {made}"
        if self.draw.chance(50):
            absent = self.arm(flow, task, scope) if self.draw.chance(80) else self.deadline(
                f"timeout {self.duration(scope)}{self.to(flow, task, scope)};")
            # A task that awaits a stop is not cancelled by it, whether or not the arm is there.
            # A pool keeps ends for an `ended`, whether or not the arm is there.
            # A timeout takes no condition.
            if "stopping" not in absent and "ended(" not in absent and not absent.startswith("timeout"):
                made = f"if ({self.draw.choice(('0', 'self->left > 1000'))}) {absent} {made}"
        self.draw = draw
        return made

    def deadline(self, arm):
        """The arm of a timeout, with the time at which it ends."""
        after, outcome = arm[len("timeout "):].split(" -> ", 1)
        computed = re.fullmatch(r"\((.*)\) ms", after)
        if computed: time = f"UF_DURATION({computed[1]}, UF_MS(1))"
        else:
            number, unit = re.fullmatch(r"([\d.]+)(\w+)", after).groups()
            time = str(round(float(number) * {"us": 1000, "ms": 1000000, "s": 1000000000}[unit]))
        return f"deadline(uf_time_add(uf_flow_now(&flow->uf), {time})) -> {outcome}"

    def arm(self, flow, task, scope):
        draw = self.draw
        arms = [(self.until, 2), (self.stopping, 1), (self.signal_arm, 3), (self.all_of, 3)]
        if flow.subflows: arms += [(self.run_arm, 6), (self.idle_arm, 2)]
        if task.jobs: arms.append((self.job_arm, 4))
        if flow.mailboxes: arms.append((self.mailbox_arm, 3))
        if self.has_second_part and self.mailboxes(flow): arms.append((self.room_arm, 4))
        if flow.pools: arms += [(self.vacant_arm, 4), (self.pool_idle_arm, 3)]
        if self.checkpoints(flow): arms += [(self.arrived_arm, 2)]
        if flow.checkpoints: arms.append((self.checkpoint_arm, 3))
        if flow.arrays: arms += [(self.array_arm, 5), (self.first_arm, 5), (self.array_idle_arm, 2)]
        if self.has_fifth_part: arms.append((self.real_arm, 1))
        if self.has_fifth_part and flow.pools: arms.append((self.ended_arm, 4))
        make = draw.choice([arm for arm, weight in arms for _ in range(weight)])
        return make(flow, task, scope) + ";"

    def to(self, flow, task, scope):
        return " -> " + self.outcome(flow, task, scope)

    def may_fail(self, flow, task, scope, result=False, first=False, each=False):
        """The target of an arm that may fail, with or without `else`. `index` of `first` is in its target, and that of
        a run of `each` element in its `else`."""
        text = self.to(flow, task, Scope(scope.step_parameters, result=result, index=first))
        if self.draw.chance(65):
            text += " else " + self.outcome(flow, task, Scope(scope.step_parameters, reason=True, index=each))
        return text

    def array_event(self, flow):
        name, other, _ = self.draw.choice(flow.arrays)
        task = self.draw.choice([t for t in other.tasks if t.kind != "shutdown "])
        values = [self.draw.choice(("flow->n", "index", "flow->n + index")) for _ in range(task.parameters)]
        return f"run {other.name}.{task.name}({', '.join([f'&flow->{name}[*]', *values])})", task.has_result

    def array_arm(self, flow, task, scope):
        return f"all({self.array_event(flow)[0]})" + self.may_fail(flow, task, scope, each=True)

    def first_arm(self, flow, task, scope):
        event, has_result = self.array_event(flow)
        return f"first({event})" + self.may_fail(flow, task, scope, has_result, first=True)

    def array_idle_arm(self, flow, task, scope):
        return f"idle(&flow->{self.draw.choice(flow.arrays)[0]}[*])" + self.to(flow, task, scope)

    def real_arm(self, flow, task, scope):
        return f"timeout real {self.duration(scope)}{self.to(flow, task, scope)}"

    def ended_arm(self, flow, task, scope):
        pool = self.draw.choice(flow.pools)[0]
        return f"ended({pool})" + self.to(flow, task, Scope(scope.step_parameters, index=True))

    def until(self, flow, task, scope):
        hold = f" for {self.duration(scope)}" if self.draw.chance(40) else ""
        return f"until (flow->polls++ , {self.condition(task, scope)}){hold}{self.to(flow, task, scope)}"

    def stopping(self, flow, task, scope):
        return f"stopping{self.to(flow, task, scope)}"

    def run_event(self, flow):
        field, other = self.draw.choice(flow.subflows)
        task = self.draw.choice([t for t in other.tasks if t.kind != "shutdown "])
        arguments = ", ".join([f"&flow->{field}"] + ["flow->n"] * task.parameters)
        return f"run {other.name}.{task.name}({arguments})", task.has_result

    def run_arm(self, flow, task, scope):
        event, has_result = self.run_event(flow)
        return event + self.may_fail(flow, task, scope, has_result)

    def idle_event(self, flow):
        return f"idle(&flow->{self.draw.choice(flow.subflows)[0]})"

    def idle_arm(self, flow, task, scope):
        return self.idle_event(flow) + self.to(flow, task, scope)

    def signal_event(self, flow):
        if "z[0]" in flow.signals and self.draw.chance(15): return "z[flow->n % 3]"
        if self.draw.chance(60): return self.draw.choice(self.signals + flow.signals)
        return f"fired(&{self.signal(flow)})"

    def signal_arm(self, flow, task, scope):
        return self.signal_event(flow) + self.to(flow, task, scope)

    def job_arm(self, flow, task, scope):
        return self.draw.choice(task.jobs)[0] + self.may_fail(flow, task, scope)

    def mailbox_arm(self, flow, task, scope):
        name = self.draw.choice(flow.mailboxes)
        if self.has_second_part: scope = Scope(scope.step_parameters, item=self.draw.chance(70))
        return name + self.to(flow, task, scope)

    def mailboxes(self, flow):
        """Mailboxes for which the flow may wait for room."""
        return flow.mailboxes + [f"&flow->{field}.{name}" for field, other in flow.subflows
                                 for name in other.mailboxes]

    def room_event(self, flow):
        return f"room({self.draw.choice(self.mailboxes(flow))})"

    def room_arm(self, flow, task, scope):
        return self.room_event(flow) + self.may_fail(flow, task, scope)

    def pool_event(self, flow, word):
        return f"{word}({self.draw.choice(flow.pools)[0]})"

    def vacant_arm(self, flow, task, scope):
        return self.pool_event(flow, "vacant") + self.may_fail(flow, task, scope)

    def pool_idle_arm(self, flow, task, scope):
        return self.pool_event(flow, "idle") + self.to(flow, task, scope)

    def checkpoints(self, flow):
        return flow.checkpoints + [f"&flow->{field}.{name}" for field, other in flow.subflows
                                   for name in other.checkpoints]

    def arrived_event(self, flow):
        return f"arrived({self.draw.choice(self.checkpoints(flow))})"

    def arrived_arm(self, flow, task, scope):
        return self.arrived_event(flow) + self.to(flow, task, scope)

    def checkpoint_arm(self, flow, task, scope):
        return self.draw.choice(flow.checkpoints) + self.to(flow, task, scope)

    def all_of(self, flow, task, scope):
        draw, events = self.draw, [lambda: self.signal_event(flow)]
        if flow.subflows: events += [lambda: self.run_event(flow)[0]] * 3 + [lambda: self.idle_event(flow)]
        if task.jobs: events += [lambda: draw.choice(task.jobs)[0]] * 2
        if flow.mailboxes: events.append(lambda: draw.choice(flow.mailboxes))
        if self.has_second_part and self.mailboxes(flow): events += [lambda: self.room_event(flow)] * 2
        if flow.arrays: events += [lambda: self.array_event(flow)[0]] * 2
        if flow.pools: events += [lambda: self.pool_event(flow, draw.choice(("vacant", "idle")))] * 2
        if self.checkpoints(flow): events.append(lambda: self.arrived_event(flow))
        chosen = list(dict.fromkeys(draw.choice(events)() for _ in range(draw.between(2, 3))))
        if len(chosen) < 2 and "[*]" not in chosen[0]: return chosen[0] + self.to(flow, task, scope)
        fails = any(event.startswith(("run", "j", "room", "vacant")) for event in chosen)
        return f"all({', '.join(chosen)})" + (self.may_fail if fails else self.to)(flow, task, scope)

    # -- the C table ---------------------------------------------------------------------------------------------------

    def table(self):
        """The functions by which driver.c initialises, acts on and destroys this program's flows."""
        name, instances = self.name, []
        for flow in self.flows:
            for i in range(2 if flow is self.flows[-1] else 1): instances.append((f"{name}_i{len(instances)}", flow))
        acts, flows = [], []
        for instance, flow in instances:
            for place, part in self.parts(instance, flow):
                flows.append(f"&{place}.uf")
                for task in part.tasks:
                    if task.kind == "shutdown ": continue
                    arguments = ", ".join([f"&{place}"] + ["value"] * task.parameters)
                    acts.append(self.result(f"{part.name}_start_{task.name}({arguments})"))
                acts.append(f"random_result(\"cancel\", uf_flow_cancel(&{place}.uf));")
                for signal in part.signals: acts.append(f"random_fire(&{place}.{signal});")
                for checkpoint in part.checkpoints:
                    acts.append(f"random_result(\"arm\", uf_checkpoint_try_arm(&{place}.{checkpoint}));")
                    acts.append(f"random_count(\"resume\", uf_checkpoint_resume(&{place}.{checkpoint}));")
                for mailbox in part.mailboxes:
                    acts.append(f"random_result(\"send\", {part.name}_{mailbox}_send(&{place}, value));")
                for pool, other in part.pools:
                    acts += [self.pool_call(f"&{place}", part, pool, other, "value") for _ in range(4)]
        if self.has_fifth_part: acts += self.pauses(flows)
        for signal in self.signals: acts += [f"random_fire(&{signal});"] * 2
        roots = []
        for place, flow in instances:
            arguments = ", ".join([f"&{place}"] + ["value"] * flow.tasks[0].parameters)
            roots.append(str(self.result(f"{flow.name}_start_T0({arguments})")))
        lines = [f"static {flow.name} {place};" for place, flow in instances]
        if self.has_fifth_part: lines.append(f"static uf_pause {name}_holds[2];")
        lines += [f"static void {name}_init(uf_pump *pump)", "{"]
        lines += [f'    uf_signal_init(&{signal}, "{signal}");' for signal in self.signals]
        lines += [f'    random_result("init", {flow.name}_init(&{place}, pump, "{place}"));' for place,
                  flow in instances]
        lines += ["}", f"static void {name}_start(int value)", "{", *("    " + root for root in roots), "}",
                  f"static void {name}_act(unsigned which, int value)", "{", "    (void)value;", "    switch (which) {"]
        lines += [f"    case {at}: {act} break;" for at, act in enumerate(acts)]
        lines += ["    default: break;", "    }", "}", f"static void {name}_destroy(void)", "{"]
        lines += [f'    random_result("destroy", {flow.name}_destroy(&{place}));' for place,
                  flow in reversed(instances)]
        lines += [f"    uf_signal_destroy(&{signal});" for signal in self.signals]
        lines += ["}", f"static uf_flow *const {name}_flows[] = {{ {', '.join(flows)} }};"]
        row = (f'    {{ "{name}", {name}_init, {name}_start, {name}_act, {len(acts)}, {name}_destroy, {name}_flows, '
               f'{len(flows)} }},')
        return "\n".join(lines) + "\n", row

    def pauses(self, flows):
        """Pauses and resumes of any flow, by a few records."""
        holds = [f"&{self.name}_holds[{i}]" for i in range(2)]
        return ([self.result(f"uf_flow_pause({flow}, {hold})") for flow in flows for hold in holds] +
                [self.result(f"uf_flow_resume({hold})") for hold in holds] * (2 * len(flows)))

    def parts(self, place, flow):
        yield place, flow
        for field, other in flow.parts(): yield from self.parts(f"{place}.{field}", other)


class Batch:
    def __init__(self, first, count, guards=False):
        programs = [Program(seed, guards) for seed in range(first, first + count)]
        self.uflow = 'header {\n#include "driver.h"\n}\n' + "".join(program.text for program in programs)
        tables = [program.table() for program in programs]
        self.c = ('#include "batch.h"\n\n' + "\n".join(text for text, _ in tables) +
                  "\nconst random_program random_programs[] = {\n" +
                  "\n".join(row for _, row in tables) + f"\n}};\nconst unsigned random_program_count = {count};\n")
