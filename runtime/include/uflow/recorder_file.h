/* SPDX-License-Identifier: MIT */
/* recorder_file.h - writes what a recorder holds to a file. Needs stdio.
 *
 *   uf_recorder_save(&recorder, "cell.uftrace");              then: uflow-trace cell.uftrace
 */
#ifndef UFLOW_RECORDER_FILE_H
#define UFLOW_RECORDER_FILE_H

#include "uflow/recorder.h"

#include <stdio.h>

UF_C_BEGIN

/* Writes the definitions, with the names and lines of steps, and the events since the last call with this cursor. The
 * first call writes the header too. So a thread can write a trace that is longer than the ring by repeated calls.
 * Thread: any, with every pump. One thread per cursor.
 * Returns: true; false: the file could not be written, see errno, or an argument is NULL or not initialised. */
bool uf_recorder_write(const uf_recorder *recorder, uf_recorder_cursor *cursor, FILE *out);

/* Writes all events of the ring to a file, which is replaced.
 * Thread: any, with every pump.
 * Returns: as uf_recorder_write(). */
bool uf_recorder_save(const uf_recorder *recorder, const char *path);

UF_C_END
#endif
