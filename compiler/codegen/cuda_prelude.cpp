#include <fmt/format.h>

#include <array>
#include <string_view>

#include "compiler/codegen/cuda_kernel.h"

// The functions that kernels for GPUs call, without headers.
namespace jitscope::compiler {
namespace {

struct PreludePart {
  std::string_view name, needs, code;
};

constexpr std::array kParts{
    PreludePart{"bf16", "", R"(typedef unsigned short bf16_t;
__device__ inline float f32_of_bf16(bf16_t x) { return __uint_as_float((unsigned)x << 16); }
__device__ inline bf16_t bf16_of_f32(float x) {
  bf16_t y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
)"},
    PreludePart{"f16", "", R"(typedef unsigned short f16_t;
__device__ inline float f32_of_f16(f16_t x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
__device__ inline f16_t f16_of_f32(float x) {
  f16_t y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
)"},
    PreludePart{"load_vector", "",
                R"(// kN elements at p, which is aligned to all of them, in one access.
template <int kN, class T>
__device__ inline void load_vector(T (&to)[kN], const T* p) {
  struct alignas(sizeof(T) * kN) Vector { T element[kN]; };
  const Vector v = *(const Vector*)p;
#pragma unroll
  for (int k = 0; k < kN; ++k) to[k] = v.element[k];
}
)"},
    PreludePart{
        "store_vector", "",
        R"(// The reverse. Written out, since the front end may cut a vector's store into four.
template <int kN, class T>
__device__ inline void store_vector(const T (&from)[kN], T* p) {
  constexpr int kBytes = sizeof(T) * kN;
  union { T element[kN]; unsigned word[(kBytes + 3) / 4]; unsigned short half; } v;
#pragma unroll
  for (int k = 0; k < kN; ++k) v.element[k] = from[k];
  if constexpr (kBytes == 16) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" :: "l"(p), "r"(v.word[0]),
                 "r"(v.word[1]), "r"(v.word[2]), "r"(v.word[3]) : "memory");
  } else if constexpr (kBytes == 8) {
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" :: "l"(p), "r"(v.word[0]), "r"(v.word[1])
                 : "memory");
  } else if constexpr (kBytes == 4) {
    *(unsigned*)p = v.word[0];
  } else if constexpr (kBytes == 2) {
    *(unsigned short*)p = v.half;
  } else {
    *p = from[0];
  }
}
)"},
    PreludePart{"row_reduce", "",
                R"(// The values of kThreads threads as one, which all of them get.
template <int kThreads, class T, class Join>
__device__ inline T row_reduce(T value, Join join, T nothing, T* shared) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = join(value, (T)__shfl_xor_sync(~0u, value, step));
  if constexpr (kThreads > 32) {
    constexpr int kWarps = kThreads / 32;
    const int lane = threadIdx.x % 32;
    if (lane == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = lane < kWarps ? shared[lane] : nothing;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) value = join(value, (T)__shfl_xor_sync(~0u, value, step));
  }
  return value;
}
)"},
    PreludePart{
        "f_sigmoid", "",
        R"(__device__ inline float f_sigmoid(float x) { return __fdividef(1.f, 1.f + expf(-x)); }
__device__ inline double f_sigmoid(double x) { return 1 / (1 + exp(-x)); }
)"},
    PreludePart{
        "f_max", "",
        R"(template <class T> __device__ inline T f_max(T a, T b) { return (a > b) | (a != a) ? a : b; }
)"},
    PreludePart{
        "f_min", "",
        R"(template <class T> __device__ inline T f_min(T a, T b) { return (a < b) | (a != a) ? a : b; }
)"},
    PreludePart{"f_remainder", "f_fmod",
                R"(template <class T> __device__ inline T f_remainder(T a, T b) {
  const T rest = f_fmod(a, b);
  return (rest != 0) & ((b < 0) != (rest < 0)) ? rest + b : rest;
}
)"},
    PreludePart{"f_floor_divide", "f_fmod",
                R"(template <class T> __device__ inline T f_floor_divide(T a, T b) {
  if (b == 0) return a / b;
  const T rest = f_fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return (T)copysign((double)0, (double)(a / b));
  const T whole = (T)floor((double)quotient);
  return quotient - whole > (T)0.5 ? whole + 1 : whole;
}
)"},
};

constexpr std::string_view kJoins =
    R"(struct join_sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct join_product { template <class T> __device__ T operator()(T a, T b) const { return a * b; } };
struct join_max {
  template <class T> __device__ T operator()(T a, T b) const { return (a > b) | (a != a) ? a : b; }
};
struct join_min {
  template <class T> __device__ T operator()(T a, T b) const { return (a < b) | (a != a) ? a : b; }
};
struct join_or { template <class T> __device__ T operator()(T a, T b) const { return a | b; } };
struct join_and { template <class T> __device__ T operator()(T a, T b) const { return a & b; } };
)";

// Numbers that have no literal, by the names that other compilers know.
constexpr std::string_view kNumbers =
    R"(#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000ll)
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
)";

struct LibraryName {
  std::string_view ours, theirs;
};

/// Functions that the GPU's own library has under its name for double and with an f for float.
constexpr std::array kLibrary{LibraryName{"f_fmod", "fmod"},    LibraryName{"f_exp", "exp"},
                              LibraryName{"f_exp2", "exp2"},    LibraryName{"f_expm1", "expm1"},
                              LibraryName{"f_log", "log"},      LibraryName{"f_log2", "log2"},
                              LibraryName{"f_log10", "log10"},  LibraryName{"f_log1p", "log1p"},
                              LibraryName{"f_sin", "sin"},      LibraryName{"f_cos", "cos"},
                              LibraryName{"f_tan", "tan"},      LibraryName{"f_asin", "asin"},
                              LibraryName{"f_acos", "acos"},    LibraryName{"f_atan", "atan"},
                              LibraryName{"f_sinh", "sinh"},    LibraryName{"f_cosh", "cosh"},
                              LibraryName{"f_tanh", "tanh"},    LibraryName{"f_erf", "erf"},
                              LibraryName{"f_erfc", "erfc"},    LibraryName{"f_sqrt", "sqrt"},
                              LibraryName{"f_rsqrt", "rsqrt"},  LibraryName{"f_abs", "fabs"},
                              LibraryName{"f_floor", "floor"},  LibraryName{"f_ceil", "ceil"},
                              LibraryName{"f_nearest", "rint"}, LibraryName{"f_trunc", "trunc"},
                              LibraryName{"f_pow", "pow"},      LibraryName{"f_atan2", "atan2"}};

std::string libraryFunction(const LibraryName& name) {
  const bool isBinary = name.theirs == "pow" || name.theirs == "atan2" || name.theirs == "fmod";
  const std::string_view with = isBinary ? "x, y" : "x";
  std::string text;
  for (const auto& [type, suffix] : {std::pair{"float", "f"}, std::pair{"double", ""}}) {
    const std::string parameters =
        isBinary ? fmt::format("{0} x, {0} y", type) : fmt::format("{} x", type);
    text += fmt::format("__device__ inline {} {}({}) {{ return {}{}({}); }}\n", type, name.ours,
                        parameters, name.theirs, suffix, with);
  }
  return text;
}

}  // namespace

std::string cudaSource(const std::vector<CudaKernel>& kernels) {
  std::set<std::string, std::less<>> needed;
  for (const CudaKernel& kernel : kernels) {
    needed.insert(kernel.functions.begin(), kernel.functions.end());
  }
  for (const PreludePart& part : kParts) {
    if (needed.contains(part.name) && !part.needs.empty()) needed.emplace(part.needs);
  }
  std::string source = "// Generated by jitscope.\n";
  source += kNumbers;
  for (const LibraryName& name : kLibrary) {
    if (needed.contains(name.ours)) source += libraryFunction(name);
  }
  source += kJoins;
  for (const PreludePart& part : kParts) {
    if (needed.contains(part.name)) source += part.code;
  }
  for (const CudaKernel& kernel : kernels) {
    source += fmt::format("\n#define LAUNCH_{} {}\n", kernel.name, kernel.threads) + kernel.code;
  }
  return source;
}

}  // namespace jitscope::compiler
