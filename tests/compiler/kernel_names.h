#pragma once

#include <ATen/record_function.h>

#include <memory>
#include <string>
#include <vector>

namespace jitscope::compiler {

/// Collects the names of the generated kernels for processors that run on this thread while it
/// lives. One at a time.
class KernelNames {
 public:
  KernelNames()
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(
            [](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
              const std::string name = function.name();
              if (name.starts_with("cpp_fused_")) seen().push_back(name);
              return nullptr;
            },
            [](const at::RecordFunction&, at::ObserverContext*) {}))) {
    seen().clear();
  }
  ~KernelNames() { at::removeCallback(handle_); }
  KernelNames(const KernelNames&) = delete;
  KernelNames& operator=(const KernelNames&) = delete;

  const std::vector<std::string>& names() const { return seen(); }

 private:
  static std::vector<std::string>& seen() {
    thread_local std::vector<std::string> names;
    return names;
  }

  at::CallbackHandle handle_;
};

}  // namespace jitscope::compiler
