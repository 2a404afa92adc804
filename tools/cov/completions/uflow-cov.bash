# bash completion for uflow-cov, made by tests/manual/completions.py --update of the output of --help
_uflow_cov() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if [[ $word == = ]]; then # readline splits words at `=`
        word=
    elif [[ $option == = && $COMP_CWORD -gt 2 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
    -f | --format) mapfile -t COMPREPLY < <(compgen -W 'text lcov gcovr gcovr5 json data' -- "$word") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --source-dir) mapfile -t COMPREPLY < <(compgen -d -- "$word") && compopt -o filenames ;;
    --fail-under) : ;;
    *)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '-f --format= -o --output= --source-dir= --fail-under= --version -h --help' -- "$word")
            [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames
        fi
        ;;
    esac
}
complete -F _uflow_cov uflow-cov
