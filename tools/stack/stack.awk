# stack.awk - the most stack that each flow and core need, from the call graphs that gcc writes (10 and later).
#
#   arm-none-eabi-gcc ... -fcallgraph-info=su -c runtime/core/*/*.c runtime/port/bare.c lamp.c
#   arm-none-eabi-nm program.elf >program.nm
#   awk -f tools/stack/stack.awk program.nm *.ci
#
# With -v define=1 before -f, it writes macros instead, for -DUF_STACK_FILE of the program that `ufc --sizes` makes.
#
# A line for each flow: its turn, with the deepest step and all that the step calls. A line for core: a round up to a
# turn, with the deepest hook that is linked. Their sum, for the largest flow, is what the main loop needs, without interrupt handlers.
# Functions that are not in the call graphs, such as those of the C library, count as 0 and are listed.

function name_of(title) {
    sub(/^.*:/, "", title)
    sub(/\..*$/, "", title)
    return title
}

# The text between quotes after a key such as `title: `.
function value(key,    text) {
    text = $0
    if (!sub("^.*" key ": \"", "", text)) return ""
    sub(/".*$/, "", text)
    return text
}

# The deepest chain of calls from a function. A call through a pointer costs `through`.
function depth(title, through,    number, i, target, deepest, below) {
    if ((title, through) in known) return known[title, through]
    if (!(title in bytes) && (title in weak)) return depth(weak[title], through)
    if (title in active) {
        recursive[name_of(title)] = 1
        return 0
    }
    active[title] = 1
    deepest = 0
    number = calls[title]
    for (i = 1; i <= number; i++) {
        target = call[title, i]
        below = target == "__indirect_call" ? through : depth(target, through)
        if (below > deepest) deepest = below
    }
    delete active[title]
    if (!(title in bytes)) outside[name_of(title)] = 1
    return known[title, through] = bytes[title] + deepest
}

FILENAME ~ /\.nm$/ {
    linked[name_of($NF)] = 1
    next
}

/^node:/ {
    title = value("title")
    label = value("label")
    if (label !~ /[0-9] bytes \(/) next
    match(label, /[0-9]+ bytes \(/)
    bytes[title] = substr(label, RSTART) + 0
    if (label ~ /dynamic\)/) dynamic[name_of(title)] = 1
    if (title ~ /:/) {
        statics[title] = 1
        weak[name_of(title)] = title # gcc writes a weak function like a static one
    }
    else if (title ~ /_init$/) flows[substr(title, 1, length(title) - 5)] = 1
}

/^edge:/ {
    from = value("sourcename")
    to = value("targetname")
    call[from, ++calls[from]] = to
    called[to] = 1
}

function list(title, names,    name, text) {
    for (name in names) if (name != "__indirect_call") text = text " " name
    if (text != "") print title ":" text
}

END {
    for (title in statics) {
        name = name_of(title)
        flow = name
        if (sub(/_(turn|on_exit)$/, "", flow) && flow in flows) root[title] = flow
        else if (sub(/^uf_/, "", flow) && sub(/_end$/, "", flow) && flow in flows) root[title] = flow
    }
    hook = 0
    for (title in statics) {
        if (title in called || title in root || !(name_of(title) in linked)) continue
        if (depth(title, 0) > hook) hook = depth(title, 0)
    }
    for (title in root) {
        need = depth(title, 0)
        if (need > most[root[title]]) most[root[title]] = need
    }
    core = depth("uf_pump_round", hook)
    if (define) {
        print "#define UF_STACK_OF_CORE " core
        for (flow in most) print "#define UF_STACK_OF_" flow " " most[flow]
        exit
    }
    for (flow in most) {
        print "flow " flow ": " most[flow] " bytes"
        if (most[flow] > largest) largest = most[flow]
    }
    print "core: " core " bytes"
    print "together: " core + largest " bytes"
    list("not bounded, since they call themselves", recursive)
    list("not bounded, since they allocate on the stack", dynamic)
    list("counted as 0", outside)
}
