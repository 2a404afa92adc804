/* SPDX-License-Identifier: MIT */
/* priv/settings.h - settings that change structs. Core and all files of a program must be compiled with the same ones.
 *
 * UF_WHEEL_BITS   0, 2 to 6: each level of the timing wheel has 2^n slots; 0: a sorted list instead of the wheel
 * UF_JOB_PAYLOAD  the most bytes that the arguments and the result of a worker function may have together; the CMake
 *                 option UFLOW_JOB_PAYLOAD sets it
 * UF_REASON_SIZE, UF_DESCRIPTION_SIZE    bytes of the texts of `fail` and `describe`, see flow.h; at least 8
 * UF_NO_FLOAT     leaves out all functions with floating point; formats then have no such conversions
 * UF_CONFIG_FILE  '"uf_config.h"': core has only what this file says; `ufc --emit=config` writes it, see features.h
 *
 * A setting that is not the default is part of the name of a function that its users need. So a program and a core with
 * different settings do not link, and the linker names the setting. */
#ifndef UFLOW_PRIV_SETTINGS_H
#define UFLOW_PRIV_SETTINGS_H

#include <stdint.h>

#include "uflow/version.h"

#if defined(UF_CONFIG_FILE) && !defined(__cppcheck__) /* which tries this without a name */
#include UF_CONFIG_FILE
#define UF_USES_HOST 0
#if UF_CONFIG_ABI != UF_ABI
#error "the config file was made by a ufc for another version of uflow's runtime: run `ufc --emit=config` again"
#endif
#else
#include "uflow/priv/everything.h"
#endif
#include "uflow/priv/features.h"

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
#if defined(UF_CONFIG_ABI)
#define UF_JOIN(...) UF_JOIN_THESE(__VA_ARGS__)
#define UF_JOIN_THESE(name, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc,  \
                      dd, ee, ff)                                                                                      \
    name##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p##q##r##s##t##u##v##w##x##y##z##aa##bb##cc##dd##ee##ff
#define UF_WITH_CONFIG(name)                                                                                           \
    UF_JOIN(name, UF_WHEEL_BITS, UF_USES_STAYS, UF_USES_POLLS, UF_USES_RUNS, UF_USES_HANDLERS, UF_USES_ON_EXIT,        \
            UF_USES_ON_END, UF_USES_POOLS, UF_USES_JOBS, UF_USES_DESCRIPTIONS, UF_USES_SIGNALS, UF_USES_CHECKPOINTS,   \
            UF_USES_MAILBOXES, UF_USES_DESCRIPTORS, UF_USES_REAL_TIME, UF_USES_PAUSES, UF_USES_STOP, UF_USES_CANCEL,   \
            UF_USES_OBSERVERS, UF_USES_SCALE, UF_USES_PACE, UF_USES_PUMPS, UF_USES_MESSAGES, UF_USES_ROOMS,            \
            UF_USES_DURABLE, UF_USES_NAMES, UF_USES_TASKS, UF_USES_TIMES, UF_USES_PARTS, UF_USES_COUNTS,               \
            UF_USES_VIRTUAL, UF_USES_REASONS)
#define uf_pump_init UF_WITH_CONFIG(uf_pump_init_with_another_uf_config_h_)
#elif UF_WHEEL_BITS != UF_USUAL_WHEEL_BITS
#define uf_pump_init UF_NAME_WITH(uf_pump_init_with_UF_WHEEL_BITS_, UF_WHEEL_BITS)
#endif
#if UF_JOB_PAYLOAD != UF_USUAL_JOB_PAYLOAD
#define uf_submit UF_NAME_WITH(uf_submit_with_UF_JOB_PAYLOAD_, UF_JOB_PAYLOAD)
#endif
#if defined(UF_REASON_SIZE) || defined(UF_DESCRIPTION_SIZE) /* the usual ones are in flow.h */
#if (defined(UF_REASON_SIZE) && UF_REASON_SIZE < 8) || (defined(UF_DESCRIPTION_SIZE) && UF_DESCRIPTION_SIZE < 8)
#error "UF_REASON_SIZE and UF_DESCRIPTION_SIZE must be at least 8: a text that is truncated ends with `...`"
#endif
#define UF_WITH_SIZES(name)                UF_NAME_OF_SIZES(name, UF_REASON_SIZE, UF_DESCRIPTION_SIZE)
#define UF_NAME_OF_SIZES(name, ...)        UF_NAME_OF_THESE(name, __VA_ARGS__)
#define UF_NAME_OF_THESE(name, one, other) name##_with_UF_REASON_SIZE_##one##_##other
#else
#define UF_WITH_SIZES(name) name
#endif
#if defined(UF_CONFIG_ABI) /* generated files call these, not uf_pump_init() */
#define uf_flow_init       UF_WITH_CONFIG(UF_WITH_SIZES(uf_flow_init_with_another_uf_config_h_))
#define uf_flow_init_begin UF_WITH_CONFIG(UF_WITH_SIZES(uf_flow_init_begin_with_another_uf_config_h_))
#elif defined(UF_REASON_SIZE) || defined(UF_DESCRIPTION_SIZE)
#define uf_flow_init       UF_WITH_SIZES(uf_flow_init)
#define uf_flow_init_begin UF_WITH_SIZES(uf_flow_init_begin)
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

/* With a switch of features.h: the text, or nothing; nothing, or the text. */
#define UF_WITH(uses, ...)      UF_WITH_THIS(uses, __VA_ARGS__)
#define UF_WITH_THIS(uses, ...) UF_WITH_##uses(__VA_ARGS__)
#define UF_WITH_1(...)          __VA_ARGS__
#define UF_WITH_0(...)
#define UF_WITHOUT(uses, ...)      UF_WITHOUT_THIS(uses, __VA_ARGS__)
#define UF_WITHOUT_THIS(uses, ...) UF_WITHOUT_##uses(__VA_ARGS__)
#define UF_WITHOUT_1(...)
#define UF_WITHOUT_0(...) __VA_ARGS__
#define UF_USES_ALWAYS    1

/* For the lists of members of a struct: those that it has in this core, and those that it lacks. Core itself sees the
 * latter behind the former, out of reach: so the code that such a program never calls compiles. With -flto, a compiler
 * sees both structs, and could take a pointer of core for one to something else: hence UF_MAY_ALIAS. */
#define UF_HAS(feature, ...)   UF_WITH(UF_USES_##feature, __VA_ARGS__)
#define UF_LACKS(feature, ...) UF_WITHOUT(UF_USES_##feature, __VA_ARGS__)
#if defined(__GNUC__)
#define UF_MAY_ALIAS __attribute__((__may_alias__))
#else
#define UF_MAY_ALIAS
#endif

/* With a switch of features.h, 0 or 1, or several with || between them: the value, or 0. */
#define UF_IF(uses, value) ((uses) ? (value) : 0)

/* After the declaration of a function that does nothing useful without a feature: refuses its calls where core lacks
 * that. Core itself calls it where nothing comes of it. With -flto, gcc forgets the attribute error: then the assembler
 * fails at the name. */
#if !defined(UF_CONFIG_ABI) || defined(UFI_CORE)
#define UF_GUARDED(feature, function)
#else
#define UF_GUARDED(feature, function) UF_GUARDED_IF(UF_USES_##feature, #feature, function)
#define UF_GUARDED_IF(uses, feature, function)                                                                         \
    UF_WITHOUT(uses, extern __typeof__(function) function UF_REFUSE("set UF_USES_" feature " to 1 in uf_config.h");)
#if defined(__TINYC__) /* the linker says it */
#define UF_REFUSE(text) __asm__(text)
#elif !defined(__GNUC__)
#undef UF_GUARDED
#define UF_GUARDED(feature, function)
#elif defined(__clang__) || __GNUC__ >= 12
#define UF_REFUSE(text) __attribute__((__unavailable__(text)))
#else
#define UF_REFUSE(text) __asm__(text) __attribute__((__error__(text)))
#endif
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
