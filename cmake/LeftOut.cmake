# SPDX-License-Identifier: MIT
# uflow_left_out(<test> <why>): in place of a test that cannot run here. ctest prints why, and counts it as skipped.
function(uflow_left_out test why)
    message(STATUS "${test} is left out: ${why}")
    if(UFLOW_BUILD_TESTS)
        add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${why}")
        set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
    endif()
endfunction()
