#include "analyzer/load/eager_traffic.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kUnknownEager = -1;

/// What an operator makes of its inputs.
enum class EagerKind {
  kUnknown,
  kElements,
  kComparison,  ///< one byte for each element
  kOverwrite,   ///< the first input is written, and not read
  kReduction,
  kNormalize,
};

struct EagerOperator {
  std::string_view name;
  EagerKind kind;
};

// Without the `_` of what works in place.
constexpr EagerOperator kEagerOperators[] = {{"add", EagerKind::kElements},
                                             {"sub", EagerKind::kElements},
                                             {"mul", EagerKind::kElements},
                                             {"div", EagerKind::kElements},
                                             {"pow", EagerKind::kElements},
                                             {"exp", EagerKind::kElements},
                                             {"log", EagerKind::kElements},
                                             {"sqrt", EagerKind::kElements},
                                             {"rsqrt", EagerKind::kElements},
                                             {"neg", EagerKind::kElements},
                                             {"abs", EagerKind::kElements},
                                             {"sin", EagerKind::kElements},
                                             {"cos", EagerKind::kElements},
                                             {"tanh", EagerKind::kElements},
                                             {"erf", EagerKind::kElements},
                                             {"relu", EagerKind::kElements},
                                             {"gelu", EagerKind::kElements},
                                             {"silu", EagerKind::kElements},
                                             {"sigmoid", EagerKind::kElements},
                                             {"reciprocal", EagerKind::kElements},
                                             {"clamp", EagerKind::kElements},
                                             {"clamp_min", EagerKind::kElements},
                                             {"maximum", EagerKind::kElements},
                                             {"minimum", EagerKind::kElements},
                                             {"addcmul", EagerKind::kElements},
                                             {"addcdiv", EagerKind::kElements},
                                             {"silu_backward", EagerKind::kElements},
                                             {"gelu_backward", EagerKind::kElements},
                                             {"tanh_backward", EagerKind::kElements},
                                             {"sigmoid_backward", EagerKind::kElements},
                                             {"threshold_backward", EagerKind::kElements},
                                             {"eq", EagerKind::kComparison},
                                             {"ne", EagerKind::kComparison},
                                             {"lt", EagerKind::kComparison},
                                             {"le", EagerKind::kComparison},
                                             {"gt", EagerKind::kComparison},
                                             {"ge", EagerKind::kComparison},
                                             {"copy", EagerKind::kOverwrite},
                                             {"fill", EagerKind::kOverwrite},
                                             {"zero", EagerKind::kOverwrite},
                                             {"sum", EagerKind::kReduction},
                                             {"mean", EagerKind::kReduction},
                                             {"amax", EagerKind::kReduction},
                                             {"amin", EagerKind::kReduction},
                                             {"linalg_vector_norm", EagerKind::kReduction},
                                             {"native_layer_norm", EagerKind::kNormalize},
                                             {"_fused_rms_norm", EagerKind::kNormalize}};

EagerKind eagerKindOf(std::string_view op) {
  constexpr std::string_view kNamespace = "aten::";
  if (!op.starts_with(kNamespace)) return EagerKind::kUnknown;
  op.remove_prefix(kNamespace.size());
  if (op.ends_with('_')) op.remove_suffix(1);
  for (const EagerOperator& known : kEagerOperators) {
    if (known.name == op) return known.kind;
  }
  return EagerKind::kUnknown;
}

bool hasPart(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Whether a name stands in another as a word of its own: not the float of float4.
bool hasWord(std::string_view text, std::string_view word) {
  const auto isOfName = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool isWord = (at == 0 || !isOfName(at - 1)) && !isOfName(at + word.size());
    if (isWord) return true;
  }
  return false;
}

/// Kernels that take and give what their name is of; the others convert while they load and store.
bool hasOneDtype(std::string_view kernel) {
  const bool isKnown = hasPart(kernel, "vectorized_elementwise_kernel<") ||
                       hasPart(kernel, "native::elementwise_kernel<") ||
                       hasPart(kernel, "reduce_kernel<") ||
                       hasPart(kernel, "vectorized_layer_norm_kernel<");
  return isKnown && !hasPart(kernel, "WithCast") && !hasPart(kernel, "gpu_kernel_impl<") &&
         !hasPart(kernel, "16_copy_kernel");
}

/// Of the dtype of a kernel's tensors. Those of 16 bits are computed with float inside.
int64_t elementBytes(std::string_view kernel) {
  const bool isBfloat16 = hasWord(kernel, "BFloat16");
  const bool isHalf = hasWord(kernel, "Half");
  if (isBfloat16 || isHalf) return isBfloat16 && isHalf ? kUnknownEager : 2;
  const bool isFloat = hasWord(kernel, "float");
  const bool isDouble = hasWord(kernel, "double");
  if (isFloat == isDouble) return kUnknownEager;
  return isFloat ? 4 : 8;
}

using TensorSizes = std::vector<int64_t>;

/// "[4, 16], [[16], [2]]" as one list of tensors; empty when it does not say all.
std::vector<TensorSizes> tensorSizesOf(std::string_view shapes) {
  if (shapes.find_first_not_of("[], 0123456789") != shapes.npos) return {};
  std::vector<TensorSizes> tensors;
  for (size_t close = shapes.find(']'); close != shapes.npos; close = shapes.find(']')) {
    const size_t open = shapes.find_last_of('[', close);
    if (open == shapes.npos) return {};
    TensorSizes sizes;
    const char* at = shapes.data() + open + 1;
    const char* const end = shapes.data() + close;
    while (at < end) {
      int64_t size = 0;
      const auto [next, error] = std::from_chars(at, end, size);
      if (error != std::errc()) return {};
      sizes.push_back(size);
      at = std::find_if(next, end, [](unsigned char c) { return std::isdigit(c); });
    }
    tensors.push_back(std::move(sizes));
    shapes.remove_prefix(close + 1);
    // The end of a list of tensors.
    while (shapes.starts_with(']')) shapes.remove_prefix(1);
  }
  return tensors;
}

int64_t elementCount(const TensorSizes& sizes) {
  int64_t elements = 1;
  for (const int64_t size : sizes) elements = productOf(elements, size);
  return elements;
}

/// How many elements come of tensors that are computed element by element.
int64_t broadcastElements(const std::vector<TensorSizes>& tensors) {
  size_t rank = 0;
  for (const TensorSizes& sizes : tensors) rank = std::max(rank, sizes.size());
  TensorSizes all(rank, 1);
  for (const TensorSizes& sizes : tensors) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t& size = all[rank - sizes.size() + i];
      if (sizes[i] != 1) size = sizes[i];
    }
  }
  return elementCount(all);
}

}  // namespace

int64_t eagerTraffic(std::string_view kernel, std::string_view op, std::string_view shapes) {
  const EagerKind kind = eagerKindOf(op);
  const int64_t each = hasOneDtype(kernel) ? elementBytes(kernel) : kUnknownEager;
  if (kind == EagerKind::kUnknown || each == kUnknownEager) return kUnknownEager;
  const std::vector<TensorSizes> tensors = tensorSizesOf(shapes);
  if (tensors.empty()) return kUnknownEager;
  int64_t elements = 0;
  for (const TensorSizes& sizes : tensors) {
    // A number beside a tensor comes as a tensor without sizes, and travels with the launch.
    if (!sizes.empty()) elements = sumOf(elements, elementCount(sizes));
  }
  if (kind == EagerKind::kElements) elements = sumOf(elements, broadcastElements(tensors));
  if (kind == EagerKind::kNormalize) elements = sumOf(elements, elementCount(tensors[0]));
  const int64_t compared = kind == EagerKind::kComparison ? broadcastElements(tensors) : 0;
  return sumOf(productOf(elements, each), compared);
}

}  // namespace jitscope::analyzer
