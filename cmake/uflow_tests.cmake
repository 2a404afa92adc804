# SPDX-License-Identifier: MIT
# Writes the ctest entries of a program of tests: a script of add_uflow_tests() that the build runs.
#
#   cmake -D UFC=… -D SOURCES=a.uflow|b.uflow -D TARGET=… -D COMMAND=emulator|program -D OUTPUT=… -P uflow_tests.cmake
#
# Lists are separated by `|`. Each test is an entry TARGET.NAME that runs in the folder of its .uflow file.
cmake_policy(VERSION 3.20)
string(REPLACE "|" ";" SOURCES "${SOURCES}")
string(REPLACE "|" ";" COMMAND "${COMMAND}")
string(ASCII 128 first)
string(ASCII 191 last)

# A string for a script, whatever characters it has.
function(quote variable text)
    set(${variable} "[===[${text}]===]" PARENT_SCOPE)
endfunction()

set(command "")
foreach(word IN LISTS COMMAND)
    quote(word "${word}")
    string(APPEND command " ${word}")
endforeach()
set(script "# Made by add_uflow_tests().\n")
set(names "")
foreach(source IN LISTS SOURCES)
    execute_process(COMMAND "${UFC}" --list-tests "${source}"
        OUTPUT_VARIABLE tests ERROR_VARIABLE complaint RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${complaint}")
    endif()
    # Leaves `LINE NAME` of each line, without what CMake's lists and the names of entries cannot hold.
    string(REPLACE "\n${source}:" "\n" tests "\n${tests}")
    string(REGEX REPLACE "[${first}-${last}]" "" tests "${tests}") # all but the first byte of a character
    string(REGEX REPLACE "[^A-Za-z0-9 ._\n-]" "_" tests "${tests}")
    string(REGEX MATCHALL "[^\n]+" tests "${tests}")
    get_filename_component(folder "${source}" DIRECTORY)
    quote(folder "${folder}")
    foreach(test IN LISTS tests)
        string(REGEX MATCH "^([0-9]+) (.*)$" matched "${test}")
        set(name "${TARGET}.${CMAKE_MATCH_2}")
        set(line "${CMAKE_MATCH_1}")
        if("${name}" IN_LIST names) # of another file, or it differs in another character
            get_filename_component(file "${source}" NAME_WLE)
            string(APPEND name ".${file}.${line}")
        endif()
        list(APPEND names "${name}")
        quote(name "${name}")
        quote(only "${source}:${line}")
        string(APPEND script "add_test(${name}${command} --only ${only})\n"
            "set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY ${folder})\n")
    endforeach()
endforeach()
file(WRITE "${OUTPUT}" "${script}")
