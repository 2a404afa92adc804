# SPDX-License-Identifier: MIT
# UFLOW_PYTHON, the command that runs a script. It is the system's Python, which sees its packages, whatever the PATH,
# the environment and the user's directory contain. -DPython3_EXECUTABLE=PROGRAM names another one.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 COMPONENTS Interpreter REQUIRED)
set(UFLOW_PYTHON ${Python3_EXECUTABLE} -E -s -B)
