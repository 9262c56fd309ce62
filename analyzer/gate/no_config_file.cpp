// In place of config_file.cpp where toml++ is not installed.
#include "analyzer/gate/config.h"

namespace jitscope::analyzer {

trace::Result<GateConfig> parseGateConfig(std::string_view, const std::string& name) {
  return trace::Error{
      name + ": this jitscope was built without toml++ and reads no configuration; use --limit"};
}

trace::Result<GateConfig> readGateConfig(const std::filesystem::path& path) {
  return parseGateConfig("", path.string());
}

}  // namespace jitscope::analyzer
