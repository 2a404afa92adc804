" Colours of .uflow files: C, and the words of the language where they are words.
if exists('b:current_syntax')
    finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax

" tests/editors/check.py --update writes these lists from the tables of the compiler.
let s:structure = 'prologue header source import flow task step group on forever shutdown with durable transient signal checkpoint mailbox worker job pool test always sometimes at each history explore anytime sometime late quiet jobs from_thread stub every'
let s:handlers = 'init enter exit end pause resume suspend restore'
let s:intents = 'next stay await describe submit spawn done fail become'
let s:events = 'until timeout deadline run idle fired arrived room any readable writable stopping vacant ended all first'
let s:clauses = 'plain drop limit within round stops order reject real'
let s:names = 'result reason item index paused outcome'

function s:any(words) abort
    return '<%(' . join(split(a:words), '|') . ')>'
endfunction

" Where an intent or an event may begin.
let s:begins = '%(%(^|[;{})(,:]|-\>|<else>|<await>|<on>|<with>|<every>|<timeout>)\s*)@<='

execute 'syntax match uflowStructure "\v%(-\>|\.)@<!' . s:any(s:structure) . '\ze%(\s+\h|\s*[\"{])"'
execute 'syntax match uflowStructure "\v%(<on\s+)@<=' . s:any(s:handlers) . '\ze\s*\{"'
execute 'syntax match uflowIntent "\v' . s:begins . s:any(s:intents) . '\ze%(\s*;|\s+[^ =[:punct:]]|\s*[\"({&*-])"'
execute 'syntax match uflowEvent "\v' . s:begins . s:any(s:events) . '\ze%(\s+[0-9A-Za-z_(]|\s*-\>|\s*\(.*-\>|\s*[,)])"'
execute 'syntax match uflowClause "\v%([^ \t]\s+)@<=' . s:any(s:clauses) . '\ze%(\s+\h|\s+[0-9(])"'
execute 'syntax match uflowName "\v%(-\>|\.)@<!' . s:any(s:names . ' self') . '"'
syntax match uflowName "\v%(-\>|\.)@<!<flow>\ze\s*%(-\>|[,)])"
syntax match uflowDefinition "\v%(<%(flow|group|task|step)\s+)@<=\h\w*\ze\s*%(\(.*\)\s*)=%(-\>.*)=\{"
syntax match uflowDuration "\v<\d[0-9']*%(\.\d+)=%(ns|us|ms|s|min|h)>"
syntax match uflowDuration "\v%(\)\s*)@<=<%(ns|us|ms|s|min|h)>\ze\s*%(-\>|;|<timeout>)"

highlight default link uflowStructure Structure
highlight default link uflowIntent Statement
highlight default link uflowEvent Keyword
highlight default link uflowClause Keyword
highlight default link uflowName Identifier
highlight default link uflowDefinition Function
highlight default link uflowDuration Number

let b:current_syntax = 'uflow'
