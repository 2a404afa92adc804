# SPDX-License-Identifier: MIT
"""Times as text."""
FOREVER = 2**63 - 1


def in_words(ns):
    """As uf_duration_text() of uflow/priv/duration.h: 20.05ms, 3.20s, 4min 16.00s, 7h 59min."""
    seconds, part = divmod(ns, 1000000000)
    if ns == FOREVER: return "never"
    if ns < 0: return "-" + in_words(-ns)
    if ns < 1000: return f"{ns}ns"
    if ns < 1000000: return f"{ns // 1000}.{ns // 10 % 100:02}us"
    if seconds < 1: return f"{ns // 1000000}.{ns // 10000 % 100:02}ms"
    if seconds < 60: return f"{seconds}.{part // 10000000:02}s"
    if seconds < 3600: return f"{seconds // 60}min {seconds % 60}.{part // 10000000:02}s"
    if seconds < 86400: return f"{seconds // 3600}h {seconds // 60 % 60}min"
    return f"{seconds // 86400}d {seconds // 3600 % 24}h"


def counted(number, what):
    """1 flow, 2 flows"""
    return f"{number} {what}{'' if number == 1 else 's'}"
