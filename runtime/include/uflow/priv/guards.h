/* priv/guards.h - with a config file: refuses calls that its core has left out, with the line that mends it. */
#ifndef UFLOW_PRIV_GUARDS_H
#define UFLOW_PRIV_GUARDS_H

#if defined(UF_CONFIG_FILE)

#define UF_IMPLIES(name, other)                                                                                        \
    UF_STATIC_ASSERT(!UF_USES_##name || UF_USES_##other,                                                               \
                     "UF_USES_" #name " needs UF_USES_" #other ": set it to 1 in uf_config.h, too");
UF_IMPLICATIONS(UF_IMPLIES)

/* Core itself calls these functions where nothing comes of it. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(UFI_CORE)
#if defined(__clang__) /* its __error__ must be on the first declaration */
#define UF_REFUSE __unavailable__
#else
#define UF_REFUSE __error__
#endif
#define UF_GUARD_1(name, function)
#define UF_GUARD_0(name, function)                                                                                     \
    extern __typeof__(function) function __attribute__((UF_REFUSE("set UF_USES_" name " to 1 in uf_config.h")));
#define UF_GUARD_WITH(uses, name, function) UF_GUARD_##uses(name, function)
#define UF_GUARD(uses, name, function)      UF_GUARD_WITH(uses, name, function)
#define UF_GUARDED(name, function)          UF_GUARD(UF_USES_##name, #name, function)
UF_C_BEGIN
UF_GUARDED_FUNCTIONS(UF_GUARDED)
UF_C_END
#endif

#endif

#endif
