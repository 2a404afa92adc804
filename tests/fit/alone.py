# SPDX-License-Identifier: MIT
"""Programs that use one feature each. Nothing observes them: their bodies print."""
import os

PRELUDE = """\
source {
#include <stdio.h>
#define SAY(text) (void)printf("%lld %s\\n", (long long)(uf_flow_now(&flow->uf) / 1000000), text)
}
"""
STEP = "step {0} {{ SAY(\"{0}\"); {1} }} "


def steps(**bodies):
    return "".join(STEP.format(name, body) for name, body in bodies.items())


def one(parts, **bodies):
    """The flow One, with a task Run."""
    outside, _, inside = parts.partition("|")
    return f"{PRELUDE}{outside}\nflow One {{ {inside} task Run {{ {steps(**bodies)} }} }}\n"


CHILD = "flow Child { task Go { step A { await 3ms -> B; } step B { fail \"lost %d\", 7; } } }"
PROGRAMS = {
    "steps": one("", A="await 10ms -> B;", B="done;"),
    "fails": one("", A="await 10ms -> B;", B="fail \"late by %d\", 3;"),
    "loops": one("|int n;", A="await 5ms -> B;", B="if (flow->n++ < 3) next A; done;"),
    "stays": one("|int n;", A="if (++flow->n % 4 == 0) next B; stay every 2ms;", B="stay every 3ms timeout 7ms -> C;",
                 C="done;"),
    "polls": one("|int n;", A="await { until (flow->n++ > 2) -> B; timeout 1s -> done; }",
                 B="if (flow->n++ > 5) done; stay;"),
    "signals": one("signal go;|", A="uf_signal_fire(&go); await { go -> B; timeout 5ms -> C; }", B="done;",
                   C="uf_signal_fire(&go); next A;"),
    "handlers": one("signal go;|on go -> become Other; task Other { step Z { SAY(\"Z\"); done; } }",
                    A="await 2ms -> B;", B="uf_signal_fire(&go); await 5ms -> A;"),
    "exits": one("|on end { printf(\"end %d\\n\", (int)outcome); }"
                 "task Run2 { on exit { SAY(\"exit\"); } step Y { await 1ms -> done; } }",
                 A="await 2ms -> B;", B="become Run2;"),
    "runs": one(f"{CHILD}|flow Child child;", A="await { run Child.Go(&flow->child) -> done else C; }",
                C="done;"),
    "reasons": one(f"{CHILD}|flow Child child;",
                   A="await { run Child.Go(&flow->child) -> done else fail \"%s\", reason; }"),
    "results": one("flow Child { task Go -> int { step A { await 3ms -> B; } step B { done 42; } } }|flow Child child;",
                   A="await { run Child.Go(&flow->child) -> B; }",
                   B="int n = 0; (void)Child_result_Go(&flow->child, &n); printf(\"%d\\n\", n); done;"),
    "groups": one("|group All { on exit { SAY(\"left\"); } on timeout 4ms -> fail;"
                  " task In { step Y { await 10ms -> done; } } }", A="become In;"),
    "mail": one("|mailbox int box[2];", A="(void)One_box_send(flow, 5); await { box -> B; timeout 1ms -> done; }",
                B="int n = 0; if (One_box_receive(flow, &n)) printf(\"%d\\n\", n); done;"),
    "pools": one(f"{CHILD}|pool Child children[2];",
                 A="(void)One_children_spawn_Go(flow); await { idle(children) -> B; }", B="done;"),
    "texts": one("", A="describe \"waits %d\", 1; await 2ms -> B;", B="done;"),
}

MAIN = """\
#include <stdio.h>
#include "alone.h"

int main(void)
{
    static uf_pump pump;
    static One one;
    uf_time now = 0;
    if (uf_pump_init(&pump, NULL) != UF_OK || One_init(&one, &pump, "one") != UF_OK) return 1;
    for (int run = 0; run < 2; run++) {
        if (One_start_Run(&one) != UF_OK) return 2;
        for (int i = 0; uf_flow_running(&one.uf) && i < 200; i++) {
            uf_time const wait = uf_pump_round(&pump, now);
            if (wait != UF_FOREVER) now += wait;
        }
        printf("%s%s\\n", uf_outcome_text(uf_flow_outcome(&one.uf)), uf_flow_running(&one.uf) ? ", runs" : "");
    }
    return One_destroy(&one) != UF_OK || uf_pump_destroy(&pump) != UF_OK;
}
"""


def check(fitted, every_feature):
    paths = [os.path.join(fitted.work, name) for name in ("alone.uflow", "alone_main.c")]
    with open(paths[1], "w", encoding="utf-8") as file: file.write(MAIN)
    for name, text in PROGRAMS.items():
        with open(paths[0], "w", encoding="utf-8") as file: file.write(text)
        sources = [fitted.generated(paths[0], "alone"), paths[1]]
        features = fitted.least_program(sources, fitted.config(paths[:1]), "least")
        fitted.program(sources, every_feature, "full")
        least, full = fitted.run(["./least"]), fitted.run(["./full"])
        print(f"{name}: {' '.join(sorted(features)) or 'nothing'}")
        if least != full: raise SystemExit(f"{name}:\n{least.decode()}\nwith all features:\n{full.decode()}")
        if b"running" in least: raise SystemExit(f"{name} does not end:\n{least.decode()}")
