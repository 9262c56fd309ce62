#include "analyzer/import/event_class.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace jitscope::analyzer {
namespace {

struct Category {
  std::string_view name;
  EventClass value;
};

// Versions up to 2021 wrote short names with a capital.
constexpr std::array kCategories{
    Category{"cpu_op", EventClass::kOperator},
    Category{"operator", EventClass::kOperator},
    Category{"user_annotation", EventClass::kAnnotation},
    Category{"kernel", EventClass::kKernel},
    Category{"gpu_memcpy", EventClass::kCopy},
    Category{"memcpy", EventClass::kCopy},
    Category{"gpu_memset", EventClass::kSet},
    Category{"memset", EventClass::kSet},
    Category{"cuda_runtime", EventClass::kRuntime},
    Category{"hip_runtime", EventClass::kRuntime},
    Category{"xpu_runtime", EventClass::kRuntime},
    Category{"runtime", EventClass::kRuntime},
    Category{"cuda_driver", EventClass::kDriver},
    Category{"xpu_driver", EventClass::kDriver},
    Category{"driver", EventClass::kDriver},
    Category{"cuda_sync", EventClass::kSync},
};

EventClass look(std::string_view category) {
  std::string folded(category);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
  const auto* const found = std::find_if(kCategories.begin(), kCategories.end(),
                                         [&](const Category& each) { return each.name == folded; });
  return found == kCategories.end() ? EventClass::kOther : found->value;
}

}  // namespace

EventClass EventClassifier::classOf(std::string_view category) {
  if (latest_ < known_.size() && known_[latest_].category == category) return known_[latest_].value;
  for (size_t i = 0; i < known_.size(); ++i) {
    if (known_[i].category != category) continue;
    latest_ = i;
    return known_[i].value;
  }
  const EventClass value = look(category);
  constexpr size_t kMostKept = 64;
  if (known_.size() < kMostKept) known_.push_back({std::string(category), value});
  return value;
}

}  // namespace jitscope::analyzer
