/* SPDX-License-Identifier: MIT */
/* console.c - the console of docs/guides/bare-metal.md on the UART of QEMU's machine mps2-an385: it answers each line,
 * and ends after `bye`. uart.c of the guide has the interrupt handler. */
#include <string.h>

#include "console.h"
#include "template.h"
#include "uart.h"

typedef struct uart {
    volatile uint32_t data, state, control, interrupts, divider;
} uart;
#define UART   ((uart *)0x40004000u)
#define ENABLE (*(volatile uint32_t *)0xE000E100u)
enum { RECEIVED = 1 << 1, SEND_AND_RECEIVE = 3, INTERRUPT_OF_RECEIVED = 1 << 3 };

extern Console console;
extern unsigned uart_lost;
void uart_handler(void);
void image_tick(void);
void image_interrupt_0(void);

static bool over;

void image_tick(void)
{
    board_tick();
}

void image_interrupt_0(void)
{
    UART->interrupts = RECEIVED; /* taken */
    uart_handler();
}

bool uart_has(void)
{
    return (UART->state & RECEIVED) != 0;
}

char uart_read(void)
{
    return (char)UART->data;
}

static void print(const char *text)
{
    for (; *text; text++) UART->data = (uint8_t)*text;
}

void uart_answer(const char *line)
{
    print("> ");
    print(line);
    print("\n");
    over = strcmp(line, "bye") == 0;
}

int main(void)
{
    static uf_pump pump;
    if (uf_pump_init(&pump, &(uf_pump_config){.wake = board_wake}) != UF_OK) return 1;
    if (Console_init(&console, &pump, "console") != UF_OK || Console_start_Serve(&console) != UF_OK) return 1;
    board_start_clock();
    UART->divider = 16;
    UART->control = SEND_AND_RECEIVE | INTERRUPT_OF_RECEIVED;
    ENABLE = 1;
    while (!over) {
        board_awake();
        uf_time const now = board_now();
        uf_time const wait = uf_pump_round(&pump, now);
        if (wait > 0 && !over) board_sleep_until(uf_time_add(now, wait));
    }
    return uart_lost == 0 ? 0 : 2;
}
