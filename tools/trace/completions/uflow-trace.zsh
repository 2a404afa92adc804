#compdef uflow-trace
# zsh completion for uflow-trace, made by tests/manual/completions.py --update of the output of --help
_arguments -s -S \
    '-f+[the format]:FORMAT:(text summary perfetto chrome replay)' \
    '--format=[the format]:FORMAT:(text summary perfetto chrome replay)' \
    '-o+[writes to FILE]:FILE:_files' \
    '--output=[writes to FILE]:FILE:_files' \
    '--flow=[only flows with this path]:PATTERN:' \
    '--task=[only events in this task]:NAME:' \
    '--from=[only events from TIME on, such as 1.5s, 20ms or 3us]:TIME:' \
    '--to=[only events up to TIME]:TIME:' \
    '--rounds[rounds, too]' \
    '--map=[names and lines from `ufc --emit=json`]:FILE:_files' \
    '--page=[writes this page of `ufc --emit=html`, with the replay in it]:FILE:_files' \
    '--image=[the Nth recorder in a core dump]:N:' \
    '--version[prints the version]' \
    '-h[prints this help]' \
    '--help[prints this help]' \
    '*:file:_files'
