# SPDX-License-Identifier: MIT
# The warnings for all hand-written code. Generated scanners and parsers are compiled without them (Grammar.cmake).
set(uflow_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wswitch-enum -Wundef)
set(uflow_warnings_of_c -Wstrict-prototypes -Wmissing-prototypes)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    add_compile_options(${uflow_warnings} "$<$<COMPILE_LANGUAGE:C>:${uflow_warnings_of_c}>")
    if(UFLOW_WERROR)
        add_compile_options(-Werror)
    endif()
endif()
