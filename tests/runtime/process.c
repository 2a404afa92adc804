/* SPDX-License-Identifier: MIT */
/* process.c - see process.h. */
#include <dirent.h>
#include <stdio.h>
#include <time.h>

#include "process.h"

int64_t process_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t process_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void process_sleep_ms(int ms)
{
    struct timespec const t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

int process_entries(const char *directory)
{
    int count = 0;
    DIR *const all = opendir(directory);
    if (!all) return 0;
    while (readdir(all)) count++;
    closedir(all);
    return count;
}

long process_resident_pages(void)
{
    long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    fclose(file);
    return pages;
}
