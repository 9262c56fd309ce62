#include "analyzer/language.h"

namespace jitscope::analyzer {

Language languageOf(const Run& run, ProcessIndex process, FrameIndex frame) {
  if (exists(frame) && run.text(run.frames[frame].file).ends_with(".py")) return Language::kPython;
  if (!exists(process)) return Language::kCpp;
  std::string_view program = run.text(run.processes[process].row.executable);
  program = program.substr(program.rfind('/') + 1);
  const bool runsPython = program.starts_with("python");
  // A program of another language can call a function of C++, whose file tells it.
  const bool isCppFile = exists(frame) && run.text(run.frames[frame].file).ends_with(".cpp");
  return runsPython && !isCppFile ? Language::kPython : Language::kCpp;
}

}  // namespace jitscope::analyzer
