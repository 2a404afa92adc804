/* misspelled.h - intents that became something else: `Next Foo;`, `x = 1 next Foo;`. */
#ifndef UFC_MISSPELLED_H
#define UFC_MISSPELLED_H

#include "checks.h"

/* If the statement only makes sense as an intent with a slip of the pen, reports that. */
bool report_misspelled(sema *s, const body_site *site, const ast_statement *statement);

/* `x = await 1s;`, `if (submit scale(1))`: reports an intent where C takes a value. */
bool report_intent_as_value(sema *s, const body_site *site, ast_statement *statement);

/* The first intent word in a body that text has swallowed, for want of a `;`; NULL if there is none. */
const char *find_swallowed(const ast_body *body, span *where);

#endif
