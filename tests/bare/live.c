/* SPDX-License-Identifier: MIT */
/* live.c - flows under real interrupts: SysTick, or the timer of a RISC-V, is the clock, and its handler raises two
 * interrupts; on a Cortex-M, of lower priority. One fires a signal, one sends into a mailbox. The main loop sleeps by
 * WFI. */
#include <stdio.h>

#include "live_flows.h"
#include "measured.h"
#include "template.h"
#if defined(__riscv)
#include "image_riscv.h"
#else
#define SET_PENDING             (*(volatile uint32_t *)0xE000E200u)
#define PRIORITIES              (*(volatile uint32_t *)0xE000E400u)
#define ENABLE                  (*(volatile uint32_t *)0xE000E100u)
#define image_raise(interrupts) ((void)(SET_PENDING = (interrupts)))
#endif

enum { PULSES = 40, NAPS = 8, TICKS_PER_PULSE = 5 };

static uf_pump pump;
static Counter counter;
static Reader reader;
static Sleeper sleeper, idle;
static volatile unsigned ticks, refused_starts;
static volatile unsigned events; /* interrupts that fired or sent */

uint32_t measured_since, measured_longest, measured_fire, measured_latency = UINT32_MAX;

void image_tick(void);
void image_interrupt_0(void);
void image_interrupt_1(void);

void image_tick(void)
{
    board_tick();
    image_raise(++ticks % TICKS_PER_PULSE == 0 ? 1 : 2);
}

void image_interrupt_0(void)
{
    if (Sleeper_start_Sleep(&idle, 1) == UF_UNSUPPORTED) refused_starts++; /* a start is not for interrupts */
    events++;
    measured_fire = MEASURED_NOW();
    uf_signal_fire(&pulse);
}

/* Bursts of items. A refused item is sent again at the next tick. */
void image_interrupt_1(void)
{
    static uint32_t item;
    uint32_t const first = item;
    for (unsigned i = 0; i < 1 + ticks % 16 && item < MAILS; i++) {
        if (Reader_mail_send(&reader, item) != UF_OK) break;
        item++;
    }
    if (item != first) events++;
}

/* The stack below the frame of main() is painted, to see how much of it is used, also by interrupt handlers. */
enum { PAINTED = 1024, PAINT = 0x5A5A5A5A }; /* words */

static volatile uint32_t *paint(void)
{
    uint32_t *here;
#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(here));
#else
    __asm__ volatile("mov %0, sp" : "=r"(here));
#endif
    volatile uint32_t *const lowest = here - PAINTED;
    for (int i = 0; i < PAINTED - 16; i++) lowest[i] = PAINT;
    return lowest;
}

static int used(volatile uint32_t *lowest)
{
    int unused = 0;
    while (lowest[unused] == PAINT) unused++;
    return (PAINTED - unused) * (int)sizeof *lowest;
}

int main(void)
{
    volatile uint32_t *const lowest = paint();
    unsigned rounds = 0;

    if (uf_pump_init(&pump, &(uf_pump_config){.wake = board_wake}) != UF_OK) return 1;
    if (Counter_init(&counter, &pump, "counter") != UF_OK || Reader_init(&reader, &pump, "reader") != UF_OK ||
        Sleeper_init(&sleeper, &pump, "sleeper") != UF_OK || Sleeper_init(&idle, &pump, "idle") != UF_OK)
        return 1;
    (void)Counter_start_Count(&counter, PULSES);
    (void)Reader_start_Read(&reader, MAILS);
    (void)Sleeper_start_Sleep(&sleeper, NAPS);
#if defined(UFP_BASEPRI)
    PRIORITIES = 0x8080; /* of the two interrupts that use the runtime. SysTick keeps 0, and is never masked */
#endif
#if !defined(__riscv)
    ENABLE = 3;
#endif
    board_start_clock();
    for (;;) { /* the loop of template.c, until all is done */
        board_awake();
        uf_time const now = board_now();
        uf_time const wait = uf_pump_round(&pump, now);
        rounds++;
        if (!uf_pump_running(&pump)) break;
        if (wait > 0) board_sleep_until(uf_time_add(now, wait));
    }
    int const stack = used(lowest);
    printf("pulses %u, mails %lu, naps %u, starts refused %u\n", counter.pulses, (unsigned long)reader.expected,
           sleeper.naps, refused_starts);
    if (*uf_flow_reason(&counter.uf)) printf("counter: %s\n", uf_flow_reason(&counter.uf));
    if (*uf_flow_reason(&reader.uf)) printf("reader: %s\n", uf_flow_reason(&reader.uf));
    printf("rounds %u for %u events in %u ticks\n", rounds, events, ticks);
    printf("masked %lu\nstack %d\n", (unsigned long)measured_longest, stack);
    printf("latency %lu\n", (unsigned long)measured_latency);
    return 0;
}
