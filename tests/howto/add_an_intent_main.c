/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "add_an_intent.h"
#include "uflow/simulate.h"

static void print_outcome(const Search *search)
{
    printf("%s\n", uf_outcome_text(uf_flow_outcome(&search->uf)));
}

int main(void)
{
    uf_pump pump = {0};
    Search search = {0};

    uf_pump_init(&pump, NULL);
    Search_init(&search, &pump, "search");
    (void)Search_start_Find(&search);
    uf_simulate_until(&pump, UF_MS(25));
    search.given_up = true;
    uf_simulate_until_idle(&pump, UF_S(1));
    print_outcome(&search);
    (void)Search_start_Wait(&search);
    uf_simulate_until_idle(&pump, UF_S(10));
    print_outcome(&search);
    return 0;
}
