#include "analyzer/frame_name.h"

#include <fmt/format.h>

namespace jitscope::analyzer {

std::string frameName(const Run& run, FrameIndex frame) {
  const Frame& row = run.frames[frame];
  const std::string_view told = run.text(row.name);
  return told.empty() ? fmt::format("frame {}", static_cast<int64_t>(row.id)) : std::string(told);
}

Place framePlace(const Run& run, FrameIndex frame) {
  const Frame& row = run.frames[frame];
  return {std::string(run.text(row.file)), row.line, std::string(run.text(row.name))};
}

std::string compileId(trace::FrameId frame, trace::AttemptId attempt) {
  return fmt::format("{}/{}", static_cast<int64_t>(frame), static_cast<int64_t>(attempt));
}

}  // namespace jitscope::analyzer
