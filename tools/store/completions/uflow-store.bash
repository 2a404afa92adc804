# bash completion for uflow-store, made by tests/manual/completions.py --update of the output of --help
_uflow_store() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $word == = ]]; then # readline splits words at `=`
        word=
    elif [[ $option == = && $COMP_CWORD -gt 2 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
    -s | --show) : ;;
    --forget) : ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '-s --show= -e --export --forget= --new-identity --version -h --help' -- "$word")
            [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames
        fi
        ;;
    esac
}
complete -F _uflow_store uflow-store
