/* SPDX-License-Identifier: MIT */
/* faults.h - files of SQLite that count their commits, and that may fail or hang. */
#ifndef SQLITE_FAULTS_H
#define SQLITE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/* What happens to the files of databases that are opened later. One for each database. */
typedef struct faults faults;

/* Becomes the default of SQLite, for databases of this path. */
faults *faults_open(const char *path);
void faults_close(faults *of);

/* How many syncs of its log there were: each is a commit, unless a checkpoint has gone before. */
uint64_t faults_commits(faults *of);

/* After so many more commits, writes to the log return this code of SQLite. 0: they hang. */
void faults_after(faults *of, uint64_t commits, int code);

/* Does a write hang? */
bool faults_hangs(faults *of);

/* What hangs, and what comes later, returns this code. 0: it goes on. */
void faults_release(faults *of, int code);

#endif
