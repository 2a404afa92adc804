# SPDX-License-Identifier: MIT
# uflow_sources(<variable> [<directory>]): the sources in this or another directory, from the list that Meson reads too.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/sources.txt)
function(uflow_sources variable)
    set(directory ${CMAKE_CURRENT_SOURCE_DIR})
    if(ARGC EQUAL 2)
        cmake_path(ABSOLUTE_PATH ARGV1 NORMALIZE OUTPUT_VARIABLE directory)
    endif()
    cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE inside)
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/sources.txt paths REGEX "^${inside}/")
    list(TRANSFORM paths REPLACE " fast$" "")
    list(TRANSFORM paths PREPEND ${PROJECT_SOURCE_DIR}/)
    set(${variable} ${paths} PARENT_SCOPE)
endfunction()
