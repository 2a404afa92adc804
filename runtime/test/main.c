/* SPDX-License-Identifier: MIT */
/* main.c - the main() of a runner, for programs that have none. */
#include "uflow/test.h"

int main(int argc, char **argv)
{
    return uf_test_main(argc, argv);
}
