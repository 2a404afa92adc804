/* SPDX-License-Identifier: MIT */
/* windows_host.c - the Windows port of port_host.h. */
#include "windows_port.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(sizeof(HANDLE) <= sizeof(ufp_thread), "enough storage for a thread");

/* -- mutexes ------------------------------------------------------------------------------------------------------- */

/* A mutex and a condition are words at which WaitOnAddress() waits. The release of an SRWLOCK or of a CRITICAL_SECTION
 * may still use its storage when another thread has entered, left and freed it. WakeByAddressSingle() does not: it
 * uses the address only as a key. A wake-up that comes too late for its word is spurious for the next one there. */
enum { FREE, HELD, CONTENDED }; /* the word of a mutex; CONTENDED: a thread may be waiting */

#define SPINS 100 /* looks at a mutex before the wait; its owner mostly leaves within that time */

static uint32_t *word_of(void *storage)
{
    return storage;
}

int ufp_mutex_init(ufp_mutex *mutex)
{
    *word_of(mutex) = FREE;
    return 0;
}

void ufp_mutex_destroy(ufp_mutex *mutex)
{
    (void)mutex;
}

void ufp_mutex_lock(ufp_mutex *mutex)
{
    uint32_t *const word = word_of(mutex);
    uint32_t contended = CONTENDED;

    for (unsigned i = 0; i < SPINS; i++) {
        if (ufp_load(word) == FREE && ufp_compare_exchange_seq_cst(word, FREE, HELD)) return;
        YieldProcessor();
    }
    while (ufp_exchange_seq_cst(word, CONTENDED) != FREE) WaitOnAddress(word, &contended, sizeof contended, INFINITE);
}

void ufp_mutex_unlock(ufp_mutex *mutex)
{
    if (ufp_exchange_seq_cst(word_of(mutex), FREE) == CONTENDED) WakeByAddressSingle(mutex);
}

/* -- conditions ---------------------------------------------------------------------------------------------------- */

/* The word counts the signals. It changes only under the mutex, so a waiter that has read it there misses no signal. */
int ufp_condition_init(ufp_condition *condition)
{
    *word_of(condition) = 0;
    return 0;
}

void ufp_condition_destroy(ufp_condition *condition)
{
    (void)condition;
}

bool ufp_condition_wait(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline)
{
    bool const has_deadline = deadline != INT64_MAX;
    uint32_t *const word = word_of(condition);
    uint32_t seen = ufp_load(word);

    ufp_mutex_unlock(mutex);
    DWORD const ms = has_deadline ? ufp_units_until(deadline, 1000000) : INFINITE;
    bool const woken = WaitOnAddress(word, &seen, sizeof seen, ms);
    ufp_mutex_lock(mutex);
    return woken || !has_deadline || ufp_monotonic_now() < deadline;
}

static void count_signal(ufp_condition *condition)
{
    uint32_t *const word = word_of(condition);
    ufp_store_seq_cst(word, ufp_load(word) + 1);
}

void ufp_condition_signal(ufp_condition *condition)
{
    count_signal(condition);
    WakeByAddressSingle(condition);
}

void ufp_condition_signal_and_unlock(ufp_condition *condition, ufp_mutex *mutex)
{
    count_signal(condition);
    ufp_mutex_unlock(mutex);
    WakeByAddressSingle(condition);
}

/* -- threads ------------------------------------------------------------------------------------------------------- */

typedef struct thread_start {
    void (*run)(void *argument);
    void (*ended_early)(void *argument); /* NULL: none */
    void *argument;
} thread_start;

static INIT_ONCE slot_once = INIT_ONCE_STATIC_INIT;
static DWORD start_slot;                    /* of a thread_start, while its `run` runs */
static BOOLEAN(WINAPI *process_ends)(void); /* then its other threads are gone, and may have left locks held */

/* Called on the thread by ExitThread(). It must not wait for the loader: a thread that begins holds the lock of the
 * loader, and waits for the slots of a thread that ends. */
static void WINAPI end_early(void *value)
{
    thread_start const *const start = value;
    if (start && start->ended_early && !process_ends()) start->ended_early(start->argument);
}

static BOOL CALLBACK make_slot(INIT_ONCE *once, void *argument, void **context)
{
    HMODULE const ntdll = GetModuleHandleW(L"ntdll.dll");
    FARPROC const found = ntdll ? GetProcAddress(ntdll, "RtlDllShutdownInProgress") : NULL;

    (void)once;
    (void)argument;
    (void)context;
    process_ends = (BOOLEAN(WINAPI *)(void))(void (*)(void))found;
    start_slot = found ? FlsAlloc(end_early) : FLS_OUT_OF_INDEXES;
    return start_slot != FLS_OUT_OF_INDEXES;
}

static DWORD WINAPI run_thread(void *argument)
{
    thread_start start = *(thread_start *)argument;
    free(argument);
    (void)FlsSetValue(start_slot, &start);
    start.run(start.argument);
    (void)FlsSetValue(start_slot, NULL);
    return 0;
}

static DWORD_PTR process_cpus(void)
{
    DWORD_PTR process, all;
    return GetProcessAffinityMask(GetCurrentProcess(), &process, &all) ? process : 0;
}

static bool is_cpu_of_process(uint32_t cpu)
{
    return cpu < 8 * sizeof(DWORD_PTR) && process_cpus() >> cpu & 1;
}

/* CreateThread(), because the C library is a DLL: it frees its data about a thread when that ends. */
int ufp_thread_start(ufp_thread *thread, ufp_thread_options options, void (*run)(void *argument), void *argument)
{
    if (options.cpu && !is_cpu_of_process(options.cpu - 1)) return EINVAL;
    if (!InitOnceExecuteOnce(&slot_once, make_slot, NULL, NULL)) return EAGAIN;
    thread_start *const start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (thread_start){.run = run, .ended_early = options.ended_early, .argument = argument};
    HANDLE const handle = CreateThread(NULL, options.stack_size, run_thread, start,
                                       CREATE_SUSPENDED | STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (!handle) {
        free(start);
        return EAGAIN;
    }
    if (options.cpu) SetThreadAffinityMask(handle, (DWORD_PTR)1 << (options.cpu - 1));
    memcpy(thread, &handle, sizeof handle);
    ResumeThread(handle);
    return 0;
}

void ufp_thread_join(ufp_thread *thread)
{
    HANDLE handle;
    memcpy(&handle, thread, sizeof handle);
    WaitForSingleObject(handle, INFINITE);
    CloseHandle(handle);
}

void ufp_thread_detach(ufp_thread *thread)
{
    HANDLE handle;
    memcpy(&handle, thread, sizeof handle);
    CloseHandle(handle);
}

/* Windows 10 has SetThreadDescription(). */
void ufp_thread_end_if_cancelled(void)
{
}

void ufp_thread_name(const char *name)
{
    typedef HRESULT WINAPI set_description(HANDLE thread, const WCHAR *description);
    HMODULE const kernel = GetModuleHandleW(L"kernelbase.dll");
    FARPROC const found = kernel ? GetProcAddress(kernel, "SetThreadDescription") : NULL;
    WCHAR wide[64];
    int length = (int)strnlen(name, sizeof wide / sizeof *wide - 1);

    length = length > 0 ? MultiByteToWideChar(CP_UTF8, 0, name, length, wide, length) : 0;
    wide[length] = 0;
    if (found) ((set_description *)(void (*)(void))found)(GetCurrentThread(), wide);
}

uint32_t ufp_cpus(void)
{
    uint32_t count = 0;
    for (DWORD_PTR left = process_cpus(); left; left &= left - 1) count++;
    return count ? count : 1;
}

void ufp_cpu_pause(void)
{
    YieldProcessor();
}

void ufp_yield(void)
{
    (void)SwitchToThread();
}

/* -- time and memory ----------------------------------------------------------------------------------------------- */

/* The frequency is fixed at the start of the system, and both calls are cheap and cannot fail. */
int64_t ufp_monotonic_now(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    int64_t const seconds = count.QuadPart / frequency.QuadPart, rest = count.QuadPart % frequency.QuadPart;
    return seconds * 1000000000 + rest * 1000000000 / frequency.QuadPart;
}

/* A FILETIME counts 100 ns since 1601. */
int64_t ufp_time_of_day(void)
{
    FILETIME time;
    GetSystemTimePreciseAsFileTime(&time);
    uint64_t const count = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return ((int64_t)count - INT64_C(116444736000000000)) * 100;
}

void *ufp_allocate(size_t size)
{
    return calloc(1, size);
}

void ufp_free(void *memory)
{
    free(memory);
}

void ufp_set_error(int error)
{
    errno = error;
}

void ufp_print_error(const char *text, size_t length)
{
    (void)_write(2, text, (unsigned)length); /* there is no place to report an error */
}

/* -- a file of several processes ----------------------------------------------------------------------------------- */

char *ufp_absolute(const char *path)
{
    return *path ? _fullpath(NULL, path, 0) : ufp_allocate(1);
}

/* _write() would look for the end and then write there; WriteFile() does both at once. */
int ufp_append(const char *path, const char *bytes, size_t length)
{
    OVERLAPPED end = {.Offset = UINT32_MAX, .OffsetHigh = UINT32_MAX};
    int const fd = _open(path, _O_WRONLY | _O_CREAT | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    int error = fd < 0 ? errno : 0;
    while (length > 0 && !error) {
        DWORD written = 0;
        DWORD const size = length < INT32_MAX ? (DWORD)length : INT32_MAX;
        if (!WriteFile((HANDLE)_get_osfhandle(fd), bytes, size, &written, &end) || written == 0)
            error = GetLastError() == ERROR_DISK_FULL ? ENOSPC : EIO;
        bytes += written;
        length -= written;
    }
    if (fd >= 0) _close(fd);
    return error;
}

/* Windows has no fork(). */
void ufp_on_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
}

/* -- the notifier -------------------------------------------------------------------------------------------------- */

/* Programs that this process starts do not inherit the socket. */
static SOCKET open_socket(void)
{
    return WSASocketW(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
}

static bool is_same_address(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
    return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
}

/* Accepts the connection of `writer`, and closes connections of others, which may come meanwhile. It gives up after
 * some time: a filter of the system may connect in place of `writer`. */
static SOCKET accept_from(SOCKET listener, SOCKET writer)
{
    struct sockaddr_in own, other;
    int size = sizeof own;

    if (getsockname(writer, (struct sockaddr *)(void *)&own, &size) != 0) return INVALID_SOCKET;
    for (;;) {
        struct timeval limit = {.tv_sec = 5};
        fd_set set = {.fd_count = 1, .fd_array = {listener}};
        if (select(0, &set, NULL, NULL, &limit) != 1) return INVALID_SOCKET;
        size = sizeof other;
        SOCKET const reader = accept(listener, (struct sockaddr *)(void *)&other, &size);
        if (reader == INVALID_SOCKET || is_same_address(&own, &other)) return reader;
        closesocket(reader);
    }
}

/* The writer sends single bytes, which must not wait for each other. */
static bool set_up_pair(SOCKET reader, SOCKET writer)
{
    u_long on = 1;
    int const no_delay = 1;

    return SetHandleInformation((HANDLE)reader, HANDLE_FLAG_INHERIT, 0) &&
           ioctlsocket(reader, (long)FIONBIO, &on) == 0 && ioctlsocket(writer, (long)FIONBIO, &on) == 0 &&
           setsockopt(writer, IPPROTO_TCP, TCP_NODELAY, (const char *)&no_delay, sizeof no_delay) == 0;
}

/* Exclusive, or another program could listen at the same port. */
static bool listen_at(SOCKET listener, struct sockaddr_in *address)
{
    struct sockaddr *const any = (struct sockaddr *)(void *)address;
    int const on = 1;
    int size = sizeof *address;

    return setsockopt(listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&on, sizeof on) == 0 &&
           bind(listener, any, size) == 0 && getsockname(listener, any, &size) == 0 && listen(listener, 1) == 0;
}

static bool connect_pair(SOCKET listener, SOCKET writer, SOCKET *reader)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    if (listener == INVALID_SOCKET || writer == INVALID_SOCKET || !listen_at(listener, &address) ||
        connect(writer, (struct sockaddr *)(void *)&address, sizeof address) != 0)
        return false;
    *reader = accept_from(listener, writer);
    return *reader != INVALID_SOCKET && set_up_pair(*reader, writer);
}

/* A pair of connected sockets: select() accepts nothing else, and a datagram could be lost. */
int ufp_notifier_open(ufp_notifier *notifier)
{
    WSADATA data;
    if (WSAStartup(MAKEWORD(2, 2), &data) != 0) return ENETDOWN;

    SOCKET const listener = open_socket(), writer = open_socket();
    SOCKET reader = INVALID_SOCKET;
    int const error = connect_pair(listener, writer, &reader) ? 0 : ufp_socket_errno();
    if (listener != INVALID_SOCKET) closesocket(listener);
    if (!error) {
        notifier->fd = (int)reader;
        notifier->write_fd = (int)writer;
        return 0;
    }
    if (writer != INVALID_SOCKET) closesocket(writer);
    if (reader != INVALID_SOCKET) closesocket(reader);
    WSACleanup();
    return error;
}

void ufp_notifier_close(ufp_notifier *notifier)
{
    closesocket(ufp_socket_of(notifier->fd));
    closesocket(ufp_socket_of(notifier->write_fd));
    WSACleanup();
}

/* A send to a full socket fails, which is fine: the notifier is readable already. */
void ufp_notifier_notify(ufp_notifier *notifier)
{
    (void)send(ufp_socket_of(notifier->write_fd), "", 1, 0);
}

void ufp_notifier_drain(ufp_notifier *notifier)
{
    char bytes[64];
    while (recv(ufp_socket_of(notifier->fd), bytes, sizeof bytes, 0) == (int)sizeof bytes) {}
}
