/* SPDX-License-Identifier: MIT */
/* What the scanner and all builders use: ranges of tokens, and the way to say that a file is wrong. */
#include "parse_state.h"

#include "ast_build.h"
#include "words.h"

parser parser_of(arena *a, diagnostics *d, ast_file *file)
{
    return (parser){.arena = a,
                    .diagnostics = d,
                    .file = file,
                    .tokens = &file->tokens,
                    .text = NO_TEXT,
                    .next_block = &file->blocks,
                    .next_import = &file->imports,
                    .next_signal = &file->signals,
                    .next_checkpoint = &file->checkpoints,
                    .next_worker = &file->workers,
                    .next_plain = &file->plains,
                    .next_flow = &file->flows,
                    .next_test = &file->tests};
}

/* -- refusals ---------------------------------------------------------------------------------------------------- */

bool refuse(parser *p, mistake what, token_range where)
{
    p->has_refused = true;
    return !p->explain || p->explain->text(p, what, where);
}

bool refuse_if(parser *p, bool is_wrong, mistake what, token_range where)
{
    if (is_wrong) refuse(p, what, where);
    return is_wrong;
}

void refuse_token(parser *p, uint32_t at, const void *state)
{
    p->has_refused = true;
    if (p->explain) p->explain->token(p, at, state);
}

/* -- ranges ------------------------------------------------------------------------------------------------------ */

token_range range_none(const parser *p)
{
    return (token_range){p->tokens, 0, 0};
}

token_range range_one(const parser *p, uint32_t at)
{
    return (token_range){p->tokens, at, at + 1};
}

token_range begin_text(parser *p, token_range first)
{
    p->text = first.first;
    return first;
}

token_range range_of(const parser *p, uint32_t first, uint32_t last)
{
    return (token_range){p->tokens, first, last + 1};
}

token_range range_join(token_range first, token_range last)
{
    return (token_range){first.list, first.first, last.end};
}

span token_at(const parser *p, uint32_t at)
{
    if (at >= p->tokens->count) return (span){p->tokens->in, p->tokens->in->size, p->tokens->in->size};
    return token_span(p->tokens, at);
}

ast_ident build_ident(parser *p, uint32_t name)
{
    return ast_name_at(p->arena, p->tokens, name);
}

token_range index_between(parser *p, token_range brackets)
{
    if (range_empty(brackets)) return brackets;
    token_range const index = range_inside(brackets);
    if (!range_empty(index)) return index;
    refuse(p, MISTAKE_INDEX_EMPTY, brackets);
    return brackets; /* it is an array all the same */
}
