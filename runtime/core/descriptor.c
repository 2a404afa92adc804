/* descriptor.c - arms for what lies outside of the pump: file descriptors, which a host watches, and an ordered
 * stop. */
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
    arm->cause = UF_CAUSE_STATUS;
    arm->detail.why = UF_UNSUPPORTED;
}

void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_READABLE);
}

void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_WRITABLE);
}

static const char *text_of(const uf_flow *flow, const uf_arm *arm)
{
    if (arm->cause == UF_CAUSE_CLOSED) return "closed";
    return flow->pump->host ? uf_status_text((uf_status)arm->detail.why) : "needs a runtime";
}

const char *uf_fd_reason(uf_flow *flow, const uf_arm *arm)
{
    char *const own = ufi_reason_buffer(flow);

    if (!own || flow->flags & UFI_FAILING) return "";
    if (arm->cause == UF_CAUSE_SYSTEM) flow->pump->host->error_text(arm->detail.why, own, UF_REASON_SIZE);
    else ufi_format_args(own, UF_REASON_SIZE, "%s", text_of(flow, arm));
    return own;
}

uf_intent uf_fd_failure(uf_flow *flow, const uf_arm *arm, const char *source)
{
    return uf_fail(flow, "%s: %s", source, uf_fd_reason(flow, arm));
}

void uf_arm_stopping(uf_flow *flow, uf_arm *arm)
{
    ufi_set_arm(flow, arm, UF_ARM_STOPPING);
    ufi_arms_append(&flow->pump->stop_waiters, arm);
}

void ufi_descriptor_leave(uf_flow *flow, uf_arm *arm)
{
    if (arm->kind == UF_ARM_STOPPING) ufi_arms_remove(&flow->pump->stop_waiters, arm);
    else flow->pump->host->unwatch(flow->pump, arm);
}
