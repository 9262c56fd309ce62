#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

#include "compiler/arguments.h"
#include "compiler/frame.h"
#include "compiler/guarded.h"
#include "compiler/options.h"

namespace jitscope {

namespace compiler {

/// A `torch::nn` module behind a holder or a shared pointer, known by its shape so that this header
/// needs no module's header.
template <class M>
concept ModulePointer = requires(const M& module) {
  module->named_parameters(true);
  module->named_buffers(true);
  module->is_training();
};

/// A type's name as a person writes it: "ns::Scale", a lambda as "main::<lambda>".
std::string readableName(const std::type_info& type);

/// Whether a callable is a plain function.
template <class Fn>
constexpr bool isFunctionPointer() {
  return std::is_pointer_v<Fn> && std::is_function_v<std::remove_pointer_t<Fn>>;
}

/// The entry address of a callable's code, null where C++ has no single one (generic lambdas).
template <class Fn>
const void* codeAddress(const Fn& fn) {
  if constexpr (isFunctionPointer<Fn>()) {
    return reinterpret_cast<const void*>(fn);
  } else if constexpr (requires { &Fn::operator(); }) {
    auto member = &Fn::operator();
    const void* address = nullptr;
    std::memcpy(&address, &member, sizeof(address));  // Itanium ABI: a non-virtual member's address
    return address;
  } else {
    return nullptr;
  }
}

/// Reads a module's own tensors without copying its dictionaries: parameters_ is protected, and a
/// pointer to a protected member may be formed by a derived class only.
template <class Module>
struct ModuleAccess : Module {
  static const auto& parameters(const Module& module) {
    return module.*(&ModuleAccess::parameters_);
  }
};

/// See ModuleHandle::read. `Module` is torch::nn::Module.
template <class Module>
void readModule(const void* raw, bool withNames, ModuleReading& reading) {
  const auto& module = *static_cast<const Module*>(raw);
  reading.isTraining = module.is_training();
  for (const auto& item : ModuleAccess<Module>::parameters(module)) {
    reading.parameters.push_back(&item.value());
    if (withNames) reading.names.push_back(item.key());
  }
  reading.buffers = module.buffers(/*recurse=*/false);
  for (const auto& child : module.children()) reading.children.push_back(child);
  if (!withNames) return;
  for (const auto& item : module.named_buffers(/*recurse=*/false))
    reading.names.push_back(item.key());
  for (const auto& item : module.named_children()) reading.names.push_back(item.key());
}

/// A handle that keeps the module alive.
template <ModulePointer M>
ModuleHandle moduleHandle(const M& pointer) {
  const auto module = pointer->shared_from_this();
  using Module = std::remove_cvref_t<decltype(*module)>;
  return {module, &readModule<Module>};
}

/// Calls a function object, or the `forward` of a module.
template <class Fn, class... Args>
decltype(auto) invokeCallable(Fn& fn, Args&&... args) {
  if constexpr (ModulePointer<Fn>) {
    return fn->forward(std::forward<Args>(args)...);
  } else {
    return std::invoke(fn, std::forward<Args>(args)...);
  }
}

}  // namespace compiler

/// A callable compiled by `compile`. Copies share one frame. Call it from any thread; whether the
/// callable itself may run on several at once is the caller's knowledge, as without jitscope.
template <class Fn>
class CompiledFunction {
 public:
  CompiledFunction(Fn fn, compiler::FrameDescription description)
      : shared_(std::make_shared<Shared>(std::move(fn), std::move(description))) {}

  /// Calls it: by an entry whose guards hold, by compiling one, or eagerly at the recompile limit.
  /// Throws what the callable throws, and GraphBreakError, RecompileError and
  /// ConstraintViolationError as the options and the stance say.
  template <class... Args>
  auto operator()(Args&&... args) const {
    using Raw = decltype(compiler::invokeCallable(std::declval<Fn&>(), std::declval<Args>()...));
    using Result =
        std::conditional_t<std::is_void_v<Raw>, std::monostate, std::remove_cvref_t<Raw>>;
    static_assert((compiler::ArgumentTraits<std::decay_t<Args>>::kIsSupported && ...),
                  "arguments of a compiled function are tensors, numbers, bool, std::string, and "
                  "optional, vector, array, tuple, pair or map<string, …> of these");
    static_assert(compiler::ArgumentTraits<Result>::kIsSupported,
                  "results of a compiled function are tensors, numbers, bool, std::string, and "
                  "optional, vector, array, tuple, pair or map<string, …> of these");
    compiler::Leaves leaves;
    (compiler::ArgumentTraits<std::decay_t<Args>>::flatten(args, leaves), ...);
    Call<Result, Args...> call(*shared_, leaves,
                               std::forward_as_tuple(std::forward<Args>(args)...));
    shared_->frame.call(leaves, compiler::typeTag<Result, std::decay_t<Args>...>(), call);
    if constexpr (!std::is_void_v<Raw>) return call.takeResult();
  }

  /// What was compiled for it: entries, counts, recompiles. Lives as long as a copy of this.
  compiler::Frame& frame() const { return shared_->frame; }

 private:
  struct Shared {
    Shared(Fn callable, compiler::FrameDescription description)
        : fn(std::move(callable)),
          argumentNames(description.options.argumentNames),
          frame(std::move(description)) {}

    Fn fn;
    std::vector<std::string> argumentNames;
    compiler::Frame frame;
  };

  template <class Result, class... Args>
  class Call final : public compiler::TypedCall {
   public:
    Call(Shared& shared, const compiler::Leaves& leaves, std::tuple<Args&&...> args)
        : shared_(shared), leaves_(leaves), args_(std::move(args)) {}

    void nameArguments(std::vector<std::string>& names) const override {
      size_t position = 0;
      std::apply(
          [&](const auto&... args) {
            (compiler::ArgumentTraits<std::decay_t<Args>>::name(args, source(position++), names),
             ...);
          },
          args_);
    }

    void runUserCode(c10::ArrayRef<at::Tensor> replaced, compiler::Leaves& result) override {
      if (replaced.empty()) {
        std::apply([&](auto&... args) { run(std::forward<Args>(args)...); }, args_);
      } else {
        compiler::LeafReader reader(leaves_, replaced);
        std::tuple<std::decay_t<Args>...> copies{
            compiler::ArgumentTraits<std::decay_t<Args>>::build(reader)...};
        std::apply([&](auto&... args) { run(static_cast<std::decay_t<Args>&&>(args)...); }, copies);
      }
      compiler::ArgumentTraits<Result>::flatten(*result_, result);
    }

    void buildResult(c10::ArrayRef<compiler::Leaf> leaves,
                     c10::ArrayRef<at::Tensor> tensors) override {
      compiler::LeafReader reader(leaves, tensors);
      result_ = compiler::ArgumentTraits<Result>::build(reader);
    }

    Result takeResult() { return std::move(*result_); }

   private:
    template <class... Values>
    void run(Values&&... values) {
      using Raw = decltype(compiler::invokeCallable(shared_.fn, std::forward<Values>(values)...));
      if constexpr (std::is_void_v<Raw>) {
        compiler::invokeCallable(shared_.fn, std::forward<Values>(values)...);
        result_.emplace();
      } else {
        result_.emplace(compiler::invokeCallable(shared_.fn, std::forward<Values>(values)...));
      }
    }

    std::string source(size_t position) const {
      const auto& names = shared_.argumentNames;
      return "L['" +
             (position < names.size() ? names[position] : "arg" + std::to_string(position)) + "']";
    }

    Shared& shared_;
    const compiler::Leaves& leaves_;
    std::tuple<Args&&...> args_;
    std::optional<Result> result_;
  };

  std::shared_ptr<Shared> shared_;
};

/// Compiles `fn` as torch.compile does: the first call is captured into graphs while it really
/// runs, later calls whose guards hold run the compiled graphs.
///
/// `fn` is a free function, a lambda, a function object, or a `torch::nn` module behind its holder
/// or a shared pointer (its `forward` is compiled). Arguments and results are tensors, numbers,
/// bool, std::string, and optional, vector, array, tuple, pair and map<string, …> of these.
///
/// A function without state and without graph break is replaced by its graph: what it does beside
/// tensor operators (counters, output, reading globals) is then not repeated, as with
/// torch.compile. Values from outside belong into arguments or `Guarded`. A callable with captured
/// state runs again in each call, with its operators matched, unless `options.assumePure` is set.
///
/// Numbers reach user code only through operators that the compiler sees (`item()` breaks the
/// graph) or through a pointer to a tensor's memory. Pointers to results and to inputs are seen,
/// see `CompileOptions::hookInputs`; a tensor that `fn` makes itself and fills through a pointer
/// before an operator reads it (`torch::tensor(vector)`, `zeros` and an accessor) is a constant of
/// the graph, compared at each call, up to 64 KiB; gradients see what it held when an operator read
/// it, not what is written later. Pointers are not seen to inputs that require a gradient or whose
/// base does, to a module's own tensors and to other tensors from outside: where code reads or
/// writes those through a pointer, call `graphBreak()` right before it.
///
/// Throws std::invalid_argument for an unknown backend or mode. The last three arguments are where
/// the call stands; leave them out.
template <class Fn>
auto compile(Fn fn, CompileOptions options = {}, const char* file = __builtin_FILE(),
             int line = __builtin_LINE(), const char* function = __builtin_FUNCTION()) {
  compiler::FrameDescription description;
  description.callSite = {file, line, function};
  description.code = compiler::codeAddress(fn);
  if constexpr (compiler::isFunctionPointer<Fn>()) {
    description.isStateless = true;
  } else {
    description.isStateless = std::is_empty_v<Fn> || compiler::ModulePointer<Fn>;
    description.name = compiler::readableName(typeid(Fn));
  }
  if constexpr (compiler::ModulePointer<Fn>) description.module = compiler::moduleHandle(fn);
  if (!options.name.empty()) description.name = options.name;
  description.options = std::move(options);
  return CompiledFunction<Fn>(std::move(fn), std::move(description));
}

}  // namespace jitscope
