/* SPDX-License-Identifier: MIT */
/* zephyr.c - a Zephyr thread that drives a pump; see zephyr.h. */
#include "zephyr.h"

#include "port.h"

/* Handlers get a value that no thread has. */
void *ufp_thread_self(void)
{
    static char in_handler;
    return k_is_in_isr() ? (void *)&in_handler : (void *)k_current_get();
}

static uf_time now(void)
{
    return (uf_time)k_ticks_to_ns_floor64((uint64_t)k_uptime_ticks());
}

/* From a thread or a handler. A wake-up that comes before the sleep ends it at once. */
static void wake(void *context)
{
    uf_zephyr *const driver = context;
    k_sem_give(&driver->woken);
}

uf_status uf_zephyr_init(uf_zephyr *driver, uf_pump *pump, const uf_pump_config *config)
{
    uf_pump_config own = config ? *config : (uf_pump_config){0};

    driver->pump = pump;
    (void)k_sem_init(&driver->woken, 0, 1);
    own.start = now();
    own.wake = wake;
    own.context = driver;
    return uf_pump_init(pump, &own);
}

void uf_zephyr_drive(uf_zephyr *driver)
{
    while (uf_pump_running(driver->pump)) {
        uf_time const wait = uf_pump_round(driver->pump, now());
        if (wait == 0) continue;
        /* A cast: ticks have 32 bits without CONFIG_TIMEOUT_64BIT. A shorter sleep only costs a round. */
        uf_time const most = wait < UF_S(3600) ? wait : UF_S(3600);
        (void)k_sem_take(&driver->woken,
                         wait == UF_FOREVER ? K_FOREVER : K_TICKS((k_ticks_t)k_ns_to_ticks_ceil64((uint64_t)most)));
    }
}
