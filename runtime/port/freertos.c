/* SPDX-License-Identifier: MIT */
/* freertos.c - a FreeRTOS task that drives a pump; see freertos.h. */
#include "freertos.h"

#include "port.h"

#define NS_PER_TICK (INT64_C(1000000000) / configTICK_RATE_HZ)

/* The pump's task is not identified in handlers: they get a value that no task has. */
void *ufp_thread_self(void)
{
    static char in_handler;
    return xPortIsInsideInterrupt() ? (void *)&in_handler : (void *)xTaskGetCurrentTaskHandle();
}

/* A notification that comes before the task sleeps ends the sleep at once. */
static void wake(void *context)
{
    uf_freertos const *const driver = context;

    if (xPortIsInsideInterrupt()) {
        BaseType_t is_urgent = pdFALSE;
        vTaskNotifyGiveFromISR(driver->task, &is_urgent);
        portYIELD_FROM_ISR(is_urgent);
    } else {
        xTaskNotifyGive(driver->task);
    }
}

uf_status uf_freertos_init(uf_freertos *driver, uf_pump *pump, const uf_pump_config *config)
{
    uf_pump_config own = config ? *config : (uf_pump_config){0};

    *driver = (uf_freertos){.pump = pump, .task = xTaskGetCurrentTaskHandle(), .ticks = xTaskGetTickCount()};
    driver->now = own.start;
    own.wake = wake;
    own.context = driver;
    return uf_pump_init(pump, &own);
}

/* The count of ticks may wrap between two rounds, at most once. */
static uf_time now(uf_freertos *driver)
{
    TickType_t const ticks = xTaskGetTickCount();
    driver->now += (TickType_t)(ticks - driver->ticks) * NS_PER_TICK;
    driver->ticks = ticks;
    return driver->now;
}

/* The ticks that a sleep takes, rounded up. */
static TickType_t ticks_of(uf_time wait)
{
    TickType_t const most = portMAX_DELAY / 2;
    uf_time const ticks = wait / NS_PER_TICK + (wait % NS_PER_TICK > 0);
    return ticks < (uf_time)most ? (TickType_t)ticks : most;
}

void uf_freertos_drive(uf_freertos *driver)
{
    while (uf_pump_running(driver->pump)) {
        uf_time const wait = uf_pump_round(driver->pump, now(driver));
        if (wait > 0) (void)ulTaskNotifyTake(pdTRUE, ticks_of(wait));
    }
}
