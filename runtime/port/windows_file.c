/* windows_file.c - the Windows port of port_file.h. Paths are in the code page of the process, as those of fopen(). */
#include "port_file.h"
#include "windows_port.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* -- the lock ------------------------------------------------------------------------------------------------------ */

static SRWLOCK lock = SRWLOCK_INIT;

void ufp_file_lock(void)
{
    AcquireSRWLockExclusive(&lock);
}

void ufp_file_unlock(void)
{
    ReleaseSRWLockExclusive(&lock);
}

/* Windows has no fork(). */
void ufp_file_on_fork(void (*in_child)(void))
{
    (void)in_child;
}

/* -- paths --------------------------------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    size_t const size = strlen(text) + 1;
    char *const copy = ufp_allocate(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

char *ufp_file_absolute(const char *path)
{
    DWORD const size = GetFullPathNameA(path, 0, NULL, NULL);
    char *const whole = size ? ufp_allocate(size) : NULL;
    if (whole && GetFullPathNameA(path, size, whole, NULL) < size) return whole;
    ufp_free(whole); /* the directory has changed meanwhile, if there is memory */
    return copy_of(path);
}

/* -- changing a file ----------------------------------------------------------------------------------------------- */

static void set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT: errno = EACCES; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_NOT_ENOUGH_MEMORY: errno = ENOMEM; break;
    default: errno = EIO;
    }
}

/* Others may read, replace and delete the file meanwhile. A program that reads every new file, such as a virus scanner,
 * may have it for itself for a moment. */
static HANDLE open_file(const char *path, DWORD creation)
{
    for (int tries = 0;; tries++) {
        HANDLE const file =
            CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        NULL, creation, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file != INVALID_HANDLE_VALUE || GetLastError() != ERROR_SHARING_VIOLATION || tries == 100) return file;
        Sleep(10);
    }
}

/* A mutex of the session, with the same name in all processes that change this file: Windows renames no file over one
 * that is open, so the file itself cannot hold the lock. Returns: NULL: errno is set. */
static HANDLE lock_path(const char *path)
{
    char name[64];
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    snprintf(name, sizeof name, "uflow-coverage-%08x%08x", (unsigned)(hash >> 32), (unsigned)hash);

    HANDLE const mutex = CreateMutexA(NULL, FALSE, name);
    if (mutex) WaitForSingleObject(mutex, INFINITE); /* a process that ends gives it back, and the file is whole */
    else set_errno();
    return mutex;
}

static void unlock_path(HANDLE mutex)
{
    ReleaseMutex(mutex);
    CloseHandle(mutex);
}

static bool write_all(HANDLE file, const char *bytes, size_t length)
{
    while (length > 0) {
        DWORD written = 0;
        if (!WriteFile(file, bytes, length < INT32_MAX ? (DWORD)length : INT32_MAX, &written, NULL) || !written)
            return false;
        bytes += written;
        length -= written;
    }
    return true;
}

/* Returns: the contents, allocated; NULL: errno is set. */
static char *read_all(HANDLE file, size_t *length)
{
    LARGE_INTEGER size;
    if (!GetFileSizeEx(file, &size)) {
        set_errno();
        return NULL;
    }
    char *const bytes = ufp_allocate((size_t)size.QuadPart + 1);
    if (!bytes) errno = ENOMEM;
    for (*length = 0; bytes && *length < (size_t)size.QuadPart;) {
        size_t const left = (size_t)size.QuadPart - *length;
        DWORD got = 0;
        if (!ReadFile(file, bytes + *length, left < INT32_MAX ? (DWORD)left : INT32_MAX, &got, NULL)) {
            set_errno();
            ufp_free(bytes);
            return NULL;
        }
        if (got == 0) break;
        *length += got;
    }
    return bytes;
}

/* As in open_file(), one of the two may be open. */
static bool rename_over(const char *from, const char *to)
{
    for (int tries = 0; tries < 100; tries++) {
        if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) return true;
        if (GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION) return false;
        Sleep(10);
    }
    return false;
}

/* Writes beside the file, and renames. */
static bool replace(const char *path, const char *bytes, size_t length)
{
    static const char suffix[] = ".new";
    size_t const size = strlen(path);
    char *const beside = ufp_allocate(size + sizeof suffix);
    if (!beside) {
        errno = ENOMEM;
        return false;
    }
    memcpy(beside, path, size);
    memcpy(beside + size, suffix, sizeof suffix);
    HANDLE const file = open_file(beside, CREATE_ALWAYS); /* one at a time, by the lock */
    bool well = file != INVALID_HANDLE_VALUE && write_all(file, bytes, length);
    if (!well) set_errno();
    if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    if (well && !rename_over(beside, path)) {
        set_errno();
        well = false;
    }
    if (!well && file != INVALID_HANDLE_VALUE) DeleteFileA(beside);
    ufp_free(beside);
    return well;
}

/* With the lock. */
static bool update_file(const char *path, ufp_file_edit *edit, void *context)
{
    size_t old_length = 0, length = 0;
    HANDLE const file = open_file(path, OPEN_ALWAYS);
    if (file == INVALID_HANDLE_VALUE) {
        set_errno();
        return false;
    }
    char *const old = read_all(file, &old_length);
    CloseHandle(file);
    char *const bytes = old ? edit(context, old, old_length, &length) : NULL;
    bool const well = bytes && replace(path, bytes, length);
    int const error = errno;
    ufp_free(bytes);
    ufp_free(old);
    errno = error;
    return well;
}

static bool update_locked(const char *path, ufp_file_edit *edit, void *context)
{
    HANDLE const mutex = lock_path(path);
    if (!mutex) return false;
    bool const well = update_file(path, edit, context);
    unlock_path(mutex);
    return well;
}

/* A device or a pipe, which holds nothing to change. */
static bool write_only(HANDLE file, ufp_file_edit *edit, void *context)
{
    size_t length = 0;
    char *const bytes = edit(context, "", 0, &length);
    bool const well = bytes && write_all(file, bytes, length);
    if (bytes && !well) set_errno();
    ufp_free(bytes);
    return well;
}

bool ufp_file_update(const char *path, ufp_file_edit *edit, void *context)
{
    char real[4096]; /* the one name of the file: a rename would replace a symbolic link */
    HANDLE const file = open_file(path, OPEN_ALWAYS);
    if (file == INVALID_HANDLE_VALUE) {
        set_errno();
        return false;
    }
    bool const is_file = GetFileType(file) == FILE_TYPE_DISK;
    bool const well = !is_file && write_only(file, edit, context);
    DWORD const length = is_file ? GetFinalPathNameByHandleA(file, real, sizeof real, FILE_NAME_NORMALIZED) : 0;
    int const error = errno;
    CloseHandle(file);
    errno = error;
    return is_file ? update_locked(length > 0 && length < sizeof real ? real : path, edit, context) : well;
}
