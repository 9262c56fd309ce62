#include "compiler/graph/type_name.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace jitscope::compiler {
namespace {

struct TypeNames {
  std::string_view name, shortName;
  int64_t bytes = 1;  ///< of an element; those below a byte take one
};

// In the order of c10::ScalarType. Types without a short name in FX print their name.
constexpr std::array<TypeNames, 46> kTypes{{
    {"uint8", "u8"},
    {"int8", "i8"},
    {"int16", "i16", 2},
    {"int32", "i32", 4},
    {"int64", "i64", 8},
    {"float16", "f16", 2},
    {"float32", "f32", 4},
    {"float64", "f64", 8},
    {"complex32", "c32", 4},
    {"complex64", "c64", 8},
    {"complex128", "c128", 16},
    {"bool", "b8"},
    {"qint8", "qint8"},
    {"quint8", "quint8"},
    {"qint32", "qint32", 4},
    {"bfloat16", "bf16", 2},
    {"quint4x2", "quint4x2"},
    {"quint2x4", "quint2x4"},
    {"bits1x8", "b1x8"},
    {"bits2x4", "b2x4"},
    {"bits4x2", "b4x2"},
    {"bits8", "bits8"},
    {"bits16", "b16", 2},
    {"float8_e5m2", "f8e5m2"},
    {"float8_e4m3fn", "f8e4m3fn"},
    {"float8_e5m2fnuz", "f8e5m2fnuz"},
    {"float8_e4m3fnuz", "f8e4m3fnuz"},
    {"uint16", "u16", 2},
    {"uint32", "u32", 4},
    {"uint64", "u64", 8},
    {"uint1", "u1"},
    {"uint2", "u2"},
    {"uint3", "u3"},
    {"uint4", "u4"},
    {"uint5", "u5"},
    {"uint6", "u6"},
    {"uint7", "u7"},
    {"int1", "i1"},
    {"int2", "i2"},
    {"int3", "i3"},
    {"int4", "i4"},
    {"int5", "i5"},
    {"int6", "i6"},
    {"int7", "i7"},
    {"float8_e8m0fnu", "f8e8m0fnu"},
    {"float4_e2m1fn_x2", "f4e2m1fnx2"},
}};

// In the order of c10::DeviceType.
constexpr std::array<std::string_view, 21> kDevices{
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};

template <class Table>
bool isIndexOf(const Table& table, int64_t number) {
  return number >= 0 && number < static_cast<int64_t>(table.size());
}

}  // namespace

std::string_view dataTypeName(DataType type) {
  const auto number = static_cast<int64_t>(type);
  return isIndexOf(kTypes, number) ? kTypes[static_cast<size_t>(number)].name : "unknown_type";
}

std::string_view dataTypeShortName(DataType type) {
  const auto number = static_cast<int64_t>(type);
  return isIndexOf(kTypes, number) ? kTypes[static_cast<size_t>(number)].shortName : "unknown_type";
}

int64_t dataTypeBytes(DataType type) {
  const auto number = static_cast<int64_t>(type);
  return isIndexOf(kTypes, number) ? kTypes[static_cast<size_t>(number)].bytes : 1;
}

bool isKnownDataType(DataType type) { return isIndexOf(kTypes, static_cast<int64_t>(type)); }

std::optional<DataType> dataTypeOfName(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

std::string DeviceName::text() const {
  std::string text = isIndexOf(kDevices, kind)
                         ? std::string(kDevices[static_cast<unsigned char>(kind)])
                         : fmt::format("device{}", kind);
  if (index != -1) text += fmt::format(":{}", index);
  return text;
}

std::optional<DeviceName> deviceOfText(std::string_view text) {
  const auto readNumber = [](std::string_view digits, int8_t& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  DeviceName device;
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos && !readNumber(text.substr(colon + 1), device.index)) {
    return std::nullopt;
  }
  const std::string_view kind = text.substr(0, colon);
  for (size_t i = 0; i < kDevices.size(); ++i) {
    if (kDevices[i] == kind) {
      device.kind = static_cast<int8_t>(i);
      return device;
    }
  }
  constexpr std::string_view kNumbered = "device";
  if (!kind.starts_with(kNumbered) || !readNumber(kind.substr(kNumbered.size()), device.kind)) {
    return std::nullopt;
  }
  return device;
}

}  // namespace jitscope::compiler
