/* SPDX-License-Identifier: MIT */
/* texts.h - the texts of reports: durations and times as a person writes them, and strings in quotes. */
#ifndef UFLOW_TEST_TEXTS_H
#define UFLOW_TEST_TEXTS_H

#include "uflow/base.h"

#include <stdio.h>

#define TEST_TIME_SIZE 40

/* A duration in the largest unit in which it is a whole number, such as "24 h", "90 s", "1500 us".
 * Returns: the text. */
const char *uft_duration_text(uf_time duration, char text[TEST_TIME_SIZE]);

/* A logical time, such as "2.350 s", with as many groups of three decimal places as it needs. Returns: the text. */
const char *uft_time_text(uf_time time, char text[TEST_TIME_SIZE]);

/* A real time that was measured, such as "0.1 ms". Returns: the text. */
const char *uft_measured_text(uf_time time, char text[TEST_TIME_SIZE]);

/* Puts `prefix` in front of a text, which is truncated. */
void uft_prepend(char *text, size_t size, const char *prefix);

/* Writes bytes as a string of YAML in double quotes. Bytes that are no UTF-8 become \xNN. */
void uft_put_quoted(FILE *out, const char *bytes, size_t size);

/* Writes bytes as text of XML. Characters that XML does not allow become "?". */
void uft_put_xml(FILE *out, const char *bytes, size_t size);

/* The length of the UTF-8 character at the beginning, at most `size`; 0: the bytes are none. */
size_t uft_character(const char *bytes, size_t size);

#endif
