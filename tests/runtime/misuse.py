# SPDX-License-Identifier: MIT
"""Writes a call of every public function with NULL, with zeroed storage and with a destroyed pump, one case per pointer
parameter. It also writes a case for each configuration with a negative time, and for each with a zeroed pool.

misuse.py OUTPUT GENERATED.h PUBLIC.h...

The output is C for misuse.c: one function per case, which returns whether the call gave the expected result; a table of
the functions; and a list of problems. The tables below state which parameters may be NULL or zeroed, and which
functions return something else. Each row quotes the header. The test fails on a problem: a parameter without a valid
argument, a quotation that no header has, or a row without a function. So every new public function must be covered.
"""
import pathlib
import re
import sys

# Valid arguments for each pointer while another argument is wrong; see misuse.c.
VALID = {
    "Part": "&a_unit()->part", "Unit": "a_unit()", "int": "&number", "char": '"text"', "void": "&number",
    "FILE": "stderr", "uf_call_info": "&call_info", "uf_checkpoint": "&checkpoint", "uf_clock": "&(uf_clock){0}",
    "uf_console": "&console", "uf_counters": "a_counter()", "uf_flow": "&a_unit()->uf", "uf_flow_counts": "&counts",
    "uf_flow_view": "&view", "uf_job": "&a_unit()->uf_task.Weigh.scale.job", "uf_mailbox": "&a_filled_unit()->box",
    "uf_observer": "&observer", "uf_pool": "uf_pool_inline()", "uf_pool_config": "&pool_config", "uf_pump": "a_pump()",
    "uf_post_counts": "&post_counts", "uf_pump_config": "&pump_config", "uf_round_counts": "&round_counts",
    "uf_pause": "&(uf_pause){0}", "uf_run": "&handle", "uf_run_times": "&run_times",
    "uf_runtime": "a_runtime(false)", "uf_runtime_config": "&runtime_config", "uf_seeded_pool": "&seeded",
    "uf_signal": "&signal_of_all", "uf_signal_callback": "&callback", "uf_stop": "&stop",
    "uf_stop_report": "&stop_report",
    "uf_restore_report": "&restore_report", "uf_store": "a_store()", "uf_store *": "store_place()",
    "uf_sqlite_config": "&sqlite_config", "uf_store_config": "&store_config", "uf_store_kind": "&store_kind",
    "uf_store_slots": "&slots", "uf_store_slots_config": "&slots_config",
    "uf_timer": "a_timer()", "uf_trace": "a_trace()", "uf_trace_entry": "entries", "uf_turn": "&turn",
    "uf_work": "&work", "uint8_t": "bytes", "uf_pool *": "&pool", "uf_runtime *": "&runtime",
    "uf_recorder": "a_recorder()", "uf_recorder_cursor": "&cursor", "uf_trace_cell": "cells",
    "uf_inspect": "inspect", "uf_inspect *": "&inspect", "uf_inspect_config": "&inspect_config",
    "uf_time": "&(uf_time){0}", "uf_uv": "&adapter", "uv_loop_t": "uv_default_loop()",
}
VALUES = {
    "uf_time": "0", "int64_t": "1", "uint64_t": "1", "uint32_t": "1", "uf_u32": "1", "uint16_t": "1", "size_t": "1",
    "int": "1",
    "double": "1", "bool": "true", "uf_failure_policy": "UF_FAIL_FLOW", "uf_run": "uf_flow_this_run(&a_unit()->uf)",
}
FUNCTIONS = {"void *argument, uf_status status": "on_fire", "uf_uv *adapter": "on_closed",
             "void *context, int fd, int event": "on_descriptor",
             "uf_pump *pump, uf_observer *observer": "uf_pump_add_observer", "": "on_call"}

# Exceptions, where the usual argument would be refused, or would hide whether the other argument is checked.
OTHER_VALID = {
    ("uf_flow_fail", "format"): '"%d"',
    ("uf_flow_fail", "..."): "number", # at least one argument: compilers warn about a format alone
    ("uf_flow_describe", "format"): '"%d"',
    ("uf_flow_describe", "..."): "number",
    ("uf_fd_close", "pump"): "uf_runtime_pump(a_runtime(false))",
    ("uf_fd_forget", "pump"): "uf_runtime_pump(a_runtime(false))",
    ("uf_flow_path", "buffer"): "text_buffer",
    ("uf_flow_token", "token"): "token_buffer",
    ("uf_sqlite_open", "path"): '"misuse.db"',
    ("uf_store_init", "store"): "&other_store",
    ("uf_flow_wait", "flow"): "&a_hosted_unit()->uf",
    ("uf_pump_init", "pump"): "&other_pump",
    ("uf_pump_next_flow", "after"): "NULL",
    ("uf_recorder_attach", "memory"): "memory",
    ("uf_recorder_attach", "size"): "sizeof memory",
    ("uf_recorder_init", "memory"): "memory",
    ("uf_recorder_init", "size"): "sizeof memory",
    ("uf_recorder_save", "path"): '"/dev/null"',
    ("uf_run_wait", "run"): "uf_flow_this_run(&a_hosted_unit()->uf)",
    ("uf_run_wait_kept", "run"): "uf_flow_this_run(&a_hosted_unit()->uf)",
    ("uf_runtime_link", "other"): "another_runtime()",
    ("uf_runtime_poll", "runtime"): "a_runtime(true)",
    ("uf_uv_attach", "runtime"): "a_runtime(true)",
    ("Part_call_Work", "flow"): "&a_hosted_unit()->part",
    ("Unit_box_receive", "flow"): "a_filled_unit()",
    ("Unit_call_Serve", "flow"): "a_hosted_unit()",
    ("Unit_call_Weigh", "flow"): "a_hosted_unit()",
    ("Unit_init", "flow"): "&other_unit",
    ("Unit_result_Weigh", "flow"): "a_weighed_unit()",
    ("Part_init", "flow"): "&other_part",
}

# Parameters that the library only passes on to a callback.
HANDED_THROUGH = {"argument", "context"}
# Zeroed storage of these types is refused like NULL, except by the function that initialises it.
NONE_IF_ZEROED = {"Part", "Unit", "uf_flow", "uf_mailbox", "uf_pool", "uf_pump", "uf_store", "uf_timer",
                  "uf_work"}
DESTROYED = {"uf_pump": "a_destroyed_pump()"} # is refused as well
INITIALISES = {("Part_init", "flow"), ("Unit_init", "flow"), ("uf_pump_init", "pump"), ("uf_pool_seeded", "works"),
               ("uf_store_init", "store"), ("uf_store_slots_open", "slots")}
# Types for which users have no zeroed storage: types of the library or the system, and types that are not structs.
NEVER_ZEROED = {"FILE", "uf_inspect", "uf_runtime", "char", "void", "uv_loop_t"}

NOT_WANTED = "`end`, which may be NULL, is filled in with every result."
OF_A_CALL = "uf_out and uf_info may be NULL."
OF_A_START = "uf_handle may be NULL."
NULL_MAY_BE = {
    ("uf_counters_flow", "flow"): "Reads the counts of a flow, or of all flows with NULL for `flow`.",
    ("uf_flow_path", "buffer"): "With NULL for `buffer` it only measures.",
    ("uf_flow_wait", "end"): NOT_WANTED,
    ("uf_flow_keeping", "lasts"): "It may be NULL.",
    ("uf_inspect_listen", "config"): "`config` itself is copied, and may be NULL.",
    ("uf_run_wait", "end"): NOT_WANTED,
    ("uf_pool_new", "config"): "Creates a thread pool with a copy of `config`. NULL means the defaults.",
    ("uf_post_at", "file"): "`file`, `line` and `caller` are for observers and may be NULL and 0.",
    ("uf_post_at", "caller"): "`file`, `line` and `caller` are for observers and may be NULL and 0.",
    ("uf_post_wait_at", "file"): "`file`, `line` and `caller` are for observers and may be NULL and 0.",
    ("uf_post_wait_at", "caller"): "`file`, `line` and `caller` are for observers and may be NULL and 0.",
    ("uf_pump_init", "config"): "Initialises a pump with a copy of `config`. NULL means the defaults.",
    ("uf_pump_next_flow", "after"): "Pass NULL for the first, then the flow returned last.",
    ("uf_runtime_configure", "config"): "where 0 and NULL select the defaults",
    ("uf_runtime_new", "config"): "Creates a runtime with a copy of `config`. NULL means the defaults.",
    ("uf_runtime_new_observed", "config"): "`config` may be NULL.",
    ("uf_runtime_new_observed", "add"): "`add` is uf_pump_add_observer, or NULL without observers",
    ("uf_runtime_stop", "report"): "`report` may be NULL.",
    ("uf_simulate_stop", "report"): "`report` may be NULL.",
    ("uf_sqlite_open", "config"): "NULL for the configuration: the defaults.",
    ("uf_store_init", "config"): "NULL for the configuration: the defaults.",
    ("uf_store_init", "identity"): "`identity`: a text of up to 16 bytes",
    ("uf_store_memory_copy", "config"): "NULL: the default configuration.",
    ("uf_store_memory_open", "config"): "NULL: the default configuration.",
    ("uf_store_memory_stop", "failure"): "a store in memory answers no more, or fails with this text",
    ("uf_store_release", "path"): "Lets the flow of this path go on, or all of them with NULL.",
    ("uf_store_restore", "report"): "`report` may be NULL.",
    ("uf_text_of", "text"): "NULL: \"\".",
    ("uf_trace_attach", "flow"): "`flow` may be NULL: the trace is of all flows.",
    ("uf_trace_init", "flow"): "`flow` may be NULL: the trace is of all flows.",
    ("Part_init", "uf_name"): "NULL: that of the type",
    ("Unit_init", "uf_name"): "NULL: that of the type",
    ("Part_call_Work", "uf_info"): "uf_info may be NULL.",
    ("Part_start_run_Work", "uf_handle"): OF_A_START,
    ("Unit_call_Serve", "uf_info"): "uf_info may be NULL.",
    ("Unit_call_Weigh", "uf_info"): OF_A_CALL,
    ("Unit_call_Weigh", "uf_out"): OF_A_CALL,
    ("Unit_start_run_Serve", "uf_handle"): OF_A_START,
    ("Unit_start_run_Weigh", "uf_handle"): OF_A_START,
}
NOTED = "The pump and the flow may be initialised later."
ZEROED_MAY_BE = {
    ("uf_recorder_init", "pump"): "The pump may be initialised later.",
    ("uf_trace_init", "pump"): NOTED,
    ("uf_trace_init", "flow"): NOTED,
    ("uf_trace_attach", "flow"): NOTED,
}
# Expected results other than UF_INVALID, false, 0, NULL and "".
ANSWERS = {
    "uf_flow_ordinal": ("-1", "the number of the current step in this run, from 0; -1 when idle."),
    "uf_flow_paused_for": ("-1", "the logical time of the pump since then; -1: the flow does not stand."),
    "uf_pump_next_deadline": ("UF_FOREVER", "UF_FOREVER if no timer is set, or the pump was never initialised."),
    "uf_pump_round": ("UF_FOREVER", "or the pump belongs to a runtime or was never initialised."),
    "uf_pump_timeout": ("UF_FOREVER", "as uf_pump_round()"),
    "uf_runtime_fd": ("-1", "the descriptor; -1 outside external-loop mode, or for NULL."),
    "uf_runtime_next_deadline": ("UF_FOREVER", "UF_FOREVER: only when the descriptor is readable, or for NULL."),
    "uf_runtime_poll_timeout": ("-1", "milliseconds from now, rounded up; -1: no limit, or for NULL."),
    "uf_uv_attach": ("UV_EINVAL", "UV_EINVAL: the runtime is not in external-loop mode, or an argument is NULL."),
}
# The function that refuses each configuration, and the other members that it needs so that only one member is wrong.
CONFIGURATIONS = {
    "uf_pump_config": ("uf_pump_init(&other_pump, &config)", ".monotonic = monotonic, "),
    "uf_runtime_config": ("uf_runtime_new(&runtime, &config)", ""),
    "uf_pool_config": ("uf_pool_new(&pool, &config)", ""),
    "uf_store_config": ("uf_store_memory_open(store_place(), &config)", ""),
}
NEGATIVE_MAY_BE = {("uf_pump_config", "start"): "real time at init; any value, also a negative one",
                   ("uf_pool_config", "spin"): "0: 100 us; negative: none",
                   ("uf_runtime_config", "spin"): "0: 100 us; negative: none"}
# Functions that may crash, with the quotation that says so. The table is empty.
EXCUSED = {}


def read(path):
    text = pathlib.Path(path).read_text()
    comments = " ".join(re.findall(r"/\*(.*?)\*/", text, re.S))
    return text, re.sub(r"\s+", " ", re.sub(r"\n\s*\*", " ", comments))


def declarations(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M).replace('extern "C" {', "")
    before = None
    while before != text:
        before, text = text, re.sub(r"\{[^{}]*\}", ";", text)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    text = re.sub(r"UF_FORMAT\([^()]*\)|UF_C_(BEGIN|END)\b", "", text)
    text = text.replace("UF_NODISCARD ", "")
    return [" ".join(part.replace("}", "").split()) for part in text.split(";")]


def split_parameters(text):
    parts, depth, at = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[at:i])
            at = i + 1
    return [p.strip() for p in parts + [text[at:]] if p.strip() not in ("", "void")]


class Parameter:
    def __init__(self, text):
        function = re.match(r".*\(\*(\w+)\)\s*\((.*)\)", text)
        self.varies, self.function = text == "...", function and function[2]
        self.by_value = self.pointer = False
        self.type = self.name = "..."
        if function:
            self.name, self.pointer = function[1], True
        elif not self.varies:
            kind, self.name, array = re.fullmatch(r"(.*?)(\w+)(\[\w+\])?", text).groups()
            kind += "*" if array else ""
            kind = " ".join(re.sub(r"\b(const|struct)\b", "", kind).split())
            self.by_value = kind == "uf_run" # a pointer and a number
            self.pointer = "*" in kind or self.by_value
            self.type = kind[:-1].strip() if kind.endswith("*") else kind

    def valid(self, name):
        if (name, self.name) in OTHER_VALID:
            return OTHER_VALID[name, self.name]
        if self.function is not None and not self.varies:
            return FUNCTIONS.get(self.function, FUNCTIONS[""])
        return VALID.get(self.type) if self.pointer and not self.by_value else VALUES.get(self.type)

    def null(self):
        return "(uf_run){0}" if self.by_value else "NULL" if self.function else "none()"

    def zeroed(self):
        return "(uf_run){.flow = zeroed(sizeof(uf_flow))}" if self.by_value else f"zeroed(sizeof({self.type}))"

    def wrong(self, how):
        return self.null() if how == "NULL" else self.zeroed() if how == "zeroed" else DESTROYED[self.type]

    def has_zeroed(self):
        return not self.function and self.type not in NEVER_ZEROED and not self.type.endswith("*")


def functions(text, prefix):
    for part in declarations(text):
        if part.startswith("typedef") or not re.search(prefix + r"\w+\s*\(", part):
            continue
        if re.match(r"UF_UNUSED static inline void uf_\w+_clear\b", part): # only an init calls it
            continue
        match = re.fullmatch(r"(?:extern |static inline )?([\w ]+?[ *]+)(" + prefix + r"\w+)\s*\((.*)\)", part)
        if match:
            yield match[2], match[1].strip(), [Parameter(p) for p in split_parameters(match[3])]
        else:
            yield part, None, None


def refusal(name, kind):
    """The value by which a function of this return type refuses."""
    if name in ANSWERS:
        return f" == {ANSWERS[name][0]}"
    if kind == "const char *":
        return "[0] == '\\0'"
    if kind == "uf_run":
        return ".flow == NULL"
    return " == UF_INVALID" if kind == "uf_status" else " == NULL" if kind.endswith("*") else " == 0"


class Cases:
    def __init__(self, comments):
        self.comments, self.used, self.functions, self.table, self.problems = comments, set(), [], [], []

    def says(self, row, words):
        self.used.add(row)
        if not any(words in comment for comment in self.comments):
            self.problems.append(f"{row}: no header says `{words}`")

    def add(self, name, kind, parameters, which, how):
        chosen = parameters[which]
        row = (name, chosen.name)
        allowed = NULL_MAY_BE if how == "NULL" else ZEROED_MAY_BE
        if row in allowed:
            self.says(row, allowed[row])
        arguments = []
        for p in parameters:
            value = p.valid(name) if p is not chosen else p.wrong(how)
            if value is None:
                self.problems.append(f"{name}: there is no valid argument for {p.name}, of type {p.type}")
                return
            arguments.append(value)
        none = how == "NULL" or chosen.by_value or chosen.type in NONE_IF_ZEROED
        refused = none and row not in allowed and row not in INITIALISES and chosen.name not in HANDED_THROUGH
        call = f"{name}({', '.join(arguments)})"
        answers = refused and kind != "void"
        does = f"return {call}{refusal(name, kind)};" if answers else f"(void){call};\n    return true;"
        self.functions.append(f"static bool case_{len(self.table)}(void)\n{{\n    {does}\n}}\n")
        self.table.append(f'    {{"{name}(), {chosen.name} {how}", case_{len(self.table)}}},')

    def add_all(self, name, kind, parameters):
        if name in EXCUSED:
            self.says(name, EXCUSED[name])
            return
        if name in ANSWERS:
            self.says(name, ANSWERS[name][1])
        for i, p in enumerate(parameters):
            if p.pointer:
                self.add(name, kind, parameters, i, "NULL")
            if p.pointer and p.has_zeroed():
                self.add(name, kind, parameters, i, "zeroed")
            if p.pointer and p.type in DESTROYED and (name, p.name) not in INITIALISES:
                self.add(name, kind, parameters, i, "destroyed")

    def add_member(self, config, member, value):
        if (config, member) in NEGATIVE_MAY_BE:
            self.says((config, member), NEGATIVE_MAY_BE[config, member])
        elif config not in CONFIGURATIONS:
            self.problems.append(f"{config}: no function is known that takes it")
        else:
            call, others = CONFIGURATIONS[config]
            self.functions.append(f"static bool case_{len(self.table)}(void)\n{{\n"
                                  f"    {config} const config = {{{others}.{member} = {value}}};\n"
                                  f"    return {call} == UF_INVALID;\n}}\n")
            self.table.append(f'    {{"{config}.{member} = {value}", case_{len(self.table)}}},')

    def add_configuration(self, name, members):
        for member in re.findall(r"\buf_time (\w+);", members):
            self.add_member(name, member, "-1")
        for member in re.findall(r"\buf_pool \*(\w+);", members):
            self.add_member(name, member, "zeroed(sizeof(uf_pool))")

    def text(self):
        problems = ["    " + '"' + p.replace("\\", "\\\\").replace('"', "'") + '",' for p in self.problems]
        return "\n".join([*self.functions, "static const misuse cases[] = {", *self.table, "};\n",
                          "static const char *const problems[] = {", *problems, "    NULL};", ""])


def main():
    output, generated, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    texts = [(*read(path), "uf_") for path in headers]
    texts += [(*read(generated), prefix) for prefix in ("Part_", "Unit_")]
    cases = Cases([comment for _, comment, _ in texts])
    for text, _, prefix in texts:
        for name, kind, parameters in functions(text, prefix):
            if parameters is None:
                cases.problems.append(f"not understood: {name}")
            else:
                cases.add_all(name, kind, parameters)
        for name, members in re.findall(r"typedef struct (\w+_config) \{(.*?)\n\}", text, re.S):
            cases.add_configuration(name, members)
    # Libraries that the build may lack: their functions are in a header of their own.
    given = {pathlib.Path(path).stem for path in headers}
    absent = tuple(f"uf_{part}_" for part in ("uv", "sqlite") if part not in given)
    for row in [*NULL_MAY_BE, *ZEROED_MAY_BE, *NEGATIVE_MAY_BE, *ANSWERS, *EXCUSED]:
        name = row if isinstance(row, str) else row[0]
        if row not in cases.used and not name.startswith(absent):
            cases.problems.append(f"{row}: there is no such function or parameter")
    pathlib.Path(output).write_text(cases.text())


if __name__ == "__main__":
    main()
