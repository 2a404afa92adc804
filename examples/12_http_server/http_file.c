/* http_file.c - opens files below a directory, and keeps files that were opened in this second for other requests. */
#define _GNU_SOURCE /* O_PATH, syscall */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "http_message.h"

_Static_assert(sizeof(off_t) == 8, "define _FILE_OFFSET_BITS=64");

bool http_site_open(http_site *site, const char *directory)
{
    memset(site, 0, sizeof *site);
    site->root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return site->root >= 0;
}

static void forget_all(http_site *site)
{
    for (int i = 0; i < HTTP_CACHED; i++) {
        if (site->cached[i] != NULL) http_file_release(site->cached[i]);
        site->cached[i] = NULL;
    }
}

void http_site_close(http_site *site)
{
    forget_all(site);
    (void)close(site->root);
}

/* Without openat2(), no part of the path may be a symbolic link. */
static int open_strictly(int root, char *path)
{
    int directory = root, file = -1;

    for (char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        *slash = '\0';
        int const next =
            *path == '\0' ? directory : openat(directory, path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int const error = errno;
        *slash = '/';
        if (next != directory && directory != root) (void)close(directory);
        directory = next;
        errno = error;
        if (directory < 0) return -1;
    }
    file = openat(directory, *path == '\0' ? "." : path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    int const error = errno;
    if (directory != root) (void)close(directory);
    errno = error;
    return file;
}

/* Opens a path below the root. O_NONBLOCK: opening a FIFO does not wait. */
static int open_below(http_site *site, char *path)
{
    struct open_how const how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};

    while (*path == '/') path++;
    if (!site->lacks_openat2) {
        long const file = syscall(SYS_openat2, site->root, *path == '\0' ? "." : path, &how, sizeof how);
        if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)file;
        site->lacks_openat2 = errno == ENOSYS;
    }
    return open_strictly(site->root, path);
}

/* Returns: NULL; errno says why. */
static http_file *load(http_site *site, char *path)
{
    int fd = open_below(site, path);

    if (fd < 0 && errno == EMFILE) {
        forget_all(site);
        fd = open_below(site, path);
    }
    http_file *const file = fd < 0 ? NULL : malloc(sizeof *file);
    if (file == NULL || fstat(fd, &file->about) != 0) {
        int const error = errno;
        free(file);
        if (fd >= 0) (void)close(fd);
        errno = error;
        return NULL;
    }
    file->fd = fd;
    file->users = 1;
    file->has_content = S_ISREG(file->about.st_mode) && file->about.st_size <= HTTP_SMALL &&
                        pread(fd, file->content, HTTP_SMALL, 0) == file->about.st_size;
    return file;
}

static http_file **place_of(http_site *site, const char *path)
{
    uint32_t hash = 2166136261u;

    for (; *path != '\0'; path++) hash = (hash ^ (unsigned char)*path) * 16777619u; /* FNV-1a */
    return &site->cached[hash % HTTP_CACHED];
}

http_file *http_file_open(http_site *site, char *path)
{
    time_t const now = time(NULL);
    http_file **const place = place_of(site, path);
    http_file *file = *place;

    if (file != NULL && file->opened_at == now && strcmp(file->path, path) == 0) {
        file->users++;
        return file;
    }
    file = load(site, path);
    if (file == NULL || !S_ISREG(file->about.st_mode) || strlen(path) >= sizeof file->path) return file;
    strcpy(file->path, path);
    file->opened_at = now;
    file->users++;
    if (*place != NULL) http_file_release(*place);
    *place = file;
    return file;
}

void http_file_release(http_file *file)
{
    if (--file->users > 0) return;
    (void)close(file->fd);
    free(file);
}
