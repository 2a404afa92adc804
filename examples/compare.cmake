# cmake -DPROGRAM=… [-DEMULATOR=…] -DEXPECTED=… -P compare.cmake: runs the program and compares its output, byte for
# byte, except for the ends of lines on Windows. It sets its own time limit: ctest would end only this script, and wait
# for the program.
execute_process(COMMAND ${EMULATOR} ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE status TIMEOUT 120)
file(READ ${EXPECTED} expected)
if(PROGRAM MATCHES "\\.exe$")
    string(REPLACE "\r\n" "\n" printed "${printed}")
endif()
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with status ${status}, having printed:\n${printed}")
endif()
if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${PROGRAM} printed\n${printed}\ninstead of ${EXPECTED}:\n${expected}")
endif()
