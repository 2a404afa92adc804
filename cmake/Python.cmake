# UFLOW_PYTHON, the command that runs a script: Python of the system, which sees its packages, whatever else the PATH,
# the environment and the user's directory have. -DPython3_EXECUTABLE=PROGRAM names another one.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 COMPONENTS Interpreter REQUIRED)
set(UFLOW_PYTHON ${Python3_EXECUTABLE} -E -s -B)
