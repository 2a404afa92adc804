/* Twenty bursts of one to ten sums, in virtual time. No message is lost, and the receiver is idle in between. */
#include <stdio.h>

#include "queue.h"

int main(void)
{
    uf_pump pump;
    Receiver receiver;
    Sender sender;

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Receiver_init(&receiver, &pump, "receiver") != UF_OK) return 1;
    if (Sender_init(&sender, &pump, "sender", &receiver, 2026) != UF_OK) return 1;

    (void)Sender_start_Send(&sender, 20);
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;
    if (uf_flow_outcome(&sender.uf) != UF_DONE) printf("failed: %s\n", uf_flow_reason(&sender.uf));

    printf("  bursts sent: %d   jobs processed: %d\n", sender.bursts, receiver.processed);
    printf("  jobs sent: %d   launches: %d   still in the mailbox: %u\n", sender.sent, receiver.launches,
           (unsigned)uf_mailbox_count(&receiver.work));
    printf("  total: %ld, expected %ld\n", receiver.total, sender.total);
    return receiver.processed == sender.sent && receiver.total == sender.total ? 0 : 1;
}
