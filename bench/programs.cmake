# SPDX-License-Identifier: MIT
# The programs, for one compiler: WORKLOAD/IMPLEMENTATION.c becomes WORKLOAD_IMPLEMENTATION, or the second argument.
include(CheckLanguage)
include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)

set(flows chain listener pingpong_flows waiter client timers parked partner relay)
list(TRANSFORM flows PREPEND flows/)
list(TRANSFORM flows APPEND .uflow)
add_uflow(bench_flows STATIC SOURCES ${flows} BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/flows)
add_custom_target(bench_programs)

function(uflow_bench source)
    string(REGEX REPLACE "^(.*)/(.*)\\.c(pp)?$" "\\1_\\2" name ${source})
    if(ARGC GREATER 1)
        set(name ${ARGV1})
    endif()
    add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
    target_include_directories(bench_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/common)
    target_link_libraries(bench_${name} PRIVATE Threads::Threads)
    target_compile_definitions(bench_${name} PRIVATE _GNU_SOURCE)
    set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${UFLOW_BENCH_OUTPUT})
    add_dependencies(bench_programs bench_${name})
endfunction()

# Programs that need only a compiler and Linux. The baselines include the flows' headers for their sizes.
foreach(source IN ITEMS
        chain/uflow.c pingpong/uflow.c fire/uflow.c broadcast/uflow.c jobs/uflow.c timers/uflow.c parked/uflow.c
        observed/uflow.c hosted/uflow.c hosted/baseline.c scaling/uflow.c scaling/mutex.c scaling/line.c
        chain/baseline.c pingpong/baseline.c fire/baseline.c broadcast/baseline.c jobs/baseline.c timers/baseline.c
        chain/protothread.c broadcast/protothread.c timers/protothread.c
        chain/thread.c broadcast/thread.c parked/thread.c pingpong/condition.c)
    uflow_bench(${source})
    string(REGEX REPLACE "^(.*)/(.*)\\.c$" "bench_\\1_\\2" target ${source})
    target_link_libraries(${target} PRIVATE bench_flows)
endforeach()

# W1 with the counters of `ufc --coverage`, and without.
add_uflow(bench_flows_covered STATIC COVERAGE SOURCES flows/chain.uflow BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/flows)
uflow_bench(chain/uflow.c covered_uflow)
target_link_libraries(bench_covered_uflow PRIVATE bench_flows_covered)
uflow_bench(chain/uflow.c covered_without)
target_link_libraries(bench_covered_without PRIVATE bench_flows)

# Schedules of a test, and the plain one written by hand. The runner has no public functions for a single schedule.
set(door ${PROJECT_SOURCE_DIR}/examples/04_door)
add_uflow(bench_door STATIC SOURCES ${door}/door.uflow BASE_DIR ${door})
uflow_bench(tested/baseline.c)
target_link_libraries(bench_tested_baseline PRIVATE bench_door)
uflow_bench(tested/uflow.c)
target_uflow_sources(bench_tested_uflow PRIVATE tested/door_test.uflow IMPORT_DIRS ${door} OPTIONS --tests)
target_include_directories(bench_tested_uflow PRIVATE ${PROJECT_SOURCE_DIR}/runtime/test)
set_property(TARGET bench_tested_uflow APPEND PROPERTY LINK_LIBRARIES uflow_test bench_door)

# libuv. SYSTEM silences warnings about its headers.
find_path(UFLOW_UV_INCLUDE uv.h)
find_library(UFLOW_UV_LIBRARY uv)
if(UFLOW_UV_INCLUDE AND UFLOW_UV_LIBRARY)
    foreach(workload IN ITEMS chain pingpong broadcast jobs timers scaling)
        uflow_bench(${workload}/uv.c)
        target_include_directories(bench_${workload}_uv SYSTEM PRIVATE ${UFLOW_UV_INCLUDE})
        target_link_libraries(bench_${workload}_uv PRIVATE ${UFLOW_UV_LIBRARY})
    endforeach()
else()
    message(STATUS "bench: libuv was not found, it is left out")
endif()

# Durable flows beside SQLite alone. Not a row of bench/cases.py: it measures the disk.
if(TARGET uflow_sqlite)
    add_uflow(bench_flows_kept STATIC SOURCES flows/kept.uflow BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/flows
        OPTIONS -Wno-unused-field)
    uflow_bench(durable/sqlite.c)
    target_include_directories(bench_durable_sqlite SYSTEM PRIVATE ${UFLOW_SQLITE_INCLUDE})
    target_link_libraries(bench_durable_sqlite PRIVATE bench_flows_kept uflow_sqlite)
else()
    message(STATUS "bench: SQLite was not found, it is left out")
endif()

# The queues of liburcu.
find_path(UFLOW_URCU_INCLUDE urcu/wfcqueue.h)
find_library(UFLOW_URCU_LIBRARY urcu-common)
if(UFLOW_URCU_INCLUDE AND UFLOW_URCU_LIBRARY)
    uflow_bench(scaling/wfcqueue.c)
    target_include_directories(bench_scaling_wfcqueue SYSTEM PRIVATE ${UFLOW_URCU_INCLUDE})
    target_link_libraries(bench_scaling_wfcqueue PRIVATE ${UFLOW_URCU_LIBRARY})
else()
    message(STATUS "bench: liburcu was not found, it is left out")
endif()

# C++20 coroutines. clang 14 supports all that libstdc++ needs, but does not define the feature macro.
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 20)
    set(CMAKE_CXX_EXTENSIONS OFF)
    set(probe "#include <coroutine>\nint main() { return std::coroutine_handle<>() ? 1 : 0; }")
    set(CMAKE_REQUIRED_FLAGS -std=c++20)
    check_cxx_source_compiles("${probe}" UFLOW_BENCH_COROUTINES)
    set(definitions "")
    if(NOT UFLOW_BENCH_COROUTINES)
        set(CMAKE_REQUIRED_DEFINITIONS -D__cpp_impl_coroutine=201902L)
        check_cxx_source_compiles("${probe}" UFLOW_BENCH_COROUTINES_UNSAID)
        set(definitions __cpp_impl_coroutine=201902L)
    endif()
endif()
if(UFLOW_BENCH_COROUTINES OR UFLOW_BENCH_COROUTINES_UNSAID)
    foreach(workload IN ITEMS chain pingpong broadcast jobs timers parked)
        uflow_bench(${workload}/coroutine.cpp)
        target_compile_definitions(bench_${workload}_coroutine PRIVATE ${definitions})
        target_compile_options(bench_${workload}_coroutine PRIVATE -Wno-builtin-macro-redefined)
    endforeach()
else()
    message(STATUS "bench: the C++ compiler has no coroutines, or there is none; they are left out")
endif()

# The counterparts of the examples that are servers and clients. servers.py measures them.
add_subdirectory(programs)

# ufc itself.
add_custom_target(bench_ufc
    COMMAND ${CMAKE_COMMAND} -E make_directory ${UFLOW_BENCH_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_FILE:ufc> ${UFLOW_BENCH_OUTPUT}/ufc DEPENDS ufc)
add_dependencies(bench_programs bench_ufc)
