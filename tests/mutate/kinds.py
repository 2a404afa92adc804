# SPDX-License-Identifier: MIT
"""Flows that have a small change of each kind, each with a test that notices it and one that does not.

A row: its name; what is changed; the members of the flow; the arguments of its task `T`; members of the tests that
drive it; what a test can expect at its end. Both tests come to the place of the change."""
HIGH = "step High { flow->level = 1; done; }"
FIRES = "at 1s { uf_signal_fire(&flow->f.go); }"
INNER = """\
flow Inner {
    int began = 0;
    task Work(int to) -> int {
        step Begin { flow->began++; await 1s -> End; }
        step End { if (self->to < 0) fail "no"; done self->to; }
    }
}
"""

ROWS = [
    ("arm", "`go -> High` is left out",
     f"task T {{ step A {{ await {{ go -> High; timeout 5s -> done; }} }} {HIGH} }}", "", FIRES, "flow->f.level == 1"),
    ("all", "`all(go, run Inner.Work(inner)) -> High` is left out",
     "flow Inner inner; task T { step A { await { all (go, run Inner.Work(&flow->inner, 1)) -> High; "
     f"timeout 5s -> done; }} }} {HIGH} }}", "", FIRES, "flow->f.level == 1"),
    ("run", "`run Inner.Work(inner) -> done` is left out",
     "flow Inner inner; task T { step A { await { run Inner.Work(&flow->inner, 1) -> done; timeout 5s -> done; } } }",
     "", "", "flow->f.inner.began == 1"),
    ("handler of a task", "`on go -> High` is left out",
     f"task T {{ on go -> High; step A {{ await 5s -> done; }} {HIGH} }}", "", FIRES, "flow->f.level == 1"),
    ("handler of a flow", "`on go -> become Other` is left out",
     f"on go -> become Other; task T {{ step A {{ await 5s -> done; }} }} task Other {{ {HIGH} }}", "", FIRES,
     "flow->f.level == 1"),
    ("companion", "`with run Inner.Work(inner)` is left out",
     "flow Inner inner; task T { with run Inner.Work(&flow->inner, 1); step A { await 5s -> done; } }", "", "",
     "flow->f.inner.began == 1"),
    ("timeout", "`timeout 2s -> High` is never due",
     f"task T {{ step A {{ await {{ go -> done; timeout 2s -> High; }} }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("lone timeout", "`timeout 2s -> High` is never due",
     f"task T {{ step A {{ await 2s -> High; }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("real timeout", "`timeout real 2s -> High` is never due",
     f"task T {{ step A {{ await timeout real 2s -> High; }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("computed timeout", "`timeout (flow->s) s -> High` is never due",
     f"int s = 2; task T {{ step A {{ await {{ go -> done; timeout (flow->s) s -> High; }} }} {HIGH} }}", "", "",
     "flow->f.level == 1"),
    ("on timeout", "`on timeout 2s -> High` is never due",
     f"task T {{ on timeout 2s -> High; step A {{ await go -> done; }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("stay timeout", "`timeout 2s -> High` is never due",
     f"task T {{ step A {{ stay timeout 2s -> High; }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("if", "`if (self->n > 2)` is inverted",
     "task T(int n) { step A { if (self->n > 2) flow->level = 1; done; } }", ", 3", "", "flow->f.level == 1"),
    ("else if", "`if (self->n > 2 /* two */ && flow->level == 0)` is inverted",
     "task T(int n) { step A { if (self->n < 0) done; else if (self->n > 2 /* two */\n && flow->level == 0) "
     "flow->level = 1; else done; done; } }", ", 3", "", "flow->f.level == 1"),
    ("if in on enter", "`if (flow->level == 0)` is inverted",
     "task T { on enter { if (flow->level == 0) flow->level = 1; } step A { done; } }", "", "", "flow->f.level == 1"),
    ("if of an arm", "`if (flow->level > 0)` is inverted",
     "task T { step A { await { if (flow->level > 0) go -> done; timeout 2s -> High; } } "
     "step High { flow->level = 1; done; } }", "", FIRES, "flow->f.level == 1"),
    ("until", "`until (flow->level == 0)` is inverted",
     f"task T {{ step A {{ await {{ until (flow->level == 0) -> High; timeout 5s -> done; }} }} {HIGH} }}", "", "",
     "flow->f.level == 1"),
    ("until for", "`until (flow->level == 0)` is inverted",
     f"task T {{ step A {{ await {{ until (flow->level == 0) for 1s -> High; timeout 5s -> done; }} }} {HIGH} }}", "",
     "", "flow->f.level == 1"),
    ("until left out", "`until (flow->level == 0) -> High` is left out",
     f"task T {{ step A {{ await {{ until (flow->level == 0) -> High; timeout 5s -> done; }} }} {HIGH} }}", "", "",
     "flow->f.level == 1"),
    ("target of an arm", "`go -> High` leads to done",
     f"task T {{ step A {{ await {{ go -> High; timeout 5s -> done; }} }} {HIGH} }}", "", FIRES, "flow->f.level == 1"),
    ("target with a value", "`run Inner.Work(inner) -> High` leads to done",
     "flow Inner inner; task T { step A { await { run Inner.Work(&flow->inner, 1) -> High(result); "
     "timeout 5s -> done; } } step High(int to) { flow->level = to; done; } }", "", "", "flow->f.level == 1"),
    ("target of next", "`next High` leads to Low",
     f"task T {{ step A {{ next High; }} {HIGH} step Low {{ done; }} }}", "", "", "flow->f.level == 1"),
    ("target of a handler", "`on go -> become Other` leads to fail",
     f"on go -> become Other; on halt -> fail; task T {{ step A {{ await 5s -> done; }} }} task Other {{ {HIGH} }}", "",
     FIRES, "flow->f.level == 1"),
    ("target of an else", "`run Inner.Work(inner) else High` leads to done",
     f"flow Inner inner; task T {{ step A {{ await run Inner.Work(&flow->inner, -1) -> done else High; }} {HIGH} }}",
     "", "", "flow->f.level == 1"),
    ("exit", "`on exit of T` is left out",
     "task T { on exit { flow->level = 1; } step A { await 1s -> done; } }", "", "", "flow->f.level == 1"),
    ("exit of a group", "`on exit of Group` is left out",
     "group Group { on exit { flow->level = 1; } task T { step A { await 1s -> done; } } }", "", "",
     "flow->f.level == 1"),
    ("every", "`stay every 1s` is ignored",
     "task T { step A { if (++flow->level == 4) done; stay every 1s; } }", "", "", "uf_flow_now(&flow->uf) == UF_S(3)"),
    ("every with a timeout", "`stay every 1s` is ignored",
     "task T { step A { flow->level++; stay every 1s timeout 3500ms -> done; } }", "", "", "flow->f.level == 4"),
    ("else", "`run Inner.Work(inner) -> done else High` is left out, and a failure ends the task",
     f"flow Inner inner; task T {{ step A {{ await run Inner.Work(&flow->inner, -1) -> done else High; }} {HIGH} }}",
     "", "", "flow->f.level == 1"),
    ("else of all", "`all(go, run Inner.Work(inner)) -> done else High` is left out, and a failure ends the task",
     "flow Inner inner; task T { step A { await all (go, run Inner.Work(&flow->inner, -1)) -> done else High; } "
     f"{HIGH} }}", "", FIRES, "flow->f.level == 1"),
    ("else of spawn", "`spawn inners else High` is left out, and a failure ends the task",
     "pool Inner inners[1]; task T { step A { spawn inners.Work(1); next B; } "
     f"step B {{ spawn inners.Work(2) else High; done; }} {HIGH} }}", "", "", "flow->f.level == 1"),
    ("else of a companion", "`with run Inner.Work(inner) else High` is left out, and a failure ends the task",
     "flow Inner inner; task T { with run Inner.Work(&flow->inner, -1) else High; step A { await 5s -> done; } "
     f"{HIGH} }}", "", "", "flow->f.level == 1"),
]


def flow(number):
    members = ROWS[number][2]
    signals = "signal go; signal halt; " if "halt" in members else "signal go; " if "go" in members or FIRES in ROWS[
        number] else ""
    return f"flow F{number} {{ int level = 0; {signals}\n{members}\n}}\n"


def test(number, expects):
    """The weak test takes each end of the task."""
    name, _, _, arguments, drives, expected = ROWS[number]
    targets = "Over else Wrong; timeout 1min -> Wrong;" if expects else "done else done; timeout 1min -> done;"
    over = f"step Over {{ expect({expected}); done; }} step Wrong {{ fail; }}" if expects else ""
    return (f'test "{name}, {"strong" if expects else "weak"}" {{ flow F{number} f; {drives}\n'
            f"    step A {{ await {{ run F{number}.T(&flow->f{arguments}) -> {targets} }} }} {over}\n}}\n")


def program(expects):
    """All flows and their tests. The flow of a row begins at the line that is its number plus 1, times 100."""
    text = INNER
    for number in range(len(ROWS)):
        text += "\n" * (100 * (number + 1) - 1 - text.count("\n")) + flow(number) + test(number, expects)
    return text
