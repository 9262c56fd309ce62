#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "trace/sink.h"

namespace jitscope::collector {

/// Gives the id of an operator's name by the name's address, and its text: addresses of names that
/// are not an operator's own are used again for others. An id that the sink could not give (it is
/// between two files, or full) is asked for again. One thread.
class NameCache {
 public:
  trace::StringId intern(const char* name, trace::EventSink& sink);

 private:
  struct Entry {
    const char* address = nullptr;
    std::unique_ptr<char[]> text;
    trace::StringId id{};
  };
  std::array<Entry, 512> entries_;
};

}  // namespace jitscope::collector
