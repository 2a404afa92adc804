/* format_real.c - %f and %g of the formatter, for hosted builds. */
#include "format.h"

#if UFI_FORMAT_REAL

#include <float.h>

#define MOST_DIGITS 9                   /* after the point, or significant */
#define ONE         (UINT64_C(1) << 60) /* fractions as Q4.60: room for one decimal digit above the point */

/* Puts the sign, and inf or nan. Returns: true if the text is complete; otherwise `number` is positive and finite. */
static bool put_special(ufi_text *text, double *number)
{
    if (*number != *number) {
        ufi_put_string(text, "nan");
        return true;
    }
    if (*number < 0 || (*number == 0 && 1 / *number < 0)) {
        ufi_put(text, '-');
        *number = -*number;
    }
    if (*number <= DBL_MAX) return false;
    ufi_put_string(text, "inf");
    return true;
}

static unsigned power_of_ten(unsigned exponent)
{
    unsigned power = 1;
    while (exponent--) power *= 10;
    return power;
}

void ufi_put_fixed(ufi_text *text, double number, unsigned places)
{
    if (number >= 18446744073709551616.0 || number <= -18446744073709551616.0) { /* beyond 64 bits */
        ufi_put_general(text, number, 6);
        return;
    }
    if (put_special(text, &number)) return;

    uint64_t whole = (uint64_t)number;
    double const exact = (number - (double)whole) * (double)ONE;
    uint64_t rest = (uint64_t)exact;
    bool const more = (double)rest != exact;
    unsigned digits = 0;
    for (unsigned i = 0; i < places; i++) {
        rest *= 10;
        digits = digits * 10 + (unsigned)(rest / ONE);
        rest %= ONE;
    }
    if (rest > ONE / 2 || (rest == ONE / 2 && (more || (places ? digits : whole) % 2)))
        digits++; /* round half to even */
    if (digits == power_of_ten(places)) {
        digits = 0;
        whole++;
    }
    ufi_put_number(text, whole);
    if (places == 0) return;
    ufi_put(text, '.');
    for (unsigned unit = power_of_ten(places - 1); unit > digits && unit > 1; unit /= 10) ufi_put(text, '0');
    ufi_put_number(text, digits);
}

/* number * 10^power, rounded once if |power| <= 22. */
static double scaled(double number, int power)
{
    while (power != 0) {
        double factor = 1;
        int step = 0;
        for (; step < 22 && step != power && step != -power; step++) factor *= 10;
        number = power > 0 ? number * factor : number / factor;
        power += power > 0 ? -step : step;
    }
    return number;
}

static uint64_t rounded(double number)
{
    uint64_t const whole = (uint64_t)number;
    double const rest = number - (double)whole;
    return whole + (rest > 0.5 || (rest == 0.5 && whole % 2));
}

void ufi_put_general(ufi_text *text, double number, unsigned significant)
{
    char digits[MOST_DIGITS];
    int const most = significant ? (int)significant : 1;
    int exponent = 0, count = most;

    if (put_special(text, &number)) return;
    if (number == 0) {
        ufi_put(text, '0');
        return;
    }
    while (scaled(number, -exponent) >= 10) exponent++;
    while (scaled(number, -exponent) < 1) exponent--;

    uint64_t significand = rounded(scaled(number, most - 1 - exponent));
    if (significand == power_of_ten((unsigned)most)) {
        significand /= 10;
        exponent++;
    }
    for (int i = most; i-- > 0; significand /= 10) digits[i] = (char)('0' + significand % 10);
    while (count > 1 && digits[count - 1] == '0') count--;

    bool const scientific = exponent < -4 || exponent >= most;
    int point = scientific ? 0 : exponent; /* after this digit */
    if (point < 0) {
        ufi_put_string(text, "0.");
        for (int i = -1; i > point; i--) ufi_put(text, '0');
    }
    for (int i = 0; i < count || i <= point; i++) {
        ufi_put(text, i < count ? digits[i] : '0');
        if (i == point && i + 1 < count) ufi_put(text, '.');
    }
    if (!scientific) return;
    ufi_put(text, 'e');
    ufi_put(text, exponent < 0 ? '-' : '+');
    unsigned const magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (magnitude < 10) ufi_put(text, '0');
    ufi_put_number(text, magnitude);
}

#else
typedef int ufi_no_real_numbers; /* ISO C forbids an empty file */
#endif
