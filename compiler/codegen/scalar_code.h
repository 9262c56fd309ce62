#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// Scalars as C++ text, the same for processors and GPUs: both have a prelude with the functions
/// that the text names.
class ScalarCode {
 public:
  explicit ScalarCode(const LoopProgram& program) : program_(program) {}

  /// Names by which the text speaks of buffers, loops (by LoopId) and results of reductions.
  std::map<BufferId, std::string> buffers;
  std::vector<std::string> loops;
  std::map<ReductionId, std::string> reductions;
  /// Scalars whose value stands under another name than their own.
  std::map<ScalarId, std::string> names;

  /// "v12", or the number itself for a constant.
  std::string reference(ScalarId id);
  /// "const float v12 = v3 + v4;"
  std::string definition(ScalarId id);
  /// The right-hand side of it.
  std::string expression(ScalarId id);
  std::string index(const Index& index);
  /// Definitions of the counters i0, i1, … of `loops`, the last of them innermost, from `point`, a
  /// number that counts all their points. `sizes` are those of all loops, `type` is the counters'.
  std::vector<std::string> counters(const std::string& point, const std::vector<size_t>& loops,
                                    const std::vector<Index>& sizes, std::string_view type);
  /// What an element of that type in memory is made of: "bf16_of_f32(v12)".
  std::string stored(ScalarId value, ElementType type);
  /// A loaded element, `place` as it is in memory, in its compute type.
  std::string loaded(const std::string& place, ElementType type);

  /// The functions of the prelude that were named so far.
  const std::set<std::string>& functions() const { return functions_; }
  void need(std::string function) { functions_.insert(std::move(function)); }

  static std::string_view typeName(ElementType type);     ///< in registers: "float"
  static std::string_view storageName(ElementType type);  ///< in memory: "bf16_t"
  static std::string literal(double value, ElementType type);

 private:
  std::string call(const std::string& function, const Scalar& scalar);
  std::string unary(const Scalar& scalar);
  std::string binary(const Scalar& scalar);
  std::string cast(const Scalar& scalar);

  const LoopProgram& program_;
  std::set<std::string> functions_;
};

}  // namespace jitscope::compiler
