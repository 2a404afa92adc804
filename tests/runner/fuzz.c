/* SPDX-License-Identifier: MIT */
/* fuzz.c - calls the entry of fuzzers with inputs in hexadecimal digits, one an argument. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        uint8_t bytes[256];
        size_t size = 0;
        unsigned byte;
        for (const char *at = argv[i]; size < sizeof bytes && sscanf(at, "%2x", &byte) == 1; at += 2) {
            bytes[size++] = (uint8_t)byte;
            if (strlen(at) <= 2) break;
        }
        if (LLVMFuzzerTestOneInput(bytes, size) != 0) return 1;
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
