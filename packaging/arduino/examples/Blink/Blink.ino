// The lamp of the board blinks. blink.c and blink.h are what ufc makes of blink.uflow.
#include <uflow.h>

extern "C" {
#include "blink.h"
}

static uf_pump pump;
static Blink blink;
static uf_time now;

void set_lamp(bool on) { digitalWrite(LED_BUILTIN, on ? HIGH : LOW); }

void setup() {
    pinMode(LED_BUILTIN, OUTPUT);
    uf_pump_init(&pump, NULL);
    Blink_init(&blink, &pump, "blink");
    (void)Blink_start_Run(&blink);
}

void loop() {
    static uint32_t before;
    uint32_t const at = millis();
    now += UF_MS(at - before); // millis() wraps after 49 days
    before = at;
    uf_pump_round(&pump, now);
}
