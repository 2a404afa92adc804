/* format.c - the formatter of reasons and descriptions: a small printf without stdio. */
#include "core.h"

#include "format.h"

#define ELLIPSIS        "..."
#define ELLIPSIS_LENGTH (sizeof ELLIPSIS - 1)

void ufi_put(ufi_text *text, char character)
{
    if (text->length + 1 < text->size) text->buffer[text->length++] = character;
    else text->cut = true;
}

void ufi_put_string(ufi_text *text, const char *string)
{
    for (; *string; string++) ufi_put(text, *string);
}

void ufi_put_number(ufi_text *text, uint64_t number, unsigned base)
{
    char digits[20];
    unsigned count = 0;

    do digits[count++] = "0123456789abcdef"[number % base];
    while (number /= base);
    while (count) ufi_put(text, digits[--count]);
}

static void put_signed(ufi_text *text, int64_t number)
{
    if (number < 0) ufi_put(text, '-');
    ufi_put_number(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

typedef enum argument_width { WIDTH_INT, WIDTH_LONG, WIDTH_LONG_LONG, WIDTH_SIZE } argument_width;

static int64_t signed_argument(va_list *arguments, argument_width width)
{
    switch (width) {
    case WIDTH_INT: break;
    case WIDTH_LONG: return va_arg(*arguments, long);
    case WIDTH_LONG_LONG: return va_arg(*arguments, long long);
    case WIDTH_SIZE: return va_arg(*arguments, ptrdiff_t);
    }
    return va_arg(*arguments, int);
}

static uint64_t unsigned_argument(va_list *arguments, argument_width width)
{
    switch (width) {
    case WIDTH_INT: break;
    case WIDTH_LONG: return va_arg(*arguments, unsigned long);
    case WIDTH_LONG_LONG: return va_arg(*arguments, unsigned long long);
    case WIDTH_SIZE: return va_arg(*arguments, size_t);
    }
    return va_arg(*arguments, unsigned);
}

/* One conversion, `at` being behind its %. Returns where the format goes on; NULL: it is none that is known. */
static const char *put_conversion(ufi_text *text, const char *at, va_list *arguments)
{
    argument_width width = WIDTH_INT;

    if (*at == 'z') {
        width = WIDTH_SIZE;
        at++;
    } else if (*at == 'l') {
        width = at[1] == 'l' ? WIDTH_LONG_LONG : WIDTH_LONG;
        at += width == WIDTH_LONG_LONG ? 2 : 1;
    }
    switch (*at) {
    case 'd':
    case 'i': put_signed(text, signed_argument(arguments, width)); return at + 1;
    case 'u': ufi_put_number(text, unsigned_argument(arguments, width), 10); return at + 1;
    case 'x': ufi_put_number(text, unsigned_argument(arguments, width), 16); return at + 1;
    }
    if (width != WIDTH_INT) return NULL;
    switch (*at) {
    case 'c': ufi_put(text, (char)va_arg(*arguments, int)); return at + 1;
    case 's': {
        const char *const string = va_arg(*arguments, const char *);
        ufi_put_string(text, string ? string : "(null)");
        return at + 1;
    }
    case 'p':
        ufi_put_string(text, "0x");
        ufi_put_number(text, (uintptr_t)va_arg(*arguments, void *), 16);
        return at + 1;
    case '%': ufi_put(text, '%'); return at + 1;
#if UFI_FORMAT_REAL
    case 'f': ufi_put_fixed(text, va_arg(*arguments, double)); return at + 1;
    case 'g': ufi_put_general(text, va_arg(*arguments, double)); return at + 1;
#endif
    }
    return NULL;
}

/* Cuts before a whole character, so that what is left is the UTF-8 that it was. */
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
    va_list copy; /* a parameter of that type may be an array's address: only a variable has one of its own kind */

    if (size == 0) return 0;
    va_copy(copy, arguments);
    put_format(&text, format, &copy);
    va_end(copy);
    if (text.cut) put_ellipsis(&text);
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
