/* descriptor.c - arms for events outside of the pump: file descriptors, which a host watches, and a
 * graceful shutdown. */
#include "arms.h"

static void arm_descriptor(uf_flow *flow, uf_arm *arm, int fd, uf_arm_kind kind)
{
    struct ufi_host const *const host = flow->pump->host;

    ufi_set_arm(flow, arm, kind);
    arm->on.fd = fd;
    if (host) {
        host->watch(flow->pump, arm);
        return;
    }
    arm->state = UF_ARM_FAILED;
    arm->cause = UF_CAUSE_NO_RUNTIME;
}

void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_READABLE);
}

void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_WRITABLE);
}

void uf_arm_stopping(uf_flow *flow, uf_arm *arm)
{
    ufi_set_arm(flow, arm, UF_ARM_STOPPING);
    ufi_arms_append(&flow->pump->stop_waiters, arm);
}
