#include "analyzer/import/decimal_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace jitscope::analyzer {

// Without from_chars for doubles, which not all libraries have.
double numberAt(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  int64_t whole = 0, fraction = 0;
  const auto read = [](std::string_view digits, int64_t& number) {
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && stop == digits.data() + digits.size();
  };
  if (end == 0 || !read(text.substr(0, end), whole)) return -1;
  if (end == std::string_view::npos || text[end] != '.') return static_cast<double>(whole);
  std::string_view digits = text.substr(end + 1);
  constexpr size_t kMostDigits = 9;
  digits = digits.substr(0, std::min(digits.find_first_not_of("0123456789"), kMostDigits));
  if (!read(digits, fraction)) return static_cast<double>(whole);
  double scale = 1;
  for (size_t i = 0; i < digits.size(); ++i) scale *= 10;
  return static_cast<double>(whole) + static_cast<double>(fraction) / scale;
}

}  // namespace jitscope::analyzer
