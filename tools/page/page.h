/* page.h - the page of `ufc --emit=html`: the text before the data of a file, and after it. NUL-terminated. */
#ifndef UFC_PAGE_H
#define UFC_PAGE_H

extern const unsigned char page_begin[];
extern const unsigned char page_end[];

#endif
