# bash completion for uflow-trace, made by tests/manual/completions.py --update of the output of --help
_uflow_trace() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $word == = ]]; then # readline splits words at `=`
        word=
    elif [[ $option == = && $COMP_CWORD -gt 2 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
    -f | --format) mapfile -t COMPREPLY < <(compgen -W 'text summary perfetto chrome replay' -- "$word") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --flow) : ;;
    --task) : ;;
    --from) : ;;
    --to) : ;;
    --map) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --page) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --image) : ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '-f --format= -o --output= --flow= --task= --from= --to= --rounds --map= --page= --image= --version -h --help' -- "$word")
            [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames
        fi
        ;;
    esac
}
complete -F _uflow_trace uflow-trace
