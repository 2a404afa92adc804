/* SPDX-License-Identifier: MIT */
/* priv/everything.h - the switches of a core without a config file: it has everything. The names are those of
 * priv/features.h. */
#ifndef UFLOW_PRIV_EVERYTHING_H
#define UFLOW_PRIV_EVERYTHING_H

#define UF_USES_HOST         1 /* runtime/host: never with a config file */
#define UF_USES_STAYS        1
#define UF_USES_POLLS        1
#define UF_USES_RUNS         1
#define UF_USES_HANDLERS     1
#define UF_USES_ON_EXIT      1
#define UF_USES_ON_END       1
#define UF_USES_POOLS        1
#define UF_USES_JOBS         1
#define UF_USES_DESCRIPTIONS 1
#define UF_USES_SIGNALS      1
#define UF_USES_CHECKPOINTS  1
#define UF_USES_MAILBOXES    1
#define UF_USES_DESCRIPTORS  1
#define UF_USES_REAL_TIME    1
#define UF_USES_PAUSES       1
#define UF_USES_STOP         1
#define UF_USES_CANCEL       1
#define UF_USES_OBSERVERS    1
#define UF_USES_SCALE        1
#define UF_USES_PACE         1
#define UF_USES_PUMPS        1
#define UF_USES_MESSAGES     1
#define UF_USES_ROOMS        1
#define UF_USES_DURABLE      1
#define UF_USES_NAMES        1
#define UF_USES_TASKS        1
#define UF_USES_TIMES        1
#define UF_USES_PARTS        1
#define UF_USES_COUNTS       1
#define UF_USES_VIRTUAL      1
#define UF_USES_REASONS      1

#endif
