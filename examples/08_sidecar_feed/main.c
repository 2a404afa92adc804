/* sidecar_feed ws://127.0.0.1:PORT/: an ordinary program that blocks on its input; the connection runs beside it.
 *
 *   subscribe SYMBOL    latest SYMBOL    status    quit (or the end of the input)
 *
 * To try it, run these in two terminals. The server has ACME, GLOBEX and INITECH.
 *            examples/08_sidecar_feed/price_server.py feed --port 8765
 *            build/bin/sidecar_feed ws://127.0.0.1:8765/ */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <uflow/runtime.h>

#include "feed.h"

#define PATIENCE UF_S(5)

static price_book prices;
static Link peer;
static Feed feed;

/* Returns: true on success; otherwise prints the reason. */
static bool good(uf_status status, const uf_call_info *info)
{
    if (status == UF_OK) return true;
    printf("error: %s\n", status == UF_NOT_DONE ? info->reason : uf_status_text(status));
    return false;
}

static void subscribe(book_symbol symbol)
{
    uf_call_info info;
    if (good(Feed_call_Subscribe(&feed, symbol, PATIENCE, &info), &info)) printf("subscribed %s\n", symbol.text);
}

static void latest(book_symbol symbol)
{
    uf_call_info info;
    double price;
    if (good(Feed_call_Latest(&feed, symbol, PATIENCE, &price, &info), &info)) printf("%s %.2f\n", symbol.text, price);
}

static void status(void)
{
    uf_call_info info;
    feed_report report;
    if (!good(Feed_call_Report(&feed, PATIENCE, &report, &info), &info)) return;
    printf("%s, %d symbols, %ld prices, %ld out of order, %d drops%s%s\n",
           report.state == FEED_OPEN ? "connected" : "not connected", report.symbols, report.prices,
           report.out_of_order, report.drops, report.why[0] != '\0' ? ": " : "", report.why);
}

static void answer_commands(void)
{
    char line[128], symbol[128];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "quit") == 0) return;
        if (sscanf(line, "subscribe %127s", symbol) == 1) subscribe(book_symbol_of(symbol));
        else if (sscanf(line, "latest %127s", symbol) == 1) latest(book_symbol_of(symbol));
        else if (strcmp(line, "status") == 0) status();
        else printf("error: subscribe SYMBOL, latest SYMBOL, status, quit\n");
        (void)fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    uf_runtime *runtime;
    uf_call_info info;

    if (argc != 2) return fprintf(stderr, "usage: sidecar_feed ws://ADDRESS:PORT/\n"), 2;
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (Link_init(&peer, pump, "link", argv[1], &prices, (uint32_t)time(NULL) | 1) != UF_OK) return 1;
    if (Feed_init(&feed, pump, "feed", &peer, &prices) != UF_OK) return 1;

    bool const connected = good(Feed_call_Open(&feed, PATIENCE, &info), &info);
    if (connected) {
        printf("connected\n");
        (void)fflush(stdout);
        answer_commands();
    }
    (void)uf_runtime_stop(runtime, UF_S(2), NULL); /* the link's task Close sends the close frame */
    if (connected) {
        const char *const reason = uf_flow_reason(&peer.uf);
        printf("link: %s%s%s\n", uf_outcome_text(uf_flow_outcome(&peer.uf)), reason[0] != '\0' ? ": " : "", reason);
    }
    (void)uf_runtime_free(runtime);
    return connected ? 0 : 1;
}
