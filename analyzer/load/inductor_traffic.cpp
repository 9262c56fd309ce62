#include "analyzer/load/inductor_traffic.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kNoSize = -1;

std::string_view trimmedStatement(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r,") + 1 - first);
}

/// What stands between the parenthesis at `open` and the one that closes it.
std::string_view insideParentheses(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

/// The parts between commas that are in no parentheses.
std::vector<std::string_view> argumentsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const bool isEnd = i == text.size();
    if (!isEnd && text[i] == '(') ++depth;
    if (!isEnd && text[i] == ')') --depth;
    if (!isEnd && (text[i] != ',' || depth > 0)) continue;
    if (const auto part = trimmedStatement(text.substr(begin, i - begin)); !part.empty())
      parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

std::optional<int64_t> sizeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

/// "(8, 4096)" as numbers; nothing when one of them is a symbol.
std::optional<std::vector<int64_t>> sizeNumbers(std::string_view tuple) {
  if (!tuple.starts_with('(')) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const std::string_view part : argumentsOf(insideParentheses(tuple, 0))) {
    const auto number = sizeNumber(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// How many elements a tensor of those sizes and strides has in memory: what is expanded is there
/// once.
int64_t elementsOf(std::string_view sizes, std::string_view strides) {
  const auto sizeList = sizeNumbers(sizes);
  const auto strideList = sizeNumbers(strides);
  if (!sizeList || !strideList || sizeList->size() != strideList->size()) return kNoSize;
  int64_t elements = 1;
  int64_t extent = 1;
  for (size_t i = 0; i < sizeList->size(); ++i) {
    const int64_t size = (*sizeList)[i];
    if (size == 0) return 0;
    elements = productOf(elements, size);
    extent = sumOf(extent, productOf(size - 1, (*strideList)[i]));
  }
  return std::min(elements, extent);
}

int64_t bytesOfType(std::string_view type) {
  struct Size {
    std::string_view type;
    int64_t bytes;
  };
  constexpr Size kSizes[] = {{"fp64", 8}, {"i64", 8},  {"u64", 8},  {"fp32", 4},    {"i32", 4},
                             {"u32", 4},  {"bf16", 2}, {"fp16", 2}, {"i16", 2},     {"u16", 2},
                             {"i8", 1},   {"u8", 1},   {"i1", 1},   {"fp8e4nv", 1}, {"fp8e5", 1}};
  for (const Size& size : kSizes) {
    if (size.type == type) return size.bytes;
  }
  return kNoSize;
}

/// An argument of a kernel as its signature has it.
struct KernelParameter {
  bool isPointer = false, isChanged = false;
  int64_t elementBytes = kNoSize;
};

class OutputCode {
 public:
  void read(std::string_view line) {
    constexpr std::string_view kBegin = "async_compile.triton('";
    if (const size_t at = line.find(kBegin); at != line.npos) {
      const size_t name = at + kBegin.size();
      kernel_ = std::string(line.substr(name, line.find('\'', name) - name));
    }
    if (const size_t at = line.find("'signature': {"); at != line.npos && !kernel_.empty())
      readSignature(line.substr(at));
    const std::string_view statement = trimmedStatement(line);
    if (statement.starts_with("assert_size_stride(")) return readAssertion(statement);
    if (statement.find(".run(") != statement.npos) return readLaunch(statement);
    if (const size_t at = statement.find(" = "); at != statement.npos)
      readAssignment(statement.substr(0, at), statement.substr(at + 3));
  }

  std::map<std::string, int64_t, std::less<>> take() {
    std::erase_if(traffic_, [](const auto& kernel) { return kernel.second < 0; });
    return std::move(traffic_);
  }

 private:
  /// "'signature': {'in_ptr0': '*fp32', 'xnumel': 'i32', …}"
  void readSignature(std::string_view text) {
    std::vector<KernelParameter>& parameters = signatures_[kernel_];
    parameters.clear();
    const std::string_view list = text.substr(text.find('{') + 1);
    const std::string_view inside = list.substr(0, list.find('}'));
    for (size_t at = inside.find('\''); at != inside.npos;) {
      const size_t nameEnd = inside.find('\'', at + 1);
      const size_t type = nameEnd == inside.npos ? nameEnd : inside.find('\'', nameEnd + 1);
      const size_t typeEnd = type == inside.npos ? type : inside.find('\'', type + 1);
      if (typeEnd == inside.npos) return;
      const std::string_view name = inside.substr(at + 1, nameEnd - at - 1);
      const std::string_view word = inside.substr(type + 1, typeEnd - type - 1);
      const bool isPointer = word.starts_with('*');
      parameters.push_back({isPointer, name.starts_with("in_out_ptr"),
                            isPointer ? bytesOfType(word.substr(1)) : kNoSize});
      at = inside.find('\'', typeEnd + 1);
    }
  }

  void readAssertion(std::string_view statement) {
    const auto arguments = argumentsOf(insideParentheses(statement, statement.find('(')));
    if (arguments.size() >= 3)
      elements_[std::string(arguments[0])] = elementsOf(arguments[1], arguments[2]);
  }

  void readAssignment(std::string_view name, std::string_view value) {
    value = value.substr(0, value.find(';'));
    if (value.starts_with("empty_strided_")) {
      const auto arguments = argumentsOf(insideParentheses(value, value.find('(')));
      if (arguments.size() >= 2)
        elements_[std::string(name)] = elementsOf(arguments[0], arguments[1]);
    } else if (const int64_t elements = elementsIn(value); elements >= 0) {
      elements_[std::string(name)] = elements;
    } else {
      elements_.erase(std::string(name));
    }
  }

  /// Of a buffer, or a view of one.
  int64_t elementsIn(std::string_view expression) const {
    if (expression.starts_with("reinterpret_tensor(")) {
      const auto arguments = argumentsOf(insideParentheses(expression, expression.find('(')));
      return arguments.size() < 3 ? kNoSize : elementsOf(arguments[1], arguments[2]);
    }
    const auto found = elements_.find(std::string(expression));
    return found == elements_.end() ? kNoSize : found->second;
  }

  void readLaunch(std::string_view statement) {
    const size_t at = statement.find(".run(");
    const std::string kernel(statement.substr(0, at));
    const auto signature = signatures_.find(kernel);
    if (signature == signatures_.end()) return;
    const int64_t bytes = bytesOf(
        signature->second, argumentsOf(insideParentheses(statement, statement.find('(', at))));
    const auto [known, isNew] = traffic_.try_emplace(kernel, bytes);
    if (!isNew && known->second != bytes) known->second = kNoSize;
  }

  int64_t bytesOf(const std::vector<KernelParameter>& parameters,
                  const std::vector<std::string_view>& arguments) const {
    int64_t bytes = 0;
    bool hasPointer = false;
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (!parameters[i].isPointer) continue;
      const int64_t elements = i < arguments.size() ? elementsIn(arguments[i]) : kNoSize;
      if (elements < 0 || parameters[i].elementBytes < 0) return kNoSize;
      const int64_t times = parameters[i].isChanged ? 2 : 1;
      bytes = sumOf(bytes, productOf(productOf(elements, parameters[i].elementBytes), times));
      hasPointer = true;
    }
    return hasPointer ? bytes : kNoSize;
  }

  std::string kernel_;  ///< whose source is being read
  std::map<std::string, std::vector<KernelParameter>, std::less<>> signatures_;
  std::map<std::string, int64_t, std::less<>> elements_;  ///< of buffers, as far as they are known
  std::map<std::string, int64_t, std::less<>> traffic_;
};

}  // namespace

std::map<std::string, int64_t, std::less<>> inductorTraffic(std::string_view outputCode) {
  OutputCode code;
  while (!outputCode.empty()) {
    const size_t end = std::min(outputCode.find('\n'), outputCode.size());
    code.read(outputCode.substr(0, end));
    outputCode.remove_prefix(std::min(end + 1, outputCode.size()));
  }
  return code.take();
}

}  // namespace jitscope::analyzer
