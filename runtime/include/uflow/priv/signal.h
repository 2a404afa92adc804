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

/* A signal. All zero except the name is valid. It stores only the number of fires. The members are private. UF_SIGNAL
 * is positional and follows their order.
 * Lifetime: you own it. Destroy it with uf_signal_destroy() before its memory is freed. */
typedef struct uf_signal {
    const char *name;
    void *queued;          /* on the home's stack: the node below; NULL: not on that stack */
    uint64_t word UF_WIDE; /* epoch (number of fires) in the upper 32 bits, number of waiters in the lower ones */
    uint32_t firing;       /* threads that use the signal; uf_signal_destroy() waits for them. Top bit: it has begun */
    uint32_t others;       /* waiters that are not on `waiters`: foreign arms, and callbacks */
    void *home;            /* the pump whose arms are on `waiters`; NULL: none. Bottom bit: it is about to leave */
    uf_arm *waiters;       /* last of a circular list; only of the home's thread */
    uf_arm *foreign;       /* arms of other pumps, in the critical section: last of a circular list */
    uf_signal_callback *callbacks; /* in the critical section: last of a circular list */
    uf_link fired;                 /* on the home's list of fired signals; `next` is NULL: on no list */
} uf_signal;

UF_C_END
#endif
