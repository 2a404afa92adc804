/* SPDX-License-Identifier: MIT */
#include "reserved.h"

#include <stddef.h>
#include <string.h>

#include "token.h"

static const char cpp_words[] =
    "and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept "
    "const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new "
    "noexcept not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template "
    "this throw try typeid typename using virtual wchar_t xor xor_eq";

/* Object-like macros: they would replace a member's name wherever they are defined. */
static const char macros[] =
    "BUFSIZ CLOCKS_PER_SEC EDOM EILSEQ EOF ERANGE EXIT_FAILURE EXIT_SUCCESS HUGE_VAL I INFINITY MB_CUR_MAX NAN NULL "
    "RAND_MAX SEEK_CUR SEEK_END SEEK_SET SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM complex errno i386 imaginary "
    "linux noreturn stderr stdin stdout unix";

/* Names of the standard headers and compiler builtins that a flow might plausibly have. */
static const char library[] =
    "FILE abort abs accept access alarm atexit atof atoi bind bsearch calloc cbrt ceil clock clock_t close connect "
    "copysign cos div div_t double_t drem dup erf exit exp exp10 exp2 fabs fdim fflush ffs float_t floor fma fmax "
    "fmin fmod fork fpos_t free frexp gamma getc getchar getenv gets hypot index int16_t int32_t int64_t int8_t "
    "intmax_t intptr_t isalpha isdigit isfinite isgreater isinf isless isnan isnormal isunordered j0 j1 jn kill "
    "labs ldexp link listen llabs log log10 log2 logb longjmp lrint lround main malloc max_align_t memchr memcmp "
    "memcpy memmove memset mktime modf nan open pause perror pid_t pipe poll pow printf ptrdiff_t putc putchar puts "
    "qsort raise rand read realloc recv remainder remove rename rewind rindex rint round scanf select send setjmp "
    "sig_atomic_t signal signbit significand sin size_t sleep socket sqrt srand ssize_t strchr strcmp strcpy strlen "
    "system tan time time_t tm tmpfile tolower toupper trunc uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t "
    "ungetc unlink wait write y0 y1 yn";

/* Macros of <stdint.h>, which every generated header includes: `UINT8_MAX`, `PTRDIFF_MIN`. */
static bool is_limit(const char *name)
{
    static const char *const types[] = {"INT", "UINT", "PTRDIFF_", "SIZE_", "SIG_ATOMIC_", "WCHAR_", "WINT_"};
    size_t const length = strlen(name);
    if (length < 5 || (strcmp(name + length - 4, "_MAX") != 0 && strcmp(name + length - 4, "_MIN") != 0)) return false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strncmp(name, types[i], strlen(types[i])) == 0) return true;
    }
    return false;
}

const char *reserved_by(const char *name)
{
    bool const is_low = name[0] == 'u' && name[1] == 'f', is_high = name[0] == 'U' && name[1] == 'F';
    if (is_low && (name[2] == '\0' || name[2] == '_' || (name[2] == 'i' && name[3] == '_')))
        return "a name of the runtime";
    if (is_high && name[2] == '_') return "a name of the runtime";
    if (name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'))) return "reserved by C";
    size_t const length = strlen(name);
    if (is_limit(name) || text_is_one_of(name, length, macros)) return "a macro of compilers or standard headers";
    if (token_is_c(name, length)) return "a word of C";
    return text_is_one_of(name, length, cpp_words) ? "a word of C++, as which the header compiles too" : NULL;
}

const char *reserved_at_file_scope(const char *name)
{
    if (strcmp(name, "std") == 0) return "a name of C++, as which the header compiles too";
    if (name[0] == '_') return "reserved by C at file scope";
    if (text_is_one_of(name, strlen(name), library)) return "declared by the standard library or built into compilers";
    return NULL;
}

const char *reserved_in_arms(const char *name)
{
    uint16_t const kind = token_kind_of(name, strlen(name));
    return kind_is(kind, IS_EVENT) && !kind_is(kind, IS_CALL) ? "a word that arms begin with: none could wait for it"
                                                              : NULL;
}

const char *reserved_in_bodies(const char *name)
{
    static const struct {
        const char *name, *means;
    } words[] = {{"flow", "the flow"},
                 {"self", "the running task"},
                 {"pump", "the pump in the generated functions"},
                 {"result", "what a run came to"},
                 {"reason", "why a run failed"},
                 {"outcome", "how the task ends, in `on exit`"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (name[0] == words[i].name[0] && strcmp(name, words[i].name) == 0) return words[i].means;
    }
    return NULL;
}

bool is_system_header(const char *name, size_t length)
{
    static const char bases[] = /* C, POSIX, glibc, the BSDs, macOS, Windows, and headers of compilers */
        "a.out aio aliases alloca altivec ar argp argz arm_acle arm_cde arm_cmse arm_mve arm_neon arm_sve asl assert "
        "basetsd bcrypt bitstring byteswap cfgmgr32 commctrl commdlg complex conio copyfile corecrt cpio cpuid "
        "crt_externs crtdbg crtdefs crypt ctype curses dbghelp dbm direct dirent dlfcn dos eh elf endian envz err "
        "errno error excpt execinfo fcntl features features-time64 fenv float fmtmsg fnmatch fpu_control fstab fts "
        "ftw gconv gcov getopt glob gnu-versions grp gshadow guiddef histedit iconv ifaddrs intrin inttypes io "
        "iphlpapi iso646 kvm langinfo lastlog libgen libintl libio libproc libutil limits link locale login_cap "
        "malloc malloc_np math mbctype mbstring mcheck md5 memory minwindef mm_malloc mmsystem mntent monetary mpool "
        "mqueue mswsock ncurses ndbm netdb nl_types nlist nss ntdef objbase obstack ole2 oleauto omp openacc paths "
        "poll printf proc_service process psapi pthread pthread_np pty pwd quadmath re_comp readpassphrase regex "
        "regexp removefile resolv rpc rune runetype sal sched search semaphore setjmp setupapi sgtty sha sha256 "
        "sha512 shadow share shellapi shlobj shlwapi signal spawn stab stdalign stdarg stdatomic stdbit stdbool "
        "stdc-predef stdckdint stddef stdfix stdint stdio stdio_ext stdlib stdnoreturn string stringlist strings "
        "stropts synchapi syscall sysexits syslimits syslog tar tchar term termcap termio termios tgmath thread_db "
        "threads time timeapi timeconv tlhelp32 trace ttyent tzfile uchar ucontext ulimit unctrl unistd unknwn "
        "unwind ustat util utime utmp utmpx uuid vadefs values varargs vis wait wchar wctype winbase wincon wincrypt "
        "windef windows winerror wingdi winhttp wininet winnls winnt winreg winsock winsock2 winsvc winuser winver "
        "wordexp ws2tcpip wtypes xlocale xpc";
    static const char of_processor[] = "intrin.h";
    size_t const suffix = sizeof of_processor - 1;
    if (length < 3 || memcmp(name + length - 2, ".h", 2) != 0) return false;
    if (length > suffix && memcmp(name + length - suffix, of_processor, suffix) == 0) return true;
    return text_is_one_of(name, length - 2, bases);
}
