/* SPDX-License-Identifier: MIT */
/* kept_types.h - types of what is kept, as text. */
#ifndef UFC_KEPT_TYPES_H
#define UFC_KEPT_TYPES_H

#include <stdbool.h>

/* Does each value of the old type fit the new one, when a record is read? Known are the types of C and uflow that have
 * names of their own. Of two others, such as an enum and a typedef, nothing is known unless they are equal. */
bool kept_type_fits(const char *old_type, const char *new_type);

#endif
