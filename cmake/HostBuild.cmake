# SPDX-License-Identifier: MIT
# Builds ufc for the building machine, as part of a build for another machine. The target uflow_host_ufc does so when a
# rule needs ufc.
#
# The inner build must not see the cross compiler: an environment that is set up for it may have CC, CFLAGS and others.
include(ExternalProject)

set(uflow_host_directory ${PROJECT_BINARY_DIR}/host)
set(uflow_host_environment ${CMAKE_COMMAND} -E env)
foreach(name IN ITEMS CC CXX ASM CFLAGS CXXFLAGS CPPFLAGS ASMFLAGS LDFLAGS CMAKE_TOOLCHAIN_FILE CMAKE_GENERATOR
        CMAKE_GENERATOR_PLATFORM CMAKE_GENERATOR_TOOLSET CMAKE_BUILD_TYPE CMAKE_CONFIG_TYPE
        CPATH C_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX SYSROOT PKG_CONFIG_SYSROOT_DIR
        CMAKE_PREFIX_PATH DESTDIR)
    list(APPEND uflow_host_environment --unset=${name})
endforeach()

string(REPLACE " Multi-Config" "" uflow_host_generator "${CMAKE_GENERATOR}")
set(uflow_host_build ${CMAKE_COMMAND} --build <BINARY_DIR> --target)
if(CMAKE_GENERATOR MATCHES "Make") # shares the jobs of the outer make
    set(uflow_host_build "$(MAKE)")
endif()
ExternalProject_Add(uflow_host_ufc
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${uflow_host_directory}
    PREFIX ${uflow_host_directory}/steps
    CONFIGURE_COMMAND ${uflow_host_environment} ${CMAKE_COMMAND} -S <SOURCE_DIR> -B <BINARY_DIR>
        -G ${uflow_host_generator} -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM} -DCMAKE_BUILD_TYPE=Release
        -DUFLOW_BUILD_TESTS=OFF -DUFLOW_BUILD_EXAMPLES=OFF -DUFLOW_INSTALL=OFF
    BUILD_COMMAND ${uflow_host_environment} ${uflow_host_build} ufc
    INSTALL_COMMAND ""
    BUILD_BYPRODUCTS ${uflow_host_directory}/bin/ufc
    BUILD_ALWAYS ON # the sources may have changed
    EXCLUDE_FROM_ALL ON)
set_target_properties(uflow_host_ufc PROPERTIES UFLOW_UFC ${uflow_host_directory}/bin/ufc)
