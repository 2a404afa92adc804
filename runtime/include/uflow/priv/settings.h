/* priv/settings.h - settings that change structs. Core and all files of a program must be compiled with the same ones.
 *
 * UF_WHEEL_BITS   0, 2 to 6: each level of the timing wheel has 2^n slots; 0: a sorted list instead of the wheel
 * UF_JOB_PAYLOAD  the most bytes that the arguments and the result of a worker function may have together; the CMake
 *                 option UFLOW_JOB_PAYLOAD sets it
 * UF_NO_FLOAT     leaves out all functions with floating point; formats then have no such conversions
 *
 * A setting that is not the default is part of the name of a function that its users need. So a program and a core with
 * different settings do not link, and the linker names the setting. */
#ifndef UFLOW_PRIV_SETTINGS_H
#define UFLOW_PRIV_SETTINGS_H

#include <stdint.h>

#if UINTPTR_MAX > UINT32_MAX
#define UF_USUAL_WHEEL_BITS 6 /* 11 levels of 64 slots: 5.6 KiB */
#else
#define UF_USUAL_WHEEL_BITS 4 /* 16 levels of 16 slots: 1.2 KiB */
#endif
#ifndef UF_WHEEL_BITS
#define UF_WHEEL_BITS UF_USUAL_WHEEL_BITS
#endif
#if UF_WHEEL_BITS < 0 || UF_WHEEL_BITS == 1 || UF_WHEEL_BITS > 6
#error "UF_WHEEL_BITS must be 0, or 2 to 6: the bitmap of a level has 64 bits, that of the levels 32"
#endif

#define UF_USUAL_JOB_PAYLOAD 256
#ifndef UF_JOB_PAYLOAD
#define UF_JOB_PAYLOAD UF_USUAL_JOB_PAYLOAD
#endif

#define UF_NAME_WITH(name, value)      UF_NAME_WITH_THIS(name, value)
#define UF_NAME_WITH_THIS(name, value) name##value
#if UF_WHEEL_BITS != UF_USUAL_WHEEL_BITS
#define uf_pump_init UF_NAME_WITH(uf_pump_init_with_UF_WHEEL_BITS_, UF_WHEEL_BITS)
#endif
#if UF_JOB_PAYLOAD != UF_USUAL_JOB_PAYLOAD
#define uf_submit UF_NAME_WITH(uf_submit_with_UF_JOB_PAYLOAD_, UF_JOB_PAYLOAD)
#endif
#if defined(UF_NO_FLOAT)
#define uf_flow_fail uf_flow_fail_with_UF_NO_FLOAT
#endif

/* The formats of the runtime are those of C11. With mingw-w64, `printf` names those of an old C library of Windows. */
#if defined(__MINGW32__) && !defined(__clang__)
#define UF_PRINTF gnu_printf
#else
#define UF_PRINTF printf
#endif

/* Has the compiler check the arguments of a function with a format; both are numbers of parameters. */
#if defined(__GNUC__)
#define UF_FORMAT(text, first) __attribute__((__format__(UF_PRINTF, text, first)))
#else
#define UF_FORMAT(text, first)
#endif

/* Around the declarations of a header: in C++ they have the linkage of C. */
#ifdef __cplusplus
#define UF_C_BEGIN extern "C" {
#define UF_C_END   }
#else
#define UF_C_BEGIN
#define UF_C_END
#endif

#endif
