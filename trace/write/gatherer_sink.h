#pragma once

#include <span>
#include <string_view>

#include "trace/sink.h"
#include "trace/write/row_gatherer.h"

namespace jitscope::trace::write {

/// Lets `emit` fill a gatherer.
class GathererSink final : public EventSink {
 public:
  explicit GathererSink(RowGatherer& gatherer) : gatherer_(gatherer) {}
  StringId intern(std::string_view) noexcept override { return {}; }
  void write(TableId, std::span<const int64_t> cells) noexcept override { gatherer_.add(cells); }

 private:
  RowGatherer& gatherer_;
};

}  // namespace jitscope::trace::write
