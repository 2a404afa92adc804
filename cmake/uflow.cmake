# .uflow files as sources of CMake targets.
#
#   target_uflow_sources(<target> <PRIVATE|PUBLIC> a.uflow sub/b.uflow …
#                        [BASE_DIR <directory>] [IMPORT_DIRS <directory>…] [OPTIONS <option of ufc>…])
#
# compiles them into an existing executable or library of the same directory. With PUBLIC, targets that link it also see
# the generated headers and the runtime.
#
#   add_uflow(<library> [STATIC|OBJECT|SHARED|MODULE] SOURCES a.uflow sub/b.uflow …
#             [BASE_DIR <directory>] [IMPORT_DIRS <directory>…] [OPTIONS <option of ufc>…] [LINK <library>…])
#
# makes a library of them, by default STATIC; everything is PUBLIC. Targets that include a generated header link the
# library, so that the header exists before they are compiled. The target <library>_uflow only generates.
#
# The generated files mirror the tree below BASE_DIR (by default the current source directory). sub/b.uflow becomes
# <binary directory>/<target>.uflow/sub/b.c and sub/b.h; include it as "sub/b.h". BASE_DIR is on the include path too,
# so that the files can include headers of their project. The files are generated again when the input, one of its
# imports, or ufc itself changes.

cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

function(target_uflow_sources target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "BASE_DIR" "PRIVATE;PUBLIC;IMPORT_DIRS;OPTIONS" )
    set(call "target_uflow_sources(${target})")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${call}: PRIVATE or PUBLIC is missing before: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(arg_PRIVATE AND arg_PUBLIC)
        message(FATAL_ERROR "${call}: either PRIVATE or PUBLIC, not both in one call")
    endif()
    if(NOT arg_PRIVATE AND NOT arg_PUBLIC)
        message(FATAL_ERROR "${call}: there is no .uflow file")
    endif()
    if(NOT TARGET ${target})
        message(FATAL_ERROR "${call}: there is no such target; create it first, or make a library with add_uflow()")
    endif()
    get_target_property(directory ${target} BINARY_DIR)
    if(NOT directory STREQUAL CMAKE_CURRENT_BINARY_DIR)
        get_target_property(directory ${target} SOURCE_DIR)
        message(FATAL_ERROR "${call}: call it in the directory that creates the target, ${directory}. "
                            "Elsewhere make a library with add_uflow() and link it.")
    endif()
    set(scope PRIVATE)
    if(arg_PUBLIC)
        set(scope PUBLIC)
    endif()
    uflow_add_sources("${call}" ${target} ${scope} "${arg_BASE_DIR}" "${arg_IMPORT_DIRS}" "${arg_OPTIONS}"
        ${arg_${scope}})
endfunction()

function(add_uflow library)
    cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;OBJECT;SHARED;MODULE" "BASE_DIR" "SOURCES;IMPORT_DIRS;OPTIONS;LINK")
    set(call "add_uflow(${library})")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${call}: SOURCES is missing before: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_SOURCES)
        message(FATAL_ERROR "${call}: there are no SOURCES")
    endif()
    if(TARGET ${library})
        message(FATAL_ERROR "${call}: there is a target of that name; add to it with target_uflow_sources()")
    endif()
    set(kind STATIC)
    foreach(other IN ITEMS OBJECT SHARED MODULE)
        if(arg_${other})
            set(kind ${other})
        endif()
    endforeach()
    add_library(${library} ${kind})
    uflow_add_sources("${call}" ${library} PUBLIC "${arg_BASE_DIR}" "${arg_IMPORT_DIRS}" "${arg_OPTIONS}"
        ${arg_SOURCES})
    if(arg_LINK)
        target_link_libraries(${library} PUBLIC ${arg_LINK})
    endif()
    # Without this, every target that names a generated file would run ufc.
    get_target_property(sources ${library} SOURCES)
    add_custom_target(${library}_uflow DEPENDS ${sources})
    add_dependencies(${library} ${library}_uflow)
endfunction()

# Common part of both functions. `call` begins its messages.
function(uflow_add_sources call target scope base import_dirs options)
    if(NOT CMAKE_C_COMPILE_OBJECT)
        message(FATAL_ERROR "${call}: ufc generates C; enable the language: project(... LANGUAGES C CXX)")
    endif()
    uflow_find_ufc(ufc depends)
    get_filename_component(base "${base}" ABSOLUTE)
    if(NOT IS_DIRECTORY ${base})
        message(FATAL_ERROR "${call}: BASE_DIR ${base} is not a directory")
    endif()
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}.uflow)

    set(arguments ${options})
    foreach(directory IN LISTS import_dirs)
        get_filename_component(directory "${directory}" ABSOLUTE)
        list(APPEND arguments -I "${directory}")
    endforeach()
    if(CMAKE_GENERATOR MATCHES "Make") # compares times: an unchanged file would be generated in every build
        list(APPEND arguments --touch)
    endif()

    foreach(source IN LISTS ARGN)
        get_filename_component(source "${source}" ABSOLUTE)
        get_source_file_property(is_generated "${source}" GENERATED)
        if(NOT source MATCHES "\\.uflow$")
            message(FATAL_ERROR "${call}: ${source} is no .uflow file")
        endif()
        if(NOT EXISTS "${source}" AND NOT is_generated)
            message(FATAL_ERROR "${call}: ${source} does not exist")
        endif()
        file(RELATIVE_PATH name "${base}" "${source}")
        if(name MATCHES "^\\.\\./" OR IS_ABSOLUTE "${name}")
            message(FATAL_ERROR "${call}: ${source} lies outside of ${base}; name a directory above it with BASE_DIR")
        endif()
        string(REGEX REPLACE "\\.uflow$" "" name "${name}")
        set(c "${out}/${name}.c")
        set(h "${out}/${name}.h")
        get_target_property(present ${target} SOURCES)
        if("${c}" IN_LIST present)
            message(FATAL_ERROR "${call}: ${source} is named twice, or another file has its place ${c}")
        endif()
        get_filename_component(directory "${c}" DIRECTORY)
        file(MAKE_DIRECTORY "${directory}")
        add_custom_command(OUTPUT "${c}" "${h}"
            COMMAND ${ufc} ${arguments} -MD -MF "${c}.d" -MT "${c}" -o "${c}" "${source}"
            DEPENDS "${source}" ${depends} DEPFILE "${c}.d"
            VERBATIM COMMENT "ufc ${name}.uflow")
        set_source_files_properties("${c}" "${h}" PROPERTIES
            SKIP_AUTOGEN ON SKIP_LINTING ON SKIP_UNITY_BUILD_INCLUSION ON)
        # Compiles a flow's switch to comparisons, which are predicted better than a jump through a table
        # (docs/performance.md).
        if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CROSSCOMPILING)
            set_property(SOURCE "${c}" APPEND PROPERTY COMPILE_OPTIONS -fno-jump-tables)
        endif()
        set_property(TARGET ${target} APPEND PROPERTY SOURCES "${c}" "${h}")
    endforeach()

    target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${out}> $<BUILD_INTERFACE:${base}>)
    # Sets properties, because target_link_libraries() would impose its keyword form on a target that uses the plain
    # form.
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES uflow::runtime)
    if(scope STREQUAL "PUBLIC")
        set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES uflow::runtime)
    endif()
endfunction()

# Sets the command line of ufc and the dependencies of rules that run it. The order of the search: UFLOW_UFC; the ufc of
# this build, unless it is for another machine; bin/ufc below UFLOW_HOST_PATH; ufc in the PATH.
function(uflow_find_ufc command depends)
    set(found "")
    if(UFLOW_UFC)
        set(found "${UFLOW_UFC}")
    elseif(TARGET uflow::ufc AND NOT CMAKE_CROSSCOMPILING)
        set(${command} $<TARGET_FILE:uflow::ufc> PARENT_SCOPE)
        set(${depends} $<TARGET_FILE:uflow::ufc> PARENT_SCOPE)
        get_target_property(is_imported uflow::ufc IMPORTED)
        if(NOT is_imported)
            set(${depends} ufc $<TARGET_FILE:uflow::ufc> PARENT_SCOPE)
        endif()
        return()
    elseif(UFLOW_HOST_PATH)
        set(found "${UFLOW_HOST_PATH}/bin/ufc")
    else()
        find_program(UFLOW_UFC_IN_PATH ufc NO_CMAKE_FIND_ROOT_PATH)
        set(found "${UFLOW_UFC_IN_PATH}")
    endif()
    if(NOT EXISTS "${found}")
        message(FATAL_ERROR "uflow: there is no ufc that runs on this machine. Set UFLOW_UFC to the program, or "
                            "UFLOW_HOST_PATH to where uflow is installed for this machine. (Found: ${found})")
    endif()
    set(${command} "${found}" PARENT_SCOPE)
    set(${depends} "${found}" PARENT_SCOPE)
endfunction()

cmake_policy(POP)
