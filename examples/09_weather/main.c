/* weather PAGE SUMMARISER [MILLISECONDS [BYTES]]: fetches the page, of at most BYTES (16 MiB), and requests a summary
 * with the key in WEATHER_KEY. Without a key, prints the beginning of the page. To try it:
 *
 *   examples/09_weather/stub_server.py env WEATHER_KEY=sesame build/bin/weather {url}/page {url}/summary */
#include <stdio.h>
#include <stdlib.h>
#include <uflow/runtime.h>

#include "weather.h"

static text_buffer page; /* an abandoned request may still use it */

int main(int argc, char **argv)
{
    uf_runtime *runtime;
    Weather weather;
    uf_call_info end;

    if (argc < 3 || argc > 5) return fprintf(stderr, "usage: weather PAGE SUMMARISER [MILLISECONDS [BYTES]]\n"), 2;
    const char *const key = getenv("WEATHER_KEY");
    int const patience = argc > 3 ? atoi(argv[3]) : 30000;
    size_t const most = argc > 4 ? (size_t)strtoul(argv[4], NULL, 10) : 0;

    if (!http_begin() || uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    if (Weather_init(&weather, uf_runtime_pump(runtime), "weather", argv[1], argv[2], key, &page) != UF_OK) return 1;

    uf_status const status = Weather_call_Report(&weather, patience, most, UF_FOREVER, &end);
    if (status != UF_OK) {
        fputs("failed: ", stdout);
        http_print(status == UF_NOT_DONE ? end.reason : uf_status_text(status), HTTP_REASON_SIZE);
    }

    (void)uf_runtime_free(runtime);
    /* no http_end(): an abandoned request may still be running */
    return status == UF_OK ? 0 : 1;
}
