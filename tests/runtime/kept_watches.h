/* kept_watches.h - the part of descriptors.c for runtimes that keep watches. */
#ifndef KEPT_WATCHES_H
#define KEPT_WATCHES_H

static void receive(int byte)
{
    int got = 0;
    until_waiting(&readers[0]);
    send_byte(ends[1], (char)byte);
    assert_int_equal(uf_flow_wait(&readers[0].uf, LONG, NULL), UF_OK);
    assert_true(Reader_result_Read(&readers[0], &got));
    assert_int_equal(got, byte);
}

static void a_kept_watch_costs_no_call(void **state)
{
    unsigned before = 0;
    (void)state;
    for (int i = 0; i < 20; i++) {
        if (i == 1) before = controls;
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
    }
    assert_int_equal(controls, before);
}

/* Data and then a hang-up, while no flow waits for them, and one for another descriptor. */
static void nothing_spins(void **state)
{
    int byte = 0, other[2];
    (void)state;
    assert_int_equal(pipe(other), 0);
    assert_int_equal(Reader_start_Check(&readers[1], other[0]), UF_OK);
    assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
    receive(1);
    send_byte(ends[1], 2);
    assert_quiet();
    close(ends[1]);
    ends[1] = dup(ends[0]); /* for the end of the test */
    assert_quiet();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(Reader_call_Read(&readers[0], ends[0], 1000, LONG, &byte, NULL), UF_OK);
        assert_int_equal(byte, i == 0 ? 2 : -1);
    }
    assert_quiet();
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), other[0]), UF_OK);
    close(other[1]);
}

static void the_other_direction_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(Reader_call_Write(&readers[0], ends[0], LONG, NULL), UF_OK);
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        until_waiting(&readers[0]);
        assert_int_equal(Reader_call_Write(&readers[1], ends[0], LONG, NULL), UF_OK);
        receive(i);
        assert_quiet();
    }
}

static void a_number_after_its_close(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        int const old = ends[0];
        assert_int_equal(Reader_start_Read(&readers[0], ends[0], 100000), UF_OK);
        receive(i);
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
        close(ends[1]);
        open_pair();
        assert_int_equal(ends[0], old);
    }
}

#endif
