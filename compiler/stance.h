#pragma once

namespace jitscope {

/// What compiled functions do, for the whole process, as torch.compiler.set_stance.
enum class Stance {
  kDefault,           ///< compile as needed
  kForceEager,        ///< run user code eagerly, look at no entry
  kEagerOnRecompile,  ///< use entries that fit, run eagerly instead of compiling
  kFailOnRecompile,   ///< use entries that fit, throw RecompileError instead of compiling again
  kEagerThenCompile,  ///< run the first call eagerly, compile at the second with both calls' sizes
  kAotEagerThenCompile  ///< compile the first call with backend "eager", later ones with the real
                        ///< one
};

/// Sets the stance of the process. Throws std::logic_error inside a compiled function.
void setStance(Stance stance);

/// The stance of the process. Any thread.
Stance currentStance();

/// Sets a stance until the end of a scope.
class StanceScope {
 public:
  explicit StanceScope(Stance stance) : before_(currentStance()) { setStance(stance); }
  ~StanceScope();
  StanceScope(const StanceScope&) = delete;
  StanceScope& operator=(const StanceScope&) = delete;

 private:
  Stance before_;
};

}  // namespace jitscope
