#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// Arguments and results of compiled functions as flat lists of leaves: what guards look at and
/// what graphs take and give. The C++ type fixes the structure; only lengths, presence and keys
/// vary.
namespace jitscope::compiler {

/// One leaf of an argument or result. Refers to the value that it was taken from.
struct Leaf {
  enum class Kind : uint8_t { kTensor, kInteger, kReal, kBool, kText, kLength, kPresence, kKey };

  Kind kind = Kind::kInteger;
  union {
    const at::Tensor* tensor;
    int64_t integer;  ///< also bool, length and presence
    double real;
    const std::string* text;  ///< also key
  };

  static Leaf of(const at::Tensor& value) { return Leaf(value); }
  static Leaf of(Kind kind, int64_t value) { return Leaf(kind, value); }
  static Leaf of(double value) { return Leaf(value); }
  static Leaf of(Kind kind, const std::string& value) { return Leaf(kind, value); }

 private:
  // NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): one member of a union is active.
  explicit Leaf(const at::Tensor& value) : kind(Kind::kTensor), tensor(&value) {}
  explicit Leaf(double value) : kind(Kind::kReal), real(value) {}
  Leaf(Kind k, int64_t value) : kind(k), integer(value) {}
  Leaf(Kind k, const std::string& value) : kind(k), text(&value) {}
  // NOLINTEND(cppcoreguidelines-pro-type-member-init)
};

/// The leaves of a list of values, one after the other.
using Leaves = c10::SmallVector<Leaf, 16>;

/// Reads leaves back into values, with the tensors taken from a list of their own.
class LeafReader {
 public:
  LeafReader(c10::ArrayRef<Leaf> leaves, c10::ArrayRef<at::Tensor> tensors)
      : leaves_(leaves), tensors_(tensors) {}

  /// The next leaf, which is no tensor.
  const Leaf& next() { return leaves_[nextLeaf_++]; }
  /// The next tensor of the list, in place of the next leaf.
  const at::Tensor& nextTensor() { return ++nextLeaf_, tensors_[nextTensor_++]; }

 private:
  c10::ArrayRef<Leaf> leaves_;
  c10::ArrayRef<at::Tensor> tensors_;
  size_t nextLeaf_ = 0;
  size_t nextTensor_ = 0;
};

/// How values of type T are taken apart, named and put together. Specialise it for types of your
/// own: `flatten` appends the leaves of a value, `name` appends one source per leaf in the same
/// order, and `build` reads them back.
template <class T>
struct ArgumentTraits {
  static constexpr bool kIsSupported = false;
};

template <>
struct ArgumentTraits<at::Tensor> {
  static constexpr bool kIsSupported = true;
  static void flatten(const at::Tensor& value, Leaves& leaves) {
    leaves.push_back(Leaf::of(value));
  }
  static void name(const at::Tensor&, const std::string& source, std::vector<std::string>& names) {
    names.push_back(source);
  }
  static at::Tensor build(LeafReader& reader) { return reader.nextTensor(); }
};

template <>
struct ArgumentTraits<bool> {
  static constexpr bool kIsSupported = true;
  static void flatten(bool value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kBool, static_cast<int64_t>(value)));
  }
  static void name(bool, const std::string& source, std::vector<std::string>& names) {
    names.push_back(source);
  }
  static bool build(LeafReader& reader) { return reader.next().integer != 0; }
};

template <class T>
requires(std::is_integral_v<T> || std::is_enum_v<T>) struct ArgumentTraits<T> {
  static constexpr bool kIsSupported = true;
  static void flatten(T value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kInteger, static_cast<int64_t>(value)));
  }
  static void name(T, const std::string& source, std::vector<std::string>& names) {
    names.push_back(source);
  }
  static T build(LeafReader& reader) { return static_cast<T>(reader.next().integer); }
};

template <class T>
requires std::is_floating_point_v<T>
struct ArgumentTraits<T> {
  static constexpr bool kIsSupported = true;
  static void flatten(T value, Leaves& leaves) {
    leaves.push_back(Leaf::of(static_cast<double>(value)));
  }
  static void name(T, const std::string& source, std::vector<std::string>& names) {
    names.push_back(source);
  }
  static T build(LeafReader& reader) { return static_cast<T>(reader.next().real); }
};

template <>
struct ArgumentTraits<std::string> {
  static constexpr bool kIsSupported = true;
  static void flatten(const std::string& value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kText, value));
  }
  static void name(const std::string&, const std::string& source, std::vector<std::string>& names) {
    names.push_back(source);
  }
  static std::string build(LeafReader& reader) { return *reader.next().text; }
};

/// A function that gives nothing.
template <>
struct ArgumentTraits<std::monostate> {
  static constexpr bool kIsSupported = true;
  static void flatten(std::monostate, Leaves&) {}
  static void name(std::monostate, const std::string&, std::vector<std::string>&) {}
  static std::monostate build(LeafReader&) { return {}; }
};

template <class T>
struct ArgumentTraits<std::optional<T>> {
  static constexpr bool kIsSupported = ArgumentTraits<T>::kIsSupported;
  static void flatten(const std::optional<T>& value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kPresence, static_cast<int64_t>(value.has_value())));
    if (value) ArgumentTraits<T>::flatten(*value, leaves);
  }
  static void name(const std::optional<T>& value, const std::string& source,
                   std::vector<std::string>& names) {
    names.push_back(source);
    if (value) ArgumentTraits<T>::name(*value, source, names);
  }
  static std::optional<T> build(LeafReader& reader) {
    if (reader.next().integer == 0) return std::nullopt;
    return ArgumentTraits<T>::build(reader);
  }
};

template <class T>
struct ArgumentTraits<std::vector<T>> {
  static constexpr bool kIsSupported = ArgumentTraits<T>::kIsSupported && !std::is_same_v<T, bool>;
  static void flatten(const std::vector<T>& value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kLength, static_cast<int64_t>(value.size())));
    for (const T& element : value) ArgumentTraits<T>::flatten(element, leaves);
  }
  static void name(const std::vector<T>& value, const std::string& source,
                   std::vector<std::string>& names) {
    names.push_back(source);
    for (size_t i = 0; i < value.size(); ++i) {
      ArgumentTraits<T>::name(value[i], source + "[" + std::to_string(i) + "]", names);
    }
  }
  static std::vector<T> build(LeafReader& reader) {
    std::vector<T> value;
    value.reserve(static_cast<size_t>(reader.next().integer));
    while (value.size() < value.capacity()) value.push_back(ArgumentTraits<T>::build(reader));
    return value;
  }
};

template <class T, size_t N>
struct ArgumentTraits<std::array<T, N>> {
  static constexpr bool kIsSupported = ArgumentTraits<T>::kIsSupported;
  static void flatten(const std::array<T, N>& value, Leaves& leaves) {
    for (const T& element : value) ArgumentTraits<T>::flatten(element, leaves);
  }
  static void name(const std::array<T, N>& value, const std::string& source,
                   std::vector<std::string>& names) {
    for (size_t i = 0; i < N; ++i) {
      ArgumentTraits<T>::name(value[i], source + "[" + std::to_string(i) + "]", names);
    }
  }
  static std::array<T, N> build(LeafReader& reader) {
    std::array<T, N> value;
    for (T& element : value) element = ArgumentTraits<T>::build(reader);
    return value;
  }
};

template <class T>
struct ArgumentTraits<std::map<std::string, T>> {
  static constexpr bool kIsSupported = ArgumentTraits<T>::kIsSupported;
  static void flatten(const std::map<std::string, T>& value, Leaves& leaves) {
    leaves.push_back(Leaf::of(Leaf::Kind::kLength, static_cast<int64_t>(value.size())));
    for (const auto& [key, element] : value) {
      leaves.push_back(Leaf::of(Leaf::Kind::kKey, key));
      ArgumentTraits<T>::flatten(element, leaves);
    }
  }
  static void name(const std::map<std::string, T>& value, const std::string& source,
                   std::vector<std::string>& names) {
    names.push_back(source);
    for (const auto& [key, element] : value) {
      names.push_back(source);
      ArgumentTraits<T>::name(element, source + "['" + key + "']", names);
    }
  }
  static std::map<std::string, T> build(LeafReader& reader) {
    std::map<std::string, T> value;
    for (int64_t left = reader.next().integer; left > 0; --left) {
      std::string key = *reader.next().text;
      value.emplace_hint(value.end(), std::move(key), ArgumentTraits<T>::build(reader));
    }
    return value;
  }
};

/// Tuples and pairs: their elements one after the other.
template <class Tuple, class... Ts>
struct TupleTraits {
  static constexpr bool kIsSupported = (ArgumentTraits<Ts>::kIsSupported && ...);
  static void flatten(const Tuple& value, Leaves& leaves) {
    std::apply([&](const Ts&... elements) { (ArgumentTraits<Ts>::flatten(elements, leaves), ...); },
               value);
  }
  static void name(const Tuple& value, const std::string& source, std::vector<std::string>& names) {
    size_t i = 0;
    std::apply(
        [&](const Ts&... elements) {
          (ArgumentTraits<Ts>::name(elements, source + "[" + std::to_string(i++) + "]", names),
           ...);
        },
        value);
  }
  static Tuple build(LeafReader& reader) { return Tuple{ArgumentTraits<Ts>::build(reader)...}; }
};

template <class... Ts>
struct ArgumentTraits<std::tuple<Ts...>> : TupleTraits<std::tuple<Ts...>, Ts...> {};

template <class A, class B>
struct ArgumentTraits<std::pair<A, B>> : TupleTraits<std::pair<A, B>, A, B> {};

/// An address that is unique for the list of types within one program.
template <class... Ts>
const void* typeTag() {
  static const char tag = 0;
  return &tag;
}

}  // namespace jitscope::compiler
