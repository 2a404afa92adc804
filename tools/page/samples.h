/* samples.h - the samples of docs/errors.md, for `ufc --explain`: for each code a line that consists of it, then the
 * lines of its samples, each indented by four blanks or empty. NUL-terminated. */
#ifndef UFC_SAMPLES_H
#define UFC_SAMPLES_H

extern const unsigned char samples_of_errors[];

#endif
