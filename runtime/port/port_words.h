/* SPDX-License-Identifier: MIT */
/* port_words.h - atomic operations on variables that several threads use.
 *
 * The memory order is in the name: `_acquire`, `_release`, `_seq_cst`; without a suffix the order is relaxed. A
 * compare-exchange returns whether it stored. An exchange returns the old value, an add-fetch the new one.
 *
 * The variables are plain objects, because public structs contain them and C++ includes those. An implementation with
 * <stdatomic.h> casts the pointers to pointers to _Atomic types, which must have the same size and alignment.
 *
 * There are three implementations of the one list of operations. To add one, write its LOAD, STORE, COMPARE_EXCHANGE,
 * EXCHANGE and ADD_FETCH for UFP_OPERATIONS, then the four 64-bit operations, and declare ufp_spin_pause(). Let
 * runtime/port/CMakeLists.txt define the macro that selects it, because core and host include this header too.
 *
 * | selected by                      | implementation                                                        |
 * |----------------------------------|-----------------------------------------------------------------------|
 * | UFP_SCHEDULED                    | functions of the test scheduler, which may switch threads in each     |
 * | UFP_BARE, or a freestanding build| plain accesses; a read-modify-write runs with interrupts disabled     |
 * | otherwise                        | __atomic builtins of gcc and clang, annotated for valgrind's tools    | */
#ifndef UFLOW_PORT_WORDS_H
#define UFLOW_PORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* helgrind and drd follow locks and threads, but not atomic accesses. These annotations declare which accesses order
 * memory, and which words several threads may access. */
#if defined(UFP_ANNOTATED)
void ufp_note_release(const void *word);
void ufp_note_acquire(const void *word);
void ufp_note_shared(const void *word, size_t size);
#else
#define ufp_note_release(word)      ((void)(word))
#define ufp_note_acquire(word)      ((void)(word))
#define ufp_note_shared(word, size) ((void)(word), (void)(size))
#endif

typedef void *ufp_pointer;

/* The operations on types that the machine reads and writes in one access. The types of 64 bits follow further down:
 * a wide word is atomic everywhere. A time may be torn on a 32-bit machine, so it needs a sequence number beside it. */
#define UFP_OPERATIONS(LOAD, STORE, COMPARE_EXCHANGE, EXCHANGE, ADD_FETCH)                                             \
    LOAD(ufp_load, uint32_t, RELAXED)                                                                                  \
    LOAD(ufp_load_acquire, uint32_t, ACQUIRE)                                                                          \
    LOAD(ufp_load_seq_cst, uint32_t, SEQ_CST)                                                                          \
    STORE(ufp_store, uint32_t, RELAXED)                                                                                \
    STORE(ufp_store_release, uint32_t, RELEASE)                                                                        \
    STORE(ufp_store_seq_cst, uint32_t, SEQ_CST)                                                                        \
    COMPARE_EXCHANGE(ufp_compare_exchange_seq_cst, uint32_t)                                                           \
    EXCHANGE(ufp_exchange_seq_cst, uint32_t)                                                                           \
    ADD_FETCH(ufp_add_fetch_seq_cst, uint32_t)                                                                         \
    LOAD(ufp_load_pointer, ufp_pointer, RELAXED)                                                                       \
    LOAD(ufp_load_pointer_seq_cst, ufp_pointer, SEQ_CST)                                                               \
    STORE(ufp_store_pointer, ufp_pointer, RELAXED)                                                                     \
    STORE(ufp_store_pointer_release, ufp_pointer, RELEASE)                                                             \
    STORE(ufp_store_pointer_seq_cst, ufp_pointer, SEQ_CST)                                                             \
    COMPARE_EXCHANGE(ufp_compare_exchange_pointer_seq_cst, ufp_pointer)                                                \
    EXCHANGE(ufp_exchange_pointer_seq_cst, ufp_pointer)                                                                \
    LOAD(ufp_load_byte_acquire, uint8_t, ACQUIRE)                                                                      \
    LOAD(ufp_load_byte_seq_cst, uint8_t, SEQ_CST)                                                                      \
    STORE(ufp_store_byte_release, uint8_t, RELEASE)                                                                    \
    STORE(ufp_store_byte_seq_cst, uint8_t, SEQ_CST)

/* Static data that lasts as long as the process. The test scheduler clears it before each of its runs. */
#if defined(UFP_SCHEDULED)
#define UFP_OF_PROCESS __attribute__((section("uf_process")))
#else
#define UFP_OF_PROCESS
#endif

/* NOLINTBEGIN(misc-misplaced-const): `type const` is a constant of any type, also of a pointer type */
#if defined(UFP_SCHEDULED)

#define UFP_LOAD(name, type, order)      type name(const type *word);
#define UFP_STORE(name, type, order)     void name(type *word, type value);
#define UFP_COMPARE_EXCHANGE(name, type) bool name(type *word, type expected, type desired);
#define UFP_EXCHANGE(name, type)         type name(type *word, type value);

UFP_OPERATIONS(UFP_LOAD, UFP_STORE, UFP_COMPARE_EXCHANGE, UFP_EXCHANGE, UFP_EXCHANGE)
UFP_LOAD(ufp_load_time_acquire, int64_t, ACQUIRE)
UFP_STORE(ufp_store_time_release, int64_t, RELEASE)
UFP_LOAD(ufp_load_wide_seq_cst, uint64_t, SEQ_CST)
UFP_COMPARE_EXCHANGE(ufp_compare_exchange_wide_seq_cst, uint64_t)

/* Called in a loop that waits for another thread. */
void ufp_spin_pause(void);

#elif defined(UFP_BARE) || !__STDC_HOSTED__

/* Disables interrupts and returns the previous state; restores that state. The pair nests.
 *
 * | selected by        | what is disabled                                                                             |
 * |--------------------|----------------------------------------------------------------------------------------------|
 * | UFP_INTERRUPTS     | the header of this name defines both functions                                               |
 * | UFP_BASEPRI=n      | Cortex-M3 and up: priorities n and below, as the register BASEPRI has them; n is not 0       |
 * | a Cortex-M         | all interrupts                                                                               |
 * | a RISC-V           | all interrupts of machine mode on this hart: the bit MIE of mstatus                          |
 * | any other machine  | none: do not use the runtime in its interrupt handlers, or define UFP_INTERRUPTS             |
 *
 * All files of a program need the same selection. */
#if defined(UFP_INTERRUPTS)
#include UFP_INTERRUPTS
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static inline uint32_t ufp_disable_interrupts(void)
{
    uint32_t state;
#if defined(UFP_BASEPRI)
    __asm__ volatile("mrs %0, basepri\n\tmsr basepri_max, %1" : "=&r"(state) : "r"(UFP_BASEPRI) : "memory");
    __asm__ volatile("dsb\n\tisb" ::: "memory"); /* the first Cortex-M7 needs this */
#else
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
#endif
    return state;
}
static inline void ufp_restore_interrupts(uint32_t state)
{
#if defined(UFP_BASEPRI)
    __asm__ volatile("msr basepri, %0" ::"r"(state) : "memory");
#else
    __asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
#endif
}
#elif defined(__riscv) && !defined(__linux__)
static inline uint32_t ufp_disable_interrupts(void)
{
    uint32_t const mie = 8;
    unsigned long state;
    __asm__ volatile("csrrc %0, mstatus, %1" : "=r"(state) : "rK"(mie) : "memory");
    return (uint32_t)state & mie;
}
static inline void ufp_restore_interrupts(uint32_t state)
{
    __asm__ volatile("csrs mstatus, %0" ::"r"(state) : "memory");
}
#else
static inline uint32_t ufp_disable_interrupts(void)
{
    return 0;
}
static inline void ufp_restore_interrupts(uint32_t state)
{
    (void)state;
}
#endif

#define UFP_LOAD(name, type, order)                                                                                    \
    static inline type name(const type *word)                                                                          \
    {                                                                                                                  \
        return *(const volatile type *)word;                                                                           \
    }
#define UFP_STORE(name, type, order)                                                                                   \
    static inline void name(type *word, type value)                                                                    \
    {                                                                                                                  \
        *(volatile type *)word = value;                                                                                \
    }
#define UFP_COMPARE_EXCHANGE(name, type)                                                                               \
    static inline bool name(type *word, type expected, type desired)                                                   \
    {                                                                                                                  \
        uint32_t const interrupts = ufp_disable_interrupts();                                                          \
        bool const equal = *(const volatile type *)word == expected;                                                   \
        if (equal) *(volatile type *)word = desired;                                                                   \
        ufp_restore_interrupts(interrupts);                                                                            \
        return equal;                                                                                                  \
    }
#define UFP_READ_MODIFY_WRITE(name, type, stored, result)                                                              \
    static inline type name(type *word, type value)                                                                    \
    {                                                                                                                  \
        uint32_t const interrupts = ufp_disable_interrupts();                                                          \
        type const old = *(const volatile type *)word;                                                                 \
        *(volatile type *)word = (stored);                                                                             \
        ufp_restore_interrupts(interrupts);                                                                            \
        return result;                                                                                                 \
    }
#define UFP_EXCHANGE(name, type)  UFP_READ_MODIFY_WRITE(name, type, value, old)
#define UFP_ADD_FETCH(name, type) UFP_READ_MODIFY_WRITE(name, type, old + value, old + value)

UFP_OPERATIONS(UFP_LOAD, UFP_STORE, UFP_COMPARE_EXCHANGE, UFP_EXCHANGE, UFP_ADD_FETCH)
UFP_LOAD(ufp_load_time_acquire, int64_t, ACQUIRE)
UFP_STORE(ufp_store_time_release, int64_t, RELEASE)
UFP_COMPARE_EXCHANGE(ufp_compare_exchange_wide_seq_cst, uint64_t)

/* Two accesses on a 32-bit machine, which no interrupt may separate. */
static inline uint64_t ufp_load_wide_seq_cst(const uint64_t *word)
{
    uint32_t const interrupts = ufp_disable_interrupts();
    uint64_t const value = *(const volatile uint64_t *)word;
    ufp_restore_interrupts(interrupts);
    return value;
}

static inline void ufp_spin_pause(void)
{
}

#else

#define UFP_LOAD(name, type, order)                                                                                    \
    static inline type name(const type *word)                                                                          \
    {                                                                                                                  \
        type const value = __atomic_load_n(word, __ATOMIC_##order);                                                    \
        if (__ATOMIC_##order != __ATOMIC_RELAXED) ufp_note_acquire(word);                                              \
        return value;                                                                                                  \
    }
#define UFP_STORE(name, type, order)                                                                                   \
    static inline void name(type *word, type value)                                                                    \
    {                                                                                                                  \
        if (__ATOMIC_##order != __ATOMIC_RELAXED) ufp_note_release(word);                                              \
        __atomic_store_n(word, value, __ATOMIC_##order);                                                               \
    }
#define UFP_COMPARE_EXCHANGE(name, type)                                                                               \
    static inline bool name(type *word, type expected, type desired)                                                   \
    {                                                                                                                  \
        ufp_note_release(word);                                                                                        \
        bool const stored =                                                                                            \
            __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
        ufp_note_acquire(word);                                                                                        \
        return stored;                                                                                                 \
    }
#define UFP_READ_MODIFY_WRITE(name, type, builtin)                                                                     \
    static inline type name(type *word, type value)                                                                    \
    {                                                                                                                  \
        ufp_note_release(word);                                                                                        \
        type const result = builtin(word, value, __ATOMIC_SEQ_CST);                                                    \
        ufp_note_acquire(word);                                                                                        \
        return result;                                                                                                 \
    }
#define UFP_EXCHANGE(name, type)  UFP_READ_MODIFY_WRITE(name, type, __atomic_exchange_n)
#define UFP_ADD_FETCH(name, type) UFP_READ_MODIFY_WRITE(name, type, __atomic_add_fetch)

UFP_OPERATIONS(UFP_LOAD, UFP_STORE, UFP_COMPARE_EXCHANGE, UFP_EXCHANGE, UFP_ADD_FETCH)

/* Called in a loop that waits for another thread, and defined by the port. Some of the calls in a row must sleep: a
 * yield alone never lets a thread of lower priority run. */
void ufp_spin_pause(void);

/* 64-bit types. A wide word is aligned to 8 bytes even where a uint64_t need not be. A 32-bit machine has no 64-bit
 * access for a time: it uses two accesses of 32 bits. */
typedef uint64_t __attribute__((aligned(8), may_alias)) ufp_wide;

static inline uint64_t ufp_load_wide_seq_cst(const uint64_t *word)
{
    ufp_note_shared(word, sizeof *word);
    uint64_t const value = __atomic_load_n((const ufp_wide *)word, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return value;
}
static inline bool ufp_compare_exchange_wide_seq_cst(uint64_t *word, uint64_t expected, uint64_t desired)
{
    ufp_wide old = expected;
    ufp_note_shared(word, sizeof *word);
    ufp_note_release(word);
    bool const stored =
        __atomic_compare_exchange_n((ufp_wide *)word, &old, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return stored;
}

#if UINTPTR_MAX > UINT32_MAX
UFP_LOAD(ufp_load_time_acquire, int64_t, ACQUIRE)
UFP_STORE(ufp_store_time_release, int64_t, RELEASE)
#else
typedef uint32_t __attribute__((may_alias)) ufp_half;
static inline int64_t ufp_load_time_acquire(const int64_t *word)
{
    ufp_half const *const half = (const ufp_half *)word;
    uint32_t part[2] = {__atomic_load_n(&half[0], __ATOMIC_ACQUIRE), __atomic_load_n(&half[1], __ATOMIC_ACQUIRE)};
    int64_t value;
    __builtin_memcpy(&value, part, sizeof value);
    return value;
}
static inline void ufp_store_time_release(int64_t *word, int64_t value)
{
    uint32_t part[2];
    __builtin_memcpy(part, &value, sizeof part);
    __atomic_store_n((ufp_half *)word, part[0], __ATOMIC_RELEASE);
    __atomic_store_n((ufp_half *)word + 1, part[1], __ATOMIC_RELEASE);
}
#endif

#endif

/* NOLINTEND(misc-misplaced-const) */

#undef UFP_LOAD
#undef UFP_STORE
#undef UFP_COMPARE_EXCHANGE
#undef UFP_READ_MODIFY_WRITE
#undef UFP_EXCHANGE
#undef UFP_ADD_FETCH

#endif
