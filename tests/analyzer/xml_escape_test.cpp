#include "analyzer/reports/xml_escape.h"

#include <gtest/gtest.h>

namespace jitscope::analyzer {
namespace {

TEST(XmlEscape, LeavesNoMarkup) {
  EXPECT_EQ(xmlEscaped("<b a=\"1\" c='2'>&amp;</b>"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(XmlEscape, KeepsText) { EXPECT_EQ(xmlEscaped("größer\t1 µs → 😀\n"), "größer\t1 µs → 😀\n"); }

TEST(XmlEscape, ReplacesWhatXmlCannotHold) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(xmlEscaped(std::string("a\0b\x1B", 4)), "a" + bad + "b" + bad);
  EXPECT_EQ(xmlEscaped("\xFF\x80x"), bad + bad + "x");        // no UTF-8
  EXPECT_EQ(xmlEscaped("\xC0\xAF"), bad + bad);               // longer than needed
  EXPECT_EQ(xmlEscaped("\xED\xA0\x80"), bad + bad + bad);     // half of a UTF-16 pair
  EXPECT_EQ(xmlEscaped("\xEF\xBF\xBF"), bad);                 // no character
  EXPECT_EQ(xmlEscaped("cut \xE2\x82"), "cut " + bad + bad);  // ends too early
}

}  // namespace
}  // namespace jitscope::analyzer
