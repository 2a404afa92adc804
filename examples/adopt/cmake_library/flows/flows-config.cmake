include(CMakeFindDependencyMacro)
find_dependency(uflow)
include(${CMAKE_CURRENT_LIST_DIR}/flows.cmake)
