#include "analyzer/import/compile_id.h"

#include <charconv>

namespace jitscope::analyzer {
namespace {

/// Takes a number or a dash off the front; whether there was one.
bool takePart(std::string_view& text, int64_t& part) {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    return true;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
  if (error != std::errc() || part < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool takeSlash(std::string_view& text) {
  if (!text.starts_with('/')) return false;
  text.remove_prefix(1);
  return true;
}

bool takeId(std::string_view& text, TorchCompileId& id) {
  if (text.starts_with('!')) {
    text.remove_prefix(1);
    if (!takePart(text, id.autograd)) return false;
    if (text.empty() || text.front() == '_' || text.front() == ':') return true;
    if (!takeSlash(text)) return false;
  } else if (text.starts_with('-')) {
    return false;
  }
  return takePart(text, id.frame) && takeSlash(text) && takePart(text, id.attempt);
}

}  // namespace

std::optional<TorchCompileId> parseTorchCompileId(std::string_view text) {
  TorchCompileId id;
  if (!takeId(text, id)) return std::nullopt;
  if (text.empty()) return id;
  int64_t restart = 0;
  if (!text.starts_with('_')) return std::nullopt;
  text.remove_prefix(1);
  if (!takePart(text, restart) || !text.empty()) return std::nullopt;
  return id;
}

std::optional<TorchCompileId> takeTorchCompileId(std::string_view& text) {
  std::string_view rest = text;
  TorchCompileId id;
  if (!takeId(rest, id) || !rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  text = rest;
  return id;
}

}  // namespace jitscope::analyzer
