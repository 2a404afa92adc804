# fish completion for uflow-mutate, made by tests/manual/completions.py --update of the output of --help
complete -c uflow-mutate -l list -d 'lists the changes'
complete -c uflow-mutate -l only -x -d 'a change by its number, FILE:LINE or kind only'
complete -c uflow-mutate -s j -l jobs -x -d 'runs the tests N times at once'
complete -c uflow-mutate -l time-limit -x -d 'ends a run that takes N times as long as one without a change, and 2 s'
complete -c uflow-mutate -l fail-under -x -d 'exit status 1 only if less than N percent of the changes were noticed'
complete -c uflow-mutate -s v -l verbose -d 'shows the changes that were noticed too, and by which test'
complete -c uflow-mutate -l version -d 'prints the version'
complete -c uflow-mutate -s h -l help -d 'prints this help'
