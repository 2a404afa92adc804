/* format.c - the formatter of reasons and descriptions: a small printf without stdio. */
#include "format.h"

#define ELLIPSIS        "..."
#define ELLIPSIS_LENGTH (sizeof ELLIPSIS - 1)

void ufi_put(ufi_text *text, char character)
{
    if (text->length + 1 < text->size) text->buffer[text->length++] = character;
    else text->truncated = true;
}

void ufi_put_string(ufi_text *text, const char *string)
{
    for (; *string; string++) ufi_put(text, *string);
}

#if UFI_FORMAT_REAL
void ufi_put_number(ufi_text *text, uint64_t number)
{
    char digits[20];
    unsigned count = 0;

    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) ufi_put(text, digits[--count]);
}
#endif

/* The types of arguments. */
typedef enum argument_type { TYPE_INT, TYPE_CHAR, TYPE_SHORT, TYPE_LONG, TYPE_LONG_LONG } argument_type;
/* clang-format off */
#define TYPE_OF(type)                                                                                                  \
    _Generic((type)0, int: TYPE_INT, unsigned: TYPE_INT, long: TYPE_LONG, unsigned long: TYPE_LONG,                    \
             long long: TYPE_LONG_LONG, unsigned long long: TYPE_LONG_LONG)
/* clang-format on */

/* One bit each. */
#define FLAG(c)   (1u << ((c) - ' '))
#define LEFT      FLAG('-')
#define ZEROS     FLAG('0')
#define PLUS      FLAG('+')
#define BLANK     FLAG(' ')
#define ALTERNATE FLAG('#')
#define FLAGS     (LEFT | ZEROS | PLUS | BLANK | ALTERNATE)

/* The flags, width, precision and size of a conversion. */
typedef struct conversion {
    unsigned flags;       /* bits of FLAGS */
    int width, precision; /* negative: no precision */
    argument_type type;
} conversion;

static int64_t signed_argument(va_list *arguments, argument_type type)
{
    if (type == TYPE_LONG_LONG) return va_arg(*arguments, long long);
    if (type == TYPE_LONG) return va_arg(*arguments, long);
    int const number = va_arg(*arguments, int);
    return type == TYPE_CHAR ? (signed char)number : type == TYPE_SHORT ? (short)number : number;
}

static uint64_t unsigned_argument(va_list *arguments, argument_type type)
{
    if (type == TYPE_LONG_LONG) return va_arg(*arguments, unsigned long long);
    if (type == TYPE_LONG) return va_arg(*arguments, unsigned long);
    unsigned const number = va_arg(*arguments, unsigned);
    return type == TYPE_CHAR ? (unsigned char)number : type == TYPE_SHORT ? (unsigned short)number : number;
}

/* Counting stops at the size of the text. */
static void put_repeated(ufi_text *text, char character, int count)
{
    for (; count > 0 && !text->truncated; count--) ufi_put(text, character);
}

/* Puts prefix, zeros and digits in a field of the given width. */
static void put_field(ufi_text *text, const conversion *c, const char *prefix, int zeros, const char *rest, int length)
{
    int blanks = c->width - zeros - length;
    for (const char *p = prefix; *p; p++) blanks--;

    if (!(c->flags & (LEFT | ZEROS))) put_repeated(text, ' ', blanks);
    ufi_put_string(text, prefix);
    put_repeated(text, '0', zeros);
    if ((c->flags & (LEFT | ZEROS)) == ZEROS) put_repeated(text, '0', blanks);
    for (int i = 0; i < length; i++) ufi_put(text, rest[i]);
    if (c->flags & LEFT) put_repeated(text, ' ', blanks);
}

static void put_integer(ufi_text *text, conversion *c, char letter, uint64_t number, const char *prefix)
{
    char digits[22]; /* 64 bits in octal */
    char *at = digits + sizeof digits;
    unsigned const base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;

    if ((c->flags & ALTERNATE) && base == 16 && number != 0) prefix = letter == 'x' ? "0x" : "0X";
    for (uint64_t rest = number; rest != 0; rest /= base)
        *--at = (char)("0123456789ABCDEF"[rest % base] | (letter & 0x20));
    int const count = (int)(digits + sizeof digits - at);
    int least = c->precision;
    if (least >= 0) c->flags &= ~ZEROS;
    else least = 1;
    if ((c->flags & ALTERNATE) && base == 8 && least <= count) least = count + 1;
    put_field(text, c, prefix, least > count ? least - count : 0, at, count);
}

static const char *sign_of(const conversion *c, bool is_negative)
{
    return is_negative ? "-" : c->flags & PLUS ? "+" : c->flags & BLANK ? " " : "";
}

#if UFI_FORMAT_REAL
static void put_real(ufi_text *text, conversion *c, char letter, double number)
{
    char digits[64]; /* 2^64, and 9 digits after the point */
    ufi_text own = {.buffer = digits, .size = sizeof digits};
    unsigned const precision = c->precision < 0 ? 6 : c->precision < 9 ? (unsigned)c->precision : 9;
    if (letter == 'f') ufi_put_fixed(&own, number, precision);
    else ufi_put_general(&own, number, precision);
    bool const is_negative = digits[0] == '-';
    if (digits[is_negative] > '9') c->flags &= ~ZEROS; /* inf, nan */
    put_field(text, c, sign_of(c, is_negative), 0, digits + is_negative, (int)own.length - is_negative);
}
#endif

/* A greater width or precision counts as this one, which exceeds every text. */
#define MOST 10000

/* Reads a number from the format, or an argument for `*`. */
static const char *read_count(const char *at, int *count, va_list *arguments)
{
    if (*at == '*') {
        int const given = va_arg(*arguments, int);
        *count = given > MOST ? MOST : given < -MOST ? -MOST : given;
        return at + 1;
    }
    for (*count = 0; *at >= '0' && *at <= '9'; at++) {
        if (*count < MOST) *count = *count * 10 + (*at - '0');
    }
    return at;
}

/* Reads up to the letter; `at` is after the %. */
static const char *read_conversion(conversion *c, const char *at, va_list *arguments)
{
    for (;; at++) {
        unsigned const bit = (unsigned)(*at - ' ');
        if (bit > '0' - ' ' || !(FLAGS >> bit & 1)) break;
        c->flags |= 1u << bit;
    }
    at = read_count(at, &c->width, arguments);
    if (c->width < 0) {
        c->flags |= LEFT;
        c->width = -c->width;
    }
    if (*at == '.') at = read_count(at + 1, &c->precision, arguments);
    switch (*at) {
    case 'h':
    case 'l': {
        bool const is_twice = at[1] == *at;
        c->type = *at == 'h' ? (is_twice ? TYPE_CHAR : TYPE_SHORT) : is_twice ? TYPE_LONG_LONG : TYPE_LONG;
        return at + 1 + is_twice;
    }
    case 'j': c->type = TYPE_OF(intmax_t); return at + 1;
    case 'z': c->type = TYPE_OF(size_t); return at + 1;
    case 't': c->type = TYPE_OF(ptrdiff_t); return at + 1;
    }
    return at;
}

/* Carries out one conversion; `at` is after its %. Returns: the rest of the format; NULL: unknown conversion. */
static const char *put_conversion(ufi_text *text, const char *at, va_list *arguments)
{
    conversion c = {.precision = -1};
    char character = '%';
    const char *string = &character;
    int length = 1;

    at = read_conversion(&c, at, arguments);
    switch (*at) {
    case 'd':
    case 'i': {
        int64_t const number = signed_argument(arguments, c.type);
        put_integer(text, &c, *at, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, sign_of(&c, number < 0));
        return at + 1;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': put_integer(text, &c, *at, unsigned_argument(arguments, c.type), ""); return at + 1;
    case 'p': put_integer(text, &c, 'x', (uintptr_t)va_arg(*arguments, void *), "0x"); return at + 1;
#if UFI_FORMAT_REAL
    case 'f':
    case 'g': put_real(text, &c, *at, va_arg(*arguments, double)); return at + 1;
#endif
    case '%': break;
    case 'c': character = (char)va_arg(*arguments, int); break;
    case 's':
        if (c.type != TYPE_INT) return NULL; /* %lc */
        string = va_arg(*arguments, const char *);
        if (!string) string = "(null)";
        for (length = 0; length != c.precision && string[length];) length++;
        break;
    default: return NULL;
    }
    put_field(text, &c, "", 0, string, length);
    return at + 1;
}

/* Truncates before a whole character, so that the text remains valid UTF-8. */
static void put_ellipsis(ufi_text *text)
{
    if (text->size <= ELLIPSIS_LENGTH) {
        text->length = 0;
        return;
    }
    size_t at = text->size - 1 - ELLIPSIS_LENGTH;
    while (at > 0 && ((unsigned char)text->buffer[at] & 0xC0) == 0x80) at--;
    memcpy(text->buffer + at, ELLIPSIS, ELLIPSIS_LENGTH);
    text->length = at + ELLIPSIS_LENGTH;
}

static void put_format(ufi_text *text, const char *format, va_list *arguments)
{
    while (*format) {
        if (*format != '%') {
            ufi_put(text, *format++);
            continue;
        }
        const char *const next = put_conversion(text, format + 1, arguments);
        if (!next) {
            ufi_put_string(text, format);
            return;
        }
        format = next;
    }
}

size_t ufi_format(char *buffer, size_t size, const char *format, va_list arguments)
{
    ufi_text text = {.buffer = buffer, .size = size};
    va_list copy; /* a va_list parameter may be a pointer; only a variable has an address of the right type */

    if (size == 0) return 0;
    va_copy(copy, arguments);
    put_format(&text, format, &copy);
    va_end(copy);
    if (text.truncated) put_ellipsis(&text);
    buffer[text.length] = '\0';
    return text.length;
}

size_t ufi_format_args(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t const length = ufi_format(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
