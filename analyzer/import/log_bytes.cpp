#include "analyzer/import/log_bytes.h"

#include <chrono>
#include <system_error>
#include <vector>

namespace jitscope::analyzer {

void readLog(InputBytes& bytes, Import& result, const std::function<void(std::string_view)>& take) {
  constexpr size_t kBlockBytes = size_t{1} << 20;
  std::vector<char> block(kBlockBytes);
  while (const size_t size = bytes.read(block)) {
    take(std::string_view(block.data(), size));
    if (size < block.size()) break;
  }
  if (!bytes.fault().empty()) result.lose(InputLossKind::kCut, "end", bytes.fault());
}

int64_t fileTimeNs(const std::filesystem::path& path) {
  std::error_code problem;
  const auto time = std::filesystem::last_write_time(path, problem);
  if (path.empty() || problem) return 0;
  const auto unix = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(unix.time_since_epoch()).count();
}

}  // namespace jitscope::analyzer
