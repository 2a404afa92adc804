# Rules for re2c and lemon. Both write into the current binary directory. Their output is compiled without warnings,
# since it is generated. The first rule that needs a program searches for it, so that a build of only the runtime needs
# neither.

function(uflow_find_grammar_program variable name)
    find_program(${variable} ${name})
    if(NOT ${variable})
        message(FATAL_ERROR "uflow: ${name} is needed to build ufc and was not found. Debian: apt-get install ${name}")
    endif()
endfunction()

# uflow_re2c(<variable> <scanner.re> [HEADERS…] [OPTIONS…]): appends the generated .c file to the variable.
function(uflow_re2c variable input)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
    uflow_find_grammar_program(UFLOW_RE2C re2c)
    get_filename_component(input ${input} ABSOLUTE)
    get_filename_component(name ${input} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    add_custom_command(OUTPUT ${output}
        COMMAND ${UFLOW_RE2C} -W -Werror --no-generation-date ${arg_OPTIONS} -o ${output} ${input}
        DEPENDS ${input} VERBATIM COMMENT "re2c ${name}.re")
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -w SKIP_LINTING ON)
    set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()

# uflow_lemon(<variable> <grammar.y>): appends the generated .c file to the variable. The .h file with the terminals is
# beside it. Lemon names its outputs after the .y file.
function(uflow_lemon variable input)
    uflow_find_grammar_program(UFLOW_LEMON lemon)
    get_filename_component(input ${input} ABSOLUTE)
    get_filename_component(name ${input} NAME_WE)
    find_file(UFLOW_LEMON_TEMPLATE lempar.c PATHS /usr/share/lemon /usr/local/share/lemon)
    set(template "")
    if(UFLOW_LEMON_TEMPLATE)
        set(template -T${UFLOW_LEMON_TEMPLATE})
    endif()
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    add_custom_command(OUTPUT ${output} ${CMAKE_CURRENT_BINARY_DIR}/${name}.h
        BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/${name}.out
        COMMAND ${UFLOW_LEMON} ${template} -d${CMAKE_CURRENT_BINARY_DIR} ${input}
        DEPENDS ${input} VERBATIM COMMENT "lemon ${name}.y")
    set_source_files_properties(${output} PROPERTIES COMPILE_OPTIONS -w SKIP_LINTING ON)
    set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()
