#pragma once

namespace c10 {
class OperatorHandle;
}

namespace jitscope::compiler {

/// Whether an operator only answers a question about metadata (is_same_size, result_type, …): its
/// result needs no numbers, so that it neither breaks a graph nor belongs into one.
bool isMetadataQuery(const c10::OperatorHandle& op);

}  // namespace jitscope::compiler
