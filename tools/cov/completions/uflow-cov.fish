# fish completion for uflow-cov, made by tests/manual/completions.py --update of the output of --help
complete -c uflow-cov -s f -l format -x -a 'text lcov gcovr gcovr5 json data' -d 'the format'
complete -c uflow-cov -s o -l output -r -F -d 'writes to FILE'
complete -c uflow-cov -l source-dir -x -a '(__fish_complete_directories (commandline -ct))' -d 'the directory of .uflow files whose names are relative'
complete -c uflow-cov -l fail-under -x -d 'exit status 3 if less than N percent were taken'
complete -c uflow-cov -l version -d 'prints the version'
complete -c uflow-cov -s h -l help -d 'prints this help'
