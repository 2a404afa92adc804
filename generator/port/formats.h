/* SPDX-License-Identifier: MIT */
/* formats.h - PRINTF_LIKE(FORMAT, FIRST): the compiler checks the arguments from number FIRST on against the format. */
#ifndef UFC_FORMATS_H
#define UFC_FORMATS_H

/* With mingw-w64, `printf` means the formats of Windows' own library. __USE_MINGW_ANSI_STDIO chooses those of C. */
#ifdef __MINGW32__
#define PRINTF_LIKE(format_at, first) __attribute__((format(gnu_printf, format_at, first)))
#else
#define PRINTF_LIKE(format_at, first) __attribute__((format(printf, format_at, first)))
#endif

#endif
