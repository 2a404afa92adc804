/* The limit of ufc: its scanner alone, over a file that is in memory. Nanoseconds a line. */
#define BENCH_USAGE "FILE"

#include "scan.h"
#include "bench.h"

int main(int argc, char **argv)
{
    if (argc != 2) bench_refuse(argc, argv, 2);
    FILE *const file = fopen(argv[1], "rb");
    BENCH_CHECK(file && fseek(file, 0, SEEK_END) == 0);
    long const size = ftell(file);
    char *const text = bench_memory((size_t)size + 1, 1);
    rewind(file);
    BENCH_CHECK(fread(text, 1, (size_t)size, file) == (size_t)size && fclose(file) == 0);

    uint64_t tokens = 0, lines = 0;
    int64_t const began = bench_begin();
    unsigned char const *const bytes = (const unsigned char *)text;
    scanner s = {.text = bytes, .cursor = bytes, .limit = bytes + size, .line_start = true};
    for (token t; scan_next(&s, &t);) tokens++;
    int64_t const ended = bench_end();
    for (long i = 0; i < size; i++) lines += text[i] == '\n';
    free(text);
    BENCH_CHECK(tokens > lines);
    bench_report(began, ended, lines);
    return 0;
}
