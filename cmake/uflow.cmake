# SPDX-License-Identifier: MIT
# .uflow files as sources of CMake targets.
#
#   target_uflow_sources(<target> <PRIVATE|PUBLIC> a.uflow sub/b.uflow …
#                        [BASE_DIR <directory>] [OUT_DIR <directory>] [IMPORT_DIRS <directory>…]
#                        [OPTIONS <option of ufc>…] [COVERAGE])
#
# compiles them into an existing executable or library of the same directory. With PUBLIC, targets that link it also see
# the generated headers and the runtime.
#
#   add_uflow(<library> [STATIC|OBJECT|SHARED|MODULE] SOURCES a.uflow sub/b.uflow …
#             [BASE_DIR <directory>] [OUT_DIR <directory>] [IMPORT_DIRS <directory>…] [OPTIONS <option of ufc>…]
#             [LINK <library>…] [COVERAGE])
#
# makes a library of them, by default STATIC; everything is PUBLIC. Targets that include a generated header link the
# library, so that the header exists before they are compiled.
#
#   add_uflow_tests(<program> SOURCES a_test.uflow …
#                   [BASE_DIR <directory>] [OUT_DIR <directory>] [IMPORT_DIRS <directory>…] [OPTIONS <option of ufc>…]
#                   [LINK <library>…] [COVERAGE] [NETWORK] [MUTANTS])
#
# makes a program that runs the `test` blocks of these files, and a ctest entry <program>.NAME for each of them, which
# runs in the folder of its .uflow file. Characters outside of [A-Za-z0-9 ._-] become `_` in the name of an entry. With
# NETWORK, the sockets of the program are those of uflow/wire.h: the linker replaces the calls of cmake/wire.txt.
# With MUTANTS, the flows of these files have small changes inside, for uflow-mutate; the entries run them unchanged.
#
#   uflow_fit(<executable> [USES <feature of core>…])
#
# compiles core for the flows of an executable, and of the libraries that it links: with what they use and no more. Call
# it after all others. USES names what C code uses besides, as in uf_config.h: STOP, CANCEL, OBSERVERS, …. It needs the
# sources of uflow (add_subdirectory() or FetchContent). Such a core has no runtimes: the program drives its pump.
#
# The generated files mirror the tree below BASE_DIR (by default the current source directory). sub/b.uflow becomes
# sub/b.c and sub/b.h in OUT_DIR (by default <target>.uflow in the current binary directory); include it as "sub/b.h".
# BASE_DIR is on the include path too, so that the files can include headers of their project. A generated C file also
# finds "…" beside its .uflow file. The files are generated again when the input, one of its imports, or ufc itself
# changes.
#
# With COVERAGE, or if UFLOW_COVERAGE is set, the flows count which of their steps and arms run. At exit, programs add
# the counts to uflow.cov in the top-level binary directory; uflow-cov shows them.
#
# The target <target>_uflow only generates the files of a target, and uflow_codegen those of all targets. If ufc can run
# at configure time, missing files are generated then, so that editors find the headers before the first build.

cmake_policy(PUSH)
cmake_policy(VERSION 3.20)
include(CheckCSourceCompiles)

function(target_uflow_sources target)
    if(CMAKE_BUILD_EARLY_EXPANSION) # ESP-IDF: a script that only collects the components; it has no targets
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "COVERAGE" "BASE_DIR;OUT_DIR" "PRIVATE;PUBLIC;IMPORT_DIRS;OPTIONS")
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
    uflow_add_sources("${call}" ${target} ${scope} "${arg_BASE_DIR}" "${arg_OUT_DIR}" "${arg_IMPORT_DIRS}"
        "${arg_OPTIONS}" ${arg_COVERAGE} ${arg_${scope}})
endfunction()

function(add_uflow library)
    if(CMAKE_BUILD_EARLY_EXPANSION)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;OBJECT;SHARED;MODULE;COVERAGE" "BASE_DIR;OUT_DIR"
        "SOURCES;IMPORT_DIRS;OPTIONS;LINK")
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
    uflow_add_sources("${call}" ${library} PUBLIC "${arg_BASE_DIR}" "${arg_OUT_DIR}" "${arg_IMPORT_DIRS}"
        "${arg_OPTIONS}" ${arg_COVERAGE} ${arg_SOURCES})
    if(arg_LINK)
        target_link_libraries(${library} PUBLIC ${arg_LINK})
    endif()
endfunction()

function(add_uflow_tests program)
    if(CMAKE_BUILD_EARLY_EXPANSION)
        return()
    endif()
    set(switches "COVERAGE;NETWORK;MUTANTS")
    cmake_parse_arguments(PARSE_ARGV 1 arg "${switches}" "BASE_DIR;OUT_DIR" "SOURCES;IMPORT_DIRS;OPTIONS;LINK")
    set(call "add_uflow_tests(${program})")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${call}: SOURCES is missing before: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_SOURCES)
        message(FATAL_ERROR "${call}: there are no SOURCES")
    endif()
    if(TARGET ${program})
        message(FATAL_ERROR "${call}: there is a target of that name")
    endif()
    if(NOT TARGET uflow::test)
        message(FATAL_ERROR "${call}: uflow was built without the library uflow_test, which bare metal does not have")
    endif()
    set(options ${arg_OPTIONS} --tests)
    if(arg_MUTANTS)
        list(APPEND options --mutants)
    endif()
    add_executable(${program})
    set_property(TARGET ${program} APPEND PROPERTY LINK_LIBRARIES uflow::test) # before the runtime, which it uses
    uflow_add_sources("${call}" ${program} PRIVATE "${arg_BASE_DIR}" "${arg_OUT_DIR}" "${arg_IMPORT_DIRS}"
        "${options}" ${arg_COVERAGE} ${arg_SOURCES})
    set_property(TARGET ${program} APPEND PROPERTY LINK_LIBRARIES ${arg_LINK})
    if(arg_NETWORK)
        uflow_wrap_sockets("${call}" ${program})
    endif()
    uflow_list_tests(${program} ${arg_SOURCES})
endfunction()

# Has the linker replace the calls for sockets by those of the library uflow_test.
function(uflow_wrap_sockets call program)
    set(list "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/wire.txt")
    set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,--wrap=close)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("
        int close(int fd);
        int __real_close(int fd);
        int __wrap_close(int fd);
        int __wrap_close(int fd) { return __real_close(fd); }
        int main(void) { return close(-1) == 0; }" UFLOW_LINKER_WRAPS)
    if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT UFLOW_LINKER_WRAPS)
        message(FATAL_ERROR "${call}: NETWORK needs Linux, and a linker that knows --wrap: GNU ld, gold or lld. "
                            "Without it, leave the word out, and replace the calls for sockets in your tests.")
    endif()
    set_property(TARGET ${program} APPEND PROPERTY LINK_OPTIONS "-Wl,@${list}")
    set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS "${list}")
endfunction()

# Has the build write the ctest entries of a program, and ctest read them.
function(uflow_list_tests program)
    uflow_find_ufc(ufc depends)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${program}.tests")
    set(config "")
    get_property(has_configs GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(has_configs)
        set(config "-$<CONFIG>")
    endif()
    set(sources "")
    foreach(source IN LISTS ARGN)
        get_filename_component(source "${source}" ABSOLUTE)
        list(APPEND sources "${source}")
    endforeach()
    set(command ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
    list(JOIN sources "|" sources)
    list(JOIN command "|" command)
    add_custom_command(TARGET ${program} POST_BUILD VERBATIM COMMENT ""
        COMMAND "${CMAKE_COMMAND}" -D "UFC=${ufc}" -D "SOURCES=${sources}" -D "TARGET=${program}"
                -D "COMMAND=${command}" -D "OUTPUT=${script}${config}.cmake"
                -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/uflow_tests.cmake")
    string(REPLACE "$<CONFIG>" "\${CTEST_CONFIGURATION_TYPE}" config "${config}")
    file(WRITE "${script}.cmake.in" "if(EXISTS \"${script}${config}.cmake\")
    include(\"${script}${config}.cmake\")
else()
    add_test(${program}_not_built ${program}_not_built)
endif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}.cmake.in")
endfunction()

# Common part of these functions. `call` begins its messages.
function(uflow_add_sources call target scope base out import_dirs options coverage)
    if(NOT CMAKE_C_COMPILE_OBJECT)
        message(FATAL_ERROR "${call}: ufc generates C; enable the language: project(... LANGUAGES C CXX)")
    endif()
    uflow_find_ufc(ufc depends)
    get_filename_component(base "${base}" ABSOLUTE)
    if(NOT IS_DIRECTORY ${base})
        message(FATAL_ERROR "${call}: BASE_DIR ${base} is not a directory")
    endif()
    if(NOT out)
        set(out ${target}.uflow)
    endif()
    get_filename_component(out "${out}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    file(RELATIVE_PATH directory "${CMAKE_BINARY_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
    if(CMAKE_GENERATOR MATCHES "Make" AND directory MATCHES " " AND CMAKE_VERSION VERSION_LESS 3.26)
        message(FATAL_ERROR "${call}: this CMake writes wrong makefiles for a dependency file below `${directory}`, "
                            "whose name has a space. Use Ninja, or name another binary directory in "
                            "add_subdirectory().")
    endif()

    set(arguments ${options})
    if(coverage OR UFLOW_COVERAGE)
        set(coverage ON)
        list(APPEND arguments --coverage)
    endif()
    foreach(directory IN LISTS import_dirs)
        get_filename_component(directory "${directory}" ABSOLUTE)
        list(APPEND arguments -I "${directory}")
        set_property(TARGET ${target} APPEND PROPERTY UFLOW_IMPORT_DIRS -I "${directory}")
    endforeach()
    if(CMAKE_GENERATOR MATCHES "Make") # compares times: an unchanged file would be generated in every build
        list(APPEND arguments --touch)
    endif()
    uflow_new_codegen(codegen ${target} "${depends}")
    # With Make, CMake 3 adds new dependencies to the recorded ones: after an import is renamed, ufc would run in every
    # build. So each run of ufc clears the recorded ones.
    set(forget "")
    if(CMAKE_GENERATOR MATCHES "Make" AND CMAKE_VERSION VERSION_LESS 4)
        set(forget COMMAND "${CMAKE_COMMAND}" -E rm -f
            "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/compiler_depend.internal"
            "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${codegen}.dir/compiler_depend.internal")
    endif()

    set(has_quotes OFF) # directories that only "…" searches
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
        set(has_quotes ON)
    endif()
    set(hides OFF)
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
        uflow_note_hiding("${name}.h" hides quiet)
        set(command ${ufc} ${arguments} ${quiet} -MD -MF "${c}.d" -MT "${c}" -o "${c}" "${source}")
        set(prepare "")
        if(CMAKE_GENERATOR MATCHES "Make") # Ninja makes the directory of an output itself
            set(prepare COMMAND "${CMAKE_COMMAND}" -E make_directory "${directory}")
        endif()
        add_custom_command(OUTPUT "${c}" "${h}" ${prepare} ${forget} COMMAND ${command}
            DEPENDS "${source}" ${depends} DEPFILE "${c}.d"
            VERBATIM COMMAND_EXPAND_LISTS COMMENT "ufc ${name}.uflow")
        uflow_seed("${c}" "${h}" ${command})
        set_source_files_properties("${c}" "${h}" PROPERTIES
            SKIP_AUTOGEN ON SKIP_LINTING ON SKIP_UNITY_BUILD_INCLUSION ON)
        get_filename_component(directory "${source}" DIRECTORY)
        if(has_quotes)
            set_property(SOURCE "${c}" APPEND PROPERTY COMPILE_OPTIONS "-iquote${directory}")
        else()
            set_property(SOURCE "${c}" APPEND PROPERTY INCLUDE_DIRECTORIES "${directory}")
        endif()
        if(coverage)
            set_property(SOURCE "${c}" APPEND PROPERTY COMPILE_DEFINITIONS
                "UF_COVERAGE_FILE=\"${CMAKE_BINARY_DIR}/uflow.cov\"")
        endif()
        # With --gc-sections, the linker drops the functions that the program does not call.
        if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
            set_property(SOURCE "${c}" APPEND PROPERTY COMPILE_OPTIONS -ffunction-sections -fdata-sections)
        endif()
        # Compiles a flow's switch to comparisons, which are predicted better than a jump through a table
        # (docs/performance.md).
        if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND NOT CMAKE_CROSSCOMPILING)
            set_property(SOURCE "${c}" APPEND PROPERTY COMPILE_OPTIONS -fno-jump-tables)
        endif()
        set_property(TARGET ${target} APPEND PROPERTY SOURCES "${c}" "${h}")
        set_property(TARGET ${target} APPEND PROPERTY UFLOW_FLOWS "${source}")
        set_property(TARGET ${codegen} APPEND PROPERTY SOURCES "${c}" "${h}")
    endforeach()

    if(hides)
        target_compile_options(${target} ${scope}
            "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:C,CXX>:-iquote${out}>>")
    else()
        target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${out}>)
    endif()
    target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${base}>)
    # Sets properties, because target_link_libraries() would impose its keyword form on a target that uses the plain
    # form.
    set(runtime uflow::runtime)
    if(UFLOW_SHARED AND TARGET uflow::runtime_shared)
        set(runtime uflow::runtime_shared)
    endif()
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${runtime})
    if(scope STREQUAL "PUBLIC")
        set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${runtime})
    endif()
endfunction()

function(uflow_fit target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
    set(call "uflow_fit(${target})")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${call}: USES is missing before: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    set(runtime "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../runtime")
    if(NOT EXISTS "${runtime}/core")
        message(FATAL_ERROR "${call}: the installed package has no sources of core: use add_subdirectory()")
    endif()
    uflow_find_ufc(ufc depends)
    set(targets "")
    uflow_collect_targets(${target} targets)
    set(flows "")
    set(import_dirs "")
    foreach(each IN LISTS targets)
        get_target_property(more ${each} UFLOW_FLOWS)
        if(more)
            list(APPEND flows ${more})
        endif()
        get_target_property(more ${each} UFLOW_IMPORT_DIRS)
        if(more)
            list(APPEND import_dirs ${more})
        endif()
    endforeach()
    if(NOT flows)
        message(FATAL_ERROR "${call}: it has no flows; call target_uflow_sources() before")
    endif()
    set(config "${CMAKE_CURRENT_BINARY_DIR}/${target}.fit/uf_config.h")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}.fit")
    add_custom_command(OUTPUT "${config}"
        COMMAND ${ufc} --emit=config ${import_dirs} -MD -MF "${config}.d" -MT "${config}" --touch -o "${config}"
                ${flows}
        DEPENDS ${flows} ${depends} DEPFILE "${config}.d" VERBATIM COMMENT "ufc --emit=config for ${target}")
    add_custom_target(${target}_config DEPENDS "${config}")

    file(GLOB core CONFIGURE_DEPENDS "${runtime}/core/*/*.c" "${runtime}/recorder/*.c")
    if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
        set(port "${runtime}/port/bare.c")
    else()
        set(port "${runtime}/port/alone.c" "${runtime}/port/posix.c")
    endif()
    add_library(${target}_core STATIC ${core} ${port})
    target_include_directories(${target}_core PUBLIC "${runtime}/include"
        PRIVATE "${runtime}/core" "${runtime}/recorder" "${runtime}/port")
    target_compile_features(${target}_core PUBLIC c_std_11)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${target}_core PRIVATE -ffunction-sections -fdata-sections)
    endif()
    # With -Os, gcc inlines only what becomes shorter. Core has many functions of a few instructions.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 10)
        target_compile_options(${target}_core PRIVATE --param=max-inline-insns-size=25)
    endif()
    set(definitions "UF_CONFIG_FILE=\"${config}\"")
    foreach(feature IN LISTS arg_USES)
        list(APPEND definitions UF_USES_${feature}=1)
    endforeach()
    if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
        target_compile_definitions(${target}_core PRIVATE UFP_BARE)
    endif()
    foreach(each IN LISTS targets ITEMS ${target}_core)
        get_target_property(type ${each} TYPE)
        if(NOT type STREQUAL "INTERFACE_LIBRARY")
            target_compile_definitions(${each} PRIVATE ${definitions})
            add_dependencies(${each} ${target}_config)
        endif()
        foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
            get_target_property(libraries ${each} ${property})
            if(libraries AND NOT each STREQUAL "${target}_core")
                string(REGEX REPLACE "(^|;)(uflow::runtime_shared|uflow::runtime|uflow)(;|$)" "\\1${target}_core\\3"
                    libraries "${libraries}")
                set_property(TARGET ${each} PROPERTY ${property} "${libraries}")
            endif()
        endforeach()
    endforeach()
endfunction()

# Adds to a list the target and those that it links, as far as they have flows or link uflow: their files see the pump.
# <list>_seen: all that were visited.
function(uflow_collect_targets target list)
    list(APPEND ${list}_seen ${target})
    get_target_property(uses ${target} UFLOW_FLOWS)
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
        get_target_property(libraries ${target} ${property})
        foreach(library IN LISTS libraries)
            if(library MATCHES "^uflow(::.*)?$")
                set(uses TRUE)
            elseif(TARGET "${library}")
                get_target_property(aliased ${library} ALIASED_TARGET)
                if(aliased)
                    set(library ${aliased})
                endif()
                if(NOT library IN_LIST ${list}_seen)
                    uflow_collect_targets(${library} ${list})
                endif()
                if(library IN_LIST ${list})
                    set(uses TRUE)
                endif()
            endif()
        endforeach()
    endforeach()
    get_target_property(imported ${target} IMPORTED)
    if(uses AND NOT imported)
        list(APPEND ${list} ${target})
    endif()
    set(${list} ${${list}} PARENT_SCOPE)
    set(${list}_seen ${${list}_seen} PARENT_SCOPE)
endfunction()

# A generated string.h must not hide <string.h>: then only "…" searches OUT_DIR, and ufc need not warn.
function(uflow_note_hiding header hides quiet)
    set(${quiet} "" PARENT_SCOPE)
    foreach(directory IN LISTS CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
        if(has_quotes AND EXISTS "${directory}/${header}")
            set(${hides} ON PARENT_SCOPE)
            set(${quiet} -Wno-system-header PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Generates missing files at configure time, if ufc is there. The build reports errors; configuring does not. Generator
# expressions in the command are known only to the build.
function(uflow_seed c h ufc)
    if(NOT EXISTS "${ufc}" OR "${ARGN}" MATCHES "\\$<" OR (EXISTS "${c}" AND EXISTS "${h}"))
        return()
    endif()
    execute_process(COMMAND "${ufc}" ${ARGN} RESULT_VARIABLE ignored OUTPUT_QUIET ERROR_QUIET)
endfunction()

# Makes the target that runs the rules of one call. One target has to run them: with Make, each target that names a
# generated file would run ufc.
function(uflow_new_codegen variable target depends)
    if(NOT TARGET uflow_codegen)
        add_custom_target(uflow_codegen)
    endif()
    set(codegen ${target}_uflow)
    set(number 1)
    while(TARGET ${codegen}) # a further call for the same target
        math(EXPR number "${number} + 1")
        set(codegen ${target}_uflow_${number})
    endwhile()
    add_custom_target(${codegen})
    foreach(item IN LISTS depends)
        if(TARGET "${item}")
            add_dependencies(${codegen} ${item})
        endif()
    endforeach()
    add_dependencies(uflow_codegen ${codegen})
    add_dependencies(${target} ${codegen})
    if(NOT codegen STREQUAL "${target}_uflow")
        add_dependencies(${target}_uflow ${codegen})
    endif()
    set(${variable} ${codegen} PARENT_SCOPE)
endfunction()

# Sets the command of ufc and the dependencies of rules that run it. The order of the search:
#   1. UFLOW_UFC, a program;
#   2. bin/ufc below UFLOW_HOST_PATH;
#   3. the ufc of this build or of the installed package, unless it is for another machine;
#   4. a ufc that the build makes for this machine, if it has the sources (cmake/HostBuild.cmake);
#   5. ufc in the PATH.
function(uflow_find_ufc command depends)
    set(found "")
    if(UFLOW_UFC)
        set(found "${UFLOW_UFC}")
    elseif(UFLOW_HOST_PATH)
        set(found "${UFLOW_HOST_PATH}/bin/ufc")
    elseif(TARGET uflow::ufc AND NOT CMAKE_CROSSCOMPILING)
        get_target_property(is_imported uflow::ufc IMPORTED)
        if(is_imported)
            uflow_get_imported_location(found)
        else()
            set(${command} $<TARGET_FILE:uflow::ufc> PARENT_SCOPE)
            set(${depends} ufc $<TARGET_FILE:uflow::ufc> PARENT_SCOPE)
            return()
        endif()
    elseif(TARGET uflow_host_ufc)
        get_target_property(found uflow_host_ufc UFLOW_UFC)
        set(${command} "${found}" PARENT_SCOPE)
        set(${depends} uflow_host_ufc "${found}" PARENT_SCOPE)
        return()
    else()
        # It does not search below CMAKE_PREFIX_PATH, whose programs may be for the target machine.
        find_program(UFLOW_UFC_IN_PATH ufc NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH
            NO_CMAKE_FIND_ROOT_PATH)
        set(found "${UFLOW_UFC_IN_PATH}")
    endif()
    if(NOT EXISTS "${found}")
        message(FATAL_ERROR "uflow: there is no ufc that runs on this machine. Set UFLOW_UFC to the program, or "
                            "UFLOW_HOST_PATH to where uflow is installed for this machine. (Found: ${found})")
    endif()
    set(${command} "${found}" PARENT_SCOPE)
    set(${depends} "${found}" PARENT_SCOPE)
endfunction()

# The file of the installed ufc, whatever configurations the package was built with.
function(uflow_get_imported_location variable)
    get_target_property(configurations uflow::ufc IMPORTED_CONFIGURATIONS)
    list(TRANSFORM configurations PREPEND "_")
    foreach(suffix IN LISTS configurations ITEMS "")
        get_target_property(location uflow::ufc IMPORTED_LOCATION${suffix})
        if(location)
            set(${variable} "${location}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
endfunction()

cmake_policy(POP)
