# fish completion for uflow-store, made by tests/manual/completions.py --update of the output of --help
complete -c uflow-store -s s -l show -x -d 'shows all that is kept of the flow with this path'
complete -c uflow-store -s e -l export -d 'prints all flows as JSON'
complete -c uflow-store -l forget -x -d 'forgets what is kept of this path'
complete -c uflow-store -l new-identity -d 'gives the file another identity, for a copy that is used beside the original'
complete -c uflow-store -l version -d 'prints the version'
complete -c uflow-store -s h -l help -d 'prints this help'
