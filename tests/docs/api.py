#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/api.md from the public headers, and checks their comments.

Every function of the headers has a comment with a `Thread:` line and, unless it returns nothing, a `Returns:` line. A
function that returns uf_status lists every status there. The list is compared with the statuses that its implementation
can return, if the text of the sources shows them. Every type with members has a comment. The document has every word of
the comments, and no heading twice.

usage: api.py ROOT [--update]
"""
import os
import re
import sys

HEADERS = ["uflow", "version", "base", "flow", "pump", "clock", "timer", "simulate", "pause", "signal", "checkpoint",
           "mailbox", "job", "pool", "stop", "text", "store", "sqlite", "slots", "runtime", "test", "wire",
           "observer", "console", "trace", "recorder", "recorder_file", "counters", "coverage", "dump", "inspect", "uv"]
OTHER_HEADERS = {"arm_kinds", "generated", "trace_format"}  # of generated code, and formats

PRIVATE = "The members are private."  # of a type that is shown without them, also one of a header in priv/

# The functions that ufc generates, in the form of a header.
GENERATED = """
/* Attaches a zeroed or uninitialised flow to its pump, idle. Parameters of the flow follow the name. With NULL as the
 * name, the flow has the name of its type. Sub-flows are attached too.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID: `flow` or `pump` is NULL, or the pump was never initialised; UF_ABI_MISMATCH: the library
 * was built with another UF_ABI.
 * Lifetime: you own the flow. It must not move, and must stay until Flow_destroy(). Call it again only after
 * Flow_destroy(): it zeroes the struct, to which the pump points while the flow is attached. `name` is not copied. */
uf_status Flow_init(Flow *flow, uf_pump *pump, const char *name, ...);

/* Detaches a flow and its sub-flows, and destroys its signals, checkpoints and mailboxes.
 * Thread: any. The runtime's thread does the work, and the call waits for it.
 * Returns: UF_OK: its memory may go; UF_BUSY, and nothing happens: it or a sub-flow runs; UF_INVALID: it is not
 * attached; UF_NO_THREAD, and nothing happens: no condition variable; UF_UNSUPPORTED, and nothing happens: called in an
 * interrupt handler on bare metal. */
uf_status Flow_destroy(Flow *flow);

/* Starts a task. Its first turn comes in a later round. The arguments are copied; what they point to is not.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY, and nothing changes: a task runs; UF_STOPPING: a stop has begun; UF_INVALID:
 * it is not attached; UF_UNSUPPORTED, and nothing changes: called in an interrupt handler on bare metal. */
uf_status Flow_start_Task(Flow *flow, ...);

/* Starts a task and fills in a handle on this run. `run` may be NULL.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY, UF_STOPPING, UF_INVALID, UF_UNSUPPORTED: as Flow_start_Task(). */
uf_status Flow_start_run_Task(Flow *flow, uf_run *run, ...);

/* Waits until the flow is free, in FIFO order among callers, starts the task, and waits for the end of that run. When
 * `timeout` of real time is over, the call asks the pump: a run that has ended counts, and one that has begun is
 * cancelled. It waits 100 ms for that answer, at most. `result` exists only for a task with a result. `result` and
 * `info` may be NULL; `info` is filled in whatever the status.
 * If a step takes longer than these 100 ms, the result of a run that is done then is lost to the caller. If a result
 * must never be lost, start the task by Flow_start_run_Task(), wait with uf_run_wait() as often as you like, and read
 * Flow_result_Task().
 * Thread: any.
 * Returns: UF_OK: the run is done, and the result is stored; UF_NOT_DONE: it ended otherwise; UF_TIMED_OUT: the time
 * limit came first, and a run that has begun was cancelled, or will be if `info` says UF_RUNNING; UF_STOPPING: a stop
 * has begun before the flow was free; UF_DEADLOCK: this thread drives the pump;
 * UF_UNSUPPORTED: the pump is caller-driven; UF_NO_MEMORY: an allocation failed; UF_NO_THREAD: no condition variable;
 * UF_INVALID: the flow is not attached, or was destroyed while the call waited for its turn. */
uf_status Flow_call_Task(Flow *flow, ..., uf_time timeout, Result *result, uf_call_info *info);

/* Reads the result of the last run. It exists only for a task with a result.
 * Thread: the pump's; also a thread that has waited for the end of the run.
 * Returns: true, and the result is stored, if the last run ended done in this task; otherwise false. */
bool Flow_result_Task(const Flow *flow, Result *result);

/* Sends an item to the mailbox `box` of a flow.
 * Thread: any, with every pump; on bare metal also an interrupt handler.
 * Returns: UF_OK; UF_FULL, UF_STOPPING, UF_CLOSED, UF_INVALID: as uf_mailbox_send(). */
uf_status Flow_box_send(Flow *flow, Item item);

/* Sends an item to the mailbox `box` of a flow, and waits for room if there is none, for `timeout` of real time at
 * most.
 * Thread: any but one that drives a runtime; the mailbox belongs to a runtime.
 * Returns: UF_OK; UF_TIMED_OUT, UF_STOPPING, UF_CLOSED, UF_DEADLOCK, UF_UNSUPPORTED, UF_NO_THREAD, UF_INVALID: as
 * uf_mailbox_send_wait(). */
uf_status Flow_box_send_wait(Flow *flow, Item item, uf_time timeout);

/* Takes the oldest item out of the mailbox `box` of a flow.
 * Thread: the pump's.
 * Returns: true; false if the mailbox is empty. */
bool Flow_box_receive(Flow *flow, Item *item);

/* Starts a task of a free member of the pool `pool` of a flow. On another thread than the pump's it reserves a member,
 * and the pump does the rest.
 * Thread: any.
 * Returns: UF_OK; UF_FULL: no member is free; UF_STOPPING: a stop has begun; UF_BUSY: called in `on end` of the owner;
 * UF_INVALID: the owner is not attached; UF_UNSUPPORTED: called in an interrupt handler on bare metal. */
uf_status Flow_pool_spawn_Task(Flow *flow, ...);

/* Counts the members of the pool `pool` that are not free.
 * Thread: any.
 * Returns: a number up to the size of the pool. */
unsigned Flow_pool_busy(const Flow *flow);

/* Allows at most `most` members of the pool `pool` at once; at first all. Members that run are not affected.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID: the owner was never initialised. */
uf_status Flow_pool_limit(Flow *flow, uint32_t most);

/* Cancels all members of the pool `pool` that run or are reserved. Called on another thread than the pump's, it takes
 * effect in a later round. It waits for none of them: their `on exit` runs later, also after the end of a task that
 * calls it in its `on exit`. `await idle(pool)` waits.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID: the owner is not attached. */
uf_status Flow_pool_cancel_all(Flow *flow);

/* Finds a member of the pool `pool` that runs.
 * Thread: the pump's.
 * Returns: member `index`; NULL: it does not run, or there is none. */
Member *Flow_pool_at(const Flow *flow, uint32_t index);

/* Gets a handle on the run of a member of the pool `pool`.
 * Thread: the pump's.
 * Returns: the handle; if the member does not run, a handle that names no run. */
uf_run Flow_pool_run(const Flow *flow, uint32_t index);

/* Takes the oldest end of a member of the pool `pool` that was not taken. The flow has an arm `ended(pool)`.
 * Thread: the pump's.
 * Returns: true, and the end; false: there is none, or an arm is about to take it. */
uf_bool Flow_pool_reap(Flow *flow, uf_member_end *end);

/* Reads the result of `Task` from member `index` of the pool `pool`, until the next spawn there. The flow has an arm
 * `ended(pool)`. A spawn by another thread may come as soon as the end is taken: do not call this if other threads
 * spawn.
 * Thread: the pump's.
 * Returns: true, and the result; false: the last run there was not done, or not in that task. */
uf_bool Flow_pool_result_Task(const Flow *flow, uint32_t index, Result *out);
"""

# The files that implement the functions.
IMPLEMENTS = {"Flow_init": "uf_flow_init", "Flow_destroy": "uf_flow_detach", "Flow_start_Task": "uf_start_claim",
              "Flow_start_run_Task": "uf_start_claim", "Flow_call_Task": "uf_call_make",
              "Flow_box_send": "uf_mailbox_send", "Flow_box_send_wait": "uf_mailbox_send_wait",
              "Flow_pool_spawn_Task": "uf_members_reserve", "Flow_pool_limit": "uf_members_limit",
              "Flow_pool_cancel_all": "uf_members_cancel_all"}

# Statuses that the search of the sources finds or misses wrongly, each with the reason.
NOT_RETURNED = {
    "uf_flow_cancel": {"UF_STALE"},         # becomes UF_OK
    "uf_signal_wait": {"UF_BUSY"},          # the wait has begun
    "uf_signal_wait_since": {"UF_BUSY"},
    "uf_runtime_dump": {"UF_BUSY"},
    "uf_mailbox_send_wait": {"UF_BUSY", "UF_FULL"},  # it waits then
    "Flow_box_send_wait": {"UF_BUSY", "UF_FULL"},
    "uf_run_wait": {"UF_BUSY", "UF_STOPPING", "UF_STORE"},  # of other waits
    "uf_flow_wait": {"UF_BUSY", "UF_STOPPING", "UF_STORE"},
    "uf_run_wait_kept": {"UF_BUSY", "UF_STOPPING"},
    "uf_runtime_wait": {"UF_BUSY", "UF_STALE", "UF_STOPPING", "UF_STORE"},
    "Flow_init": {"UF_BUSY"},               # only a flow inside a member, for the init of that member
}
PASSED_ON = {                               # stored, perhaps by another thread, before the call returns it
    "uf_store_restore": {"UF_CHANGED", "UF_STORE"},  # a store calls what returns these
    "uf_runtime_catch": {"UF_BUSY", "UF_NO_MEMORY", "UF_UNSUPPORTED"},
    "Flow_call_Task": {"UF_NOT_DONE", "UF_STOPPING", "UF_INVALID"},
}

INTRO = """# API reference

<!-- Made by tests/docs/api.py from the headers in runtime/include/uflow: edit those, then run it with --update. -->

Everything that an application calls. The [guides](guides/threads.md) show the functions at work, and
[language.md](language.md) describes what a `.uflow` file may contain.

* Statuses: [what each one means](#status-codes), which functions return it, and what to do.
* Threads: [which thread may call which function](#thread-safety).
* Functions and types: {links}.

`#include "uflow/uflow.h"` for the core. The other headers are included one by one: `uflow/runtime.h`,
`uflow/console.h`, `uflow/trace.h`, `uflow/recorder.h`, `uflow/recorder_file.h`, `uflow/counters.h`, `uflow/dump.h`,
`uflow/inspect.h`, `uflow/uv.h`. A generated header includes `uflow/uflow.h`.

Every function accepts NULL and zeroed storage. Unless its description says otherwise, it then returns `UF_INVALID`,
false, 0, NULL or `""`, or does nothing.
"""

THREADS = [  # the beginning of a `Thread:` line, and its meaning; the first match counts
    ("any, with every pump; on bare metal also an interrupt handler",
     "any thread, whatever drives the pump; on bare metal also an interrupt handler, but never a handler "
     "of a POSIX signal"),
    ("any, with every pump, but no thread that drives a runtime",
     "any thread, whatever drives the pump, except the threads that drive a runtime: those get `UF_DEADLOCK`"),
    ("any, with every pump", "any thread, whatever drives the pump"),
    ("any, with or without a runtime", "any thread, whatever drives the pump"),
    ("any", "any thread if the pump belongs to a runtime; a caller-driven pump has only its own thread"),
    ("the pump's", "the thread that drives the pump: steps, observers, hooks and posts run on it"),
    ("the one that will drive it", "the thread that will drive the pump"),
    ("the loop's", "the thread of the loop that drives a runtime in external-loop mode"),
    ("one at a time", "any thread, but you serialise the calls for one object"),
]

STATUS = re.compile(r"\bUF_[A-Z_]+\b")


class Item:
    """A declaration with its comment."""

    def __init__(self, header, line, comment, code):
        self.header, self.line, self.code = header, line, code
        self.text, self.parts = split(comment)
        self.name, self.kind = name_of(code)

    def lines(self, key):
        return self.parts.get(key, "")


def split(comment):
    """The text of a comment, and its `Thread:`, `Returns:` and `Lifetime:` lines."""
    lines = [re.sub(r"^ *(/\*|\*/|\*)? ?", "", line).rstrip() for line in comment.replace(" */", "").split("\n")]
    text, parts, into = [], {}, None
    for line in lines:
        start = re.match(r"(Thread|Returns|Lifetime): (.*)", line)
        if start:
            into = start[1]
            parts[into] = start[2]
        elif into:
            parts[into] += " " + line.strip()
        else:
            text.append(line)
    return "\n".join(text).strip(), {key: part.strip() for key, part in parts.items()}


def name_of(code):
    define = re.match(r"(?:#define|enum \{\s*) *(\w+)", code)
    if define:
        return define[1], "macro" if code.startswith(f"#define {define[1]}(") else "constant"
    named = re.match(r"typedef (?:struct|enum|union) \w+(?: \{.*\})? (\w+);", code, re.S) or \
        re.match(r"struct (\w+) \{", code) or re.match(r"typedef [\w ]+?(\w+);", code)
    if named:
        return named[1], "type"
    return re.search(r"(\w+)\(", code)[1], "function"


DECLARATION = re.compile(r"""^
    (?P<comment>/\*(?:(?!\*/).)*?\*/\n)?(?:\#if\ [^\n]*\n)*
    (?P<code>
        enum\ \{.*?^\};
      | \#define\ \w+(?:[^\n]*\\\n)*[^\n]*
      | typedef\ (?:struct|enum|union)\ \w+\ \{.*?^\}\ \w+;
      | typedef\ [^;{]*;
      | struct\ \w+\ \{.*?^\};
      | (?:static\ inline\ )?(?:const\ )?\w+\ [\s*]*(?:uf_|Flow_)\w+\([^{;]*?\)(?=;|\n\{|\ UF_FORMAT)
    )""", re.S | re.M | re.X)


def declarations(header, text):
    """The items of a header. One comment may stand for definitions on consecutive lines, which are one item."""
    items, end = [], None
    for found in DECLARATION.finditer(text):
        line = text.count("\n", 0, found.start("code")) + 1
        if not found["comment"] and found["code"].startswith("#define") and items and line == end + 1:
            items[-1].code += "\n" + found["code"]
        else:
            items.append(Item(header, line, found["comment"] or "", found["code"]))
        end = line + found["code"].count("\n")
    return items


def read(root, *path):
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        text = re.sub(r"\A.*SPDX-License-" "Identifier.*\n", "", file.read())
    return re.sub(r"^( +)UF_WITH\(UF_USES_\w+,\s+([^;]*;)\)", r"\1\2", text, flags=re.M)  # core may lack the member


# -- the implementation
# ---------------------------------------------------------------------------------------------------


DEFINITION = re.compile(r"^(?:[A-Z_]+ )?(?:static )?(?:inline )?(\w+) \*?(\w+)(\([^;{]*\))\n\{\n(.*?)^\}", re.S | re.M)
COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', re.S)
# Code that does not return a status: a comparison, a case label, a call whose result is compared or ignored.
NO_RETURN = re.compile(r"[=!]= *UF_\w+|case UF_\w+|\w+(?:->\w+)*\((?:[^()]|\([^()]*\))*\) *[=!]= *UF_\w+|\(void\)\w+\(")


def gives_status(kind, parameters, body):
    return kind == "uf_status" or "uf_status *" in parameters or "->status = " in body


def functions_of(root):
    """The body of every C function of the runtime that returns or stores a status, and the tables of functions."""
    bodies, tables = {}, {}
    for folder, _, names in os.walk(os.path.join(root, "runtime")):
        for path in (os.path.join(folder, name) for name in names if name.endswith(".c")):
            text = COMMENT_OR_TEXT.sub(" ", read(path))
            for kind, name, parameters, body in DEFINITION.findall(text):
                if gives_status(kind, parameters, body):
                    bodies[name if name.startswith("uf") else f"{path}:{name}"] = path, NO_RETURN.sub(" ", body)
            for member, function in re.findall(r"^ +\.(\w+) = (uf[hi]?_\w+),?$", text, re.M):
                tables.setdefault(member, set()).add(function)
    return bodies, tables


def statuses_of(function, bodies, tables, known, seen):
    """The statuses in a function, in the functions that it calls, and in those that it passes to another one."""
    if function in seen or function not in bodies:
        return set()
    seen.add(function)
    path, body = bodies[function]
    found = {word for word in STATUS.findall(body) if word in known}
    called = set(re.findall(r"[(,] *(\w+)(?=[,)])", body))
    for arrow, name in re.findall(r"(->)?\b(\w+)\(", body):
        called |= tables.get(name, set()) if arrow else {name}
    for name in called:
        found |= statuses_of(name if name.startswith("uf") else f"{path}:{name}", bodies, tables, known, seen)
    return found


# -- checking
# -------------------------------------------------------------------------------------------------------------


def listed(item, known):
    """The statuses in a `Returns:` line, each with its condition."""
    rows, names = [], []
    text = item.lines("Returns")
    for part in re.split(r"; (?=UF_)", text):
        head = re.match(r"((?:UF_[A-Z_]+(?:, )?)+)(.*)", part, re.S)
        if not head:
            continue
        these = [name for name in STATUS.findall(head[1]) if name in known]
        effect, colon, when = head[2].strip(" ,").partition(":")
        when = f"{when.strip(' .')} ({effect.removeprefix('and ')})" if colon and effect else when.strip() or effect
        rows += [(name, when) for name in these]
        names += these
    return rows, names


def returns_nothing(item):
    return item.kind == "macro" or re.match(r"(?:static inline )?void (?!\*)", item.code) is not None


def check(items, root, known):
    bodies, tables = functions_of(root)
    failures = []
    for item in items:
        where = f"{item.header}.h:{item.line}: {item.name}"
        if item.kind == "function" and item.name.startswith(("uf_", "Flow_")):
            if not item.text:
                failures.append(f"{where}: no comment")
            if not item.lines("Thread"):
                failures.append(f"{where}: no `Thread:` line")
            elif thread_class(item) is None:
                failures.append(f"{where}: unknown kind of thread: {item.lines('Thread')}")
            if not returns_nothing(item) and not item.lines("Returns"):
                failures.append(f"{where}: no `Returns:` line")
            if item.code.startswith("uf_status "):
                said = set(listed(item, known)[1])
                found = statuses_of(IMPLEMENTS.get(item.name, item.name), bodies, tables, known, set())
                passed_on = PASSED_ON.get(item.name)
                if NOT_RETURNED.get(item.name, set()) - found or passed_on and passed_on <= found:
                    failures.append(f"{where}: its exception in this script is not needed any more")
                real = found - NOT_RETURNED.get(item.name, set()) | PASSED_ON.get(item.name, set())
                for name in sorted(real - said):
                    failures.append(f"{where}: returns {name}, which `Returns:` does not list")
                for name in sorted(said - real):
                    failures.append(f"{where}: lists {name}, which its implementation does not return")
        elif item.kind == "type" and "{" in item.code and not item.text:
            failures.append(f"{where}: no comment")
    return failures


def generated_names(root):
    """The functions in the expected headers of the tests, with the names of GENERATED."""
    folder, names = os.path.join(root, "tests", "golden", "emit"), set()
    for path in sorted(name for name in os.listdir(folder) if name.endswith(".h.expected")):
        text = read(folder, path)
        for flow in re.findall(r"^typedef struct (\w+) \1;", text, re.M):
            functions = re.findall(rf"^(?:uf_|unsigned |\w+ \*)[\w ]*\b{flow}_(\w+)\(", text, re.M)
            pools = [name[:-5] for name in functions if name.endswith("_busy")]
            boxes = [name[:-8] for name in functions if name.endswith("_receive")]
            for name in functions:
                for its in boxes:
                    name = re.sub(rf"^{its}_(?=(?:send|send_wait|receive)$)", "box_", name)
                for its in pools:
                    of_pool = r"(?:spawn_\w+|busy|limit|cancel_all|at|run|reap|result_\w+)"
                    name = re.sub(rf"^{its}_(?={of_pool}$)", "pool_", name)
                of_task = r"^(start_run|start|call|result|pool_spawn|pool_result)_\w+"
                names.add("Flow_" + re.sub(of_task, r"\1_Task", name))
    return names


# -- writing
# --------------------------------------------------------------------------------------------------------------


def thread_class(item):
    return next((index for index, (head, _) in enumerate(THREADS) if item.lines("Thread").startswith(head)), None) \
        if item.lines("Thread") else None


def code_names(text):
    """Names of functions and constants in code font, outside of existing code spans."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if index % 2 else re.sub(r"\*?\b((?:uf|UF)_\w+|Flow_\w+)(\(\))?", r"`\g<0>`", part)
                   for index, part in enumerate(parts))


def capital(text):
    return text[:1].upper() + text[1:]


def remarked(lines):
    """Lines of a sample, with the remarks at their ends as comments."""
    return "\n".join(re.sub(r"(?<=[;}.]) {3}( *)(?=\S)", lambda blank: (blank[1] or " ") + "// ", line, count=1)
                     for line in lines)


def paragraph(text):
    """Paragraphs are unchanged, with numbered lines as a list. Indented lines after an empty one are code."""
    parts = re.split(r"(?:^|\n\n)((?:  .*(?:\n|$)|\n(?=  ))+)", text)
    parts[::2] = [code_names(re.sub(r"\n+ *", "\n", part.strip("\n"))) for part in parts[::2]]
    parts[::2] = [re.sub(r"\n((?:\d+\. .*(?:\n|$))+)", r"\n\n\1\n", part) for part in parts[::2]]
    parts[1::2] = [f"\n```C\n{remarked(line[2:] for line in part.rstrip().split(chr(10)))}\n```\n"
                   for part in parts[1::2]]
    return "\n".join(parts).strip("\n")


def anchor(name):
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")


def write_item(out, item, known):
    code = re.sub(r"^static inline ", "", item.code)
    if item.kind == "macro":
        code = re.sub(r"(?ms)^(#define \w+\([^)]*\)).*?(?=\n#define|\Z)", r"\1", code)
    if PRIVATE in item.text:
        code = re.sub(r"(?:typedef )?(struct) (\w+) \{.*", r"typedef \1 \2 \2;", code, flags=re.S)
    out.append(f"### {item.name}\n")
    out.append(f"```C\n{code}{';' if item.kind == 'function' else ''}\n```\n")
    if item.text:
        out.append(paragraph(item.text) + "\n")
    rows, names = listed(item, known) if item.code.startswith("uf_status ") else ([], [])
    if item.lines("Thread"):
        out.append(f"**Thread:** {code_names(item.lines('Thread'))}\n")
    if names:
        tail = re.sub(r".*?\. (After an error .*)", r"\1", item.lines("Returns"), flags=re.S)
        out.append("| returns | when |\n|---|---|")
        for name, when in rows:
            when = when.split(". After an error")[0].rstrip(".")
            out.append(f"| `{name}` | {code_names(when) or 'success'} |")
        out.append("")
        if tail.startswith("After an error"):
            out.append(code_names(tail) + "\n")
    elif item.lines("Returns"):
        out.append(f"**Returns:** {code_names(item.lines('Returns'))}\n")
    if item.lines("Lifetime"):
        out.append(f"**Lifetime:** {code_names(item.lines('Lifetime'))}\n")


def write_constants(out, header, constants):
    if constants:
        code = "\n\n".join("/* {} */\n{}".format(item.text.replace("\n", "\n * "), item.code) for item in constants)
        out.append(f"### Constants of {header}.h\n\n```C\n{code}\n```\n")


def status_table(out, members, items, known):
    out.append("## Status codes\n\n| status | meaning | what to do | returned by |\n|---|---|---|---|")
    for name, meaning in members:
        text, _, action = meaning.partition("Do: ")
        users = [item.name for item in items if item.kind == "function" and name in listed(item, known)[1]]
        users = "every function with a status" if name == "UF_OK" else \
            ", ".join(f"[{user}](#{anchor(user)})" for user in users) or "the reason of a failed `run` only"
        out.append(f"| `{name}` | {code_names(text.strip())} | {code_names(action.strip()) or '–'} | {users} |")
    out.append("")


def thread_table(out, items):
    rows = {}
    for item in items:
        if item.kind == "function":
            rows.setdefault(THREADS[thread_class(item)][1], []).append(item.name)
    out.append("## Thread safety\n\n| thread | functions |\n|---|---|")
    for _, meaning in THREADS:
        if meaning in rows:
            names = rows.pop(meaning)
            out.append(f"| {capital(meaning)} | {', '.join(f'[{name}](#{anchor(name)})' for name in names)} |")
    out.append("")


def opening_of(text):
    """The first comment of a header, without the header's name."""
    return split(re.match(r"/\*.*?\*/", text, re.S)[0])[0].partition(" - ")[2]


def document(headers, generated, members, known):
    links = ", ".join([f"[{header}.h](#{anchor(header + '.h')})" for header in headers if header != "uflow"] +
                      ["[generated functions](#generated-functions)"])
    every = [item for _, items in headers.values() for item in items] + generated
    out = [INTRO.format(links=links)]
    status_table(out, members, every, known)
    thread_table(out, every)
    for header, (text, items) in headers.items():
        if header == "uflow":
            continue
        out.append(f"## {header}.h\n\n{capital(paragraph(opening_of(text)))}\n")
        write_constants(out, header, [item for item in items if item.kind == "constant" and item.text])
        for item in items:
            if item.kind in ("function", "macro", "type") and item.text and not item.text.startswith("Private"):
                write_item(out, item, known)
    out.append("## Generated functions\n\nufc generates them for each `flow Flow` with `task Task`, "
               "`mailbox Item box[N]` and `pool Member pool[N]`. Dots stand for\nthe parameters of the flow or "
               "task.\n")
    for item in generated:
        write_item(out, item, known)
    return "\n".join(out).rstrip() + "\n"


def words(text):
    return " ".join(re.findall(r"\w+", text.lower()))


def compare(headers, page):
    """Every heading is there once, and a header's section has its comments word for word, `Returns:` as a table."""
    headings = re.findall(r"^##+ (.*)", page, re.M)
    failures = [f"docs/api.md has two headings {name}" for name in sorted(set(headings)) if headings.count(name) > 1]
    for header, (text, _) in headers.items():
        section = words(re.search(rf"^## {header}\.h\n(.*?)(?=^## )", page.replace("```C\n", ""), re.S | re.M)[1])
        for found in re.finditer(r"^/\*(?! --| Private).*?\*/", text, re.S | re.M):
            comment, parts = split(found[0])
            returned = set(words(parts.pop("Returns", "")).split())
            texts = [comment.removeprefix(f"{header}.h - "), *parts.values()]
            if any(words(part) not in section for part in texts) or returned - set(section.split()):
                line = text.count("\n", 0, found.start()) + 1
                failures.append(f"{header}.h:{line}: docs/api.md lacks words of this comment")
    return failures


def main(root, update):
    headers = {}
    for header in HEADERS:
        text = read(root, "runtime", "include", "uflow", header + ".h")
        private = os.path.join(root, "runtime", "include", "uflow", "priv", header + ".h")
        hidden = declarations(f"priv/{header}", read(private)) if os.path.exists(private) else []
        items = {}
        for item in [*(item for item in hidden if PRIVATE in item.text), *declarations(header, text)]:
            if item.name not in items or not items[item.name].text:
                items[item.name] = item
        headers[header] = (text, list(items.values()))
    base = headers["base"][0]
    enum = re.search(r"typedef enum uf_status \{\n(.*?)\} uf_status;", base, re.S)[1]
    members = [(name, re.sub(r"\s*\n *\* *", " ", text).strip())
               for text, name in re.findall(r"/\* (.*?) \*/\s+(UF_\w+)", enum, re.S)]
    known = {name for name, _ in members}
    generated = list(declarations("generated functions, tests/docs/api.py", GENERATED))
    every = [item for _, items in headers.values() for item in items] + generated

    failures = check(every, root, known)
    undocumented = generated_names(root) - {item.name for item in generated}
    failures += [f"{name}() is not in GENERATED of tests/docs/api.py" for name in sorted(undocumented)]
    for name in os.listdir(os.path.join(root, "runtime", "include", "uflow")):
        if name.endswith(".h") and name[:-2] not in {*HEADERS, *OTHER_HEADERS}:
            failures.append(f"{name} is neither in HEADERS nor in OTHER_HEADERS of tests/docs/api.py")
    if not failures:
        text, path = document(headers, generated, members, known), os.path.join(root, "docs", "api.md")
        failures += compare({header: rest for header, rest in headers.items() if header != "uflow"}, text)
        if update:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif not os.path.exists(path) or read(path) != text:
            failures.append("docs/api.md is not what the headers give; run tests/docs/api.py with --update")
    for failure in failures:
        print(failure)
    print(f"{sum(item.kind == 'function' for item in every)} functions, "
          f"{sum(item.kind == 'type' for item in every)} types, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), "--update" in sys.argv))
