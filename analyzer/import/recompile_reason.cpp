#include "analyzer/import/recompile_reason.h"

#include <array>
#include <optional>

#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

struct KindWords {
  std::string_view words, kind;
};

constexpr std::array kKinds{
    KindWords{"tensor '", "TENSOR_MATCH"},
    KindWords{"expected type of", "TENSOR_MATCH"},
    KindWords{"check_obj_id", "ID_MATCH"},
    KindWords{"check_type_id", "TYPE_MATCH"},
    KindWords{"KeyError on ", "DICT_CONTAINS"},
    KindWords{"IndexError on ", "LENGTH_CHECK"},
    KindWords{"GLOBAL_STATE", "GLOBAL_STATE"},
    KindWords{"check_global_state", "GLOBAL_STATE"},
    KindWords{"torch_function_mode_stack", "TORCH_FUNCTION_MODE_STACK"},
    KindWords{"torch_dispatch_mode", "TORCH_DISPATCH_MODE_STACK"},
    KindWords{"dict_contains", "DICT_CONTAINS"},
    KindWords{"dict_keys", "DICT_KEYS"},
    KindWords{"Duplicate tensor", "NO_TENSOR_ALIASING"},
    KindWords{"hasattr(", "NO_HASATTR"},
    KindWords{"len(", "LENGTH_CHECK"},
    KindWords{".size()[", "SHAPE_ENV"},
    KindWords{".stride()[", "SHAPE_ENV"},
    KindWords{" == ", "EQUALS_MATCH"},
    KindWords{" is ", "ID_MATCH"},
};

std::string_view kindOf(std::string_view text) {
  for (const KindWords& each : kKinds) {
    if (text.find(each.words) != std::string_view::npos) return each.kind;
  }
  return {};
}

/// Whether `text` ends in a colon and digits.
bool endsInLine(std::string_view text) {
  const size_t digits = text.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < text.size() && text[digits] == ':';
}

/// `file.py:33 in fn (a remark)` → `file.py:33 fn`; empty for what is no place.
std::string placeOfComment(std::string_view comment) {
  constexpr std::string_view kIn = " in ";
  if (endsInLine(comment)) return std::string(comment);
  for (size_t in = comment.find(kIn); in != std::string_view::npos;
       in = comment.find(kIn, in + 1)) {
    if (!endsInLine(comment.substr(0, in))) continue;
    const std::string_view function = comment.substr(in + kIn.size());
    return std::string(comment.substr(0, in)) + ' ' +
           std::string(function.substr(0, function.find(' ')));
  }
  return {};
}

/// Takes the comment off a guard: two blanks, then `# source text  # file:line in function`. A `#`
/// inside of a string of the guard has no blanks before it in practice.
void splitComment(RecompileReason& reason) {
  const size_t comment = reason.text.find("  # ");
  const size_t last = reason.text.rfind("  # ");
  if (comment != std::string::npos) {
    reason.stack = placeOfComment(trimmedText(std::string_view(reason.text).substr(last + 4)));
    reason.text.resize(comment);
  }
  reason.text = trimmedText(reason.text);
}

/// `… device index mismatch. Expected device index to be 0, actual 1`
void readDevices(RecompileReason& reason) {
  constexpr std::string_view kExpected = "Expected device index to be ", kActual = ", actual ";
  const std::string_view text = reason.text;
  const size_t expected = text.find(kExpected);
  const size_t actual = text.find(kActual);
  if (expected == std::string_view::npos || actual == std::string_view::npos) return;
  const size_t begin = expected + kExpected.size();
  if (actual < begin) return;
  reason.expected = text.substr(begin, actual - begin);
  reason.actual = text.substr(actual + kActual.size());
}

/// `expected type of 'L['lr']' to be a tensor type, but found <class 'float'>`
bool readType(RecompileReason& reason) {
  constexpr std::string_view kType = "expected type of '", kBe = "' to be a tensor type",
                             kFound = "but found ";
  const std::string_view text = reason.text;
  const size_t end = text.find(kBe);
  if (!text.starts_with(kType) || end == std::string_view::npos) return false;
  reason.source = text.substr(kType.size(), end - kType.size());
  reason.expected = "Tensor";
  const size_t found = text.find(kFound, end);
  if (found != std::string_view::npos) reason.actual = text.substr(found + kFound.size());
  return true;
}

/// `Duplicate tensor found where not expected! L['a']should not alias to anything, but is aliased`
bool readAliasing(RecompileReason& reason) {
  constexpr std::string_view kBegin = "Duplicate tensor found where not expected! ";
  const std::string_view text = reason.text;
  if (!text.starts_with(kBegin)) return false;
  const std::string_view rest = text.substr(kBegin.size());
  reason.source = trimmedText(rest.substr(0, rest.find("should not alias")));
  return true;
}

/// `tensor 'L['x']' size mismatch at index 0. expected 2, actual 3` and its like.
bool readMismatch(RecompileReason& reason) {
  constexpr std::string_view kTensor = "tensor '", kExpected = "expected ", kActual = ", actual ";
  const std::string_view text = reason.text;
  if (!text.starts_with(kTensor)) return false;
  const size_t nameEnd = text.find("' ", kTensor.size());
  if (nameEnd == std::string_view::npos) return false;
  reason.source = text.substr(kTensor.size(), nameEnd - kTensor.size());
  const size_t expected = text.find(kExpected, nameEnd);
  if (expected == std::string_view::npos) return readDevices(reason), true;
  const size_t actual = text.find(kActual, expected);
  const size_t begin = expected + kExpected.size();
  reason.expected = text.substr(begin, std::min(actual, text.size()) - begin);
  if (actual == std::string_view::npos) return true;
  const std::string_view rest = text.substr(actual + kActual.size());
  reason.actual = rest.substr(0, rest.find(". "));
  return true;
}

/// `___check_obj_id(self.processor, 140)`, `___check_type_id(L['x'], 94)`: the thing, and what it
/// was. Addresses say nothing to a person.
bool readIdentity(RecompileReason& reason) {
  const std::string_view text = reason.text;
  if (!text.starts_with("___check_obj_id(") && !text.starts_with("___check_type_id(")) return false;
  const size_t open = text.find('(') + 1;
  const size_t type = text.find(", type=");
  const size_t comma = text.substr(0, type).rfind(", ");
  if (comma == std::string_view::npos || comma < open) return false;
  reason.source = text.substr(open, comma - open);
  if (type != std::string_view::npos) {
    const std::string_view rest = text.substr(type + 7);
    reason.expected = trimmedText(rest.substr(0, rest.rfind(')')));
  }
  return true;
}

/// Where the first variable of a guard begins; npos where it has none. Before 2.1 it had no `L[`
/// around it and is told by a function that is called with it alone.
size_t rootIn(std::string_view text) {
  const size_t root = std::min(text.find("L["), text.find("G["));
  if (root != std::string_view::npos) return root;
  for (const std::string_view call : {"len(", "hasattr(", "___tuple_iterator_len("}) {
    if (text.starts_with(call)) return call.size();
  }
  return std::string_view::npos;
}

/// The thing inside of a call: `L['xs']` of `len(L['xs'])`, `hasattr(L['x'], 'name')`,
/// `Eq(Mod(L['xs'], 8), 0)`; all of `text` where no call holds one.
std::string_view calledWith(std::string_view text) {
  const size_t root = rootIn(text);
  if (root == std::string_view::npos || text.find('(') > root) return text;
  text.remove_prefix(root);
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '(') ++depth;
    const bool closes = text[at] == ']' || text[at] == ')';
    if (depth == 0 && (closes || text[at] == ',')) return text.substr(0, at);
    if (closes) --depth;
  }
  return text;
}

/// The same without what only asks for the keys of a dictionary.
std::string_view comparedThing(std::string_view text) {
  constexpr std::string_view kKeys = ".keys()";
  text = calledWith(text);
  if (text.ends_with(kKeys)) text.remove_suffix(kKeys.size());
  return text;
}

/// `KeyError on L['d']['a']`: the entry that is not there any more; `IndexError on L['xs'][3]`: the
/// list that is shorter.
bool readAbsence(RecompileReason& reason) {
  constexpr std::string_view kKey = "KeyError on ", kIndex = "IndexError on ";
  const std::string_view text = reason.text;
  if (text.starts_with(kKey)) {
    reason.source = text.substr(kKey.size());
    return true;
  }
  if (!text.starts_with(kIndex)) return false;
  reason.source = text.substr(kIndex.size(), text.rfind('[') - kIndex.size());
  return true;
}

/// `X == value`, `X is None`, `not X`, `X`, `Eq(X, value)`.
void readComparison(RecompileReason& reason) {
  const std::string_view text = reason.text;
  for (const std::string_view relation : {" == ", " is not ", " is "}) {
    const size_t at = text.find(relation);
    if (at == std::string_view::npos || at == 0) continue;
    reason.source = comparedThing(text.substr(0, at));
    const std::string_view value = trimmedText(text.substr(at + relation.size()));
    reason.expected = (relation == " is not " ? "not " : "") + std::string(value);
    return;
  }
  const bool isNegated = text.starts_with("not ");
  const std::string_view source = isNegated ? text.substr(4) : text;
  if (source.starts_with("L[") || source.starts_with("G[") || source.starts_with("self.")) {
    reason.source = source;
    reason.expected = isNegated ? "False" : "True";
  } else if (text.find('(') < rootIn(text) && rootIn(text) < text.size()) {
    reason.source = comparedThing(source);
  }
}

/// Whether a bound is the one that every dynamic size has.
bool isUnbounded(std::string_view bound) {
  constexpr size_t kDigitsOfAnySize = 10;  // 2147483647 and 9223372036854775806 are no bounds
  return bound.find("int_oo") != std::string_view::npos || bound.size() >= kDigitsOfAnySize;
}

/// `2 <= L['x'].size()[0] <= 128`, `L['x'].size()[0] <= 64`: the size and its bounds.
bool readBounds(RecompileReason& reason) {
  const std::string_view text = reason.text;
  const size_t low = text.find(" <= ");
  if (low == std::string_view::npos || text.find(".size()[") == std::string_view::npos)
    return false;
  if (text.find_first_not_of("0123456789") != low) {
    const std::string_view high = trimmedText(text.substr(low + 4));
    if (high.find_first_not_of("0123456789") != std::string_view::npos) return false;
    reason.source = text.substr(0, low);
    reason.expected = "at most " + std::string(high);
    return true;
  }
  const std::string_view rest = text.substr(low + 4);
  const size_t high = rest.find(" <= ");
  reason.source = trimmedText(rest.substr(0, high));
  const std::string_view bound =
      high == std::string_view::npos ? std::string_view() : trimmedText(rest.substr(high + 4));
  const bool hasBound = !bound.empty() && !isUnbounded(bound);
  const std::string least(text.substr(0, low));
  reason.expected = hasBound ? "from " + least + " to " + std::string(bound) : "at least " + least;
  return true;
}

}  // namespace

RecompileReason parseRecompileReason(std::string_view text) {
  RecompileReason reason;
  text = trimmedText(text);
  if (const std::optional<TorchCompileId> entry = takeTorchCompileId(text)) reason.entry = *entry;
  const size_t trace = text.find("\nUser stack trace:");
  std::string stack;
  if (trace != std::string_view::npos) stack = stackOfTraceback(text.substr(trace));
  reason.text = text.substr(0, std::min(trace, text.find('\n')));
  splitComment(reason);
  if (!stack.empty()) reason.stack = stack;
  reason.kind = kindOf(reason.text);
  if (readMismatch(reason) || readIdentity(reason) || readBounds(reason) || readType(reason) ||
      readAliasing(reason) || readAbsence(reason))
    return reason;
  readComparison(reason);
  return reason;
}

}  // namespace jitscope::analyzer
