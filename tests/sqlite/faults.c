/* SPDX-License-Identifier: MIT */
/* faults.c - see faults.h. A file of the default VFS lies behind each file, and does the work. */
#include "faults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct faults {
    faults *next;
    char path[256];
    pthread_cond_t changed;
    uint64_t commits, left;
    int code; /* after that; 0: they hang */
    bool is_limited, hangs, is_released;
};

typedef struct file {
    sqlite3_file base; /* first */
    faults *of;        /* NULL: it is no log */
} file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faults *all;
static sqlite3_vfs vfs, *behind;

static sqlite3_file *real(sqlite3_file *own)
{
    return (sqlite3_file *)((file *)own + 1);
}

/* -- the faults ---------------------------------------------------------------------------------------------------- */

static int before_write(faults *of)
{
    int code = SQLITE_OK;

    if (!of) return code;
    pthread_mutex_lock(&mutex);
    if (of->is_limited && of->left == 0 && !of->code) {
        of->hangs = true;
        while (!of->is_released) pthread_cond_wait(&of->changed, &mutex);
        of->hangs = false;
    }
    if (of->is_limited && of->left == 0) code = of->code;
    pthread_mutex_unlock(&mutex);
    return code;
}

static void after_sync(faults *of)
{
    if (!of) return;
    pthread_mutex_lock(&mutex);
    of->commits++;
    if (of->is_limited && of->left > 0) of->left--;
    pthread_mutex_unlock(&mutex);
}

/* -- the methods of a file ----------------------------------------------------------------------------------------- */

static int close_file(sqlite3_file *own)
{
    return real(own)->pMethods->xClose(real(own));
}

static int read_file(sqlite3_file *own, void *to, int size, sqlite3_int64 at)
{
    return real(own)->pMethods->xRead(real(own), to, size, at);
}

static int write_file(sqlite3_file *own, const void *from, int size, sqlite3_int64 at)
{
    int const code = before_write(((file *)own)->of);
    return code ? code : real(own)->pMethods->xWrite(real(own), from, size, at);
}

static int truncate_file(sqlite3_file *own, sqlite3_int64 size)
{
    return real(own)->pMethods->xTruncate(real(own), size);
}

static int sync_file(sqlite3_file *own, int flags)
{
    int const code = real(own)->pMethods->xSync(real(own), flags);
    if (!code) after_sync(((file *)own)->of);
    return code;
}

static int size_of_file(sqlite3_file *own, sqlite3_int64 *size)
{
    return real(own)->pMethods->xFileSize(real(own), size);
}

static int lock_file(sqlite3_file *own, int level)
{
    return real(own)->pMethods->xLock(real(own), level);
}

static int unlock_file(sqlite3_file *own, int level)
{
    return real(own)->pMethods->xUnlock(real(own), level);
}

static int check_lock(sqlite3_file *own, int *is_locked)
{
    return real(own)->pMethods->xCheckReservedLock(real(own), is_locked);
}

static int control_file(sqlite3_file *own, int what, void *argument)
{
    return real(own)->pMethods->xFileControl(real(own), what, argument);
}

static int sector_size(sqlite3_file *own)
{
    return real(own)->pMethods->xSectorSize(real(own));
}

static int characteristics(sqlite3_file *own)
{
    return real(own)->pMethods->xDeviceCharacteristics(real(own));
}

static int map_shared(sqlite3_file *own, int page, int size, int extend, void volatile **memory)
{
    return real(own)->pMethods->xShmMap(real(own), page, size, extend, memory);
}

static int lock_shared(sqlite3_file *own, int offset, int count, int flags)
{
    return real(own)->pMethods->xShmLock(real(own), offset, count, flags);
}

static void order_shared(sqlite3_file *own)
{
    real(own)->pMethods->xShmBarrier(real(own));
}

static int unmap_shared(sqlite3_file *own, int is_deleted)
{
    return real(own)->pMethods->xShmUnmap(real(own), is_deleted);
}

static const sqlite3_io_methods methods = {.iVersion = 2,
                                           .xClose = close_file,
                                           .xRead = read_file,
                                           .xWrite = write_file,
                                           .xTruncate = truncate_file,
                                           .xSync = sync_file,
                                           .xFileSize = size_of_file,
                                           .xLock = lock_file,
                                           .xUnlock = unlock_file,
                                           .xCheckReservedLock = check_lock,
                                           .xFileControl = control_file,
                                           .xSectorSize = sector_size,
                                           .xDeviceCharacteristics = characteristics,
                                           .xShmMap = map_shared,
                                           .xShmLock = lock_shared,
                                           .xShmBarrier = order_shared,
                                           .xShmUnmap = unmap_shared};

static faults *find(const char *name)
{
    faults *of = NULL;

    if (!name) return NULL;
    pthread_mutex_lock(&mutex);
    for (of = all; of && strcmp(of->path, name) != 0;) of = of->next;
    pthread_mutex_unlock(&mutex);
    return of;
}

static int open_file(sqlite3_vfs *own, sqlite3_filename name, sqlite3_file *opened, int flags, int *result)
{
    file *const one = (file *)opened;
    char path[256] = "";

    (void)own;
    if (name && flags & SQLITE_OPEN_WAL && strlen(name) < sizeof path) {
        memcpy(path, name, strlen(name) - strlen("-wal"));
        one->of = find(path);
    } else {
        one->of = NULL;
    }
    int const code = behind->xOpen(behind, name, real(opened), flags, result);
    one->base.pMethods = real(opened)->pMethods ? &methods : NULL;
    return code;
}

static void install(void)
{
    behind = sqlite3_vfs_find(NULL);
    vfs = *behind;
    vfs.szOsFile += (int)sizeof(file);
    vfs.zName = "faults";
    vfs.xOpen = open_file;
    sqlite3_vfs_register(&vfs, 1);
}

/* -- for tests ----------------------------------------------------------------------------------------------------- */

faults *faults_open(const char *path)
{
    faults *const of = calloc(1, sizeof *of);

    if (!of || strlen(path) >= sizeof of->path) abort();
    if (!behind) install();
    strcpy(of->path, path);
    pthread_cond_init(&of->changed, NULL);
    pthread_mutex_lock(&mutex);
    of->next = all;
    all = of;
    pthread_mutex_unlock(&mutex);
    return of;
}

void faults_close(faults *of)
{
    faults **place = &all;

    pthread_mutex_lock(&mutex);
    while (*place != of) place = &(*place)->next;
    *place = of->next;
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&of->changed);
    free(of);
}

uint64_t faults_commits(faults *of)
{
    pthread_mutex_lock(&mutex);
    uint64_t const commits = of->commits;
    pthread_mutex_unlock(&mutex);
    return commits;
}

void faults_after(faults *of, uint64_t commits, int code)
{
    pthread_mutex_lock(&mutex);
    of->is_limited = true;
    of->is_released = false;
    of->left = commits;
    of->code = code;
    pthread_mutex_unlock(&mutex);
}

bool faults_hangs(faults *of)
{
    pthread_mutex_lock(&mutex);
    bool const hangs = of->hangs;
    pthread_mutex_unlock(&mutex);
    return hangs;
}

void faults_release(faults *of, int code)
{
    pthread_mutex_lock(&mutex);
    of->is_released = true;
    of->is_limited = code != 0;
    of->left = 0;
    of->code = code;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&mutex);
}
