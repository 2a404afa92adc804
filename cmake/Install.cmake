# SPDX-License-Identifier: MIT
# The files that `cmake --install` installs and find_package(uflow) finds. The runtime and ufc are separate exports: a
# cross build links the target's runtime and runs the ufc of the building machine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(uflow_package ${CMAKE_INSTALL_LIBDIR}/cmake/uflow)

# After `./dev demo` only a part is built: fail before the first file is installed.
set(uflow_built "")
foreach(target uflow uflow_shared uflow_test uflow_sqlite uflow_uv
        ufc uflow-cov uflow-mutate uflow-store uflow-trace uflow-top uflow-lsp)
    if(TARGET ${target})
        string(APPEND uflow_built " \"$<TARGET_FILE:${target}>\"")
    endif()
endforeach()
install(CODE "foreach(file IN ITEMS${uflow_built})
    if(NOT EXISTS \"\${file}\")
        message(FATAL_ERROR \"not built yet: \${file}; build all first: ./dev build, or cmake --build BUILD\")
    endif()
endforeach()")

set_target_properties(uflow PROPERTIES EXPORT_NAME runtime)
install(TARGETS uflow EXPORT uflow-runtime ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET uflow_shared)
    set_target_properties(uflow_shared PROPERTIES EXPORT_NAME runtime_shared)
    install(TARGETS uflow_shared EXPORT uflow-runtime
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET uflow_test)
    set_target_properties(uflow_test PROPERTIES EXPORT_NAME test)
    install(TARGETS uflow_test EXPORT uflow-runtime ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    PATTERN sqlite.h EXCLUDE PATTERN uv.h EXCLUDE)
if(TARGET uflow_sqlite) # an export of its own: only who asks for it needs SQLite
    set_target_properties(uflow_sqlite PROPERTIES EXPORT_NAME sqlite)
    install(TARGETS uflow_sqlite EXPORT uflow-sqlite ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES runtime/include/uflow/sqlite.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/uflow)
    install(EXPORT uflow-sqlite NAMESPACE uflow:: FILE uflow-sqlite.cmake DESTINATION ${uflow_package})
endif()
if(TARGET uflow_uv)
    set_target_properties(uflow_uv PROPERTIES EXPORT_NAME uv)
    install(TARGETS uflow_uv EXPORT uflow-runtime ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(FILES runtime/include/uflow/uv.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/uflow)
endif()
install(EXPORT uflow-runtime NAMESPACE uflow:: FILE uflow-runtime.cmake DESTINATION ${uflow_package})
if(TARGET ufc)
    install(TARGETS ufc EXPORT uflow-ufc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT uflow-ufc NAMESPACE uflow:: FILE uflow-ufc.cmake DESTINATION ${uflow_package})
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}) # man pages, completions
    foreach(place IN ITEMS vim/vimfiles nvim/site) # where Vim and Neovim look
        install(DIRECTORY editors/vim/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${place})
    endforeach()
    install(FILES editors/emacs/uflow-mode.el DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/emacs/site-lisp)
    install(FILES editors/vscode/syntaxes/uflow.tmLanguage.json DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/uflow)
endif()
foreach(tool cov mutate store trace top)
    if(TARGET uflow-${tool})
        set(completions tools/${tool}/completions/uflow-${tool})
        install(TARGETS uflow-${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
        install(FILES tools/${tool}/uflow-${tool}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
        if(tool STREQUAL lsp) # editors start it
            continue()
        endif()
        install(FILES ${completions}.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
            RENAME uflow-${tool})
        install(FILES ${completions}.zsh DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions
            RENAME _uflow-${tool})
        install(FILES ${completions}.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
    endif()
endforeach()
if(TARGET uflow-lsp) # editors start it, so shells do not complete its options
    install(TARGETS uflow-lsp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES tools/lsp/uflow-lsp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/uflow-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/uflow-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/uflow-config.cmake
    INSTALL_DESTINATION ${uflow_package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uflow-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/uflow-config-version.cmake
    cmake/uflow.cmake cmake/uflow_tests.cmake cmake/wire.txt DESTINATION ${uflow_package})

file(RELATIVE_PATH uflow_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" uflow_prefix_from_pc "${uflow_prefix_from_pc}")
set(uflow_pc_option "")
if(NOT UFLOW_JOB_PAYLOAD EQUAL 256)
    set(uflow_pc_option " -DUF_JOB_PAYLOAD=${UFLOW_JOB_PAYLOAD}")
endif()
set(uflow_pc_libraries -pthread)
if(WIN32)
    set(uflow_pc_libraries "-lws2_32 -lsynchronization")
endif()
configure_file(cmake/uflow.pc.in ${CMAKE_CURRENT_BINARY_DIR}/uflow.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uflow.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET uflow_test)
    configure_file(cmake/uflow-test.pc.in ${CMAKE_CURRENT_BINARY_DIR}/uflow-test.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uflow-test.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET uflow_sqlite)
    configure_file(cmake/uflow-sqlite.pc.in ${CMAKE_CURRENT_BINARY_DIR}/uflow-sqlite.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/uflow-sqlite.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(DIRECTORY tools/gdb/ DESTINATION ${CMAKE_INSTALL_DATADIR}/uflow/gdb PATTERN __pycache__ EXCLUDE)
# gdb loads this file with the shared library, if both have the prefix of gdb itself.
if(TARGET uflow_shared AND NOT APPLE AND NOT WIN32)
    get_target_property(uflow_shared_version uflow_shared VERSION)
    set(uflow_auto_load libuflow.so.${uflow_shared_version}-gdb.py)
    file(CONFIGURE OUTPUT ${uflow_auto_load} @ONLY CONTENT "import sys
sys.path.insert(0, \"@CMAKE_INSTALL_FULL_DATADIR@/uflow/gdb\")
before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
import uflow_gdb
sys.dont_write_bytecode = before
")
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${uflow_auto_load}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR})
endif()
install(FILES cmake/uflow.mk cmake/wire.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/uflow)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)
install(FILES editors/vscode/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/editors/vscode)
install(CODE "set(documents \"${CMAKE_INSTALL_DOCDIR}\")
set(headers \"${CMAKE_INSTALL_INCLUDEDIR}\")
include(\"${CMAKE_CURRENT_LIST_DIR}/install_links.cmake\")")

# The target uflow_uninstall removes the files of the last `cmake --install` of this build.
configure_file(cmake/uninstall.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/uninstall.cmake @ONLY)
add_custom_target(uflow_uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_BINARY_DIR}/uninstall.cmake VERBATIM
    COMMENT "Removing the installed files")
