/* link.c - one thread for two runtimes, and two again.
 *
 * Who drives whom is decided between ufp_critical_enter() and ufp_critical_leave(), where a runtime is marked as changing; so nobody else
 * links, unlinks or frees it until the change is made. What can fail comes before anything has changed. */
#include "host.h"

/* -- on the driver's thread ------------------------------------------------------------------------------------------ */

static void adopt(uf_runtime *driver, uf_runtime *other)
{
    other->next_linked = driver->first_linked;
    driver->first_linked = other;
    ufp_store_pointer_seq_cst(&other->pump.thread, ufp_load_pointer(&driver->pump.thread));
    if (other->pump.observers) ufi_notify_linked(&other->pump, driver->name);
}

void ufh_take_off(uf_runtime *driver, uf_runtime *other)
{
    uf_runtime **place = &driver->first_linked;
    while (*place != other) place = &(*place)->next_linked;
    *place = other->next_linked;
    ufh_uncover_descriptors(driver, other);
    ufp_store_pointer_seq_cst(&other->pump.thread, NULL);
}

static void let_go(uf_runtime *driver, uf_runtime *other)
{
    ufh_take_off(driver, other);
    ufp_mutex_lock(&other->mutex);
    other->moved = true;
    ufp_condition_signal(&other->gone);
    ufp_mutex_unlock(&other->mutex); /* and from here on it may be freed */
}

static uf_runtime *runtime_of(uf_message *move)
{
    return (uf_runtime *)((uintptr_t)move - offsetof(uf_runtime, move));
}

static void deliver_adopt(uf_pump *pump, uf_message *message)
{
    uf_runtime *const other = runtime_of(message);

    adopt(ufh_of(pump), other);
    ufp_mutex_lock(&other->mutex);
    other->moved = true;
    ufp_condition_signal(&other->gone);
    ufp_mutex_unlock(&other->mutex);
}

static void deliver_let_go(uf_pump *pump, uf_message *message)
{
    uf_runtime *const other = runtime_of(message);

    if (other->pump.observers) ufi_notify_linked(&other->pump, "");
    let_go(ufh_of(pump), other);
}

/* -- on the other threads ---------------------------------------------------------------------------------------------- */

static void wait_moved(uf_runtime *other)
{
    ufp_mutex_lock(&other->mutex);
    while (!other->moved) (void)ufh_wait(other, &other->gone, UF_FOREVER);
    other->moved = false;
    ufp_mutex_unlock(&other->mutex);
}

static void move(uf_runtime *driver, uf_runtime *other, void (*deliver)(uf_pump *pump, uf_message *message))
{
    other->move.deliver = deliver;
    ufi_inbox_send(&driver->pump, &other->move);
    wait_moved(other);
}

void ufh_set_driver(uf_runtime *other, uf_runtime *driver)
{
    ufp_mutex_lock(&other->mutex);
    ufp_store_pointer_seq_cst(&other->driver, driver);
    ufp_mutex_unlock(&other->mutex);
    ufp_mutex_lock(&other->nap);
    ufp_condition_signal(&other->wakeup); /* a new thread waits for that */
    ufp_mutex_unlock(&other->nap);
}

static bool begin_change(uf_runtime *driver, uf_runtime *other)
{
    ufp_critical_enter();
    bool const busy = driver->changing || other->changing || driver->stopping || other->stopping || other->drives > 0 ||
                      ufp_load_pointer_seq_cst(&driver->driver) != driver ||
                      ufp_load_pointer_seq_cst(&other->driver) != other;
    if (!busy) {
        other->changing = true;
        driver->drives++;
    }
    ufp_critical_leave();
    return !busy;
}

static void end_change(uf_runtime *other)
{
    ufp_critical_enter();
    other->changing = false;
    ufp_critical_leave();
}

uf_status uf_runtime_link(uf_runtime *driver, uf_runtime *other)
{
    if (!driver || !other || driver == other) return UF_INVALID;
    if (other->config.embedded) return UF_UNSUPPORTED;
    if (ufi_on_pump_thread(&other->pump)) return UF_DEADLOCK;
    if (!begin_change(driver, other)) return UF_BUSY;

    ufp_store_seq_cst(&other->leaving, 1);
    ufh_review(&other->pump);
    ufp_thread_join(&other->thread);
    ufp_store_seq_cst(&other->leaving, 0);
    ufh_set_driver(other, driver);
    if (ufh_is_own(driver)) adopt(driver, other);
    else move(driver, other, deliver_adopt);
    ufh_review(&other->pump); /* there is a round, for what was sent while nobody drove it */
    ufh_wake(&other->pump);   /* and if a review was on its way already, nobody has been woken by it */
    end_change(other);
    return UF_OK;
}

/* The driver that a runtime is to leave, marked as changing; NULL: it has none, or somebody else is at it. */
static uf_runtime *begin_unlink(uf_runtime *other, uf_status *status)
{
    ufp_critical_enter();
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&other->driver);
    *status = other->changing || other->stopping ? UF_BUSY : driver == other ? UF_INVALID : UF_OK;
    if (*status == UF_OK) other->changing = true;
    ufp_critical_leave();
    return driver;
}

uf_status uf_runtime_unlink(uf_runtime *other)
{
    uf_status status;

    if (!other) return UF_INVALID;
    if (ufh_is_own(other) && !other->config.embedded) return UF_DEADLOCK;
    uf_runtime *const driver = begin_unlink(other, &status);
    if (status != UF_OK) return status;

    int const error = ufh_start_thread(other);
    if (error) {
        end_change(other);
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    move(driver, other, deliver_let_go);
    ufh_set_driver(other, other);
    ufp_critical_enter();
    driver->drives--;
    other->changing = false;
    ufp_critical_leave();
    return UF_OK;
}
