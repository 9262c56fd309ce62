#include "compiler/errors.h"

#include <fmt/format.h>

#include <utility>

namespace jitscope {

GraphBreakError::GraphBreakError(compiler::BreakReason reason, compiler::SourceLine place)
    : std::runtime_error(fmt::format("{}\n  {}\n  {}\n  at {}:{}", reason.type, reason.explanation,
                                     reason.hint, place.file, place.line)),
      reason_(std::move(reason)),
      place_(std::move(place)) {}

}  // namespace jitscope
