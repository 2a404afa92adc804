/* The same with a thread, at SPEED times the speed: live [speed]. A burst every 0.6 s, for 12 s, or until Enter. */
#include <stdio.h>
#include <stdlib.h>

#include "live.h"
#include "uflow/runtime.h"

int main(int argc, char **argv)
{
    double const speed = argc > 1 ? atof(argv[1]) : 1;
    uf_runtime *runtime;
    static Office office;
    uf_call_info end;

    if (!(speed > 0)) return fprintf(stderr, "usage: %s [speed]\n", argv[0]), 2;
    if (uf_runtime_new(&runtime, NULL) != UF_OK || uf_pump_set_scale(uf_runtime_pump(runtime), speed) != UF_OK)
        return 1;
    if (Office_init(&office, uf_runtime_pump(runtime), "office") != UF_OK) return 1;
    printf("\x1b[2J");
    uf_status const status = Office_call_Live(&office, 20, UF_FOREVER, &end);
    if (uf_runtime_free(runtime) != UF_OK) return 1;

    Receiver const *const receiver = &office.receiver;
    Sender const *const sender = &office.sender;
    printf("\x1b[7;1H\x1b[2K\x1b[?25h");
    if (status != UF_OK) printf("  failed: %s\n", end.reason);
    printf("  bursts sent: %d   jobs processed: %d\n", sender->bursts, receiver->processed);
    return status == UF_OK && receiver->processed == sender->sent && receiver->total == sender->total &&
                   uf_mailbox_count(&receiver->work) == 0
               ? 0
               : 1;
}
