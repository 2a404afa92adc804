/* SPDX-License-Identifier: MIT */
/* resident.h - the kernel's figures about this process. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <dirent.h>
#include <unistd.h>

#include "bench.h"

/* Resident bytes. */
static inline uint64_t resident_bytes(void)
{
    unsigned long long all = 0, there = 0;
    FILE *const file = fopen("/proc/self/statm", "r");

    BENCH_CHECK(file && fscanf(file, "%llu %llu", &all, &there) == 2);
    (void)fclose(file);
    return there * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Context switches of all threads of this process. */
static inline uint64_t resident_switches(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    uint64_t sum = 0;

    BENCH_CHECK(tasks != NULL);
    for (struct dirent const *entry; (entry = readdir(tasks)) != NULL;) {
        char name[300], line[256];
        unsigned long long count;
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(name, sizeof name, "/proc/self/task/%s/status", entry->d_name);
        FILE *const file = fopen(name, "r");
        if (!file) continue;
        while (fgets(line, sizeof line, file)) {
            if (sscanf(line, "voluntary_ctxt_switches: %llu", &count) == 1) sum += count;
            else if (sscanf(line, "nonvoluntary_ctxt_switches: %llu", &count) == 1) sum += count;
        }
        (void)fclose(file);
    }
    (void)closedir(tasks);
    return sum;
}

/* Prints the bytes per item of `count`, then the wake-ups and the CPU time of the process during one idle second. The
 * sleep of that second costs this thread one context switch. */
static inline void resident_report(uint64_t before, uint64_t count)
{
    uint64_t const bytes = resident_bytes() - before;
    struct timespec second, cpu_before, cpu_after;

    second.tv_sec = 1;
    second.tv_nsec = 0;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_before);
    uint64_t const switches = resident_switches();
    (void)nanosleep(&second, NULL);
    uint64_t const woken = resident_switches() - switches - 1;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu_after);
    long long const us =
        (long long)(cpu_after.tv_sec - cpu_before.tv_sec) * 1000000 + (cpu_after.tv_nsec - cpu_before.tv_nsec) / 1000;
    printf("%.2f %llu wakeups_per_s=%llu cpu_us_per_s=%lld\n", (double)bytes / (double)count, (unsigned long long)count,
           (unsigned long long)woken, us);
}

#endif
