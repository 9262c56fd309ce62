# Installs the build into an empty folder; then writes the README's program and project into another,
# configures, builds and runs them with nothing but the installed tree.
#   cmake -DBUILD_DIR=… -DWORK_DIR=… -DCXX_FLAGS=… -P run.cmake
set(readme ${CMAKE_CURRENT_LIST_DIR}/../../../README.md)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Writes the README's first block of code in `language` to `path`.
function(write_block language path)
  file(READ ${readme} text)
  set(opening "\n```${language}\n")
  string(FIND "${text}" "${opening}" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${readme}: no block of ${language}")
  endif()
  string(LENGTH "${opening}" length)
  math(EXPR begin "${begin} + ${length}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```\n" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  file(WRITE ${path} "${text}\n")
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
write_block(cpp ${WORK_DIR}/project/main.cpp)
write_block(cmake ${WORK_DIR}/project/CMakeLists.txt)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
if(EXISTS ${WORK_DIR}/prefix/lib/libjitscope_parquet.so)  # finds Arrow where the build found it
  run(${WORK_DIR}/prefix/bin/jitscope export ${CMAKE_CURRENT_LIST_DIR}/../../traces/tiny_v1.jitscope
    --to parquet -o ${WORK_DIR}/parquet)
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${WORK_DIR}/project -B ${WORK_DIR}/build
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D CMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/my_program)
