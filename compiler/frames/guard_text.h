#pragma once

#include <cstdint>
#include <string>

#include "compiler/frames/guards.h"

/// \file
/// The words that guards and their failures share.
namespace jitscope::compiler {

/// "True" or "False".
std::string boolWord(int64_t value);

/// A text as Python writes it.
std::string quoted(const std::string& text);

/// Dispatch keys by name.
std::string keysText(uint64_t raw);

/// What a guard of a value that is no tensor demands: "L['n'] == 2".
std::string equalityText(const GuardTables& tables, const GuardTables::Value& guard,
                         const std::string& source);

/// The kind of such a guard in Dynamo's words.
std::string guardKind(Leaf::Kind kind);

/// The name of a size: "L['x'].size()[0]".
std::string sizeText(const GuardTables& tables, size_t leaf, size_t dimension);

}  // namespace jitscope::compiler
