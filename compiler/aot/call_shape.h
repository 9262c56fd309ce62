#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::compiler {

/// What a trace depends on beside the dtypes and sizes of its arguments: how they share objects and
/// memory, what autograd knows of them, the modes of the thread, the values of symbols.
struct CallShape {
  struct Argument {
    uint32_t sameAs = 0;      ///< the first argument that is the same tensor
    uint32_t sharesWith = 0;  ///< the first argument that has the same storage
    bool requiresGrad = false, isLeaf = true, isInference = false;

    bool operator==(const Argument&) const = default;
  };

  std::vector<Argument> arguments;
  std::vector<int64_t> symbols;
  bool isGradEnabled = true, isInferenceMode = false;
  uint64_t autocastKeys = 0;

  static CallShape of(std::span<const at::Tensor> arguments, std::span<const int64_t> symbols);

  bool operator==(const CallShape&) const = default;
};

/// Where each argument begins in its storage and how large that is: what a trace depends on too
/// when it reaches from one argument to others that share its memory, or names places in a storage.
struct CallPlaces {
  std::vector<int64_t> offsets, storageBytes;

  static CallPlaces of(std::span<const at::Tensor> arguments);

  bool operator==(const CallPlaces&) const = default;
};

/// How the arguments of a call become the tensors that a trace takes, its primals: each tensor
/// once, and, where it is asked for, one base in the place of all tensors on one storage, of which
/// they are views. A write to one is then seen in the others.
struct ArgumentLayout {
  struct Argument {
    size_t primal = 0;
    bool isViewOfBase = false;
    std::vector<int64_t> sizes, strides;  ///< of the view
    int64_t storageOffset = 0;
  };
  struct Primal {
    size_t argument = 0;  ///< the first one that it stands for
    bool isBase = false;
    std::vector<size_t> members;  ///< of a base: the arguments that are its views
  };

  std::vector<Argument> arguments;
  std::vector<Primal> primals;

  /// Whether some arguments share memory without being the same tensor.
  bool hasAliases = false;
};

/// `mergesAliases`: make bases. Throws Refusal where there can be none.
ArgumentLayout layOut(std::span<const at::Tensor> arguments, const CallShape& shape,
                      bool mergesAliases);

/// The primals of a call. Throws Refusal when these arguments have no common base.
std::vector<at::Tensor> primalsOf(const ArgumentLayout& layout,
                                  std::span<const at::Tensor> arguments);

}  // namespace jitscope::compiler
