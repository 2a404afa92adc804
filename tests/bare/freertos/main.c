/* SPDX-License-Identifier: MIT */
/* main.c - the flows of live.uflow in a FreeRTOS task: another task sends mails, an interrupt fires a signal. */
#include <stdio.h>
#include <stdlib.h>

#include "freertos.h"
#include "live_flows.h"
#include "measured.h"

enum { PULSES = 40, MAILS = 4000, NAPS = 8, TICKS_PER_PULSE = 20 };

static uf_freertos driver;
static uf_pump pump;
static Counter counter;
static Reader reader;
static Sleeper sleeper, idle;
static unsigned refused_starts, mails_sent;
uint32_t measured_since, measured_longest, measured_fire, measured_latency;

#define SET_PENDING (*(volatile uint32_t *)0xE000E200u)
#define PRIORITIES  (*(volatile uint32_t *)0xE000E400u)
#define ENABLE      (*(volatile uint32_t *)0xE000E100u)

void image_interrupt_0(void);
void vApplicationTickHook(void);

void image_interrupt_0(void)
{
    uf_signal_fire(&pulse);
    if (Sleeper_start_Sleep(&idle, 1) == UF_UNSUPPORTED) refused_starts++;
}

void vApplicationTickHook(void)
{
    static unsigned ticks;
    if (++ticks % TICKS_PER_PULSE == 0) SET_PENDING = 1;
}

static void send_mails(void *unused)
{
    (void)unused;
    if (Sleeper_start_Sleep(&idle, 1) == UF_UNSUPPORTED) refused_starts++;
    while (mails_sent < MAILS) {
        if (Reader_mail_send(&reader, mails_sent) == UF_OK) mails_sent++;
        else vTaskDelay(1);
    }
    for (;;) vTaskDelay(1000);
}

static void run_flows(void *unused)
{
    (void)unused;
    if (uf_freertos_init(&driver, &pump, NULL) != UF_OK) exit(1);
    if (Counter_init(&counter, &pump, "counter") != UF_OK || Reader_init(&reader, &pump, "reader") != UF_OK ||
        Sleeper_init(&sleeper, &pump, "sleeper") != UF_OK || Sleeper_init(&idle, &pump, "idle") != UF_OK)
        exit(1);
    (void)Counter_start_Count(&counter, PULSES);
    (void)Reader_start_Read(&reader, MAILS);
    (void)Sleeper_start_Sleep(&sleeper, NAPS);
    if (xTaskCreate(send_mails, "mails", 512, NULL, 1, NULL) != pdPASS) exit(1);
    PRIORITIES = 0x80;
    ENABLE = 1;
    TickType_t const began = xTaskGetTickCount();
    uf_freertos_drive(&driver);
    printf("pulses %u, mails %lu, naps %u, %s, %s\n", counter.pulses, (unsigned long)reader.expected, sleeper.naps,
           refused_starts > 1 ? "starts refused" : "starts not refused",
           xTaskGetTickCount() - began < PULSES * TICKS_PER_PULSE + 20 ? "in time" : "late");
    printf("%s%s", uf_flow_reason(&counter.uf), uf_flow_reason(&reader.uf));
    fflush(stdout);
    exit(0);
}

int main(void)
{
    if (xTaskCreate(run_flows, "flows", 1024, NULL, 2, NULL) != pdPASS) return 1;
    vTaskStartScheduler();
    return 1;
}
