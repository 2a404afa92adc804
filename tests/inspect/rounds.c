/* rounds PATH|- TRANSITIONS: runs a flow on a thread of its own, beside the socket PATH that nobody looks through, or
 * without one. rounds.py counts the instructions. */
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "uflow/inspect.h"

void line_block(void)
{
}

int main(int argc, char **argv)
{
    static Axis axis;
    uf_runtime *runtime;
    uf_inspect *inspect = NULL;

    if (argc != 3 || uf_runtime_new(&runtime, NULL) != UF_OK) return 2;
    if (strcmp(argv[1], "-") != 0 && uf_inspect_listen(&inspect, runtime, argv[1], NULL) != UF_OK) return 2;
    if (Axis_init(&axis, uf_runtime_pump(runtime), "axis") != UF_OK) return 2;
    if (Axis_start_Move(&axis, atoi(argv[2])) != UF_OK) return 2;
    if (uf_flow_wait(&axis.uf, UF_S(600), NULL) != UF_OK || uf_flow_outcome(&axis.uf) != UF_DONE) return 1;
    if (inspect && uf_inspect_close(inspect) != UF_OK) return 1;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
