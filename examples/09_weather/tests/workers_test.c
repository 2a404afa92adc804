/* Tests the two jobs as plain functions: workers_test http://SERVER http://NOBODY */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "summary.h"
#include "workers.h"

static const char *server, *nobody;
static text_buffer page;
static http_text summary;
static char reason[HTTP_REASON_SIZE];
static const http_limits patient = {.connect_ms = 20000, .total_ms = 20000};

static const char *at(const char *path)
{
    static char url[256];
    snprintf(url, sizeof url, "%s%s", server, path);
    return url;
}

static void expect_no_page(const char *url, const http_limits *limits, const char *why)
{
    reason[0] = '\0';
    assert_false(fetch_page(&page, url, limits, reason));
    assert_true(reason[0] != '\0');
    if (strncmp(reason, why, strlen(why)) != 0) fail_msg("%s: \"%s\" instead of \"%s\"", url, reason, why);
}

static void test_a_page(void **state)
{
    (void)state;
    static const char *const paths[] = {"/page", "/moved"};
    for (int i = 0; i < 2; i++) {
        assert_true(fetch_page(&page, at(paths[i]), &patient, reason));
        assert_int_equal(page.text.status, 200);
        assert_int_equal(page.text.length, strlen(page.text.bytes));
        assert_memory_equal(page.text.bytes, "Tomorrow: rain", 14);
    }
}

static void test_large_pages(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        size_t length;
    } pages[] = {{"/long", 200000}, {"/huge", 5000000}, {"/stream", 5000000}, {"/page", 1520}};
    http_limits exact = patient;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        exact.bytes = pages[i].length;
        for (int limited = 0; limited < 2; limited++) {
            http_text_free(&page.text);
            assert_true(fetch_page(&page, at(pages[i].path), limited ? &exact : &patient, reason));
            assert_int_equal(page.text.length, pages[i].length);
            assert_int_equal(strlen(page.text.bytes), pages[i].length);
        }
        assert_true(sum_up_page(&summary, &page, at("/summary"), "sesame", &patient, reason));
    }
}

static void test_no_page(void **state)
{
    (void)state;
    http_limits small = patient;
    http_limits less = patient;
    small.bytes = 100;
    less.bytes = 4999999;
    expect_no_page(at("/missing"), &patient, "status 404");
    for (int i = 0; i < 2; i++) {
        expect_no_page(at(i ? "/huge" : "/stream"), &less, "the answer is longer than 4999999 bytes");
        assert_int_equal(page.text.length, 0);
    }
    expect_no_page(at("/page"), &small, "the answer is longer than 100 bytes");
    expect_no_page(at("/cut"), &patient, "");
    expect_no_page(at("/again"), &patient, "");
    expect_no_page(nobody, &patient, "Failed to connect to 127.0.0.1");
    expect_no_page("file:///etc/hostname", &patient, "Protocol ");
    expect_no_page("no address at all", &patient, "");
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void test_a_slow_server(void **state)
{
    (void)state;
    http_limits const quick = {.connect_ms = 20000, .total_ms = 100};
    int64_t const begin = now_ms();
    expect_no_page(at("/slow"), &quick, "Operation timed out after ");
    assert_true(now_ms() - begin >= 100 && now_ms() - begin < 15000);

    assert_true(fetch_page(&page, at("/page"), &patient, reason));
    assert_false(sum_up_page(&summary, &page, at("/slow"), "sesame", &quick, reason));
    assert_memory_equal(reason, "Operation timed out", 19);
}

static bool after_three(void *asked)
{
    return ++*(int *)asked > 3;
}

static void test_cancelled(void **state)
{
    (void)state;
    int asked = 0;
    http_limits limits = patient;
    limits.cancelled = after_three;
    limits.argument = &asked;
    expect_no_page(at("/slow"), &limits, "cancelled"); /* in the middle */
    page.text.length = 7;
    expect_no_page(at("/page"), &limits, "cancelled"); /* cancelled before it begins: no buffer is touched */
    assert_int_equal(page.text.length, 7);
}

static void test_a_buffer_in_use(void **state)
{
    (void)state;
    assert_false(atomic_flag_test_and_set(&page.held));
    expect_no_page(at("/page"), &patient, "an earlier request is still at work");
    assert_false(sum_up_page(&summary, &page, at("/summary"), "sesame", &patient, reason));
    assert_string_equal(reason, "an earlier request is still at work");
    atomic_flag_clear(&page.held);
    assert_true(fetch_page(&page, at("/page"), &patient, reason));
}

static void test_a_summary(void **state)
{
    (void)state;
    assert_true(fetch_page(&page, at("/page"), &patient, reason));
    assert_true(sum_up_page(&summary, &page, at("/summary"), "sesame", &patient, reason));
    assert_string_equal(summary.bytes, "tokens 1024, 1566 bytes, key good");
    assert_true(sum_up_page(&summary, &page, at("/summary"), NULL, &patient, reason));
    assert_string_equal(summary.bytes, "tokens 1024, 1566 bytes, key bad");
    assert_int_equal(summary.length, strlen(summary.bytes));

    assert_true(fetch_page(&page, at("/latin"), &patient, reason));
    assert_true(sum_up_page(&summary, &page, at("/summary"), "sesame", &patient, reason));
    assert_string_equal(summary.bytes, "tokens 1024, 56 bytes, key good");

    assert_true(sum_up_page(&summary, &page, at("/escapes"), "sesame", &patient, reason));
    assert_string_equal(summary.bytes, "\"a\\b\"\t\xc2\xb0 \xf0\x9f\x8c\xa7");
}

static void test_no_summary(void **state)
{
    (void)state;
    static const struct {
        const char *path, *reason;
    } cases[] = {{"/error", "status 400, your key is wrong"},
                 {"/limit", "status 429, the answer is no JSON: slow down"},
                 {"/garbage", "status 200, the answer is no JSON: <html>\r\n\x1b[31mwhat?"},
                 {"/empty", "status 200, the answer is no JSON: "},
                 {"/nothing", "status 404, no text in the answer: {}"}};
    assert_true(fetch_page(&page, at("/page"), &patient, reason));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(sum_up_page(&summary, &page, at(cases[i].path), "sesame", &patient, reason));
        assert_string_equal(reason, cases[i].reason);
    }
    assert_false(sum_up_page(&summary, &page, nobody, "sesame", &patient, reason));
    assert_memory_equal(reason, "Failed to connect", 17);
    assert_false(sum_up_page(&summary, &page, at("/summary"), "a\r\nb: c", &patient, reason));
    assert_string_equal(reason, "this cannot be a key");
}

/* The request's text about the page: between the empty line and the quote. */
static size_t content_length(const char *request, char *content, size_t size)
{
    const char *const begin = strstr(request, "\\n\\n");
    assert_non_null(begin);
    size_t const length = strcspn(begin + 4, "\"");
    snprintf(content, size, "%.*s", (int)length, begin + 4);
    return length;
}

static void test_requests(void **state)
{
    (void)state;
    static char text[SUMMARY_PAGE_SIZE + 100], content[SUMMARY_PAGE_SIZE + 100];
    static const struct {
        const char *bytes, *sent;
    } cases[] = {{"", ""},
                 {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\xa7", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x8c\xa7"},
                 {"\xc3", "?"},
                 {"\xc0\xaf", "??"},           /* too long for the buffer */
                 {"\xed\xa0\x80", "???"},      /* half of a surrogate pair */
                 {"\xf4\x90\x80\x80", "????"}, /* beyond the last character */
                 {"a\x80z", "a?z"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *const request = summary_request(cases[i].bytes, strlen(cases[i].bytes));
        assert_non_null(request);
        (void)content_length(request, content, sizeof content);
        assert_string_equal(content, cases[i].sent);
        free(request);
    }
    memset(text, 'x', sizeof text);
    char *request = summary_request(text, sizeof text);
    assert_int_equal(content_length(request, content, sizeof content), SUMMARY_PAGE_SIZE);
    free(request);
    memcpy(text + SUMMARY_PAGE_SIZE - 1, "\xc3\xa4", 2); /* does not fit as a whole, so it is left out */
    request = summary_request(text, sizeof text);
    assert_int_equal(content_length(request, content, sizeof content), SUMMARY_PAGE_SIZE - 1);
    free(request);
}

static void test_answers(void **state)
{
    (void)state;
    char text[8];
    static const char *const wrong[] = {"[]",
                                        "{}",
                                        "{\"content\":1}",
                                        "{\"content\":[{\"text\":1}]}",
                                        "{\"error\":1}",
                                        "{\"error\":{}}",
                                        "\"text\"",
                                        "{\"content\":[1]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(summary_read(wrong[i], strlen(wrong[i]), text, sizeof text));
    const char *const right = "{\"content\":[{\"text\":\"123456\xe2\x82\xac\"}]}";
    assert_true(summary_read(right, strlen(right), text, sizeof text));
    assert_string_equal(text, "123456"); /* truncated between characters */
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *const all = opendir("/dev/fd");
    if (all == NULL) return 0;
    while (readdir(all) != NULL) count++;
    closedir(all);
    return count;
}

static void test_nothing_is_left_behind(void **state)
{
    (void)state;
    static const char *const paths[] = {"/page", "/missing", "/long", "/cut", "/moved"};
    int const before = open_descriptors();
    for (int i = 0; i < 100; i++) (void)fetch_page(&page, at(paths[i % 5]), &patient, reason);
    assert_int_equal(open_descriptors(), before);
}

int main(int argc, char **argv)
{
    if (argc != 3 || !http_begin()) return 2;
    server = argv[1];
    nobody = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_page),
        cmocka_unit_test(test_no_page),
        cmocka_unit_test(test_large_pages),
        cmocka_unit_test(test_a_slow_server),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_a_buffer_in_use),
        cmocka_unit_test(test_a_summary),
        cmocka_unit_test(test_no_summary),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_nothing_is_left_behind),
    };
    int const failed = cmocka_run_group_tests(tests, NULL, NULL);
    http_text_free(&page.text);
    http_text_free(&summary);
    http_end();
    return failed;
}
