/* SPDX-License-Identifier: MIT */
/* handlers.h - the handlers that run C: `on enter { ... }`. */
#ifndef UFC_HANDLERS_H
#define UFC_HANDLERS_H

/* In the order in which the parts of a flow show them. INIT and END are of flows, ENTER to RESUME of groups and tasks,
 * the others of all three. */
#define HANDLERS(HANDLER)                                                                                              \
    HANDLER(INIT, "init")                                                                                              \
    HANDLER(END, "end")                                                                                                \
    HANDLER(ENTER, "enter")                                                                                            \
    HANDLER(EXIT, "exit")                                                                                              \
    HANDLER(PAUSE, "pause")                                                                                            \
    HANDLER(RESUME, "resume")                                                                                          \
    HANDLER(SUSPEND, "suspend")                                                                                        \
    HANDLER(RESTORE, "restore")

typedef enum handler_kind {
#define HANDLER(kind, word) ON_##kind,
    HANDLERS(HANDLER)
#undef HANDLER
        HANDLER_KINDS
} handler_kind;

extern const char *const handler_words[]; /* by handler_kind: "on enter" */

/* Its last word, as in names of generated functions: "enter". */
const char *handler_name(handler_kind kind);

#endif
