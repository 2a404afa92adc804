# SPDX-License-Identifier: MIT
# At the installation: links of the installed documents to files of the source tree. Public headers are found in the
# prefix; of other files, only the text of the link stays.
#   documents  their directory
#   headers    the directory of the headers; both relative to the prefix, or absolute
foreach(directory documents headers)
    get_filename_component(${directory} "${${directory}}" ABSOLUTE BASE_DIR "${CMAKE_INSTALL_PREFIX}")
    set(${directory} "$ENV{DESTDIR}${${directory}}")
endforeach()
string(REGEX REPLACE "([[*?])" "[\\1]" pattern "${documents}") # its name is no pattern
file(GLOB_RECURSE pages "${pattern}/*.md")
foreach(page IN LISTS pages)
    get_filename_component(folder "${page}" DIRECTORY)
    file(RELATIVE_PATH include "${folder}" "${headers}")
    file(READ "${page}" text)
    string(REGEX REPLACE "\\]\\((\\.\\./)*runtime/include/" "](${include}/" changed "${text}")
    set(elsewhere "(runtime|tests|bench|packaging|[.]ci)/")
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\((\\.\\./)*${elsewhere}[^)]*\\)" "\\1" changed "${changed}")
    if(NOT changed STREQUAL text)
        file(WRITE "${page}" "${changed}")
    endif()
endforeach()
