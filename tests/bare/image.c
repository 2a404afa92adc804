/* SPDX-License-Identifier: MIT */
/* image.c - start-up code of an image for QEMU, and output by semihosting. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "port.h" /* the compiler compares its ufp_abort() with that of template.h */
#include "template.h"

extern char image_data[], image_data_end[], image_data_from[], image_bss[], image_bss_end[], image_heap[];
extern char image_stack[];
int main(int argc, char **argv);
void image_reset(void);
void image_fault(void);
void __attribute__((weak, alias("image_fault"))) image_call(void);
void __attribute__((weak, alias("image_fault"))) image_pend(void);
void __attribute__((weak)) image_tick(void);
void __attribute__((weak)) image_interrupt_0(void);
void __attribute__((weak)) image_interrupt_1(void);

/* -- semihosting --------------------------------------------------------------------------------------------------- */

enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_EXIT_EXTENDED = 0x20, STOPPED = 0x20026 };

static intptr_t call_host(intptr_t operation, const void *arguments)
{
    register intptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* With -flto, the compiler does not see that the C library calls the next three. */
#define CALLED __attribute__((used))

CALLED int _write(int file, const char *text, int length)
{
    static intptr_t output;
    (void)file;
    if (!output) output = call_host(SYS_OPEN, (const intptr_t[]){(intptr_t) ":tt", 4, 3});
    return length - (int)call_host(SYS_WRITE, (const intptr_t[]){output, (intptr_t)text, length});
}

CALLED _Noreturn void _exit(int status)
{
    call_host(SYS_EXIT_EXTENDED, (const intptr_t[]){STOPPED, status});
    for (;;) {}
}

/* A quarter of what is left is the stack's. */
CALLED void *_sbrk(ptrdiff_t more)
{
    static char *end = image_heap;
    char *const old = end;
    if (more > image_stack - (image_stack - image_heap) / 4 - end) return (void *)-1;
    end += more;
    return old;
}

/* -- start-up ------------------------------------------------------------------------------------------------------ */

void image_reset(void)
{
    memcpy(image_data, image_data_from, (size_t)(image_data_end - image_data));
    memset(image_bss, 0, (size_t)(image_bss_end - image_bss));
    void exit(int);
    static char *arguments[] = {"image", NULL};
    exit(main(1, arguments));
}

void image_fault(void)
{
    static const char text[] = "fault\n";
    _write(2, text, sizeof text - 1);
    _exit(70);
}

static const void *const vectors[] __attribute__((section(".vectors"), used)) = {
    image_stack, image_reset, image_fault, image_fault, image_fault, image_fault,       image_fault,       0, 0, 0, 0,
    image_call,  image_fault, 0,           image_pend,  image_tick,  image_interrupt_0, image_interrupt_1,
};
