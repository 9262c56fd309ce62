#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// A JSON value as it stands in its text, which must outlive it: nothing is copied and nothing is
/// checked before it is asked for. Nesting costs no stack. A value that is not there, or not of the
/// asked kind, answers with the given default; broken text ends what is iterated.
class JsonView {
 public:
  JsonView() = default;
  explicit JsonView(std::string_view text);

  /// False for a member that is not there.
  bool exists() const { return !text_.empty(); }
  bool isNull() const { return text_ == "null"; }
  bool isString() const { return text_.starts_with('"'); }
  bool isObject() const { return text_.starts_with('{'); }
  bool isList() const { return text_.starts_with('['); }

  /// The value as it stands in the text.
  std::string_view raw() const { return text_; }

  /// A number, of a real its whole part.
  int64_t integer(int64_t otherwise = 0) const;
  double real(double otherwise = 0) const;

  /// A string without its escapes; empty for other values.
  std::string string() const;

  /// A string that has no escapes, as a view; empty for every other value.
  std::string_view plain() const;

  /// A member of an object, the first of that name.
  JsonView operator[](std::string_view key) const;

  /// Calls `visit` for each member of an object until it returns false. Keys are given as they
  /// stand in the text. Whether the object was read to its well-formed end.
  bool forEachMember(const std::function<bool(std::string_view key, JsonView value)>& visit) const;

  /// Calls `visit` for each item of a list until it returns false. Whether the list was read to its
  /// well-formed end.
  bool forEachItem(const std::function<bool(JsonView item)>& visit) const;

 private:
  std::string_view text_;
};

}  // namespace jitscope::analyzer
