" :compiler ufc, then :make checks the file.
if exists('current_compiler')
    finish
endif
let current_compiler = 'ufc'

CompilerSet makeprg=ufc\ --check\ --color=never\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
if !executable('ufc')
    echohl WarningMsg | echomsg 'ufc is not in PATH, so :make finds no errors' | echohl None
endif
