/* SPDX-License-Identifier: MIT */
/* windows.c - names are converted from and to UTF-16, whatever code page the user has chosen. */
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0601 /* Windows 7 */

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include <windows.h>

#include <shellapi.h>

/* -- names --------------------------------------------------------------------------------------------------------- */

bool file_is_separator(char c)
{
    return c == '/' || c == '\\';
}

size_t file_drive_length(const char *path)
{
    char const letter = (char)(*path | ' ');
    return letter >= 'a' && letter <= 'z' && path[1] == ':' ? 2 : 0;
}

const char *file_base(const char *path)
{
    const char *base = path + file_drive_length(path);
    for (const char *at = base; *at; at++) {
        if (file_is_separator(*at)) base = at + 1;
    }
    return base;
}

/* `C:a.uflow` is relative to a directory that the path does not name, so it counts as absolute. */
bool file_is_absolute(const char *path)
{
    return file_is_separator(*path) || file_drive_length(path);
}

/* The name in UTF-16, in memory of malloc(). NULL: errno gives the reason. */
static wchar_t *wide(const char *path)
{
    int const length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *const name = length > 0 ? malloc((size_t)length * sizeof *name) : NULL;
    if (!name) errno = length > 0 ? ENOMEM : EILSEQ;
    else (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, name, length);
    return name;
}

/* -- facts --------------------------------------------------------------------------------------------------------- */

static bool refuse(void)
{
    DWORD const error = GetLastError();
    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME ? ENOENT
            : error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS                                 ? EEXIST
            : error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION                            ? EACCES
            : error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL                                 ? ENOSPC
                                                                                                          : EIO;
    return false;
}

static bool facts_of(HANDLE file, file_facts *is)
{
    BY_HANDLE_FILE_INFORMATION found;
    DWORD const type = GetFileType(file);
    *is = (file_facts){.mode = 0666, .kind = type == FILE_TYPE_PIPE ? FILE_IS_PIPE : FILE_IS_DEVICE};
    if (type != FILE_TYPE_DISK) return true;
    if (!GetFileInformationByHandle(file, &found)) return refuse();
    is->device = found.dwVolumeSerialNumber;
    is->number = (uintmax_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    is->size = (uintmax_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    is->kind = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY       ? FILE_IS_DIRECTORY
               : found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? FILE_IS_LINK
                                                                       : FILE_IS_REGULAR;
    if (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) is->mode = 0444;
    return true;
}

static bool look(const char *path, DWORD flags, file_facts *is)
{
    DWORD const all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    wchar_t *const name = wide(path);
    if (!name) return false;
    HANDLE const file = CreateFileW(name, 0, all, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    bool const is_there = file != INVALID_HANDLE_VALUE ? facts_of(file, is) : refuse();
    if (file != INVALID_HANDLE_VALUE) (void)CloseHandle(file);
    free(name);
    return is_there;
}

bool file_look(const char *path, file_facts *is)
{
    return look(path, 0, is);
}

bool file_look_at_name(const char *path, file_facts *is)
{
    return look(path, FILE_FLAG_OPEN_REPARSE_POINT, is);
}

bool file_can_write(const char *path)
{
    file_facts is;
    if (!file_look(path, &is)) return false;
    if (is.mode & 0222) return true;
    errno = EACCES;
    return false;
}

/* -- reading and writing ------------------------------------------------------------------------------------------- */

static int open_as(const char *path, int flags)
{
    wchar_t *const name = wide(path);
    int const fd = name ? _wopen(name, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE) : -1;
    int const error = errno;
    free(name);
    errno = error;
    return fd;
}

/* The system opens no directory as a file. The caller reads it as little as any other that is not regular. */
int file_open(const char *path, file_facts *is)
{
    if (!file_look(path, is)) return -1;
    return open_as(is->kind == FILE_IS_REGULAR ? path : "NUL", _O_RDONLY);
}

FILE *file_stream(const char *path)
{
    wchar_t *const name = wide(path);
    FILE *const file = name ? _wfopen(name, L"rb") : NULL;
    free(name);
    return file;
}

int file_open_device(const char *path)
{
    return open_as(path, _O_WRONLY);
}

int file_create(const char *path)
{
    return open_as(path, _O_WRONLY | _O_CREAT | _O_EXCL);
}

ptrdiff_t file_read(int fd, void *bytes, size_t size)
{
    enum { MOST = 1 << 30 };
    return _read(fd, bytes, size < MOST ? (unsigned)size : MOST);
}

bool file_write(int fd, const char *bytes, size_t size)
{
    enum { MOST = 1 << 20 }; /* a console refuses more */
    for (size_t done = 0; done < size;) {
        size_t const left = size - done;
        int const n = _write(fd, bytes + done, left < MOST ? (unsigned)left : MOST);
        if (n < 0) return false;
        done += (size_t)n;
    }
    return true;
}

bool file_close(int fd)
{
    return _close(fd) == 0;
}

/* A file that may be replaced can be written to, and there is no other permission. */
bool file_set_mode(int fd, unsigned mode)
{
    (void)fd;
    (void)mode;
    return true;
}

bool file_rename(const char *path, const char *name)
{
    wchar_t *const from = wide(path), *const to = wide(name);
    bool const is_good = from && to && (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING) || refuse());
    free(from);
    free(to);
    return is_good;
}

bool file_touch(const char *path)
{
    wchar_t *const name = wide(path);
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    HANDLE const file = !name ? INVALID_HANDLE_VALUE
                              : CreateFileW(name, FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                            OPEN_EXISTING, 0, NULL);
    bool const is_good = file != INVALID_HANDLE_VALUE && SetFileTime(file, NULL, NULL, &now);
    if (!is_good) (void)refuse();
    if (file != INVALID_HANDLE_VALUE) (void)CloseHandle(file);
    free(name);
    return is_good;
}

void file_remove(const char *path)
{
    wchar_t *const name = wide(path);
    if (name) (void)DeleteFileW(name);
    free(name);
}

/* -- the process --------------------------------------------------------------------------------------------------- */

static void (*clean_up)(void);
static CRITICAL_SECTION signals; /* a handler of the console runs on a thread of its own */

static BOOL WINAPI on_end(DWORD event)
{
    (void)event;
    EnterCriticalSection(&signals);
    clean_up();
    return FALSE; /* the next handler ends the process. The lock stays, so no file is made meanwhile */
}

void file_prepare(void (*clean)(void))
{
    clean_up = clean;
    InitializeCriticalSection(&signals);
    (void)SetConsoleCtrlHandler(on_end, TRUE);
    (void)SetConsoleOutputCP(CP_UTF8);
    (void)_setmode(0, _O_BINARY);
    (void)_setmode(1, _O_BINARY);
}

static char *narrow(const wchar_t *argument)
{
    int const size = WideCharToMultiByte(CP_UTF8, 0, argument, -1, NULL, 0, NULL, NULL);
    char *const text = size > 0 ? malloc((size_t)size) : NULL;
    if (text) (void)WideCharToMultiByte(CP_UTF8, 0, argument, -1, text, size, NULL, NULL);
    return text;
}

/* The C library's arguments are in the code page of the user. They stay if there is no memory. */
char **file_arguments(int *argc, char **argv)
{
    int count = 0;
    wchar_t **const all = CommandLineToArgvW(GetCommandLineW(), &count);
    char **const arguments = all ? calloc((size_t)count + 1, sizeof *arguments) : NULL;
    bool is_good = arguments;
    for (int i = 0; is_good && i < count; i++) is_good = (arguments[i] = narrow(all[i])) != NULL;
    if (all) (void)LocalFree(all);
    if (is_good) {
        *argc = count;
        return arguments;
    }
    for (int i = 0; arguments && arguments[i]; i++) free(arguments[i]);
    free(arguments);
    return argv;
}

void file_hold_signals(void)
{
    EnterCriticalSection(&signals);
}

void file_release_signals(void)
{
    LeaveCriticalSection(&signals);
}

unsigned long file_process(void)
{
    return GetCurrentProcessId();
}

bool file_is_terminal(void)
{
    return _isatty(2);
}

void file_prefer_large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}
