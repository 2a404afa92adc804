/* three_uflow.c - the flow of sizes/three.uflow on a pump. */
#include "bare.h"
#include "three.h"

static uf_pump pump;
static Three one;

void bare_start(void)
{
    if (pump.round == 0) {
        (void)uf_pump_init(&pump, NULL);
        (void)Three_init(&one, &pump, "one");
    }
    (void)Three_start_Run(&one);
}

bool bare_run(uint32_t ms)
{
    while (uf_pump_round(&pump, UF_MS((uf_time)ms)) == 0) {}
    return uf_flow_running(&one.uf);
}
