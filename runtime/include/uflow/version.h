/* SPDX-License-Identifier: MIT */
/* version.h - the version of these headers, for programs and for the preprocessor.
 *
 *   #include "uflow/version.h"
 *   #if UF_VERSION_NUMBER < UF_VERSION_OF(0, 1, 0)
 *   #error "uflow 0.1.0 or later is needed"
 *   #endif
 */
#ifndef UFLOW_VERSION_H
#define UFLOW_VERSION_H

/* The version of these headers. */
#define UF_VERSION_MAJOR 0
#define UF_VERSION_MINOR 1
#define UF_VERSION_PATCH 0
#define UF_VERSION       "0.1.0"

/* A version as one number, which the preprocessor can compare. */
#define UF_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define UF_VERSION_NUMBER                  UF_VERSION_OF(UF_VERSION_MAJOR, UF_VERSION_MINOR, UF_VERSION_PATCH)

/* The number of the binary interface between generated code, programs and this library. Generated code does not compile
 * against another number, and Flow_init() rejects a library built with another one. */
#define UF_ABI 1

#endif
