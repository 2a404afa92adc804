"""Times as text."""
FOREVER = 2**63 - 1


def in_words(ns):
    """As ufi_time_text() of runtime/observe/waits.c: 20.05ms, 3.20s, 4min 16s, 7h 59min."""
    seconds = ns // 1000000000
    if ns == FOREVER: return "never"
    if seconds < 1: return f"{ns // 1000000}.{ns // 10000 % 100:02}ms"
    if seconds < 60: return f"{seconds}.{ns // 10000000 % 100:02}s"
    return f"{seconds // 60}min {seconds % 60}s" if seconds < 3600 else f"{seconds // 3600}h {seconds // 60 % 60}min"


def counted(number, what):
    """1 flow, 2 flows"""
    return f"{number} {what}{'' if number == 1 else 's'}"
