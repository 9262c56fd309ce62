#include "analyzer/import/generated_kernel.h"

#include <algorithm>
#include <array>

namespace jitscope::analyzer {

bool isGeneratedKernel(std::string_view name) {
  constexpr std::array<std::string_view, 9> kPrefixes{
      "triton_poi_", "triton_red_", "triton_per_", "triton_tem_",  "triton_for_",
      "triton_mix_", "triton_unk_", "triton_mm_",  "triton_split_"};
  return name.starts_with("triton_") &&
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace jitscope::analyzer
