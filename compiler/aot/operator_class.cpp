#include "compiler/aot/operator_class.h"

#include <string_view>
#include <unordered_map>

namespace jitscope::compiler {
namespace {

using Table = std::unordered_map<std::string_view, OperatorClass>;

void addAll(Table& table, OperatorClass kind, std::string_view names) {
  while (!names.empty()) {
    const size_t end = names.find(' ');
    if (const auto name = names.substr(0, end); !name.empty()) table.emplace(name, kind);
    names = end == std::string_view::npos ? std::string_view() : names.substr(end + 1);
  }
}

Table makeTable() {
  Table table;
  addAll(
      table, OperatorClass::kPointwise,
      "abs acos acosh add addcdiv addcmul angle asin asinh atan atan2 atanh bitwise_and "
      "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor cat ceil celu "
      "clamp clamp_max clamp_min clone constant_pad_nd copy copysign cos cosh deg2rad div elu eq "
      "erf erfc exp exp2 expm1 fill floor floor_divide fmax fmin fmod frac full full_like ge "
      "gelu gt hardshrink hardsigmoid hardswish hardtanh heaviside hypot isinf isnan le "
      "leaky_relu lerp lgamma log log10 log1p log2 log_sigmoid_forward logical_and logical_not "
      "logical_or logical_xor logit lt masked_fill maximum minimum mish mul ne neg nextafter "
      "ones ones_like polygamma pow prelu reciprocal relu relu6 remainder round rsqrt rsub "
      "scalar_tensor select_scatter sgn sigmoid sign signbit silu sin sinc sinh slice_scatter "
      "softplus softshrink sqrt square stack sub tan tanh threshold trunc where xlogy zeros "
      "zeros_like empty empty_like new_empty new_full new_ones new_zeros arange _to_copy "
      "elu_backward gelu_backward hardsigmoid_backward hardswish_backward hardtanh_backward "
      "leaky_relu_backward log_sigmoid_backward logit_backward mish_backward sigmoid_backward "
      "silu_backward softplus_backward softshrink_backward tanh_backward threshold_backward "
      "native_dropout_backward tril triu flip roll one_hot diagonal_scatter as_strided_scatter");
  addAll(table, OperatorClass::kReduction,
         "all amax amin any argmax argmin logsumexp max mean min prod std std_mean sum "
         "sum_to_size var var_mean linalg_vector_norm norm _softmax _log_softmax "
         "_softmax_backward_data _log_softmax_backward_data native_layer_norm native_group_norm "
         "cumsum");
  addAll(table, OperatorClass::kView,
         "_conj _neg_view _reshape_alias _unsafe_view alias as_strided detach diagonal expand lift "
         "lift_fresh narrow permute select slice split split_with_sizes squeeze t transpose unbind "
         "unfold unsafe_split unsqueeze view view_as_complex view_as_real");
  return table;
}

}  // namespace

OperatorClass classOf(const Node& node) {
  static const Table table = makeTable();
  constexpr std::string_view kNamespace = "aten::";
  const std::string_view op = node.op;
  if (!op.starts_with(kNamespace)) return OperatorClass::kOther;
  const auto known = table.find(op.substr(kNamespace.size()));
  return known == table.end() ? OperatorClass::kOther : known->second;
}

}  // namespace jitscope::compiler
