#pragma once

#include <cupti.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "trace/sink.h"

namespace jitscope::collector {

/// The texts of kernel rows, each made and interned once: names as a person writes them, and how a
/// kernel was launched. For one thread.
class KernelTexts {
 public:
  explicit KernelTexts(trace::EventSink& sink) : sink_(sink) {}

  /// The name that CUPTI gives, demangled. All records of a kernel share the pointer, but another
  /// kernel may get it once the first one's module is gone.
  trace::StringId name(const char* mangled);

  /// "grid 4x1x1 block 256x1x1 shared 0+0 registers 32".
  trace::StringId launch(const CUpti_ActivityKernel10& kernel);

 private:
  struct Known {
    std::string mangled;
    trace::StringId text{};
  };
  using Shape =
      std::tuple<int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, uint16_t>;

  trace::EventSink& sink_;
  std::unordered_map<const char*, Known> names_;
  std::map<Shape, trace::StringId> launches_;
};

}  // namespace jitscope::collector
