#include <stdio.h>

#include "batch.h"
#include "uflow/runtime.h"
#include "uflow/sqlite.h"

static Batch batch;

static int run(uf_runtime *runtime, uf_store *store)
{
    uf_restore_report report;
    int grams = 0;

    if (Batch_init(&batch, uf_runtime_pump(runtime), "batch-7", 7) != UF_OK) return 1; // the path is the key
    if (uf_store_restore(store, &report) != UF_OK) {
        puts(report.text); // what, where, and what to do
        return 1;
    }
    (void)uf_store_release(store, NULL); // or one flow at a time, by an operator

    puts(report.restored ? "it goes on" : "it begins");
    if (!report.restored) (void)Batch_start_Dose(&batch, (recipe){30, "salt"});
    (void)uf_flow_wait(&batch.uf, UF_S(60), NULL);
    if (Batch_result_Dose(&batch, &grams)) printf("%d g\n", grams);
    return 0;
}

int main(void)
{
    uf_store *store;
    uf_runtime *runtime;

    if (uf_sqlite_open(&store, "plant.db", NULL) != UF_OK) return 1; // says on stderr what and where
    if (uf_runtime_new(&runtime, &(uf_runtime_config){.store = store}) != UF_OK) return 1;
    int const failed = run(runtime, store);
    (void)uf_runtime_free(runtime);
    (void)uf_store_close(store);
    return failed;
}
