/* SPDX-License-Identifier: MIT */
/* priv/guards.h - with a config file: refuses one whose features lack others that they need. */
#ifndef UFLOW_PRIV_GUARDS_H
#define UFLOW_PRIV_GUARDS_H

#if defined(UF_CONFIG_ABI)

#define UF_IMPLIES(name, other)                                                                                        \
    UF_STATIC_ASSERT(!UF_USES_##name || UF_USES_##other,                                                               \
                     "UF_USES_" #name " needs UF_USES_" #other ": set it to 1 in uf_config.h, too");
UF_IMPLICATIONS(UF_IMPLIES)

#endif

#endif
