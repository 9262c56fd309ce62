#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include "compiler/graph.h"
#include "compiler/graph/text_cursor.h"
#include "compiler/graph/text_form.h"
#include "compiler/graph/type_name.h"

namespace jitscope::compiler {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();
constexpr int64_t kHighestId = std::numeric_limits<int32_t>::max();

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  trace::Result<Graph> run() {
    cursor_.isAtEnd();
    cursor_.expect("graph");
    graph_.name = cursor_.quoted();
    cursor_.expectLineEnd();
    while (!cursor_.hasFailed() && !isReturn_) parseLine();
    if (!cursor_.isAtEnd()) cursor_.fail("nothing after the line 'return'");
    if (cursor_.hasFailed()) return cursor_.error();
    if (const auto well = verify(graph_); !well) return well.error();
    return std::move(graph_);
  }

 private:
  void parseLine() {
    // Blank lines count, so that errors name the right one.
    if (cursor_.isAtEnd()) return cursor_.fail("the line 'return'");
    if (cursor_.accept("symbol")) {
      parseSymbol();
    } else if (cursor_.accept("value")) {
      parseValue();
    } else if (cursor_.accept("input")) {
      const ValueId id = valueId();
      graph_.inputs.push_back({id, cursor_.quoted()});
    } else if (cursor_.accept("node")) {
      parseNode();
    } else if (cursor_.accept("return")) {
      cursor_.expect("(");
      parseList(")", [&] { graph_.outputs.push_back(valueId()); });
      isReturn_ = true;
    } else {
      cursor_.fail("one of symbol, value, input, node, return");
    }
    cursor_.expectLineEnd();
  }

  void parseSymbol() {
    GraphSymbol symbol;
    symbol.name = cursor_.name();
    symbol.source = cursor_.quoted();
    cursor_.expect("hint");
    symbol.hint = cursor_.integer(kLowest, kHighest);
    cursor_.expect("range");
    symbol.minimum = cursor_.integer(kLowest, kHighest);
    symbol.maximum = cursor_.integer(kLowest, kHighest);
    while (cursor_.accept("equals")) symbol.equalSources.push_back(cursor_.quoted());
    graph_.symbols.push_back(std::move(symbol));
  }

  void parseValue() {
    cursor_.expect("%");
    const auto next = static_cast<int64_t>(graph_.values.size());
    cursor_.integer(next, next);
    Value value;
    value.name = cursor_.name();
    value.type.dataType = dataType();
    value.type.device = device();
    cursor_.expect("[");
    value.type.sizes = sizes();
    cursor_.expect("[");
    value.type.strides = sizes();
    value.type.storageOffset = size();
    value.type.requiresGrad = cursor_.accept("requires_grad");
    graph_.values.push_back(std::move(value));
  }

  void parseNode() {
    Node node;
    node.op = cursor_.quoted();
    node.overload = cursor_.quoted();
    cursor_.expect("(");
    parseList(")", [&] { node.arguments.push_back(argument()); });
    cursor_.expect("->");
    cursor_.expect("(");
    parseList(")", [&] { node.results.push_back(result()); });
    if (cursor_.accept("at")) {
      node.source.file = cursor_.quoted();
      node.source.line = cursor_.integer(kLowest, kHighest);
      node.source.function = cursor_.quoted();
    }
    graph_.nodes.push_back(std::move(node));
  }

  /// Elements separated by commas up to `close`; what opened the list has been taken.
  template <class Element>
  void parseList(std::string_view close, Element element) {
    if (cursor_.accept(close)) return;
    do {
      element();
    } while (!cursor_.hasFailed() && cursor_.accept(","));
    cursor_.expect(close);
  }

  ValueId valueId() {
    cursor_.expect("%");
    if (cursor_.accept("none")) return ValueId::kNone;
    return static_cast<ValueId>(cursor_.integer(0, kHighestId));
  }

  std::vector<ValueId> valueIds() {
    std::vector<ValueId> ids;
    parseList("]", [&] { ids.push_back(valueId()); });
    return ids;
  }

  NodeResult result() {
    if (cursor_.accept("[")) return valueIds();
    return valueId();
  }

  Argument argument() {
    Argument argument;
    argument.name = cursor_.name();
    cursor_.expect("=");
    if (cursor_.isNext('%')) {
      argument.value = valueId();
    } else if (cursor_.accept("tensors")) {
      cursor_.expect("[");
      argument.value = valueIds();
    } else {
      argument.value = attribute();
    }
    return argument;
  }

  Attribute attribute() {
    if (cursor_.isNext('"')) return cursor_.quoted();
    if (cursor_.accept("None")) return std::monostate{};
    if (cursor_.accept("True")) return true;
    if (cursor_.accept("False")) return false;
    if (cursor_.accept("[")) return sizes();
    if (cursor_.accept("reals")) return reals();
    if (cursor_.accept("bools")) return bools();
    if (cursor_.accept("complex")) return complexNumber();
    if (cursor_.accept("dtype")) return inParentheses([&] { return Attribute(dataType()); });
    if (cursor_.accept("device")) return inParentheses([&] { return Attribute(device()); });
    if (cursor_.accept("layout")) {
      return inParentheses([&] { return Attribute(LayoutName{cursor_.quoted()}); });
    }
    if (cursor_.accept("memory_format")) {
      return inParentheses([&] { return Attribute(MemoryFormatName{cursor_.quoted()}); });
    }
    if (cursor_.accept("opaque")) return opaque();
    if (const auto real = specialReal()) return *real;
    return numberOrSize();
  }

  template <class Inner>
  Attribute inParentheses(Inner inner) {
    cursor_.expect("(");
    Attribute attribute = inner();
    cursor_.expect(")");
    return attribute;
  }

  Attribute opaque() {
    return inParentheses([&] {
      OpaqueConstant constant;
      constant.index =
          static_cast<int32_t>(cursor_.integer(std::numeric_limits<int32_t>::min(), kHighestId));
      cursor_.expect(",");
      constant.text = cursor_.quoted();
      return Attribute(std::move(constant));
    });
  }

  Attribute complexNumber() {
    return inParentheses([&] {
      const double real = realNumber();
      cursor_.expect(",");
      const double imaginary = realNumber();
      return Attribute(std::complex<double>(real, imaginary));
    });
  }

  Attribute reals() {
    std::vector<double> list;
    cursor_.expect("[");
    parseList("]", [&] { list.push_back(realNumber()); });
    return list;
  }

  Attribute bools() {
    std::vector<bool> list;
    cursor_.expect("[");
    parseList("]", [&] {
      const bool isTrue = cursor_.accept("True");
      if (!isTrue) cursor_.expect("False");
      list.push_back(isTrue);
    });
    return list;
  }

  std::optional<double> specialReal() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (cursor_.accept("inf")) return kInfinity;
    if (cursor_.accept("-inf")) return -kInfinity;
    if (!cursor_.accept("nan")) return std::nullopt;
    cursor_.expect("(");
    const auto value = std::bit_cast<double>(cursor_.hexadecimal());
    cursor_.expect(")");
    return value;
  }

  double realNumber() {
    if (const auto special = specialReal()) return *special;
    return realOf(cursor_.number());
  }

  double realOf(std::string_view digits) {
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) cursor_.fail("a number");
    return value;
  }

  Attribute numberOrSize() {
    const std::string_view digits = cursor_.number();
    if (digits.find_first_of(".e") != std::string_view::npos) return realOf(digits);
    return sizeAfter(digits);
  }

  SizeExpression size() { return sizeAfter(cursor_.number()); }

  /// `4`, `s0`, `-s0 + 128`, `2*s0*s1/3 - 1` of which `digits` was already taken.
  SizeExpression sizeAfter(std::string_view digits) {
    SizeExpression expression;
    if (!digits.empty()) {
      const int64_t number = integerOf(digits);
      if (!cursor_.accept("*")) return SizeExpression::constant(number);
      expression.numerator = number;
    } else {
      expression.numerator = cursor_.accept("-") ? -1 : 1;
    }
    do {
      expression.symbols.push_back(symbolId());
    } while (!cursor_.hasFailed() && cursor_.accept("*"));
    if (cursor_.accept("/")) expression.denominator = cursor_.integer(1, kHighest);
    if (cursor_.accept("+")) {
      expression.offset = cursor_.integer(1, kHighest);
    } else if (cursor_.accept("-")) {
      expression.offset = negatedInteger();
    }
    return expression;
  }

  /// The lowest integer has no positive counterpart.
  int64_t negatedInteger() {
    constexpr std::string_view kNoPositive = "9223372036854775808";
    if (cursor_.accept(kNoPositive)) return kLowest;
    return -cursor_.integer(1, kHighest);
  }

  int64_t integerOf(std::string_view digits) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) cursor_.fail("an integer");
    return value;
  }

  SymbolId symbolId() {
    const std::string word = cursor_.word();
    int32_t number = -1;
    if (word.starts_with('s')) {
      const char* end = word.data() + word.size();
      const auto [last, error] = std::from_chars(word.data() + 1, end, number);
      if (error != std::errc() || last != end) number = -1;
    }
    if (number < 0) cursor_.fail("a symbol like s0, or an integer");
    return static_cast<SymbolId>(number);
  }

  std::vector<SizeExpression> sizes() {
    std::vector<SizeExpression> list;
    parseList("]", [&] { list.push_back(size()); });
    return list;
  }

  DataType dataType() {
    if (cursor_.accept("type")) {
      cursor_.expect("(");
      const auto number = cursor_.integer(-128, 127);
      cursor_.expect(")");
      return static_cast<DataType>(number);
    }
    const auto type = dataTypeOfName(cursor_.word());
    if (!type) cursor_.fail("a data type before this");
    return type.value_or(DataType{});
  }

  DeviceName device() {
    const auto device = deviceOfText(cursor_.quoted());
    if (!device) cursor_.fail("a device before this");
    return device.value_or(DeviceName{});
  }

  TextCursor cursor_;
  Graph graph_;
  bool isReturn_ = false;
};

}  // namespace

trace::Result<Graph> parseGraph(std::string_view text) { return Parser(text).run(); }

}  // namespace jitscope::compiler
