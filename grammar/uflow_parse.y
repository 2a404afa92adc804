/* SPDX-License-Identifier: MIT */
/* uflow_parse.y - the grammar of .uflow files; every action is one call of a builder (ast_build.h).
 *
 * The grammar knows C's statements. Expressions and declarations are sequences of tokens in which brackets match (see
 * brackets.h). The value of a terminal is the index of its token. */

%name lemon
%token_prefix T_
%token_type {uint32_t}
%default_type {token_range}
%extra_context {parser *p}
%start_symbol file
%stack_size 2048
%stack_overflow { p->has_refused = p->has_overflowed = true; }

%include {
#include "ast_build.h"
#include "parse_state.h"
}

%syntax_error { refuse_token(p, yyminor, yypParser); }

/* A word of the language is an identifier wherever no rule accepts the word itself. */
%fallback IDENT IMPORT FLOW GROUP TASK STEP ON FOREVER SHUTDOWN WITH SIGNAL CHECKPOINT MAILBOX WORKER JOB POOL INIT
                ENTER EXIT END NEXT STAY AWAIT DONE FAIL BECOME DESCRIBE SUBMIT EVERY TIMEOUT UNTIL RUN IDLE ALL FIRED
                ARRIVED READABLE WRITABLE STOPPING DEADLINE ROOM ANY VACANT SPAWN PRAGMA DROP LIMIT REAL FIRST
                SUSPEND RESTORE DURABLE TRANSIENT PLAIN
                PAUSE RESUME ENDED TEST WITHIN ALWAYS SOMETIMES AT EACH ROUND HISTORY EXPLORE ANYTIME
                SOMETIME LATE QUIET JOBS REJECT STUB ORDER STOPS FROM_THREAD.
%fallback NUMBER DURATION.
/* Within an expression, a directive is text. A statement cannot begin with such text, because lemon tries a fallback
 * before a reduction. */
%fallback DIRECTIVE_TEXT HASH_IF HASH_ELIF HASH_ELSE HASH_ENDIF HASH_LINE.

%token_class c_word IF|ELSE|WHILE|DO|FOR|SWITCH|CASE|DEFAULT|BREAK|CONTINUE|RETURN|GOTO.
%token_class plain NUMBER|STRING|CHARACTER|OPERATOR|TAG.
%token_class joint DOT|ARROW|DIRECTIVE_TEXT.
%token_class moment_word INIT|ENTER|EXIT|END|PAUSE|RESUME|SUSPEND|RESTORE.
%token_class bare_event STOPPING.
%token_class operand_event IDLE|FIRED|ARRIVED|READABLE|WRITABLE.
%token_class called_event DEADLINE|ROOM|ANY|VACANT|ENDED.

/* A rule with [ALONE] yields to a shift of these tokens: parentheses belong to the name before them, an `else` to the
 * last `if`, and a word of the language is that word if the next token fits. A rule with [TAKEN] wins over the
 * shift. */
%nonassoc ALONE.
%nonassoc ARROW LPAREN LBRACKET LBRACE ELSE ELSE_IF IDENT TAG TASK COLON SEMICOLON TIMEOUT RUN INIT ENTER EXIT END LIMIT
          NUMBER PAUSE RESUME SUSPEND RESTORE.
%nonassoc TAKEN.

/* -- a file ------------------------------------------------------------------------------------------------------ */

file ::= items.

items ::= .
items ::= items item.
items ::= items gap.

gap ::= SEMICOLON.
gap ::= HASH_IF|HASH_ELIF|HASH_ELSE|HASH_ENDIF|HASH_LINE(W). { build_directive_outside(p, W); }

item ::= PROLOGUE(W) BLOCK_TEXT(B).                  { build_text_block(p, W, B, BLOCK_PROLOGUE); }
item ::= HEADER(W) BLOCK_TEXT(B).                    { build_text_block(p, W, B, BLOCK_HEADER); }
item ::= SOURCE(W) BLOCK_TEXT(B).                    { build_text_block(p, W, B, BLOCK_SOURCE); }
item ::= IMPORT STRING(S) SEMICOLON.                 { build_import(p, S); }
item ::= flow_head flow_members RBRACE(E).           { end_flow(p, E); }
item ::= test_head test_members RBRACE(E).           { end_test(p, E); }
item ::= shared.
item ::= PLAIN(W) TAG(T) IDENT(N) braces(B) SEMICOLON. { build_plain(p, W, T, N, B); }

/* -- signals, checkpoints, mailboxes, workers, jobs ---------------------------------------------------------------- */

shared ::= points(W) SEMICOLON. {
    (void)refuse_if(p, is_inside(p) && !is_in_test(p), MISTAKE_POINT_MISPLACED, range_of(p, W, W + 1));
}
shared ::= MAILBOX(W) mail(T) optional_drop(D) SEMICOLON. { build_mailbox(p, W, T, D); }
shared ::= POOL(W) IDENT(T) IDENT(N) brackets(B) optional_args(A) SEMICOLON. { build_pool(p, W, T, N, B, A); }
shared ::= JOB(W) IDENT(N) COLON IDENT(K) SEMICOLON. { build_job(p, W, N, range_none(p), K); }
shared ::= JOB(W) IDENT(N) brackets(B) COLON IDENT(K) SEMICOLON. { build_job(p, W, N, B, K); }
shared ::= worker_head block(B).                     { end_worker(p, B); }

%type points {uint32_t}
points(R) ::= SIGNAL(W) IDENT(N) optional_brackets(B). { R = W; build_point(p, W, N, B); }
points(R) ::= CHECKPOINT(W) IDENT(N) optional_brackets(B). { R = W; build_point(p, W, N, B); }
points(R) ::= points(W) COMMA IDENT(N) optional_brackets(B). { R = W; build_point(p, W, N, B); }

worker_head ::= WORKER(W) signature(T) optional_drop(D). { begin_worker(p, W, T, D, range_none(p)); }
worker_head ::= WORKER(W) signature(T) LIMIT number_of_runs(N). { begin_worker(p, W, T, range_none(p), N); }
worker_head ::= WORKER(W) signature(T) DROP function(D) LIMIT number_of_runs(N). { begin_worker(p, W, T, D, N); }
number_of_runs(R) ::= NUMBER(A).                     { R = range_one(p, A); }
number_of_runs(R) ::= IDENT(A). [TAKEN]              { R = range_one(p, A); }
number_of_runs(R) ::= LIMIT(A).                      { R = range_one(p, A); }
function(R) ::= IDENT(A).                            { R = range_one(p, A); }
function(R) ::= LIMIT(A).                            { R = range_one(p, A); }
signature(R) ::= first_of_type(A).                   { R = A; }
signature(R) ::= signature(A) type_part(B).          { R = range_join(A, B); }
signature(R) ::= signature(A) DROP(B). [ALONE]       { R = range_join(A, range_one(p, B)); }
signature(R) ::= signature(A) LIMIT(B). [ALONE]      { R = range_join(A, range_one(p, B)); }
signature(R) ::= signature(A) LIMIT IDENT(B). [ALONE] { R = range_join(A, range_one(p, B)); }
mail(R) ::= first_of_type(A).                        { R = begin_text(p, A); }
mail(R) ::= mail(A) part(B).                         { R = range_join(A, B); }
mail(R) ::= mail(A) mark(B).                         { R = range_join(A, B); }
mail(R) ::= mail(A) DROP(B). [ALONE]                 { R = range_join(A, range_one(p, B)); }
mail(R) ::= mail(A) DROP IDENT(B). [ALONE]           { R = range_join(A, range_one(p, B)); }
/* The function that releases a value that nobody takes. At the end of a declaration, `drop NAME` is this clause. */
optional_drop(R) ::= .                               { R = range_none(p); }
optional_drop(R) ::= DROP IDENT(N). [TAKEN]          { R = range_one(p, N); }
optional_drop(R) ::= DROP LIMIT(N). [TAKEN]          { R = range_one(p, N); }

first_of_type(R) ::= IDENT(A).                       { R = range_one(p, A); }
first_of_type(R) ::= TAG(A).                         { R = range_one(p, A); }

/* -- flow -------------------------------------------------------------------------------------------------------- */

flow_head ::= FLOW(W) IDENT(N) params(P) LBRACE.     { begin_flow(p, W, N, P); }
flow_head ::= DURABLE FLOW(W) IDENT(N) params(P) LBRACE. { begin_flow(p, W, N, P)->is_durable = true; }

flow_members ::= .
flow_members ::= flow_members flow_member.
flow_members ::= flow_members gap.

flow_member ::= declaration(D) SEMICOLON.            { build_field(p, D); }
flow_member ::= field_of_word(D) SEMICOLON.          { build_field(p, D); }
flow_member ::= subflows SEMICOLON.
flow_member ::= handler.
flow_member ::= task.
flow_member ::= group.
flow_member ::= shared.

%type subflows {uint32_t}
subflows(R) ::= FLOW IDENT(T) IDENT(N) optional_brackets(B) optional_args(A). { R = T; build_subflow(p, T, N, B, A); }
subflows(R) ::= subflows(T) COMMA IDENT(N) optional_brackets(B) optional_args(A). {
    R = T;
    build_subflow(p, T, N, B, A);
}

handler ::= ON moment_word(W) block(B).              { build_handler(p, W, B); }
handler ::= ON(W) IDENT(N) optional_brackets(B) ARROW outcome(O) SEMICOLON(E). { build_preempt(p, W, N, B, O, E); }
handler ::= ON(W) TIMEOUT(N) duration(D) ARROW outcome(O) SEMICOLON(E). { build_on_timeout(p, W, N, D, O, E); }
handler ::= ON(W) TIMEOUT(N) REAL duration(D) ARROW outcome(O) SEMICOLON(E). { build_on_timeout(p, W, N, D, O, E); }
handler ::= WITH(W) RUN(R) IDENT(F) DOT IDENT(T) args(A) otherwise(O) SEMICOLON(E). {
    build_companion(p, W, build_run(p, R, F, T, A), O, E);
}
handler ::= ON(W) moment_word(N) ARROW outcome(O) SEMICOLON(E). { build_preempt(p, W, N, range_none(p), O, E); }

%type otherwise {ast_outcome *}
otherwise(O) ::= .                                   { O = NULL; }
otherwise(O) ::= ELSE outcome(A).                    { O = A; }

/* -- group ------------------------------------------------------------------------------------------------------- */

group ::= group_head group_members RBRACE(E).        { end_group(p, E); }

group_head ::= GROUP(W) IDENT(N) LBRACE.             { begin_group(p, W, N); }

group_members ::= .
group_members ::= group_members group_member.
group_members ::= group_members gap.

group_member ::= handler.
group_member ::= task.
group_member ::= group.

/* -- task -------------------------------------------------------------------------------------------------------- */

task ::= task_head task_members RBRACE(E).           { end_task(p, E); }

task_head ::= TASK(W) IDENT(N) params(P) result(R) LBRACE.           { begin_task(p, W, N, P, R); }
task_head ::= FOREVER(W) TASK IDENT(N) params(P) result(R) LBRACE.   { begin_task(p, W, N, P, R)->forever = true; }
task_head ::= SHUTDOWN(W) TASK IDENT(N) params(P) result(R) LBRACE.  { begin_task(p, W, N, P, R)->shutdown = true; }

result(R) ::= .                                      { R = range_none(p); }
result(R) ::= ARROW type(T).                         { R = T; }
type(R) ::= type_part(A).                            { R = A; }
type(R) ::= type(A) type_part(B).                    { R = range_join(A, B); }
type_part(R) ::= IDENT(A).                           { R = range_one(p, A); }
type_part(R) ::= plain(A).                           { R = range_one(p, A); }
type_part(R) ::= parens(A).                          { R = A; }
type_part(R) ::= brackets(A).                        { R = A; }

task_members ::= .
task_members ::= task_members task_member.
task_members ::= task_members gap.

task_member ::= declaration(D) SEMICOLON.            { build_field(p, D); }
task_member ::= handler.
task_member ::= step.
task_member ::= shared.

step ::= step_head block(B).                         { end_step(p, B); }
step_head ::= STEP(W) IDENT(N) params(P).            { begin_step(p, W, N, P); }

%type params {declaration_list}
params(L) ::= . [TAKEN]                              { L = NONE(declaration_list); }
params(L) ::= LPAREN RPAREN.                         { L = NONE(declaration_list); }
params(L) ::= LPAREN param_list(P) RPAREN.           { L = P; }
%type param_list {declaration_list}
param_list(L) ::= argument(A).                       { L = add_param(p, NONE(declaration_list), A); }
param_list(L) ::= param_list(B) COMMA argument(A).   { L = add_param(p, B, A); }

/* -- test: a flow with one task ----------------------------------------------------------------------------------- */

test_head ::= TEST(W) STRING(N) LBRACE.              { begin_test(p, W, N, NONE(ast_duration)); }
test_head ::= TEST(W) STRING(N) WITHIN duration(D) LBRACE. { begin_test(p, W, N, D); }

test_members ::= .
test_members ::= test_members test_member.
test_members ::= test_members gap.

test_member ::= declaration(D) SEMICOLON.            { build_field(p, D); }
test_member ::= subflows SEMICOLON.
test_member ::= handler.
test_member ::= step.
test_member ::= shared.
test_member ::= ALWAYS(W) parens(C) SEMICOLON(E).    { build_claim_hook(p, HOOK_ALWAYS, W, C, E); }
test_member ::= SOMETIMES(W) parens(C) SEMICOLON(E). { build_claim_hook(p, HOOK_SOMETIMES, W, C, E); }
test_member ::= AT(W) duration(D) block(B).          { build_hook(p, HOOK_AT, W, D, B); }
test_member ::= EVERY(W) duration(D) block(B).       { build_hook(p, HOOK_EVERY, W, D, B); }
test_member ::= EACH(W) ROUND block(B).              { build_hook(p, HOOK_EACH_ROUND, W, NONE(ast_duration), B); }
test_member ::= HISTORY(W) STRING(S) SEMICOLON.      { build_history(p, W, S); }
test_member ::= stub_head block(B).                  { end_worker(p, B); }
stub_head ::= STUB(W) IDENT(N).                      { begin_stub(p, W, N); }
test_member ::= explore_head explore_rows RBRACE.

explore_head ::= EXPLORE(W) schedules(N) LBRACE.     { build_explore(p, W, N); }
schedules(R) ::= .                                   { R = range_none(p); }
schedules(R) ::= NUMBER(A).                          { R = range_one(p, A); }
schedules(R) ::= ALL(A).                             { R = range_one(p, A); }
explore_rows ::= .
explore_rows ::= explore_rows moment.
explore_rows ::= explore_rows LATE|QUIET|STOPS(W) duration(D) SEMICOLON(E). { build_row(p, hook_of(p, W), W, D, E); }
explore_rows ::= explore_rows ORDER(W) SEMICOLON(E). { build_row(p, HOOK_ORDER, W, NONE(ast_duration), E); }
explore_rows ::= explore_rows JOBS job_ways SEMICOLON.
explore_rows ::= explore_rows HOLE.
job_ways ::= job_way.
job_ways ::= job_ways COMMA job_way.
job_way ::= FAIL(W).                                 { build_row(p, HOOK_JOBS_FAIL, W, NONE(ast_duration), W); }
job_way ::= LATE(W) duration(D).                     { build_row(p, HOOK_JOBS_LATE, W, D, W); }
job_way ::= REJECT(W).                               { build_row(p, HOOK_JOBS_REJECT, W, NONE(ast_duration), W); }

%type moment {uint32_t}
moment(R) ::= ANYTIME|SOMETIME|FROM_THREAD(W) block(B).
                                                     { R = W; build_hook(p, hook_of(p, W), W, NONE(ast_duration), B); }

/* -- C ------------------------------------------------------------------------------------------------------------- */

declaration(R) ::= declaration_start(A).             { R = A; }
declaration(R) ::= declaration(A) part(B).           { R = range_join(A, B); }
declaration(R) ::= declaration(A) mark(B).           { R = range_join(A, B); }
declaration_start(R) ::= IDENT(A).                   { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= opening(A).                 { R = begin_text(p, A); }
declaration_start(R) ::= FLOW(A). [ALONE]            { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= GROUP(A). [ALONE]           { R = begin_text(p, range_one(p, A)); }
declaration(R) ::= GROUP(A) IDENT(B). [ALONE]        { R = begin_text(p, range_of(p, A, B)); }
declaration_start(R) ::= ON(A). [ALONE]              { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= FOREVER(A). [ALONE]         { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= SHUTDOWN(A). [ALONE]        { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= WITH(A). [ALONE]            { R = begin_text(p, range_one(p, A)); }
declaration(R) ::= WITH(A) RUN(B). [ALONE]           { R = begin_text(p, range_of(p, A, B)); }
declaration_start(R) ::= SIGNAL(A). [ALONE]          { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= CHECKPOINT(A). [ALONE]      { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= MAILBOX(A). [ALONE]         { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= WORKER(A). [ALONE]          { R = begin_text(p, range_one(p, A)); }
declaration_start(R) ::= JOB(A). [ALONE]             { R = begin_text(p, range_one(p, A)); }
declaration(R) ::= JOB(A) IDENT brackets(B). [ALONE] { R = begin_text(p, range_join(range_one(p, A), B)); }
declaration(R) ::= JOB(A) IDENT(B). [ALONE]          { R = begin_text(p, range_of(p, A, B)); }

/* A field of a flow whose type has the name of a word that begins a task or step. */
field_of_word(R) ::= STEP(A). [ALONE]                { R = begin_text(p, range_one(p, A)); }
field_of_word(R) ::= STEP(A) IDENT(B). [ALONE]       { R = begin_text(p, range_of(p, A, B)); }
field_of_word(R) ::= FOREVER(A) IDENT(B). [ALONE]    { R = begin_text(p, range_of(p, A, B)); }
field_of_word(R) ::= SHUTDOWN(A) IDENT(B). [ALONE]   { R = begin_text(p, range_of(p, A, B)); }
field_of_word(R) ::= field_of_word(A) part(B).       { R = range_join(A, B); }
field_of_word(R) ::= field_of_word(A) mark(B).       { R = range_join(A, B); }

/* The terminals that begin a statement, apart from names. */
opening(R) ::= plain(A).                             { R = range_one(p, A); }
opening(R) ::= parens(A).                            { R = A; }
opening(R) ::= brackets(A).                          { R = A; }

part(R) ::= IDENT(A).                                { R = range_one(p, A); }
part(R) ::= plain(A).                                { R = range_one(p, A); }
part(R) ::= joint(A).                                { R = range_one(p, A); }
part(R) ::= parens(A).                               { R = A; }
part(R) ::= brackets(A).                             { R = A; }
part(R) ::= braces(A).                               { R = A; }

mark(R) ::= QUESTION|COLON|COMMA(A).                 { R = range_one(p, A); }

parens(R) ::= LPAREN(A) anything RPAREN(B).          { R = range_of(p, A, B); }
brackets(R) ::= LBRACKET(A) anything RBRACKET(B).    { R = range_of(p, A, B); }
optional_brackets(R) ::= .                           { R = range_none(p); }
optional_brackets(R) ::= brackets(A).                { R = A; }
braces(R) ::= LBRACE(A) anything RBRACE(B).          { R = range_of(p, A, B); }

anything ::= .
anything ::= anything part.
anything ::= anything mark.
anything ::= anything SEMICOLON.
anything ::= anything c_word.

text(R) ::= part(A).                                 { R = A; }
text(R) ::= text(A) part(B).                         { R = range_join(A, B); }
text(R) ::= text(A) mark(B).                         { R = range_join(A, B); }

/* One argument: no comma. */
argument(R) ::= argument_part(A).                    { R = A; }
argument(R) ::= argument(A) argument_part(B).        { R = range_join(A, B); }
argument_part(R) ::= part(A).                        { R = A; }
argument_part(R) ::= QUESTION(A).                    { R = range_one(p, A); }
argument_part(R) ::= COLON(A).                       { R = range_one(p, A); }

%type args {ast_args}
args(L) ::= LPAREN(A) RPAREN(B).                     { L = end_args(p, NONE(ast_args), A, B); }
args(L) ::= LPAREN(A) arguments(C) RPAREN(B).        { L = end_args(p, C, A, B); }
%type arguments {ast_args}
arguments(L) ::= argument(A).                        { L = add_arg(p, NONE(ast_args), A); }
arguments(L) ::= arguments(B) COMMA argument(A).     { L = add_arg(p, B, A); }
%type optional_args {ast_args}
optional_args(L) ::= . [TAKEN]                       { L = NONE(ast_args); }
optional_args(L) ::= args(A).                        { L = A; }

/* -- statements -------------------------------------------------------------------------------------------------- */

%type block {ast_statement *}
block(S) ::= LBRACE(A) statements(L) RBRACE(B).      { S = build_block(p, A, L, B); }

%type statements {statement_list}
statements(L) ::= .                                  { L = NONE(statement_list); }
statements(L) ::= statements(B) statement(S).        { L = add_statement(B, S); }
statements(L) ::= statements(B) label(S).            { L = add_statement(B, S); }
statements(L) ::= statements(B) conditional(S).      { L = add_statement(B, S); }
statements(L) ::= statements(B) HASH_LINE(W).        { L = add_statement(B, build_directive(p, W)); }
statements(L) ::= statements(B) PRAGMA(W) LPAREN STRING RPAREN(E). { L = add_statement(B, build_pragma(p, W, E)); }

/* The statement after `if (...)` and similar heads, with its labels. */
%type substatement {ast_statement *}
substatement(S) ::= statement(A).                    { S = A; }
substatement(S) ::= label(A) substatement(B).        { S = A; S->next = B; }

%type label {ast_statement *}
label(S) ::= IDENT(N) COLON(E).                      { S = build_label(p, N, E); }
label(S) ::= ON(N) COLON(E).                         { S = build_label(p, N, E); }
label(S) ::= SUBMIT(N) COLON(E).                     { S = build_label(p, N, E); }
label(S) ::= NEXT(N) COLON(E).                       { S = build_label(p, N, E); }
label(S) ::= STAY(N) COLON(E).                       { S = build_label(p, N, E); }
label(S) ::= AWAIT(N) COLON(E).                      { S = build_label(p, N, E); }
label(S) ::= DONE(N) COLON(E).                       { S = build_label(p, N, E); }
label(S) ::= FAIL(N) COLON(E).                       { S = build_label(p, N, E); }
label(S) ::= BECOME(N) COLON(E).                     { S = build_label(p, N, E); }
label(S) ::= DESCRIBE(N) COLON(E).                   { S = build_label(p, N, E); }
label(S) ::= CASE(W) case_value(V) COLON(E).         { S = build_case(p, W, V, E); }
label(S) ::= DEFAULT(W) COLON(E).                    { S = build_case(p, W, range_none(p), E); }

case_value(R) ::= case_part(A).                      { R = A; }
case_value(R) ::= case_value(A) case_part(B).        { R = range_join(A, B); }
case_part(R) ::= part(A).                            { R = A; }
case_part(R) ::= QUESTION(A) COLON(B).               { R = range_of(p, A, B); }
case_part(R) ::= QUESTION(A) case_value COLON(B).    { R = range_of(p, A, B); }

%type conditional {ast_statement *}
conditional(S) ::= branches(B) HASH_ENDIF(E).        { S = build_conditional(p, B, E); }
%type branches {branch_list}
branches(L) ::= HASH_IF(W) statements(S).                { L = add_branch(p, NONE(branch_list), W, S, false); }
branches(L) ::= branches(B) HASH_ELIF(W) statements(S).  { L = add_branch(p, B, W, S, false); }
branches(L) ::= branches(B) HASH_ELSE(W) statements(S).  { L = add_branch(p, B, W, S, true); }

%type statement {ast_statement *}
statement(S) ::= block(B).                                             { S = B; }
statement(S) ::= SEMICOLON(E).                                         { S = build_text(p, range_none(p), E); }
statement(S) ::= statement_text(T) SEMICOLON(E).                       { S = build_text(p, T, E); }
statement(S) ::= chain(H) block(B).                                    { S = build_macro_block(p, H, B); }
statement(S) ::= ifs(L) substatement(B). [ALONE]                       { S = end_ifs(p, L, B, NULL); }
statement(S) ::= ifs(L) substatement(B) ELSE substatement(O).          { S = end_ifs(p, L, B, O); }
statement(S) ::= WHILE(W) parens(C) substatement(B). { S = build_loop(p, STATEMENT_WHILE, W, C, B, C.end - 1); }
statement(S) ::= FOR(W) parens(C) substatement(B). { S = build_loop(p, STATEMENT_FOR, W, C, B, C.end - 1); }
statement(S) ::= SWITCH(W) parens(C) substatement(B). { S = build_loop(p, STATEMENT_SWITCH, W, C, B, C.end - 1); }
statement(S) ::= DO(W) substatement(B) WHILE parens(C) SEMICOLON(E). { S = build_loop(p, STATEMENT_DO, W, C, B, E); }
statement(S) ::= BREAK(W) SEMICOLON(E).                              { S = new_statement(p, STATEMENT_BREAK, W, E); }
statement(S) ::= CONTINUE(W) SEMICOLON(E).                           { S = new_statement(p, STATEMENT_CONTINUE, W, E); }
statement(S) ::= RETURN(W) SEMICOLON(E).                             { S = new_statement(p, STATEMENT_RETURN, W, E); }
statement(S) ::= RETURN(W) text(T) SEMICOLON(E).                       { S = build_jump(p, STATEMENT_RETURN, W, T, E); }
statement(S) ::= GOTO(W) text(T) SEMICOLON(E).                         { S = build_jump(p, STATEMENT_GOTO, W, T, E); }

/* ELSE_IF is `else` and `if`, which the parse loop combines. So a chain of them is a list, without nesting. */
%type ifs {statement_list}
ifs(L) ::= IF(W) parens(C).                          { L = add_if(p, NONE(statement_list), NULL, W, C); }
ifs(L) ::= ifs(A) substatement(B) ELSE_IF(W) parens(C).                { L = add_if(p, A, B, W, C); }

/* Names and calls in a row before a block are the head of a macro's loop. Otherwise they begin a text. */
statement_text(R) ::= chain(A).                      { R = A; }
statement_text(R) ::= tail(A).                       { R = A; }
chain(R) ::= call(A).                                { R = begin_text(p, A); }
chain(R) ::= chain(A) call(B).                       { R = range_join(A, B); }
call(R) ::= IDENT(A). [ALONE]                        { R = range_one(p, A); }
call(R) ::= IDENT(A) parens(B).                      { R = range_join(range_one(p, A), B); }
call(R) ::= ON(A). [ALONE]                           { R = range_one(p, A); }
call(R) ::= ON(A) parens(B).                         { R = range_join(range_one(p, A), B); }
chain(R) ::= ON(A) IDENT(B). [ALONE]                 { R = begin_text(p, range_of(p, A, B)); }
call(R) ::= SUBMIT(A). [ALONE]                       { R = range_one(p, A); }
call(R) ::= SUBMIT(A) parens(B).                     { R = range_join(range_one(p, A), B); }
tail(R) ::= opening(A).                              { R = begin_text(p, A); }
tail(R) ::= SUBMIT(A) IDENT plain(B).                { R = begin_text(p, range_of(p, A, B)); }
tail(R) ::= SUBMIT(A) IDENT brackets(B). [ALONE]     { R = begin_text(p, range_join(range_one(p, A), B)); }
tail(R) ::= SUBMIT(A) IDENT COMMA(B).                { R = begin_text(p, range_of(p, A, B)); }
tail(R) ::= chain(A) opening(B).                     { R = range_join(A, B); }
tail(R) ::= chain(A) joint(B).                       { R = range_join(A, range_one(p, B)); }
tail(R) ::= chain(A) QUESTION(B).                    { R = range_join(A, range_one(p, B)); }
tail(R) ::= chain(A) COMMA(B).                       { R = range_join(A, range_one(p, B)); }
tail(R) ::= tail(A) part(B).                         { R = range_join(A, B); }
tail(R) ::= tail(A) mark(B).                         { R = range_join(A, B); }

/* -- intents ----------------------------------------------------------------------------------------------------- */

statement(S) ::= NEXT(W) target(O) SEMICOLON(E).                       { S = build_outcome_statement(p, W, O, E); }
statement(S) ::= STAY(W) stay_every(A) SEMICOLON(E). { S = build_stay(p, W, A, NONE(ast_duration), NULL, E); }
statement(S) ::= STAY(W) stay_every(A) TIMEOUT duration(D) ARROW outcome(O) SEMICOLON(E). {
    S = build_stay(p, W, A, D, O, E);
}
statement(S) ::= AWAIT(W) arm(A) SEMICOLON(E). { S = build_await(p, W, add_arm(NONE(arm_list), A), E); }
statement(S) ::= AWAIT(W) LBRACE arms(L) RBRACE(E).                    { S = build_await(p, W, L, E); }
statement(S) ::= DONE(W) optional_value(V) SEMICOLON(E).               { S = build_done_statement(p, W, V, E); }
statement(S) ::= FAIL(W) optional_format(F) SEMICOLON(E).              { S = build_fail_statement(p, W, F, E); }
statement(S) ::= BECOME(W) IDENT(N) optional_args(A) SEMICOLON(E). {
    S = build_outcome_statement(p, W, build_go(p, OUTCOME_BECOME, W, N, A), E);
}
statement(S) ::= DESCRIBE(W) format(F) SEMICOLON(E).                   { S = build_describe(p, W, F, E); }
statement(S) ::= SUBMIT(W) IDENT(N) optional_args(A) submit_timeout(D) SEMICOLON(E). {
    S = build_submit(p, W, N, range_none(p), A, D, E);
}
statement(S) ::= SUBMIT(W) IDENT(N) brackets(B) args(A) submit_timeout(D) SEMICOLON(E). {
    S = build_submit(p, W, N, B, A, D, E);
}

statement(S) ::= SPAWN(W) IDENT(N) DOT IDENT(T) args(A) otherwise(O) SEMICOLON(E). {
    S = build_spawn(p, W, N, T, A, O, E);
}

%type target {ast_outcome *}
target(O) ::= IDENT(N) optional_args(A).             { O = build_go(p, OUTCOME_STEP, N, N, A); }

optional_value(R) ::= .                              { R = range_none(p); }
optional_value(R) ::= value(A).                      { R = A; }
value(R) ::= IDENT(A).                               { R = begin_text(p, range_one(p, A)); }
value(R) ::= plain(A).                               { R = begin_text(p, range_one(p, A)); }
value(R) ::= parens(A).                              { R = begin_text(p, A); }
value(R) ::= value(A) argument_part(B).              { R = range_join(A, B); }

%type optional_format {ast_args}
optional_format(L) ::= .                             { L = NONE(ast_args); }
optional_format(L) ::= format(A).                    { L = A; }
%type format {ast_args}
format(L) ::= value(A).                              { L = add_arg(p, NONE(ast_args), A); }
format(L) ::= format(B) COMMA value(A).              { L = add_arg(p, B, A); }

%type outcome {ast_outcome *}
outcome(O) ::= target(A).                            { O = A; }
outcome(O) ::= DONE(W) optional_value(V).            { O = build_done(p, W, V); }
outcome(O) ::= FAIL(W) optional_format(F).           { O = build_fail(p, W, F); }
outcome(O) ::= BECOME(W) IDENT(N) optional_args(A).  { O = build_go(p, OUTCOME_BECOME, W, N, A); }

/* -- durations --------------------------------------------------------------------------------------------------- */

%type duration {ast_duration}
duration(D) ::= clear_duration(A).                   { D = A; }
%type clear_duration {ast_duration}
clear_duration(D) ::= DURATION(A).                   { D = build_duration(p, A); }
clear_duration(D) ::= parens(A) IDENT(U).            { D = build_computed_duration(p, A, U); }

%type submit_timeout {ast_duration}
submit_timeout(D) ::= .                              { D = NONE(ast_duration); }
submit_timeout(D) ::= TIMEOUT duration(A).           { D = A; }
%type stay_every {ast_duration}
stay_every(D) ::= .                                  { D = NONE(ast_duration); }
stay_every(D) ::= EVERY duration(A).                 { D = A; }

/* -- arms -------------------------------------------------------------------------------------------------------- */

%type arms {arm_list}
arms(L) ::= .                                        { L = NONE(arm_list); }
arms(L) ::= arms(B) arm(A) SEMICOLON.                { L = add_arm(B, A); }
arms(L) ::= arms(B) IF(W) parens(C) arm(A) SEMICOLON. { L = add_arm(B, build_guarded_arm(p, W, C, A)); }
arms(L) ::= arms(B) SEMICOLON.                       { L = B; }
arms(L) ::= arms(B) arm_branches(C) HASH_ENDIF.      { L = end_arm_branches(p, B, C); }

%type arm_branches {arm_list}
arm_branches(L) ::= arm_if arms(A).                  { L = end_arm_branch(p, NONE(arm_list), A); }
arm_branches(L) ::= arm_branches(B) arm_else arms(A). { L = end_arm_branch(p, B, A); }
arm_if ::= HASH_IF(W).                               { begin_arm_branch(p, W); }
arm_else ::= HASH_ELIF|HASH_ELSE(W).                 { begin_arm_branch(p, W); }

%type arm {ast_arm *}
arm(A) ::= event(E) ARROW outcome(O).                { A = build_arm(p, E, O, NULL); }
arm(A) ::= event(E) ARROW outcome(O) ELSE outcome(F). { A = build_arm(p, E, O, F); }

%type event {ast_event *}
event(E) ::= UNTIL(W) parens(C).                     { E = build_until(p, W, C, NONE(ast_duration)); }
event(E) ::= UNTIL(W) parens(C) FOR duration(D).     { E = build_until(p, W, C, D); }
event(E) ::= TIMEOUT(W) duration(D).                 { E = build_timeout(p, ARM_TIMEOUT, token_at(p, W), D); }
event(E) ::= TIMEOUT(W) REAL duration(D).            { E = build_timeout(p, ARM_TIMEOUT_REAL, token_at(p, W), D); }
event(E) ::= clear_duration(D).                      { E = build_timeout(p, ARM_TIMEOUT, D.at, D); }
event(E) ::= RUN(W) IDENT(F) DOT IDENT(T) args(A).   { E = build_run(p, W, F, T, A); }
event(E) ::= ALL(W) LPAREN events(L) RPAREN(B).      { E = build_all(p, W, L, B); }
event(E) ::= FIRST(W) LPAREN RUN(R) IDENT(F) DOT IDENT(T) args(A) RPAREN(B). {
    E = build_first(p, W, build_run(p, R, F, T, A), B);
}
event(E) ::= IDENT(N) optional_brackets(B).          { E = build_named_event(p, N, B); }
event(E) ::= FIRST(N) optional_brackets(B).          { E = build_named_event(p, N, B); }
event(E) ::= operand_event(W) parens(A).             { E = build_operand_event(p, W, A); }
event(E) ::= called_event(W) parens(A).              { E = build_operand_event(p, W, A); }
event(E) ::= called_event(N) optional_brackets(B).   { E = build_named_event(p, N, B); }
event(E) ::= bare_event(W).                          { E = build_operand_event(p, W, range_none(p)); }

%type events {event_list}
events(L) ::= event(E).                              { L = NONE(event_list); APPEND(L, E); }
events(L) ::= events(B) COMMA event(E).              { L = B; APPEND(L, E); }

/* -- what is refused ---------------------------------------------------------------------------------------------
 *
 * The grammar ends here: `lemon -DSTRICT` makes it of the rules above. Each of the following ones reads a mistake, so
 * that the explanation is about it and not about its first token. */

%ifndef STRICT
item ::= task.
item ::= step.
flow_member ::= step.
item ::= group.
group_member ::= declaration(D) SEMICOLON.           { build_field(p, D); }
group_member ::= field_of_word(D) SEMICOLON.         { build_field(p, D); }
group_member ::= subflows(T) SEMICOLON.              { refuse(p, MISTAKE_GROUP_FIELD, range_of(p, T - 1, T)); }
group_member ::= step.
group_member ::= shared.
schedules(R) ::= IDENT(A).                           { R = range_one(p, A); }
test_member ::= moment(M).                           { refuse(p, MISTAKE_MOMENT_OUTSIDE, range_one(p, M)); }
handler ::= ON(W) TIMEOUT(N) ARROW outcome(O) SEMICOLON(E). { build_on_timeout(p, W, N, NONE(ast_duration), O, E); }
handler ::= WITH(W) RUN(R) IDENT(F) DOT IDENT(T) args(A) ARROW(B) outcome otherwise(O) SEMICOLON(E). {
    build_companion(p, W, build_run(p, R, F, T, A), O, E);
    refuse(p, MISTAKE_COMPANION_ARROW, range_one(p, B));
}
task_head ::= FOREVER(W) IDENT(N) params(P) result(R) LBRACE. {
    refuse(p, MISTAKE_MISSING_TASK, range_one(p, N));
    begin_task(p, W, N, P, R)->forever = true;
}
task_head ::= SHUTDOWN(W) IDENT(N) params(P) result(R) LBRACE. {
    refuse(p, MISTAKE_MISSING_TASK, range_one(p, N));
    begin_task(p, W, N, P, R)->shutdown = true;
}
statement(S) ::= ON(W) IDENT(N) ARROW outcome SEMICOLON(E). {
    refuse(p, MISTAKE_PREEMPT_MISPLACED, range_of(p, W, N));
    S = build_text(p, range_none(p), E);
}
statement(S) ::= AWAIT(W) IF(G) parens arm(A) SEMICOLON(E). {
    refuse(p, MISTAKE_GUARD_OF_AWAIT, range_one(p, G));
    S = build_await(p, W, add_arm(NONE(arm_list), A), E);
}
outcome(O) ::= NEXT(W) target(A).                    {
    refuse(p, MISTAKE_NEXT_AFTER_ARROW, range_one(p, W));
    O = A;
}
duration(D) ::= IDENT(A).                            { D = build_bad_duration(p, range_one(p, A)); }
clear_duration(D) ::= parens(A).                     { D = build_bad_duration(p, A); }
clear_duration(D) ::= NUMBER(A).                     { D = build_bad_duration(p, range_one(p, A)); }
clear_duration(D) ::= NUMBER(A) IDENT(B).            { D = build_bad_duration(p, range_of(p, A, B)); }
arms(L) ::= arms(B) IF(W) parens IF(V) parens arm(A) SEMICOLON. {
    refuse(p, MISTAKE_GUARD_TWICE, range_of(p, W, V));
    L = add_arm(B, A);
}
arms(L) ::= arms(B) IF(W) parens LBRACE arms(A) RBRACE. { L = refuse_block(p, W, B, A); }
arms(L) ::= arms(B) else_of_arm arm(A) SEMICOLON.    { L = add_arm(B, A); }
else_of_arm ::= ELSE(W).                             { refuse(p, MISTAKE_ELSE_OF_ARM, range_one(p, W)); }
else_of_arm ::= ELSE_IF(W) parens.                   { refuse(p, MISTAKE_ELSE_OF_ARM, range_one(p, W)); }
arms(L) ::= arms(B) ELSE(W) LBRACE arms(A) RBRACE.   { L = refuse_block(p, W, B, A); }
events(L) ::= guard_in_all event(E).                 { L = NONE(event_list); APPEND(L, E); }
events(L) ::= events(B) COMMA guard_in_all event(E). { L = B; APPEND(L, E); }
guard_in_all ::= IF(W) parens.                       { refuse(p, MISTAKE_GUARD_IN_ALL, range_one(p, W)); }

/* Five terminals are no tokens. HOLE takes the place of a part that was refused. The others stand for the head of the
 * current flow, group, task or test, and all members of it that are read: the parser starts again after them. */
items ::= items HOLE.
flow_head ::= IN_FLOW.
flow_members ::= flow_members HOLE.
group_head ::= IN_GROUP.
group_members ::= group_members HOLE.
task_head ::= IN_TASK.
test_head ::= IN_TEST.
test_members ::= test_members HOLE.
task_members ::= task_members HOLE.
statement(S) ::= HOLE(H).                                              { S = build_text(p, range_none(p), H); }
arms(L) ::= arms(B) HOLE.                            { L = B; L.certain = true; }
%endif

%code {
#include "lemon_state.h"
}
