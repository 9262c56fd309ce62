#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Whether the type has a name of its own.
bool isKnownDataType(DataType type);

/// Bytes of one element, 1 for a type without a name.
int64_t dataTypeBytes(DataType type);

/// The type of that name as `dataTypeName` gives it.
std::optional<DataType> dataTypeOfName(std::string_view name);

/// The device of that text as `DeviceName::text` gives it.
std::optional<DeviceName> deviceOfText(std::string_view text);

}  // namespace jitscope::compiler
