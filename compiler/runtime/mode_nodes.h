#pragma once

#include <cstdint>
#include <memory>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A node that changes a mode of the thread, ready to be applied.
struct ModeChange {
  enum class Kind : uint8_t { kNone, kGrad, kInference, kAutocast };
  Kind kind = Kind::kNone;
  bool isEnabled = false;
  int8_t deviceKind = 0;  ///< autocast
  DataType dataType{};    ///< autocast
};

/// The change that `node` stands for; kind kNone for ordinary operators. Throws c10::Error for a
/// `jitscope::` node that is malformed.
ModeChange modeChangeOf(const Node& node);

/// Applies changes to the calling thread's modes and takes all of them back at its end.
class ModeChanges {
 public:
  ModeChanges();
  ~ModeChanges();
  ModeChanges(const ModeChanges&) = delete;
  ModeChanges& operator=(const ModeChanges&) = delete;

  void apply(const ModeChange& change);

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace jitscope::compiler
