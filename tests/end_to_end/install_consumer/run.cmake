# Installs the build into an empty folder, then configures, builds and runs the project beside this
# file with nothing but the installed tree.
#   cmake -DBUILD_DIR=… -DWORK_DIR=… -DCXX_FLAGS=… -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer)
