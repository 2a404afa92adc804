"""Times as text."""
FOREVER = 2**63 - 1


def time_text(ns):
    return f"{ns // 1000000}.{ns // 10000 % 100:02}ms"


def in_words(ns):
    """A time for people: 20.05ms, 3.2s, 2h 5min."""
    seconds = ns // 1000000000
    if ns == FOREVER: return "never"
    if ns < 0 or seconds < 1: return f"{ns / 1000000:.2f}ms"
    if seconds < 60: return f"{ns / 1000000000:.2f}s"
    return f"{seconds // 60}min {seconds % 60}s" if seconds < 3600 else f"{seconds // 3600}h {seconds // 60 % 60}min"
