#include "collector/inject/self_description.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "collector/environment.h"
#include "collector/inject/torch_library.h"
#include "trace/process_row.h"

namespace jitscope::collector {

std::string newTracePath(std::string_view folder) {
  std::string program = trace::executablePath();
  program.erase(0, program.rfind('/') + 1);
  std::replace_if(
      program.begin(), program.end(),
      [](unsigned char c) { return !std::isalnum(c) && !std::strchr("._+-", c); }, '_');
  std::string stem(folder);
  stem += '/' + program.substr(0, 64) + '-' + std::to_string(getpid());
  std::string path = stem + kTraceSuffix;
  for (int next = 2; access(path.c_str(), F_OK) == 0; ++next) {
    path = stem + '-' + std::to_string(next) + kTraceSuffix;
  }
  return path;
}

void describeProcess(trace::EventSink& sink) {
  trace::ProcessRow row = trace::processRow(sink);
  row.jitscopeVersion = sink.intern(JITSCOPE_VERSION);
  row.torchVersion = sink.intern(torchLibrary().version);
  trace::emit(sink, row);
}

}  // namespace jitscope::collector
