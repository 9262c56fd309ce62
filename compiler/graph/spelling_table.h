#pragma once

#include <array>
#include <string_view>

/// \file
/// The spellings of operators, one a line.
namespace jitscope::compiler {

/// How one operator is written.
///
/// `text` is an expression with `{argument}` in it, then optionally parameters in parentheses:
///   name          by position
///   name?         by position, left out when None
///   *name         a list, its elements by position
///   ~name         a list by position; bare when it has one element
///   name=DEFAULT  by keyword, left out when its text is DEFAULT
///   !name=DEFAULT never written: the spelling fits only when its text is DEFAULT
///   -name         never written
///   *             all arguments by position
/// Arguments that a spelling does not name must be None for it to fit. The first line that fits is
/// taken.
struct Spelling {
  std::string_view op;        ///< "aten::add", or with overload "aten::mean.dim"
  std::string_view variable;  ///< FX's name for the result; empty: the operator's own name
  std::string_view text;
};

inline constexpr std::array kSpellings{
    // operators of the language
    Spelling{"aten::add", "add", "{self} + {other}(!alpha=1)"},
    Spelling{"aten::add", "add", "torch.add(self, other, alpha=1)"},
    Spelling{"aten::sub", "sub", "{self} - {other}(!alpha=1)"},
    Spelling{"aten::sub", "sub", "torch.sub(self, other, alpha=1)"},
    Spelling{"aten::rsub", "sub", "{other} - {self}(!alpha=1)"},
    Spelling{"aten::mul", "mul", "{self} * {other}"},
    Spelling{"aten::div", "truediv", "{self} / {other}"},
    Spelling{"aten::div", "div", "torch.div(self, other, rounding_mode=None)"},
    Spelling{"aten::floor_divide", "floordiv", "{self} // {other}"},
    Spelling{"aten::remainder", "mod", "{self} % {other}"},
    Spelling{"aten::matmul", "matmul", "{self} @ {other}"},
    Spelling{"aten::neg", "neg", "-{self}"},
    Spelling{"aten::eq", "eq", "{self} == {other}"},
    Spelling{"aten::ne", "ne", "{self} != {other}"},
    Spelling{"aten::lt", "lt", "{self} < {other}"},
    Spelling{"aten::le", "le", "{self} <= {other}"},
    Spelling{"aten::gt", "gt", "{self} > {other}"},
    Spelling{"aten::ge", "ge", "{self} >= {other}"},
    Spelling{"aten::bitwise_and", "and_", "{self} & {other}"},
    Spelling{"aten::bitwise_or", "or_", "{self} | {other}"},
    Spelling{"aten::bitwise_xor", "xor", "{self} ^ {other}"},
    Spelling{"aten::__and__", "and_", "{self} & {other}"},
    Spelling{"aten::__or__", "or_", "{self} | {other}"},
    Spelling{"aten::__xor__", "xor", "{self} ^ {other}"},
    Spelling{"aten::bitwise_not", "invert", "~{self}"},
    Spelling{"aten::select.int", "getitem", "{self}[{index}](!dim=0)"},
    Spelling{"aten::slice.Tensor", "getitem",
             "{self}[slice({start}, {end}, None)](!dim=0, !step=1)"},

    // in place
    Spelling{"aten::add_", "", "{self}.add_(other, alpha=1)"},
    Spelling{"aten::sub_", "", "{self}.sub_(other, alpha=1)"},
    Spelling{"aten::copy_", "", "{self}.copy_(src, non_blocking=False)"},

    // functions of one tensor
    Spelling{"aten::abs", "", "torch.abs(self)"},
    Spelling{"aten::cos", "", "torch.cos(self)"},
    Spelling{"aten::erf", "", "torch.erf(self)"},
    Spelling{"aten::exp", "", "torch.exp(self)"},
    Spelling{"aten::log", "", "torch.log(self)"},
    Spelling{"aten::log1p", "", "torch.log1p(self)"},
    Spelling{"aten::logical_not", "", "torch.logical_not(self)"},
    Spelling{"aten::reciprocal", "", "torch.reciprocal(self)"},
    Spelling{"aten::relu", "", "torch.relu(self)"},
    Spelling{"aten::rsqrt", "", "torch.rsqrt(self)"},
    Spelling{"aten::sigmoid", "", "torch.sigmoid(self)"},
    Spelling{"aten::sin", "", "torch.sin(self)"},
    Spelling{"aten::sqrt", "", "torch.sqrt(self)"},
    Spelling{"aten::square", "", "torch.square(self)"},
    Spelling{"aten::tanh", "", "torch.tanh(self)"},

    // functions of several tensors
    Spelling{"aten::addmm", "", "torch.addmm(self, mat1, mat2, beta=1, alpha=1)"},
    Spelling{"aten::baddbmm", "", "torch.baddbmm(self, batch1, batch2, beta=1, alpha=1)"},
    Spelling{"aten::bmm", "", "torch.bmm(self, mat2)"},
    Spelling{"aten::cat", "", "torch.cat(tensors, dim=0)"},
    Spelling{"aten::clamp", "", "torch.clamp(self, min=None, max=None)"},
    Spelling{"aten::einsum", "", "torch.einsum(equation, *tensors)"},
    Spelling{"aten::gather", "", "torch.gather(self, dim, index, sparse_grad=False)"},
    Spelling{"aten::index_select", "", "torch.index_select(self, dim, index)"},
    Spelling{"aten::logical_and", "", "torch.logical_and(self, other)"},
    Spelling{"aten::logical_or", "", "torch.logical_or(self, other)"},
    Spelling{"aten::maximum", "", "torch.maximum(self, other)"},
    Spelling{"aten::minimum", "", "torch.minimum(self, other)"},
    Spelling{"aten::mm", "", "torch.mm(self, mat2)"},
    Spelling{"aten::outer", "", "torch.outer(self, vec2)"},
    Spelling{"aten::stack", "", "torch.stack(tensors, dim=0)"},
    Spelling{"aten::topk", "", "torch.topk(self, k, dim=-1, largest=True, sorted=True)"},
    Spelling{"aten::tril", "", "torch.tril(self, diagonal=0)"},
    Spelling{"aten::triu", "", "torch.triu(self, diagonal=0)"},
    Spelling{"aten::where.ScalarOther", "", "torch.where(condition, self, other)"},
    Spelling{"aten::where.ScalarSelf", "", "torch.where(condition, self, other)"},
    Spelling{"aten::where.self", "", "torch.where(condition, self, other)"},
    Spelling{"aten::where.Scalar", "", "torch.where(condition, self, other)"},

    // neural networks
    Spelling{"aten::conv1d", "",
             "torch.conv1d(input, weight, bias, stride, padding, dilation, groups)"},
    Spelling{"aten::conv2d", "",
             "torch.conv2d(input, weight, bias, stride, padding, dilation, groups)"},
    Spelling{"aten::dropout", "", "torch.nn.functional.dropout(input, p, train)"},
    Spelling{"aten::embedding", "",
             "torch.nn.functional.embedding(indices, weight, -padding_idx, "
             "!scale_grad_by_freq=False, !sparse=False)"},
    Spelling{"aten::gelu", "", "torch.nn.functional.gelu(self, approximate='none')"},
    Spelling{"aten::group_norm", "",
             "torch.nn.functional.group_norm(input, num_groups, weight, bias, eps, "
             "-cudnn_enabled)"},
    Spelling{"aten::layer_norm", "",
             "torch.nn.functional.layer_norm(input, normalized_shape, weight, bias, eps, "
             "-cudnn_enable)"},
    Spelling{"aten::leaky_relu", "", "torch.nn.functional.leaky_relu(self, negative_slope)"},
    Spelling{"aten::linear", "", "torch.nn.functional.linear(input, weight, bias?)"},
    Spelling{"aten::mse_loss", "", "torch.nn.functional.mse_loss(self, target, -reduction)"},
    Spelling{"aten::rms_norm", "",
             "torch.nn.functional.rms_norm(input, normalized_shape, weight, eps)"},
    Spelling{"aten::scaled_dot_product_attention", "",
             "torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=None, "
             "dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)"},
    Spelling{"aten::silu", "", "torch.nn.functional.silu(self)"},
    Spelling{"aten::softplus", "", "torch.nn.functional.softplus(self, beta=1, threshold=20)"},

    // methods
    Spelling{"aten::all", "", "{self}.all(~dim?, keepdim=False)"},
    Spelling{"aten::amax", "", "{self}.amax(~dim, keepdim=False)"},
    Spelling{"aten::amin", "", "{self}.amin(~dim, keepdim=False)"},
    Spelling{"aten::any", "", "{self}.any(~dim?, keepdim=False)"},
    Spelling{"aten::argmax", "", "{self}.argmax(dim?, keepdim=False)"},
    Spelling{"aten::argmin", "", "{self}.argmin(dim?, keepdim=False)"},
    Spelling{"aten::chunk", "", "{self}.chunk(chunks, dim=0)"},
    Spelling{"aten::clone", "", "{self}.clone(memory_format=None)"},
    Spelling{"aten::contiguous", "", "{self}.contiguous(!memory_format=torch.contiguous_format)"},
    Spelling{"aten::contiguous", "", "{self}.contiguous(memory_format=None)"},
    Spelling{"aten::cumsum", "", "{self}.cumsum(dim, dtype=None)"},
    Spelling{"aten::detach", "", "{self}.detach()"},
    Spelling{"aten::expand", "", "{self}.expand(*size, implicit=False)"},
    Spelling{"aten::expand_as", "", "{self}.expand_as(other)"},
    Spelling{"aten::flatten.using_ints", "", "{self}.flatten(start_dim, end_dim)"},
    Spelling{"aten::log_softmax.int", "", "{self}.log_softmax(dim, dtype=None)"},
    Spelling{"aten::masked_fill", "", "{self}.masked_fill(mask, value)"},
    Spelling{"aten::max", "", "{self}.max(dim?, keepdim=False)"},
    Spelling{"aten::max.other", "", "torch.max(self, other)"},
    Spelling{"aten::mean", "", "{self}.mean(~dim?, keepdim=False, dtype=None)"},
    Spelling{"aten::min", "", "{self}.min(dim?, keepdim=False)"},
    Spelling{"aten::min.other", "", "torch.min(self, other)"},
    Spelling{"aten::narrow", "", "{self}.narrow(dim, start, length)"},
    Spelling{"aten::permute", "", "{self}.permute(*dims)"},
    Spelling{"aten::pow.Tensor_Scalar", "", "{self}.pow(exponent)"},
    Spelling{"aten::pow.Tensor_Tensor", "", "{self}.pow(exponent)"},
    Spelling{"aten::prod", "", "{self}.prod(dim?, keepdim=False, dtype=None)"},
    Spelling{"aten::repeat", "", "{self}.repeat(*repeats)"},
    Spelling{"aten::reshape", "", "{self}.reshape(*shape)"},
    Spelling{"aten::select.int", "", "{self}.select(dim, index)"},
    Spelling{"aten::softmax.int", "", "{self}.softmax(dim, dtype=None)"},
    Spelling{"aten::split", "", "{self}.split(split_size, dim=0)"},
    Spelling{"aten::split_with_sizes", "", "{self}.split_with_sizes(split_sizes, dim=0)"},
    Spelling{"aten::squeeze", "", "{self}.squeeze(~dim?)"},
    Spelling{"aten::std", "", "{self}.std(~dim?, unbiased?, correction=None, keepdim=False)"},
    Spelling{"aten::sum", "", "{self}.sum(~dim?, keepdim=False, dtype=None)"},
    Spelling{"aten::t", "", "{self}.t()"},
    Spelling{"aten::to.dtype", "",
             "{self}.to(dtype, non_blocking=False, copy=False, memory_format=None)"},
    Spelling{"aten::to.device", "",
             "{self}.to(device, dtype, non_blocking=False, copy=False, memory_format=None)"},
    Spelling{"aten::to.dtype_layout", "",
             "{self}.to(dtype=None, layout=None, device=None, pin_memory=None, "
             "non_blocking=False, copy=False, memory_format=None)"},
    Spelling{"aten::to.other", "",
             "{self}.to(other, non_blocking=False, copy=False, memory_format=None)"},
    Spelling{"aten::transpose.int", "", "{self}.transpose(dim0, dim1)"},
    Spelling{"aten::type_as", "", "{self}.type_as(other)"},
    Spelling{"aten::unbind", "", "{self}.unbind(dim)"},
    Spelling{"aten::unflatten", "", "{self}.unflatten(dim, sizes)"},
    Spelling{"aten::unsqueeze", "", "{self}.unsqueeze(dim)"},
    Spelling{"aten::var", "", "{self}.var(~dim?, unbiased?, correction=None, keepdim=False)"},
    Spelling{"aten::view", "", "{self}.view(*size)"},
    Spelling{"aten::view.dtype", "", "{self}.view(dtype)"},
    Spelling{"aten::view_as", "", "{self}.view_as(other)"},

    // factories
    Spelling{"aten::arange", "",
             "torch.arange(end, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::arange.start", "",
             "torch.arange(start, end, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::arange.start_step", "",
             "torch.arange(start, end, step, dtype=None, layout=None, device=None, "
             "pin_memory=None)"},
    Spelling{"aten::empty", "",
             "torch.empty(size, dtype=None, layout=None, device=None, pin_memory=None, "
             "memory_format=None)"},
    Spelling{"aten::full", "",
             "torch.full(size, fill_value, dtype=None, layout=None, device=None, "
             "pin_memory=None)"},
    Spelling{"aten::ones", "",
             "torch.ones(size, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::ones_like", "",
             "torch.ones_like(self, dtype=None, layout=None, device=None, pin_memory=None, "
             "memory_format=None)"},
    Spelling{"aten::rand", "",
             "torch.rand(size, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::rand_like", "",
             "torch.rand_like(self, dtype=None, layout=None, device=None, pin_memory=None, "
             "memory_format=None)"},
    Spelling{"aten::randn", "",
             "torch.randn(size, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::zeros", "",
             "torch.zeros(size, dtype=None, layout=None, device=None, pin_memory=None)"},
    Spelling{"aten::zeros_like", "",
             "torch.zeros_like(self, dtype=None, layout=None, device=None, pin_memory=None, "
             "memory_format=None)"},

    // changes of the mode
    Spelling{"jitscope::set_grad_enabled", "_set_grad_enabled", "torch._C._set_grad_enabled(*)"},
    Spelling{"jitscope::set_inference_mode", "", "torch._C._set_inference_mode(*)"},
    Spelling{"jitscope::set_autocast", "", "torch._C._set_autocast(*)"},
};

}  // namespace jitscope::compiler
