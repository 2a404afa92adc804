" 'formatexpr': `ufc fmt` lays out the whole buffer, whatever the lines, and what it refuses stays as it is. Vim itself
" breaks lines that grow too long while one types.
function! uflow#format() abort
    if mode() =~# '[iR]'
        return 1
    endif
    let text = systemlist('ufc fmt -', getline(1, '$'))
    if v:shell_error
        echohl WarningMsg | echo 'ufc fmt: ' . get(text, 0, 'no answer') | echohl None
    elseif text !=# getline(1, '$')
        call setline(1, text)
        silent call deletebufline('%', len(text) + 1, '$')
    endif
endfunction
