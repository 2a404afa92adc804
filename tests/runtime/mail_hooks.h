/* SPDX-License-Identifier: MIT */
/* mail_hooks.h - what the flows of mail.uflow call. */
#ifndef MAIL_HOOKS_H
#define MAIL_HOOKS_H

#include "log.h"
#include "uflow/uflow.h"

struct page;
void page_new(struct page *page);
void page_free(struct page *page);
int mail_fire(uf_signal *signal, int value);

#endif
