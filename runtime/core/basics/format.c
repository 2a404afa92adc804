/* SPDX-License-Identifier: MIT */
/* format.c - the formatter of reasons and descriptions: a small printf without stdio. */
#include "basics/format.h"

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

/* clang-format off */
#define TYPE_OF(type)                                                                                                  \
    _Generic((type)0, int: TYPE_INT, unsigned: TYPE_INT, long: TYPE_LONG, unsigned long: TYPE_LONG,                    \
             long long: TYPE_LONG_LONG, unsigned long long: TYPE_LONG_LONG)
/* clang-format on */

#define FLAGS (UFI_LEFT | UFI_ZEROS | UFI_PLUS | UFI_BLANK | UFI_ALTERNATE)

static int64_t signed_argument(va_list *arguments, ufi_argument_type type)
{
    if (type == TYPE_LONG_LONG) return va_arg(*arguments, long long);
    if (type == TYPE_LONG) return va_arg(*arguments, long);
    int const number = va_arg(*arguments, int);
    return type == TYPE_CHAR ? (signed char)number : type == TYPE_SHORT ? (short)number : number;
}

static uint64_t unsigned_argument(va_list *arguments, ufi_argument_type type)
{
    if (type == TYPE_LONG_LONG) return va_arg(*arguments, unsigned long long);
    if (type == TYPE_LONG) return va_arg(*arguments, unsigned long);
    unsigned const number = va_arg(*arguments, unsigned);
    return type == TYPE_CHAR ? (unsigned char)number : type == TYPE_SHORT ? (unsigned short)number : number;
}

static const char *string_argument(va_list *arguments)
{
    char const *const string = va_arg(*arguments, const char *);
    return string ? string : "(null)";
}

/* Counting stops at the size of the text. */
static void put_repeated(ufi_text *text, char character, int count)
{
    for (; count > 0 && !text->truncated; count--) ufi_put(text, character);
}

static int blanks_beside(const ufi_conversion *c, const char *prefix, int length)
{
    int blanks = c->width - length;
    while (*prefix++) blanks--;
    return blanks;
}

void ufi_put_before(ufi_text *text, const ufi_conversion *c, const char *prefix, int length)
{
    int const blanks = blanks_beside(c, prefix, length);

    if (!(c->flags & (UFI_LEFT | UFI_ZEROS))) put_repeated(text, ' ', blanks);
    ufi_put_string(text, prefix);
    if ((c->flags & (UFI_LEFT | UFI_ZEROS)) == UFI_ZEROS) put_repeated(text, '0', blanks);
}

void ufi_put_after(ufi_text *text, const ufi_conversion *c, const char *prefix, int length)
{
    if (c->flags & UFI_LEFT) put_repeated(text, ' ', blanks_beside(c, prefix, length));
}

/* Puts prefix, zeros and digits in a field of the given width. */
static void put_field(ufi_text *text, const ufi_conversion *c, const char *prefix, int zeros, const char *rest,
                      int length)
{
    ufi_put_before(text, c, prefix, zeros + length);
    put_repeated(text, '0', zeros);
    for (int i = 0; i < length; i++) ufi_put(text, rest[i]);
    ufi_put_after(text, c, prefix, zeros + length);
}

/* Returns: the remainder. A machine of 32 bits would have to link a division of 64 bits. */
static unsigned divide(uint64_t *number, unsigned base)
{
#if UINTPTR_MAX > UINT32_MAX
    unsigned const remainder = (unsigned)(*number % base);
    *number /= base;
    return remainder;
#else
    uint32_t const high = (uint32_t)(*number >> 32), low = (uint32_t)*number;
    uint32_t const upper = high % base << 16 | low >> 16, lower = upper % base << 16 | (low & 0xFFFF);
    *number = (uint64_t)(high / base) << 32 | upper / base << 16 | lower / base;
    return lower % base;
#endif
}

static void put_integer(ufi_text *text, ufi_conversion *c, char letter, uint64_t number, const char *prefix)
{
    char digits[22]; /* 64 bits in octal */
    char *at = digits + sizeof digits;
    unsigned const base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;

    if ((c->flags & UFI_ALTERNATE) && base == 16 && number != 0) prefix = letter == 'x' ? "0x" : "0X";
    for (uint64_t rest = number; rest != 0;) {
        unsigned const digit = divide(&rest, base);
        *--at = (char)("0123456789ABCDEF"[digit] | (letter & 0x20));
    }
    int const count = (int)(digits + sizeof digits - at);
    int least = c->precision;
    if (least >= 0) c->flags &= ~UFI_ZEROS;
    else least = 1;
    if ((c->flags & UFI_ALTERNATE) && base == 8 && least <= count) least = count + 1;
    put_field(text, c, prefix, least > count ? least - count : 0, at, count);
}

const char *ufi_sign(const ufi_conversion *c, bool is_negative)
{
    return is_negative ? "-" : c->flags & UFI_PLUS ? "+" : c->flags & UFI_BLANK ? " " : "";
}

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

/* Reads up to and including the letter; `at` is after the %. */
static const char *read_conversion(ufi_conversion *c, const char *at, va_list *arguments)
{
    for (;; at++) {
        unsigned const bit = (unsigned)(*at - ' ');
        if (bit > '0' - ' ' || !(FLAGS >> bit & 1)) break;
        c->flags |= 1u << bit;
    }
    at = read_count(at, &c->width, arguments);
    if (c->width < 0) {
        c->flags |= UFI_LEFT;
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

const char *ufi_put_conversion(ufi_text *text, ufi_real_conversion *real, const char *at, va_list *arguments)
{
    ufi_conversion c = {.precision = -1};
    char character = '%';
    const char *string = &character;
    int length = 1;

    (void)real; /* unused with UF_NO_FLOAT */
    at = read_conversion(&c, at, arguments);
    switch (*at) {
    case 'd':
    case 'i': {
        int64_t const number = signed_argument(arguments, c.type);
        put_integer(text, &c, *at, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, ufi_sign(&c, number < 0));
        return at + 1;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': put_integer(text, &c, *at, unsigned_argument(arguments, c.type), ""); return at + 1;
    case 'p': put_integer(text, &c, 'x', (uintptr_t)va_arg(*arguments, void *), "0x"); return at + 1;
#if !defined(UF_NO_FLOAT)
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (!real) return NULL;
        real(text, &c, *at, va_arg(*arguments, double));
        return at + 1;
#endif
    case '%': break;
    case 'c': character = (char)va_arg(*arguments, int); break;
    case 's':
        if (c.type != TYPE_INT) return NULL; /* %lc */
        string = string_argument(arguments);
        for (length = 0; length != c.precision && string[length];) length++;
        break;
    default: return NULL;
    }
    put_field(text, &c, "", 0, string, length);
    return at + 1;
}

const char *ufi_put_integers(ufi_text *text, const char *at, va_list *arguments)
{
    return ufi_put_conversion(text, NULL, at, arguments);
}

static void put_number(ufi_text *text, unsigned number)
{
    char digits[sizeof number * 3]; /* three digits hold a byte */
    unsigned count = 0;

    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) ufi_put(text, digits[--count]);
}

/* The same without flags, width, precision or length: all that most programs need. NULL: it is another one. */
static const char *put_simple(ufi_text *text, const char *at, va_list *arguments)
{
    switch (*at) {
    case 'd':
    case 'i': {
        int const number = va_arg(*arguments, int);
        if (number < 0) ufi_put(text, '-');
        put_number(text, number < 0 ? 0 - (unsigned)number : (unsigned)number);
        return at + 1;
    }
    case 'u': put_number(text, va_arg(*arguments, unsigned)); return at + 1;
    case 'c': ufi_put(text, (char)va_arg(*arguments, int)); return at + 1;
    case 's': ufi_put_string(text, string_argument(arguments)); return at + 1;
    case '%': ufi_put(text, '%'); return at + 1;
    default: return NULL;
    }
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
    (void)memcpy(text->buffer + at, ELLIPSIS, ELLIPSIS_LENGTH);
    text->length = at + ELLIPSIS_LENGTH;
}

static void put_format(ufi_text *text, ufi_conversions *more, const char *format, va_list *arguments)
{
    while (*format) {
        if (*format != '%') {
            ufi_put(text, *format++);
            continue;
        }
        const char *next = put_simple(text, format + 1, arguments);
        if (!next && more) next = more(text, format + 1, arguments);
        if (!next) {
            ufi_put_string(text, format);
            return;
        }
        format = next;
    }
}

static size_t finish(ufi_text *text)
{
    if (text->truncated) put_ellipsis(text);
    text->buffer[text->length] = '\0';
    return text->length;
}

size_t ufi_join(char *buffer, size_t size, const char *const parts[])
{
    ufi_text text = {.buffer = buffer, .size = size};

    if (size == 0) return 0;
    while (*parts) ufi_put_string(&text, *parts++);
    return finish(&text);
}

size_t ufi_format(char *buffer, size_t size, ufi_conversions *more, const char *format, va_list arguments)
{
    ufi_text text = {.buffer = buffer, .size = size};
    va_list copy; /* a va_list parameter may be a pointer; only a variable has an address of the right type */

    if (size == 0) return 0;
    va_copy(copy, arguments);
    put_format(&text, more, format, &copy);
    va_end(copy);
    return finish(&text);
}

size_t ufi_format_args(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t const length = ufi_format(buffer, size, UFI_SIMPLE, format, arguments);
    va_end(arguments);
    return length;
}
