/* port_words.h - words that several threads use.
 *
 * load and store are relaxed: untorn, and no more. _acquire and _release are the two ends of a hand-over; those of a byte
 * and of a time are these too. The rest, and what is called _total, has one order that all threads agree on. */
#ifndef UFLOW_PORT_WORDS_H
#define UFLOW_PORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(UFP_SCHEDULED) /* the tests' scheduler: each of these is a point where another thread may come in */

uint32_t ufp_load(const uint32_t *word);
uint32_t ufp_load_acquire(const uint32_t *word);
uint32_t ufp_load_seq_cst(const uint32_t *word);
void ufp_store(uint32_t *word, uint32_t value);
void ufp_store_release(uint32_t *word, uint32_t value);
void ufp_store_seq_cst(uint32_t *word, uint32_t value);
bool ufp_compare_exchange_seq_cst(uint32_t *word, uint32_t expected,
                                  uint32_t desired);            /* true: it was as expected, and was swapped */
uint32_t ufp_exchange_seq_cst(uint32_t *word, uint32_t value);  /* returns what it was */
uint32_t ufp_add_fetch_seq_cst(uint32_t *word, uint32_t value); /* returns what it is */
void *ufp_load_pointer(void *const *word);
void *ufp_load_pointer_seq_cst(void *const *word);
void ufp_store_pointer_seq_cst(void **word, void *value);      /* one order */
static inline void ufp_store_pointer(void **word, void *value) /* no point: nobody decides anything by it */
{
    *(void *volatile *)word = value;
}
bool ufp_compare_exchange_pointer_seq_cst(void **word, void *expected, void *desired);
void *ufp_exchange_pointer_seq_cst(void **word, void *value);
uint8_t ufp_load_byte_acquire(const uint8_t *word);
void ufp_store_byte_release(uint8_t *word, uint8_t value);
int64_t ufp_load_time_acquire(const int64_t *word);
void ufp_store_time_release(int64_t *word, int64_t value);
uint64_t ufp_load_wide_seq_cst(const uint64_t *word); /* one order */
bool ufp_compare_exchange_wide_seq_cst(uint64_t *word, uint64_t expected, uint64_t desired);
void ufp_spin_pause(void); /* in a loop that waits for another thread to go on */

#elif defined(UFP_BARE) || !__STDC_HOSTED__ /* one thread, and its interrupts */

/* Nothing comes between the two. Interrupts are masked where this file knows how; on another machine, signals are not
 * fired from interrupts, or a port of your own says how. They may be nested. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
static inline uint32_t ufp_mask_interrupts(void)
{
    uint32_t was;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(was)::"memory");
    return was;
}
static inline void ufp_unmask_interrupts(uint32_t was)
{
    __asm__ volatile("msr primask, %0" ::"r"(was) : "memory");
}
#else
static inline uint32_t ufp_mask_interrupts(void)
{
    return 0;
}
static inline void ufp_unmask_interrupts(uint32_t was)
{
    (void)was;
}
#endif

static inline uint32_t ufp_load(const uint32_t *word)
{
    return *(const volatile uint32_t *)word;
}
static inline uint32_t ufp_load_acquire(const uint32_t *word)
{
    return ufp_load(word);
}
static inline uint32_t ufp_load_seq_cst(const uint32_t *word)
{
    return ufp_load(word);
}
static inline void ufp_store(uint32_t *word, uint32_t value)
{
    *(volatile uint32_t *)word = value;
}
static inline void ufp_store_release(uint32_t *word, uint32_t value)
{
    ufp_store(word, value);
}
static inline void ufp_store_seq_cst(uint32_t *word, uint32_t value)
{
    ufp_store(word, value);
}
static inline bool ufp_compare_exchange_seq_cst(uint32_t *word, uint32_t expected, uint32_t desired)
{
    uint32_t const mask = ufp_mask_interrupts();
    bool const same = ufp_load(word) == expected;
    if (same) ufp_store(word, desired);
    ufp_unmask_interrupts(mask);
    return same;
}
static inline uint32_t ufp_exchange_seq_cst(uint32_t *word, uint32_t value)
{
    uint32_t const mask = ufp_mask_interrupts();
    uint32_t const was = ufp_load(word);
    ufp_store(word, value);
    ufp_unmask_interrupts(mask);
    return was;
}
static inline uint32_t ufp_add_fetch_seq_cst(uint32_t *word, uint32_t value)
{
    uint32_t const mask = ufp_mask_interrupts();
    uint32_t const is = ufp_load(word) + value;
    ufp_store(word, is);
    ufp_unmask_interrupts(mask);
    return is;
}
static inline void *ufp_load_pointer(void *const *word)
{
    return *(void *const volatile *)word;
}
static inline void *ufp_load_pointer_seq_cst(void *const *word)
{
    return ufp_load_pointer(word);
}
static inline void ufp_store_pointer_seq_cst(void **word, void *value)
{
    *(void *volatile *)word = value;
}
static inline void ufp_store_pointer(void **word, void *value)
{
    *(void *volatile *)word = value;
}
static inline bool ufp_compare_exchange_pointer_seq_cst(void **word, void *expected, void *desired)
{
    uint32_t const mask = ufp_mask_interrupts();
    bool const same = ufp_load_pointer(word) == expected;
    if (same) ufp_store_pointer_seq_cst(word, desired);
    ufp_unmask_interrupts(mask);
    return same;
}
static inline void *ufp_exchange_pointer_seq_cst(void **word, void *value)
{
    uint32_t const mask = ufp_mask_interrupts();
    void *const was = ufp_load_pointer(word);
    ufp_store_pointer_seq_cst(word, value);
    ufp_unmask_interrupts(mask);
    return was;
}
static inline uint8_t ufp_load_byte_acquire(const uint8_t *word)
{
    return *word;
}
static inline void ufp_store_byte_release(uint8_t *word, uint8_t value)
{
    *word = value;
}
static inline int64_t ufp_load_time_acquire(const int64_t *word)
{
    return *word;
}
static inline void ufp_store_time_release(int64_t *word, int64_t value)
{
    *word = value;
}
static inline uint64_t ufp_load_wide_seq_cst(const uint64_t *word)
{
    uint32_t const mask = ufp_mask_interrupts();
    uint64_t const value = *(const volatile uint64_t *)word;
    ufp_unmask_interrupts(mask);
    return value;
}
static inline bool ufp_compare_exchange_wide_seq_cst(uint64_t *word, uint64_t expected, uint64_t desired)
{
    uint32_t const mask = ufp_mask_interrupts();
    bool const same = *(volatile uint64_t *)word == expected;
    if (same) *(volatile uint64_t *)word = desired;
    ufp_unmask_interrupts(mask);
    return same;
}
static inline void ufp_spin_pause(void)
{
}

#else

/* Tools that watch locks and threads but not atomics are told what these mean. */
#if defined(UFP_ANNOTATED)
void ufp_note_release(const void *word);
void ufp_note_acquire(const void *word);
void ufp_note_shared(const void *word, size_t size);
#else
static inline void ufp_note_release(const void *word)
{
    (void)word;
}
static inline void ufp_note_acquire(const void *word)
{
    (void)word;
}
static inline void ufp_note_shared(const void *word, size_t size)
{
    (void)word;
    (void)size;
}
#endif

static inline uint32_t ufp_load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint32_t ufp_load_acquire(const uint32_t *word)
{
    uint32_t const value = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    ufp_note_acquire(word);
    return value;
}
static inline uint32_t ufp_load_seq_cst(const uint32_t *word)
{
    uint32_t const value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return value;
}
static inline void ufp_store(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void ufp_store_release(uint32_t *word, uint32_t value)
{
    ufp_note_release(word);
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline void ufp_store_seq_cst(uint32_t *word, uint32_t value)
{
    ufp_note_release(word);
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline bool ufp_compare_exchange_seq_cst(uint32_t *word, uint32_t expected, uint32_t desired)
{
    ufp_note_release(word);
    bool const swapped =
        __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return swapped;
}
static inline uint32_t ufp_exchange_seq_cst(uint32_t *word, uint32_t value)
{
    ufp_note_release(word);
    uint32_t const was = __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return was;
}
static inline uint32_t ufp_add_fetch_seq_cst(uint32_t *word, uint32_t value)
{
    ufp_note_release(word);
    uint32_t const is = __atomic_add_fetch(word, value, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return is;
}
static inline void *ufp_load_pointer(void *const *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline void *ufp_load_pointer_seq_cst(void *const *word)
{
    void *const value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return value;
}
static inline void ufp_store_pointer_seq_cst(void **word, void *value)
{
    ufp_note_release(word);
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline void ufp_store_pointer(void **word, void *value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline bool ufp_compare_exchange_pointer_seq_cst(void **word, void *expected, void *desired)
{
    ufp_note_release(word);
    bool const swapped =
        __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return swapped;
}
static inline void *ufp_exchange_pointer_seq_cst(void **word, void *value)
{
    void *const was = __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return was;
}

/* Aligned to 8 bytes, also where a uint64_t need not be. */
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
    ufp_wide was = expected;
    ufp_note_shared(word, sizeof *word);
    ufp_note_release(word);
    bool const swapped =
        __atomic_compare_exchange_n((ufp_wide *)word, &was, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    ufp_note_acquire(word);
    return swapped;
}

static inline uint8_t ufp_load_byte_acquire(const uint8_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void ufp_store_byte_release(uint8_t *word, uint8_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

void ufp_spin_pause(void);

/* May be torn on a machine of 32 bits: the reader has another word that says so, and looks at the time once more. */
#if UINTPTR_MAX > UINT32_MAX
static inline int64_t ufp_load_time_acquire(const int64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void ufp_store_time_release(int64_t *word, int64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
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

#if defined(UFP_SCHEDULED) || defined(UFP_BARE) || !__STDC_HOSTED__
static inline void ufp_note_shared(const void *word, size_t size)
{
    (void)word;
    (void)size;
}
#endif

#endif
