/* SPDX-License-Identifier: MIT */
/* waiting.c - what flows wait for, as lines of a report: the dump of the pump, in its words. */
#include "run.h"

#include "uflow/dump.h"
#include "uflow/mailbox.h"
#include "uflow/priv/pump.h"

#include <stdio.h>
#include <string.h>

/* A line of the dump with the names of reports: a flow without `test.`, and the test's own without its task. */
static const char *renamed(char *line)
{
    static const char own[] = "test  Test.", inside[] = "test.";

    char *const other = strstr(line, " test.");
    if (other) memmove(other + 1, other + sizeof inside, strlen(other + sizeof inside) + 1);
    if (strncmp(line, own, sizeof own - 1) == 0)
        memmove(line + 6, line + sizeof own - 1, strlen(line + sizeof own - 1) + 1);
    return strncmp(line, inside, sizeof inside - 1) == 0 ? line + sizeof inside - 1 : line;
}

/* The number of the step, `#08`, in words. */
static void explain(char line[TEST_LINE_SIZE])
{
    static const char words[] = "steps passed: ";
    char *const mark = line[0] == ' ' ? NULL : strstr(line, "  #");

    if (!mark || strlen(line) + sizeof words > TEST_LINE_SIZE) return;
    char *const from = mark + 2, *number = from + 1;
    while (*number == '0' && number[1] != ' ') number++;
    memmove(from + sizeof words - 1, number, strlen(number) + 1);
    memcpy(from, words, sizeof words - 1);
}

/* Adds a line to the waits. Returns: there was room for it. */
static bool add_wait(uft_slot *slot, const char *line)
{
    size_t const used = strlen(slot->waits);

    if (used + strlen(line) >= sizeof slot->waits) return false;
    memcpy(slot->waits + used, line, strlen(line) + 1);
    return true;
}

/* Adds the mailboxes that are not empty. The list is read without its lock, since the pump has one thread. */
static void add_mailboxes(uft_slot *slot, const uf_pump *pump, const uf_flow *root)
{
    char name[TEST_LINE_SIZE / 2], line[TEST_LINE_SIZE];

    for (uf_link const *link = pump->mail ? pump->mailboxes.next : NULL; link && link != &pump->mailboxes;
         link = link->next) {
        uf_mailbox const *const mailbox = (const uf_mailbox *)((uintptr_t)link - offsetof(uf_mailbox, in_pump));
        uint32_t const count = uf_mailbox_count(mailbox);
        if (count == 0) continue;
        if (mailbox->owner) (void)uft_flow_name(root, mailbox->owner, name, sizeof name);
        (void)snprintf(line, sizeof line, "mailbox %s%s%s: %u of %u\n", mailbox->owner ? name : "",
                       mailbox->owner ? "." : "", mailbox->name ? mailbox->name : "without a name", (unsigned)count,
                       (unsigned)mailbox->capacity);
        if (!add_wait(slot, line)) return;
    }
}

void uft_read_waits(uft_slot *slot, uf_pump *pump, const uf_flow *root)
{
    FILE *const file = tmpfile();
    char line[TEST_LINE_SIZE];
    bool has_room = true;

    if (!file) return;
    slot->waits[0] = '\0';
    (void)uf_pump_dump(pump, file);
    rewind(file);
    while (has_room && fgets(line, sizeof line, file)) {
        if (line[0] != ' ' && strstr(line, "  idle, ")) continue;
        explain(line);
        has_room = add_wait(slot, renamed(line));
    }
    (void)fclose(file);
    add_mailboxes(slot, pump, root);
}
