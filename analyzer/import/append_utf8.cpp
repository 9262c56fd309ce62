#include "analyzer/import/append_utf8.h"

namespace jitscope::analyzer {

void appendUtf8(std::string& target, uint32_t point) {
  const auto add = [&](uint32_t byte) { target.push_back(static_cast<char>(byte)); };
  const auto addRest = [&](int shift) { add(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xc0 | point >> 6), addRest(0);
  } else if (point < 0x10000) {
    add(0xe0 | point >> 12), addRest(6), addRest(0);
  } else {
    add(0xf0 | point >> 18), addRest(12), addRest(6), addRest(0);
  }
}

}  // namespace jitscope::analyzer
