" Settings of .uflow files.
if exists('b:did_ftplugin')
    finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,:// formatoptions-=t formatoptions+=croql
setlocal expandtab shiftwidth=4 softtabstop=4 textwidth=120
setlocal suffixesadd=.uflow include=^\\s*import\\s define=^\\s*\\%(flow\\\|task\\\|step\\\|group\\)\\s
setlocal formatexpr=uflow#format()

" The next and the last task, as functions in C.
nnoremap <buffer> <silent> ]] :<C-U>call search('^\s*\%(forever\s\+\\|shutdown\s\+\)\=task\>', 'W')<CR>
nnoremap <buffer> <silent> [[ :<C-U>call search('^\s*\%(forever\s\+\\|shutdown\s\+\)\=task\>', 'bW')<CR>

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< shiftwidth< softtabstop<'
            \ . ' textwidth< suffixesadd< include< define< formatexpr<'
            \ . ' | silent! nunmap <buffer> ]]| silent! nunmap <buffer> [['
