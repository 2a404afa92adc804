/* SPDX-License-Identifier: MIT */
/* link.c - linking lets one thread drive two runtimes, and unlinking reverses that.
 *
 * The critical section decides which thread changes a link. That thread sets `link_changing`, so that no other thread
 * links, unlinks or frees the runtime until the change is complete. All that can fail comes before the change. */
#include "host.h"

/* -- on the driver's thread -------------------------------------------------------------------------------------- */

static void attach(uf_runtime *driver, uf_runtime *other)
{
    other->next_linked = driver->first_linked;
    driver->first_linked = other;
    ufp_store_pointer_seq_cst(&other->pump.thread, ufp_load_pointer(&driver->pump.thread));
    if (other->pump.observers) ufi_notify_linked(&other->pump, driver->name);
}

void ufh_remove_linked(uf_runtime *driver, uf_runtime *other)
{
    uf_runtime **place = &driver->first_linked;
    while (*place != other) place = &(*place)->next_linked;
    *place = other->next_linked;
    ufh_unnest_poller(driver, other);
    ufp_store_pointer_seq_cst(&other->pump.thread, NULL);
}

static uf_runtime *runtime_of_request(uf_message *link_request)
{
    return (uf_runtime *)((uintptr_t)link_request - offsetof(uf_runtime, link_request));
}

static void deliver_attach(uf_pump *pump, uf_message *message)
{
    uf_runtime *const other = runtime_of_request(message);

    attach(ufh_runtime_of(pump), other);
    ufh_set_and_signal(&other->link_done, &other->mutex, &other->changed);
}

static void deliver_detach(uf_pump *pump, uf_message *message)
{
    uf_runtime *const other = runtime_of_request(message);

    if (other->pump.observers) ufi_notify_linked(&other->pump, "");
    ufh_remove_linked(ufh_runtime_of(pump), other);
    ufh_set_and_signal(&other->link_done, &other->mutex, &other->changed);
}

/* -- on other threads -------------------------------------------------------------------------------------------- */

static void send_link_request(uf_runtime *driver, uf_runtime *other,
                              void (*deliver)(uf_pump *pump, uf_message *message))
{
    ufh_send(&driver->pump, &other->link_request, deliver);
    ufp_mutex_lock(&other->mutex);
    while (!other->link_done) (void)ufh_condition_wait(other, &other->changed, UF_FOREVER);
    other->link_done = false;
    ufp_mutex_unlock(&other->mutex);
}

void ufh_set_driver(uf_runtime *other, uf_runtime *driver)
{
    ufp_mutex_lock(&other->mutex);
    ufp_store_pointer_seq_cst(&other->driver, driver);
    ufp_mutex_unlock(&other->mutex);
    ufp_mutex_lock(&other->sleep_mutex);
    ufp_condition_signal(&other->wakeup); /* a new thread may be waiting to become the driver */
    ufp_mutex_unlock(&other->sleep_mutex);
}

static bool begin_link(uf_runtime *driver, uf_runtime *other)
{
    ufp_critical_enter(&ufh_links);
    bool const busy = driver->link_changing || other->link_changing || driver->stopping || other->stopping ||
                      other->driven_count > 0 || ufp_load_pointer_seq_cst(&driver->driver) != driver ||
                      ufp_load_pointer_seq_cst(&other->driver) != other;
    if (!busy) {
        other->link_changing = true;
        driver->driven_count++;
    }
    ufp_critical_leave(&ufh_links);
    return !busy;
}

static void end_link_change(uf_runtime *other)
{
    ufp_critical_enter(&ufh_links);
    other->link_changing = false;
    ufp_critical_leave(&ufh_links);
}

uf_status uf_runtime_link(uf_runtime *driver, uf_runtime *other)
{
    if (!driver || !other || driver == other) return UF_INVALID;
    if (other->config.embedded) return UF_UNSUPPORTED;
    if (ufi_on_pump_thread(&other->pump)) return UF_DEADLOCK;
    if (!begin_link(driver, other)) return UF_BUSY;

    ufp_store_seq_cst(&other->must_leave, 1);
    ufh_request_round(&other->pump);
    ufp_thread_join(&other->thread);
    ufp_store_seq_cst(&other->must_leave, 0);
    ufh_set_driver(other, driver);
    if (ufh_on_driver_thread(driver)) attach(driver, other);
    else send_link_request(driver, other, deliver_attach);
    ufh_request_round(&other->pump); /* for messages that arrived while no thread drove the runtime */
    ufh_wake(&other->pump);          /* a request that was under way already has woken no thread */
    end_link_change(other);
    return UF_OK;
}

/* Marks a runtime as leaving its driver, and returns the driver. *status is not UF_OK if there is none, or if another
 * change is under way. */
static uf_runtime *begin_unlink(uf_runtime *other, uf_status *status)
{
    ufp_critical_enter(&ufh_links);
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&other->driver);
    *status = other->link_changing || other->stopping ? UF_BUSY : driver == other ? UF_INVALID : UF_OK;
    if (*status == UF_OK) other->link_changing = true;
    ufp_critical_leave(&ufh_links);
    return driver;
}

uf_status uf_runtime_unlink(uf_runtime *other)
{
    uf_status status;

    if (!other) return UF_INVALID;
    if (ufh_on_driver_thread(other) && !other->config.embedded) return UF_DEADLOCK;
    uf_runtime *const driver = begin_unlink(other, &status);
    if (status != UF_OK) return status;

    int const error = ufh_start_thread(other);
    if (error) {
        end_link_change(other);
        return ufh_system_error(error);
    }
    send_link_request(driver, other, deliver_detach);
    ufh_set_driver(other, other);
    ufp_critical_enter(&ufh_links);
    driver->driven_count--;
    other->link_changing = false;
    ufp_critical_leave(&ufh_links);
    return UF_OK;
}
