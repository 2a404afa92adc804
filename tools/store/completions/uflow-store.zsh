#compdef uflow-store
# zsh completion for uflow-store, made by tests/manual/completions.py --update of the output of --help
_arguments -s -S \
    '-s+[shows all that is kept of the flow with this path]:PATH:' \
    '--show=[shows all that is kept of the flow with this path]:PATH:' \
    '-e[prints all flows as JSON]' \
    '--export[prints all flows as JSON]' \
    '--forget=[forgets what is kept of this path]:PATH:' \
    '--new-identity[gives the file another identity, for a copy that is used beside the original]' \
    '--version[prints the version]' \
    '-h[prints this help]' \
    '--help[prints this help]' \
    '*:file:_files'
