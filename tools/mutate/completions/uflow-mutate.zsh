#compdef uflow-mutate
# zsh completion for uflow-mutate, made by tests/manual/completions.py --update of the output of --help
_arguments -s -S \
    '--list[lists the changes]' \
    '--only=[a change by its number, FILE\:LINE or kind only]:WHAT:' \
    '-j+[runs the tests N times at once]:N:' \
    '--jobs=[runs the tests N times at once]:N:' \
    '--time-limit=[ends a run that takes N times as long as one without a change, and 2 s]:N:' \
    '--fail-under=[exit status 1 only if less than N percent of the changes were noticed]:N:' \
    '-v[shows the changes that were noticed too, and by which test]' \
    '--verbose[shows the changes that were noticed too, and by which test]' \
    '--version[prints the version]' \
    '-h[prints this help]' \
    '--help[prints this help]' \
    '*:file:_files'
