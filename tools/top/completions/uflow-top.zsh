#compdef uflow-top
# zsh completion for uflow-top, made by tests/manual/completions.py --update of the output of --help
_arguments -s -S \
    '-o[prints the page once, as text]' \
    '--once[prints the page once, as text]' \
    '-j[prints one JSON document]' \
    '--json[prints one JSON document]' \
    '-p[prints metrics in the text format of Prometheus]' \
    '--prometheus[prints metrics in the text format of Prometheus]' \
    '-f+[prints the transitions of flows with this path as they come]:PATTERN:' \
    '--follow=[prints the transitions of flows with this path as they come]:PATTERN:' \
    '-w+[writes the events so far to FILE, for uflow-trace]:FILE:_files' \
    '--trace=[writes the events so far to FILE, for uflow-trace]:FILE:_files' \
    '-d+[the time between two pages]:SECONDS:' \
    '--delay=[the time between two pages]:SECONDS:' \
    '-s+[the order]:KEY:(path step runs failures none)' \
    '--sort=[the order]:KEY:(path step runs failures none)' \
    '-F+[only flows with this text in their path, position or waits]:TEXT:' \
    '--filter=[only flows with this text in their path, position or waits]:TEXT:' \
    '-t[shows sub-flows and members of pools below their flow]' \
    '--tree[shows sub-flows and members of pools below their flow]' \
    '-b[shows the busiest steps instead of the flows]' \
    '--steps[shows the busiest steps instead of the flows]' \
    '--version[prints the version]' \
    '-h[prints this help]' \
    '--help[prints this help]' \
    '*:file:_files'
