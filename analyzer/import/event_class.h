#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// What an event of a Chrome trace tells of, by its category.
enum class EventClass {
  kOther,       ///< of which no row is made: Python functions, spans of other tools
  kOperator,    ///< a host operator
  kAnnotation,  ///< what the user or the compiler marked on the host
  kKernel,
  kCopy,
  kSet,
  kRuntime,  ///< a call of the runtime's API
  kDriver,   ///< a call of the driver's API
  kSync,
};

/// Whether an event of that class ran on a device.
constexpr bool isDeviceWork(EventClass value) {
  return value == EventClass::kKernel || value == EventClass::kCopy || value == EventClass::kSet;
}

/// Tells classes by the names of categories, of all versions. A file has a handful of them, so the
/// last answers are kept. For one thread.
class EventClassifier {
 public:
  EventClass classOf(std::string_view category);

 private:
  struct Known {
    std::string category;
    EventClass value;
  };
  std::vector<Known> known_;
  size_t latest_ = 0;
};

}  // namespace jitscope::analyzer
