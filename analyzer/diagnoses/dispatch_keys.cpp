#include "analyzer/diagnoses/dispatch_keys.h"

#include <array>

namespace jitscope::analyzer {
namespace {

constexpr std::array kDevices{
    std::string_view("CPU"),  std::string_view("CUDA"), std::string_view("HIP"),
    std::string_view("XPU"),  std::string_view("MPS"),  std::string_view("Meta"),
    std::string_view("XLA"),  std::string_view("HPU"),  std::string_view("MTIA"),
    std::string_view("Lazy"), std::string_view("IPU"),  std::string_view("PrivateUse1")};

/// Keys of which one set has one and the other has not, and what that means.
struct KeyMeaning {
  std::string_view key, meaning;
};

// The special stands before the general: a tensor made in inference mode also lacks autograd.
constexpr std::array kMeanings{
    KeyMeaning{"ADInplaceOrView",
               "one of them was made inside of torch.inference_mode() and the other was not: such "
               "tensors lack ADInplaceOrView and the autograd keys"},
    KeyMeaning{"FuncTorch", "one of them is wrapped by a transform (vmap, grad, functionalize)"},
    KeyMeaning{"Python", "one of them is of a tensor subclass or under a dispatch mode"},
    KeyMeaning{"Sparse", "one of them is sparse"},
    KeyMeaning{"Quantized", "one of them is quantised"},
    KeyMeaning{"NestedTensor", "one of them is a nested tensor"},
    KeyMeaning{"Conjugate", "one of them is a lazily conjugated view (resolve_conj() ends that)"},
    KeyMeaning{"Negative", "one of them is a lazily negated view (resolve_neg() ends that)"},
    KeyMeaning{"Autocast", "one of them came under torch.autocast"},
    KeyMeaning{"Autograd", "one of them takes part in autograd and the other does not"},
};

bool isWordLetter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

/// Whether `key` is one of the keys as a whole, not a part of one (CPU of AutogradCPU).
bool hasKey(std::string_view keys, std::string_view key) {
  for (size_t at = keys.find(key); at != std::string_view::npos; at = keys.find(key, at + 1)) {
    const size_t end = at + key.size();
    const bool begins = at == 0 || !isWordLetter(keys[at - 1]);
    if (begins && (end == keys.size() || !isWordLetter(keys[end]))) return true;
  }
  return false;
}

bool has(std::string_view keys, std::string_view part) {
  return keys.find(part) != std::string_view::npos;
}

}  // namespace

std::string deviceOfKeys(std::string_view keys) {
  for (const std::string_view device : kDevices) {
    if (hasKey(keys, device)) return std::string(device);
  }
  return {};
}

std::string_view differenceOfKeys(std::string_view expected, std::string_view actual) {
  for (const KeyMeaning& each : kMeanings) {
    if (has(expected, each.key) != has(actual, each.key)) return each.meaning;
  }
  return {};
}

}  // namespace jitscope::analyzer
