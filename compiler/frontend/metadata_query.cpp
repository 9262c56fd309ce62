#include "compiler/frontend/metadata_query.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <string_view>

namespace jitscope::compiler {
namespace {

constexpr std::array<std::string_view, 22> kQueries{
    "aten::can_cast",       "aten::dim",           "aten::is_complex",
    "aten::is_conj",        "aten::is_contiguous", "aten::is_floating_point",
    "aten::is_inference",   "aten::is_leaf",       "aten::is_neg",
    "aten::is_same_size",   "aten::is_signed",     "aten::numel",
    "aten::promote_types",  "aten::result_type",   "aten::size",
    "aten::storage_offset", "aten::stride",        "aten::sym_numel",
    "aten::sym_size",       "aten::sym_stride",    "aten::sym_storage_offset",
    "aten::_is_zerotensor"};

bool returnsTensor(const c10::FunctionSchema& schema) {
  return !schema.returns().empty() &&
         (schema.returns()[0].type()->kind() == c10::TypeKind::TensorType ||
          schema.returns()[0].type()->kind() == c10::TypeKind::ListType);
}

}  // namespace

bool isMetadataQuery(const c10::OperatorHandle& op) {
  // Nearly all operators give tensors: leave them at the first look.
  const auto& schema = op.schema();
  if (schema.returns().empty() || returnsTensor(schema)) return false;
  const std::string_view name = op.operator_name().name;
  for (const auto query : kQueries) {
    if (name == query) return true;
  }
  return false;
}

}  // namespace jitscope::compiler
