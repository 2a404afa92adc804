" Indentation by braces, as `ufc fmt` does it.
if exists('b:did_indent')
    finish
endif
let b:did_indent = 1

setlocal indentexpr=GetUflowIndent(v:lnum) indentkeys=0{,0},0),0#,!^F,o,O,e,:
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*GetUflowIndent')
    finish
endif

" The line without strings and comments.
function s:code(lnum) abort
    let l:text = substitute(getline(a:lnum), '"\%(\\.\|[^"\\]\)*"\|''\%(\\.\|[^''\\]\)*''', '0', 'g')
    return substitute(substitute(l:text, '//.*\|/\*.\{-}\%(\*/\|$\)', '', 'g'), '\s\+$', '', '')
endfunction

" The last line before this one with code that is no preprocessor line; 0: none.
function s:before(lnum) abort
    let l:at = prevnonblank(a:lnum - 1)
    while l:at > 0 && (s:code(l:at) =~# '^\s*$' || getline(l:at) =~# '^\s*#')
        let l:at = prevnonblank(l:at - 1)
    endwhile
    return l:at
endfunction

function GetUflowIndent(lnum) abort
    let l:code = s:code(a:lnum)
    if l:code =~# '^\s*#'
        return 0
    endif
    call cursor(a:lnum, 1)
    let l:open = searchpair('{', '', '}', 'bnW', 'synIDattr(synID(line("."), col("."), 1), "name") =~? "string\\|comment"')
    let l:base = l:open > 0 ? indent(l:open) + shiftwidth() : 0
    if l:code =~# '^\s*}'
        return l:base - shiftwidth()
    elseif l:code =~# '^\s*\%(case\>.*\|default\s*\|\h\w*\s*\):\%($\|\s\)'
        return l:base - shiftwidth()
    endif
    let l:last = s:before(a:lnum)
    if l:last <= l:open || l:code =~# '^\s*{'
        return l:base
    endif
    let l:text = s:code(l:last)
    if l:text =~# '[;{}:]$'
        return l:base
    endif
    " A line goes on, or is the statement of a head without braces.
    return indent(l:last) > l:base ? indent(l:last) : l:base + shiftwidth()
endfunction
