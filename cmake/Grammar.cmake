# SPDX-License-Identifier: MIT
# Rules for re2c and lemon. Both write into the current binary directory. Their output is compiled without warnings,
# since it is generated. The first rule that needs a program searches for it, so that a build of only the runtime needs
# neither. A source archive contains the output in the directory `generated`: it is copied if its input is unchanged.

# Without #line, the output depends on the grammar alone.
option(UFLOW_GRAMMAR_LINES "Let errors and debuggers refer to the grammar" ON)
mark_as_advanced(UFLOW_GRAMMAR_LINES)

# uflow_copy_generated(<variable> <input> <outputs…>): if the archive contains the outputs, adds rules that copy them,
# and sets the variable to true.
function(uflow_copy_generated variable input)
    set(${variable} FALSE PARENT_SCOPE)
    set(generated ${CMAKE_CURRENT_SOURCE_DIR}/generated)
    if(NOT EXISTS ${generated}/inputs.sha256)
        return()
    endif()
    get_filename_component(name ${input} NAME)
    file(SHA256 ${input} hash)
    file(STRINGS ${generated}/inputs.sha256 known REGEX "^${hash}  ${name}$")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${input})
    if(NOT known)
        return()
    endif()
    foreach(output IN LISTS ARGN)
        add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${output}
            COMMAND ${CMAKE_COMMAND} -E copy ${generated}/${output} ${CMAKE_CURRENT_BINARY_DIR}/${output}
            DEPENDS ${generated}/${output} VERBATIM COMMENT "generated/${output}")
    endforeach()
    set(${variable} TRUE PARENT_SCOPE)
endfunction()

function(uflow_find_grammar_program variable name)
    find_program(${variable} ${name})
    if(NOT ${variable})
        message(FATAL_ERROR "uflow: ${name} is needed to build ufc and was not found. Debian: apt-get install ${name}")
    endif()
endfunction()

# uflow_re2c(<variable> <scanner.re> [HEADERS…] [OPTIONS…]): appends the generated .c file to the variable.
function(uflow_re2c variable input)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
    get_filename_component(input ${input} ABSOLUTE)
    get_filename_component(name ${input} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    uflow_copy_generated(is_copied ${input} ${name}.c)
    if(NOT is_copied)
        uflow_find_grammar_program(UFLOW_RE2C re2c)
        if(NOT UFLOW_GRAMMAR_LINES)
            list(APPEND arg_OPTIONS --no-debug-info)
        endif()
        add_custom_command(OUTPUT ${output}
            COMMAND ${UFLOW_RE2C} -W -Werror --no-generation-date ${arg_OPTIONS} -o ${output} ${input}
            DEPENDS ${input} VERBATIM COMMENT "re2c ${name}.re")
    endif()
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -w SKIP_LINTING ON)
    set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()

# uflow_lemon(<variable> <grammar.y>): appends the generated .c file to the variable. The .h file with the terminals is
# beside it. Lemon names its outputs after the .y file.
function(uflow_lemon variable input)
    get_filename_component(input ${input} ABSOLUTE)
    get_filename_component(name ${input} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    uflow_copy_generated(is_copied ${input} ${name}.c ${name}.h)
    if(NOT is_copied)
        uflow_find_grammar_program(UFLOW_LEMON lemon)
        find_file(UFLOW_LEMON_TEMPLATE lempar.c PATHS /usr/share/lemon /usr/local/share/lemon)
        set(options "")
        if(UFLOW_LEMON_TEMPLATE)
            list(APPEND options -T${UFLOW_LEMON_TEMPLATE})
        endif()
        set(named ${input})
        if(NOT UFLOW_GRAMMAR_LINES) # the name as given is also in a comment
            list(APPEND options -l)
            set(named ${name}.y)
        endif()
        add_custom_command(OUTPUT ${output} ${CMAKE_CURRENT_BINARY_DIR}/${name}.h
            BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/${name}.out
            COMMAND ${UFLOW_LEMON} ${options} -d${CMAKE_CURRENT_BINARY_DIR} ${named}
            WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} DEPENDS ${input} VERBATIM COMMENT "lemon ${name}.y")
    endif()
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -w SKIP_LINTING ON)
    set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()
