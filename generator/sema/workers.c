/* Workers: plain C for another thread, which sees no flow and says with `return` and `fail` what came of it. */
#include "checks.h"

void check_workers(sema *s)
{
    (void)s;
}
