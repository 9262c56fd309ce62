#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trace/result.h"

namespace jitscope::compiler {

/// A library of generated code in this process; unloaded with the last reference. Safe from any
/// thread.
class SharedObject {
 public:
  explicit SharedObject(void* handle) : handle_(handle) {}
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  /// The function of that name; null when there is none.
  void* function(const std::string& name) const;

 private:
  void* handle_;
};

/// Compiles C++ text with the machine's compiler and loads it. The compiler is the one that
/// JITSCOPE_CXX names, else g++, else clang++, found when it is first needed. The text must include
/// nothing. Fails when there is no compiler, or with the compiler's first words.
trace::Result<std::shared_ptr<const SharedObject>> compileCpp(const std::string& source);

}  // namespace jitscope::compiler
