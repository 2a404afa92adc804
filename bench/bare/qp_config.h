/* SPDX-License-Identifier: MIT */
/* qp_config.h - QP/C for one small program: no pools of events, one rate of ticks. */
#ifndef QP_CONFIG_H
#define QP_CONFIG_H

#define QF_MAX_ACTIVE       8U
#define QF_MAX_EPOOL        0U
#define QF_MAX_TICK_RATE    1U
#define QF_TIMEEVT_CTR_SIZE 2U

#endif
