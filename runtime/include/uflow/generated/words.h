/* SPDX-License-Identifier: MIT */
/* words.h - the vocabulary of generated code: names that user macros cannot replace. */
#ifndef UFLOW_GENERATED_WORDS_H
#define UFLOW_GENERATED_WORDS_H

#include "uflow/flow.h"

UF_C_BEGIN

typedef bool uf_bool;
typedef uint16_t uf_u16;
typedef uint8_t uf_u8;
typedef uint32_t uf_u32;
typedef int64_t uf_i64;

/* A function that the compiler does not inline, so that its caller stays short and needs no stack frame. With -Os the
 * compiler decides. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define UF_NOINLINE __attribute__((__noinline__))
#else
#define UF_NOINLINE
#endif

/* A function of a header, which a file that includes it may leave unused. */
#if defined(__GNUC__)
#define UF_UNUSED __attribute__((__unused__))
#else
#define UF_UNUSED
#endif

/* A table of a descriptor, which a core with a config may not have. */
#if defined(UF_CONFIG_ABI)
#define UF_TABLE UF_UNUSED
#else
#define UF_TABLE
#endif

/* Other threads read a state while it changes: one plain load or store, which a compiler must not split or repeat. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define UF_LOAD_STATE(flow)      __atomic_load_n(&(flow)->state, __ATOMIC_RELAXED)
#define UF_STORE_STATE(flow, to) __atomic_store_n(&(flow)->state, to, __ATOMIC_RELAXED)
#else
#define UF_LOAD_STATE(flow)      (*(const volatile uint32_t *)&(flow)->state)
#define UF_STORE_STATE(flow, to) ((void)(*(volatile uint32_t *)&(flow)->state = (to)))
#endif

/* An index of any integer type. The C compiler refuses other types as operands of `|`, and would cast them silently. */
#define UF_INDEX(index) ((uf_i64)((index) | 0))
/* The number of elements of an array in a flow, and how many come after the first one. */
#define UF_LENGTH(flow, array)   (sizeof((flow *)0)->array / sizeof *((flow *)0)->array)
#define UF_MORE(flow, array)     (UF_LENGTH(flow, array) - 1)

#define UF_AT_LEAST(least, size) ((size) > (least) ? (size) : (least))

#if defined(__GNUC__)
#define UF_OFFSET(type, member) __builtin_offsetof(type, member)
#else
#define UF_OFFSET(type, member) offsetof(type, member)
#endif

/* The address of a member; NULL if there is no flow. It does not branch. If it did, an analyzer would follow a flow
 * that is NULL from there into the step that made the call. */
#define UF_INSIDE(type, flow, member) ((void *)((uintptr_t)(flow) + ((flow) != 0) * UF_OFFSET(type, member)))

/* Words of C in the user's members, as C++ has them. */
#if !defined(__cplusplus)
#define UF_ALIGNAS       _Alignas
#define UF_RESTRICT      restrict
#define UF_STATIC_ASSERT _Static_assert
#else
#define UF_ALIGNAS       alignas
#define UF_RESTRICT      __restrict
#define UF_STATIC_ASSERT static_assert
#endif

/* The flows of a file need this feature of core, see priv/features.h. */
#define UF_NEEDS(feature)                                                                                              \
    UF_STATIC_ASSERT(UF_USES_##feature, "flows of this file use " #feature ", and uf_config.h does not have it: run "  \
                                        "`ufc --emit=config` again, with all flows of the program")

/* g++ does not have C's atomic types. It uses volatile types with the same layout: C aligns atomic types to their
 * size. */
#if !defined(__cplusplus) || defined(__clang__)
#define UF_ATOMIC        _Atomic /* of a pointer */
#define UF_ATOMIC_OF(of) _Atomic(of)
#else
extern "C++" {
template <typename T> struct uf_atomic {
    enum { is_plain = sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 };
    typedef volatile T uf_type __attribute__((aligned(is_plain ? sizeof(T) : alignof(T))));
};
}
#define UF_ATOMIC        volatile
#define UF_ATOMIC_OF(of) uf_atomic<of>::uf_type
#endif

/* memset() and memcpy() that also accept volatile storage. */
static inline void uf_clear(void *to, size_t size)
{
#if defined(__GNUC__)
    __builtin_memset(to, 0, size);
#else
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = 0;
#endif
}

static inline void uf_copy(void *to, const void *from, size_t size)
{
#if defined(__GNUC__)
    __builtin_memcpy(to, from, size);
#else
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
#endif
}

static inline void uf_copy_volatile(volatile void *to, const volatile void *from, size_t size)
{
    volatile unsigned char *const out = UF_AS(volatile unsigned char *, to);
    const volatile unsigned char *const in = UF_AS(const volatile unsigned char *, from);
    for (size_t i = 0; i < size; i++) out[i] = in[i];
}

static inline uf_pump *uf_pump_of(const uf_flow *flow)
{
    return flow->pump;
}

/* `(count) ms`, with a count of any arithmetic type. Only for C, the language of generated code. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__OPTIMIZE_SIZE__) && UINTPTR_MAX > UINT32_MAX
static inline uf_time uf_duration_whole(int64_t count, uf_time unit)
{
    uf_time product;
    return __builtin_mul_overflow(count, unit, &product) ? uf_duration(count, unit) : product;
}
#else
#define uf_duration_whole uf_duration
#endif
#if defined(UF_NO_FLOAT)
#define UF_DURATION_REAL
#else
#define UF_DURATION_REAL float : uf_duration_real, double : uf_duration_real, long double : uf_duration_real,
#endif
/* clang-format off */
#define UF_DURATION(count, unit)                                                                                       \
    (_Generic((count), UF_DURATION_REAL unsigned long: uf_duration_unsigned, unsigned long long: uf_duration_unsigned, \
              default: uf_duration_whole)((count), (unit)))
/* clang-format on */

UF_C_END
#endif
