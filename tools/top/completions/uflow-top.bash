# bash completion for uflow-top, made by tests/manual/completions.py --update of the output of --help
_uflow_top() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $word == = ]]; then # readline splits words at `=`
        word=
    elif [[ $option == = && $COMP_CWORD -gt 2 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
    -f | --follow) : ;;
    -w | --trace) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    -d | --delay) : ;;
    -s | --sort) mapfile -t COMPREPLY < <(compgen -W 'path step runs failures none' -- "$word") ;;
    -F | --filter) : ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '-o --once -j --json -p --prometheus -f --follow= -w --trace= -d --delay= -s --sort= -F --filter= -t --tree -b --steps --version -h --help' -- "$word")
            [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames
        fi
        ;;
    esac
}
complete -F _uflow_top uflow-top
