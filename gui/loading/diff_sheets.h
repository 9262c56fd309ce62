#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "gui/loading/recording.h"
#include "gui/models/sheet.h"

namespace jitscope::gui {

/// Two recordings compared, as the window shows it.
struct DiffSheets {
  QString error;  ///< one line; nothing else is there then
  QString verdict;
  std::shared_ptr<const Sheet> totals;
  std::vector<std::shared_ptr<const Sheet>> details;  ///< findings, callables, kernels, operators
};

/// Loads the second recording and compares. For a worker; ends soon after a stop is requested.
DiffSheets compareWith(const Recording& before, const std::filesystem::path& after,
                       const std::stop_token& stop);

}  // namespace jitscope::gui
