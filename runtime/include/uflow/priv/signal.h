/* SPDX-License-Identifier: MIT */
/* priv/signal.h - the structs behind uf_signal and uf_signal_callback, so that you can allocate them. Their members
 * are private. */
#ifndef UFLOW_PRIV_SIGNAL_H
#define UFLOW_PRIV_SIGNAL_H

#include "uflow/flow.h"

UF_C_BEGIN

#if defined(__GNUC__)
#define UF_WIDE __attribute__((__aligned__(8))) /* 64-bit atomics need this alignment on 32-bit machines too */
#else
#define UF_WIDE
#endif

/* The registration of a callback or of a waiting thread. The members are private.
 * Lifetime: you own it; see uf_signal_subscribe(). */
typedef struct uf_signal_callback {
    struct uf_signal_callback *next, *prev;
    const struct ufi_callback_hooks *hooks;
    void (*function)(void *argument, uf_status status);
    void *argument;
    void *owner;     /* state "detached": the list of the firing thread; state "called": that thread */
    uint32_t since;  /* the epoch at which it subscribed */
    uint32_t status; /* uf_status for `function`, from "detached" on */
    uint32_t state;
} uf_signal_callback;

/* The members of a signal; see UF_HAS. UF_SIGNAL is positional and follows their order. */
/* clang-format off */
#define UF_SIGNAL_MEMBERS(OF)                                                                                          \
    OF(ALWAYS, const char *name;)                                                                                      \
    /* on the pump's stack: the node below; NULL: not on that stack */                                                 \
    OF(ALWAYS, void *queued;)                                                                                          \
    /* epoch (number of fires) in the upper 32 bits, number of waiters in the lower ones */                            \
    OF(PUMPS, uint64_t word UF_WIDE;)                                                                                  \
    /* threads that use the signal; uf_signal_destroy() waits for them. Top bit: it has begun */                       \
    OF(PUMPS, uint32_t firing;)                                                                                        \
    /* waiters that are not on `waiters`: foreign arms, and callbacks */                                               \
    OF(PUMPS, uint32_t others;)                                                                                        \
    /* the pump whose arms are on `waiters`; NULL: none. Bottom bit: it is about to leave */                           \
    OF(PUMPS, void *home;)                                                                                             \
    OF(ALWAYS, uf_arm *waiters;) /* last of a circular list; only of the home's thread */                              \
    /* arms of other pumps, in the critical section: last of a circular list */                                        \
    OF(PUMPS, uf_arm *foreign;)                                                                                        \
    OF(PUMPS, uf_signal_callback *callbacks;) /* in the critical section: last of a circular list */                   \
    OF(PUMPS, uf_link fired;) /* on the home's list of fired signals; `next` is NULL: on no list */
/* clang-format on */

/* A signal. All zero except the name is valid. It stores only the number of fires. The members are private.
 * Lifetime: you own it. Destroy it with uf_signal_destroy() before its memory is freed. */
typedef struct uf_signal {
    UF_SIGNAL_MEMBERS(UF_HAS)
    UF_LACKS(PUMPS, uint32_t fires;)   /* instead of `word`, see core/waits/signal_one.c: the epoch */
    UF_LACKS(PUMPS, uint32_t waiting;) /* pending arms; UINT32_MAX: the signal was destroyed */
#if defined(UFI_CORE) && defined(UF_CONFIG_ABI)
    UF_LACKS(PUMPS, char ufi_nowhere[PTRDIFF_MAX / 32 > INT32_MAX ? INT32_MAX / 16 : PTRDIFF_MAX / 32];)
    UF_SIGNAL_MEMBERS(UF_LACKS)
} UF_MAY_ALIAS uf_signal;
#define UF_SIGNAL_SIZE (UF_HAS(PUMPS, sizeof(uf_signal)) UF_LACKS(PUMPS, offsetof(uf_signal, ufi_nowhere)))
#else
#define UF_SIGNAL_SIZE sizeof(uf_signal)
} uf_signal;
#endif

UF_C_END
#endif
