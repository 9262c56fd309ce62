#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/outputs.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

using std::chrono::year;

/// Findings as a hostile or foreign recording could make them, held against a baseline.
struct HostileGate {
  explicit HostileGate(size_t copies = 1) {
    const std::string mega(1'000'000, 'm');
    const std::string texts[] = {
        "plain",
        "]]> </failure> <script>alert('1')</script> &amp; & \"quoted\"",
        std::string("zero \0 byte", 11),
        "\x1b[31mred\x1b[0m \x01\x08\x0b\x0c\x7f \r\n::error file=x::y\n##[error]z",
        "no UTF-8: \xff\xfe \xc3( \xed\xa0\x80 \xf4\x90\x80\x80 cut: \xe2\x82",
        "U+FFFE \xef\xbf\xbe turned \xe2\x80\xae round, \xf0\x9f\x94\xa5 \xc3\xa4",
        mega,
        mega + "]]>",
        "| a | **b** `c` <!-- d --> [e](f) \n# g",
    };
    const char* const files[] = {
        "/src/a b/c%d.py", "C:\\src\\a b\\c.py", "C:/src/c.py",     "\\\\server\\share\\c.py",
        "src\\c.py",       "rel/\xc3\xa4 #?.py", "../up.py",        "<string>",
        "a:b.py",          "/src/\xff\n.py",     "/elsewhere/x.py", "",
        "//two/x.py"};
    for (size_t copy = 0; copy < copies; ++copy) {
      for (const std::string& text : texts) {
        // The longest ones once: they are in a dozen places of a finding.
        const bool isLong = text.size() >= mega.size();
        for (const char* file : files) {
          if (!isLong || (copy == 0 && file == files[0])) add(text, file);
        }
      }
    }
    for (size_t i = 0; i < analysis.findings.size(); ++i) {
      verdict.findings.push_back(
          {&analysis.findings[i], static_cast<FindingState>(i % 4), texts[i % 9], i % 4 == 2});
    }
    for (const Measure& measure : allMeasures())
      verdict.limits.push_back({&measure, 1.5, std::nullopt, true});
    for (const std::string& text : texts) {
      verdict.gone.push_back(text);
      verdict.notes.push_back(text);
    }
    verdict.recordedNs = 1'700'000'000'123'456'789;
  }

  void add(const std::string& text, const char* file) {
    Finding finding;
    finding.kind = static_cast<FindingKind>(analysis.findings.size() % 17);
    finding.causeClass = "class";
    finding.id = fmt::format("{}/{}:{}", text, file, analysis.findings.size());
    finding.advice = {text, text, text, Certainty::kLikely, false};
    finding.place = {file, static_cast<int64_t>(analysis.findings.size() % 3), text};
    finding.guards = {{text, text, text, text, "0/0", 2}};
    finding.evidence = {{"passes", 0}};
    analysis.findings.push_back(std::move(finding));
  }

  Analysis analysis;
  GateVerdict verdict;
};

/// The outputs of the gate by name, of verdicts of every size.
std::map<std::string, std::string> allOutputs() {
  std::map<std::string, std::string> outputs;
  const auto add = [&](const std::string& name, const GateVerdict& verdict) {
    outputs[name + ".junit.xml"] = gateJUnit(verdict);
    outputs[name + ".sarif"] = gateSarif(verdict, "/src");
    outputs[name + ".md"] = gateMarkdown(verdict);
    outputs[name + ".txt"] = gateText(verdict) + gateGitHub(verdict, "/src");
  };
  add("empty", {});
  add("hostile", HostileGate().verdict);
  add("many", HostileGate(20).verdict);
  GateVerdict early = HostileGate().verdict;
  early.findings.clear();
  early.recordedNs = -5;
  add("early", early);
  const analyzer::Run run = runOf(kServiceRows);
  const Analysis analysis = analyze(run);
  const Baseline none;
  add("service", judge(run, analysis, GateConfig(), &none, year(2026) / 6 / 15));
  return outputs;
}

/// With JITSCOPE_GATE_OUTPUTS the outputs are left in that folder, for gate_schemas_test.py.
TEST(GateOutputs, AreBoundedWhateverFindingsSay) {
  const char* const folder = std::getenv("JITSCOPE_GATE_OUTPUTS");
  for (const auto& [name, text] : allOutputs()) {
    EXPECT_LT(text.size(), 30'000'000U) << name;
    if (folder != nullptr) std::ofstream(std::filesystem::path(folder) / name) << text;
  }
}

TEST(GateOutputs, FitTheCommentsOfCodeHosts) {
  for (const auto& [name, text] : allOutputs()) {
    if (!name.ends_with(".md")) continue;
    EXPECT_LE(text.size(), 65'536U) << name;
    // What was cut ends well: the folded part is closed, the limits are there.
    const bool hasDetails = text.find("<details>") != std::string::npos;
    EXPECT_EQ(text.find("</details>") != std::string::npos, hasDetails) << name;
  }
  const std::string many = gateMarkdown(HostileGate(20).verdict);
  EXPECT_NE(many.find("more findings: a comment has no room for them"), std::string::npos);
  EXPECT_NE(many.find("| graph\\_breaks |"), std::string::npos);
  EXPECT_EQ(gateMarkdown({}).find("no room"), std::string::npos);
}

TEST(GateOutputs, ShowATerminalNothingToObeyAndACiSystemNoForeignCommand) {
  const std::string text = gateText(HostileGate().verdict) + gateGitHub(HostileGate().verdict, "/");
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    ASSERT_TRUE(byte == '\n' || (byte >= ' ' && byte != 0x7F)) << static_cast<int>(byte);
  }
  for (size_t at = 0; (at = text.find("\n::", at)) != std::string::npos; ++at) {
    const std::string_view rest = std::string_view(text).substr(at + 3);
    EXPECT_TRUE(rest.starts_with("error ") || rest.starts_with("warning ")) << rest.substr(0, 40);
    EXPECT_FALSE(rest.starts_with("error file=x::")) << rest.substr(0, 40);
  }
}

TEST(GateOutputs, NameFilesOfEveryMachineAsUris) {
  HostileGate gate;
  gate.verdict.findings.clear();
  gate.analysis.findings.clear();
  const std::map<std::string, std::string> uris{
      {"/src/a b/c%d.py", "a%20b/c%25d.py"},
      {"/other/x.py", "file:///other/x.py"},
      {"C:\\src\\a b\\c.py", "file:///C:/src/a%20b/c.py"},
      {"C:/src/c.py", "file:///C:/src/c.py"},
      {"C:\\src/c.py", "file:///C:/src/c.py"},
      {"\\\\server\\share\\c.py", "file://server/share/c.py"},
      {"src\\c.py", "src/c.py"},
      {"rel/\xc3\xa4 #?.py", "rel/%C3%A4%20%23%3F.py"},
      {"../up.py", "../up.py"},
      {"a:b.py", "a%3Ab.py"},
      {"<string>", "%3Cstring%3E"},
      {"/src/\xff.py", "%FF.py"}};
  for (const auto& [file, uri] : uris) {
    Finding finding;
    finding.place = {file, 3, ""};
    gate.analysis.findings = {finding};
    gate.verdict.findings.assign(1, FindingCheck{.finding = gate.analysis.findings.data()});
    const nlohmann::json log = nlohmann::json::parse(gateSarif(gate.verdict, "/src"));
    const nlohmann::json& place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], uri) << file;
    EXPECT_EQ(place["region"]["startLine"], 3);
  }
}

}  // namespace
}  // namespace jitscope::analyzer
