# cmake -DPROGRAM=… -DEXPECTED=… -P compare.cmake: runs the program and compares its output, byte for byte. It sets its
# own time limit: ctest would end only this script, and wait for the program.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE status TIMEOUT 120)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with status ${status}, having printed:\n${printed}")
endif()
if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${PROGRAM} printed\n${printed}\ninstead of ${EXPECTED}:\n${expected}")
endif()
