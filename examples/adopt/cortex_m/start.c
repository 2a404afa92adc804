/* start.c - the vector table, the start-up code, and output to a debugger or QEMU by semihosting. */
#include "start.h"

#include <stddef.h>
#include <string.h>

#include "template.h"

/* Addresses that board.ld defines. */
extern char board_data[], board_data_end[], board_data_from[], board_bss[], board_bss_end[], board_stack[];

int main(void);
void board_reset(void);
void board_fault(void);

void board_reset(void)
{
    memcpy(board_data, board_data_from, (size_t)(board_data_end - board_data));
    memset(board_bss, 0, (size_t)(board_bss_end - board_bss));
    debug_exit(main());
}

void board_fault(void)
{
    debug_print("fault\n");
    debug_exit(70);
}

/* Five kinds of faults, and SysTick at 15. The interrupts of your chip follow. */
static const void *const vectors[] __attribute__((section(".vectors"), used)) = {
    board_stack, board_reset, board_fault, board_fault, board_fault, board_fault, board_fault, [15] = board_tick,
};

/* -- semihosting: without a debugger these calls stop the program -------------------------------------------------- */

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, STOPPED = 0x20026 };

static void call_debugger(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void debug_print(const char *text)
{
    call_debugger(SYS_WRITE0, text);
}

_Noreturn void debug_exit(int status)
{
    call_debugger(SYS_EXIT_EXTENDED, (const int[]){STOPPED, status});
    for (;;) {}
}
