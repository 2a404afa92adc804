/* The same with a thread and a clock: a runtime drives the flows, and main only waits. It runs at ten times the
 * speed. */
#include <stdio.h>

#include "hello.h"
#include "uflow/runtime.h"

int main(void)
{
    uf_runtime *runtime;
    Greeter first, second;

    if (uf_runtime_new(&runtime, NULL) != UF_OK || uf_pump_set_scale(uf_runtime_pump(runtime), 10) != UF_OK) return 1;
    if (Greeter_init(&first, uf_runtime_pump(runtime), "first") != UF_OK) return 1;
    if (Greeter_init(&second, uf_runtime_pump(runtime), "second") != UF_OK) return 1;

    (void)Greeter_start_Greet(&first, "world"); /* from any thread */
    (void)Greeter_start_Greet(&second, "moon");
    if (uf_runtime_wait(runtime, UF_S(60)) != UF_OK) return 1;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
