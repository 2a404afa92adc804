/* SPDX-License-Identifier: MIT */
/* format_real.c - %f, %e, %g and %a of the formatter: all digits are exact, as in the C library in the C locale. */
#include "basics/format.h"

#if !defined(UF_NO_FLOAT)

/* A number in base 10^9. The point is before limb WHOLE. */
enum {
    BASE = 1000000000,
    WHOLE = 35,               /* limbs of 2^1024 */
    LIMBS = WHOLE + 120,      /* and of 2^-1074 */
    MOST_DIGITS = 767 + 2 * 9 /* significant ones of a double, and zeros at both ends of a limb */
};

/* Decimal digits. The point is before digits[point], which may be outside of the array: other digits are zeros. */
typedef struct decimal {
    uint8_t digits[MOST_DIGITS];
    int count, point; /* count 0: zero */
} decimal;

static void strip_zeros(decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == 0) d->count--;
}

static int digit_at(const decimal *d, int index)
{
    return index >= 0 && index < d->count ? d->digits[index] : 0;
}

static void take_digits(decimal *d, const uint32_t *limbs, int first, int end)
{
    d->count = d->point = 0;
    for (int i = first; i < end; i++) {
        for (uint32_t unit = BASE / 10; unit > 0; unit /= 10) {
            uint8_t const digit = (uint8_t)(limbs[i] / unit % 10);
            bool const leads = d->count == 0 && digit == 0;
            if (!leads) d->digits[d->count++] = digit;
            if (leads ? i >= WHOLE : i < WHOLE) d->point += leads ? -1 : 1;
        }
    }
    strip_zeros(d);
}

/* significand * 2^exponent. A multiplication adds limbs before the first one, a division after the last one. */
static void expand(decimal *d, uint64_t significand, int exponent)
{
    uint32_t limbs[LIMBS] = {0};
    int first = WHOLE - 2, end = WHOLE;

    limbs[first] = (uint32_t)(significand / BASE);
    limbs[first + 1] = (uint32_t)(significand % BASE);
    while (exponent > 0) {
        int const shift = exponent < 29 ? exponent : 29;
        uint64_t carry = 0;
        for (int i = end; i-- > first;) {
            carry += (uint64_t)limbs[i] << shift;
            limbs[i] = (uint32_t)(carry % BASE);
            carry /= BASE;
        }
        if (carry) limbs[--first] = (uint32_t)carry;
        exponent -= shift;
    }
    while (exponent < 0) {
        int const shift = exponent > -9 ? -exponent : 9; /* 10^9 is a multiple of 2^9 */
        uint32_t carry = 0;
        for (int i = first; i < end; i++) {
            uint32_t const rest = limbs[i] & ((1u << shift) - 1);
            limbs[i] = (limbs[i] >> shift) + carry;
            carry = ((uint32_t)BASE >> shift) * rest;
        }
        if (carry) limbs[end++] = carry;
        exponent += shift;
    }
    take_digits(d, limbs, first, end);
}

/* Keeps this many leading digits. Rounds half to even. */
static void round_to(decimal *d, int count)
{
    if (count >= d->count) return;
    int const next = digit_at(d, count);
    bool const is_half = next == 5 && count + 1 == d->count;
    bool const up = count >= 0 && (is_half ? digit_at(d, count - 1) % 2 : next >= 5);

    d->count = count > 0 ? count : 0;
    if (up) {
        while (d->count > 0 && d->digits[d->count - 1] == 9) d->count--;
        if (d->count == 0) {
            d->digits[d->count++] = 1;
            d->point++;
        } else {
            d->digits[d->count - 1]++;
        }
    }
    strip_zeros(d);
}

/* -- the three forms ----------------------------------------------------------------------------------------------- */

static int exponent_of(const decimal *d)
{
    return d->count ? d->point - 1 : 0;
}

static int point_length(const ufi_conversion *c, int precision)
{
    return precision > 0 || c->flags & UFI_ALTERNATE ? 1 : 0;
}

static void put_digits(ufi_text *text, const decimal *d, int from, int count)
{
    for (int i = 0; i < count && !text->truncated; i++) ufi_put(text, (char)('0' + digit_at(d, from + i)));
}

static void put_fixed(ufi_text *text, const ufi_conversion *c, const char *sign, const decimal *d, int precision)
{
    int const point = d->count ? d->point : 0, whole = point > 0 ? point : 1, dot = point_length(c, precision);

    ufi_put_before(text, c, sign, whole + dot + precision);
    put_digits(text, d, point > 0 ? 0 : -1, whole);
    if (dot) ufi_put(text, '.');
    put_digits(text, d, point, precision);
    ufi_put_after(text, c, sign, whole + dot + precision);
}

/* Of the letter, the sign, and at least so many digits. */
static int exponent_length(int exponent, int digits)
{
    int length = 3;
    while (exponent /= 10) length++;
    return length > 2 + digits ? length : 2 + digits;
}

static void put_exponent(ufi_text *text, char letter, int exponent, int digits)
{
    unsigned const size = (unsigned)(exponent < 0 ? -exponent : exponent);
    unsigned unit = 1;

    for (int i = 3; i < exponent_length(exponent, digits); i++) unit *= 10;
    ufi_put(text, letter);
    ufi_put(text, exponent < 0 ? '-' : '+');
    for (; unit > 0; unit /= 10) ufi_put(text, (char)('0' + size / unit % 10));
}

static void put_scientific(ufi_text *text, const ufi_conversion *c, const char *sign, const decimal *d, int precision,
                           char letter)
{
    int const dot = point_length(c, precision), exponent = exponent_of(d);
    int const length = 1 + dot + precision + exponent_length(exponent, 2);

    ufi_put_before(text, c, sign, length);
    put_digits(text, d, 0, 1);
    if (dot) ufi_put(text, '.');
    put_digits(text, d, 1, precision);
    put_exponent(text, letter, exponent, 2);
    ufi_put_after(text, c, sign, length);
}

static void put_decimal(ufi_text *text, const ufi_conversion *c, const char *sign, decimal *d, char letter)
{
    int precision = c->precision < 0 ? 6 : c->precision;
    char const form = (char)(letter | 0x20), exponent_letter = letter == form ? 'e' : 'E';

    if (form == 'f') {
        round_to(d, d->point + precision);
        put_fixed(text, c, sign, d, precision);
        return;
    }
    if (form == 'e') {
        round_to(d, precision + 1);
        put_scientific(text, c, sign, d, precision, exponent_letter);
        return;
    }
    if (precision == 0) precision = 1;
    round_to(d, precision);
    bool const is_fixed = exponent_of(d) >= -4 && exponent_of(d) < precision;
    int places = precision - 1 - (is_fixed ? exponent_of(d) : 0);
    int const wanted = d->count - 1 - (is_fixed ? exponent_of(d) : 0);
    if (!(c->flags & UFI_ALTERNATE) && places > wanted) places = wanted > 0 ? wanted : 0;
    if (is_fixed) put_fixed(text, c, sign, d, places);
    else put_scientific(text, c, sign, d, places, exponent_letter);
}

/* -- hexadecimal --------------------------------------------------------------------------------------------------- */

#define FRACTION_BITS   52
#define FRACTION_DIGITS 13

static void put_hexadecimal(ufi_text *text, const ufi_conversion *c, bool is_negative, uint64_t significand,
                            int exponent, char letter)
{
    char prefix[4] = {0}, *end = prefix;
    int precision = c->precision;

    for (const char *sign = ufi_sign(c, is_negative); *sign; sign++) *end++ = *sign;
    *end++ = '0';
    *end = letter == 'a' ? 'x' : 'X';
    if (precision >= 0 && precision < FRACTION_DIGITS) {
        unsigned const drop = 4 * (unsigned)(FRACTION_DIGITS - precision);
        uint64_t const half = UINT64_C(1) << (drop - 1), rest = significand & (2 * half - 1);
        significand -= rest;
        if (rest > half || (rest == half && significand >> drop & 1)) significand += 2 * half;
    }
    if (precision < 0) {
        precision = FRACTION_DIGITS;
        while (precision > 0 && !(significand >> (FRACTION_BITS - 4 * precision) & 15)) precision--;
    }
    int const dot = point_length(c, precision), length = 1 + dot + precision + exponent_length(exponent, 1);
    ufi_put_before(text, c, prefix, length);
    ufi_put(text, (char)('0' + (significand >> FRACTION_BITS)));
    if (dot) ufi_put(text, '.');
    for (int i = 1; i <= precision && !text->truncated; i++) {
        unsigned const digit = i > FRACTION_DIGITS ? 0 : (unsigned)(significand >> (FRACTION_BITS - 4 * i) & 15);
        ufi_put(text, (char)("0123456789ABCDEF"[digit] | (letter & 0x20)));
    }
    put_exponent(text, letter == 'a' ? 'p' : 'P', exponent, 1);
    ufi_put_after(text, c, prefix, length);
}

/* -- any number ---------------------------------------------------------------------------------------------------- */

static void put_real(ufi_text *text, ufi_conversion *c, char letter, double number)
{
    uint64_t bits;
    decimal d = {.count = 0};

    (void)memcpy(&bits, &number, sizeof bits);
    bool const is_negative = bits >> 63;
    int const raw = (int)(bits >> FRACTION_BITS & 0x7ff);
    uint64_t const fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    uint64_t const significand = raw ? fraction | UINT64_C(1) << FRACTION_BITS : fraction;
    int const exponent = significand == 0 ? 0 : (raw ? raw : 1) - 1023;
    const char *const sign = ufi_sign(c, is_negative);

    if (raw == 0x7ff) {
        const char *const name = letter & 0x20 ? (fraction ? "nan" : "inf") : fraction ? "NAN" : "INF";
        c->flags &= ~UFI_ZEROS;
        ufi_put_before(text, c, sign, 3);
        ufi_put_string(text, name);
        ufi_put_after(text, c, sign, 3);
    } else if ((letter | 0x20) == 'a') {
        put_hexadecimal(text, c, is_negative, significand, exponent, letter);
    } else {
        if (significand) expand(&d, significand, exponent - FRACTION_BITS);
        put_decimal(text, c, sign, &d, letter);
    }
}

const char *ufi_put_all(ufi_text *text, const char *at, va_list *arguments)
{
    return ufi_put_conversion(text, put_real, at, arguments);
}

#else
typedef int ufi_no_real_numbers; /* ISO C forbids an empty file */
#endif
