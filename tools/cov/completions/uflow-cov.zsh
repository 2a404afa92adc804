#compdef uflow-cov
# zsh completion for uflow-cov, made by tests/manual/completions.py --update of the output of --help
_arguments -s -S \
    '-f+[the format]:FORMAT:(text lcov gcovr gcovr5 json data)' \
    '--format=[the format]:FORMAT:(text lcov gcovr gcovr5 json data)' \
    '-o+[writes to FILE]:FILE:_files' \
    '--output=[writes to FILE]:FILE:_files' \
    '--source-dir=[the directory of .uflow files whose names are relative]:DIR:_files -/' \
    '--fail-under=[exit status 3 if less than N percent were taken]:N:' \
    '--version[prints the version]' \
    '-h[prints this help]' \
    '--help[prints this help]' \
    '*:file:_files'
