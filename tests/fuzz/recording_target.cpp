#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "analyzer/load/valid_time.h"
#include "tests/fuzz/sound_run.h"
#include "tests/fuzz/targets.h"
#include "tests/trace/memory_file.h"
#include "trace/writer.h"

namespace jitscope::fuzz {
namespace {

/// What diagnoses look for, and what parsers of texts stumble over.
constexpr std::array<std::string_view, 40> kTexts{
    "",
    "step",
    "/a/b.cpp",
    "aten::mm",
    "aten::item",
    "cudaLaunchKernel",
    "cudaGraphLaunch",
    "cudaStreamSynchronize",
    "cudaStreamBeginCapture",
    "void at::native::elementwise_kernel<4>",
    "softmax",
    "triton_poi_fused_add_0",
    "ncclDevKernel_AllReduce",
    "cudagraph_skip",
    "cudagraph_record",
    "cudagraph_overwritten",
    "mutated inputs",
    "eager_fallback",
    "output_code",
    "FailOnRecompileLimitHit",
    "dram_read_bytes",
    "dram_write_bytes",
    "processor_running_ns",
    "processor_waiting_ns",
    "L['x'].size()[0]",
    "L['n'] == 3",
    "size",
    "divergence",
    "scalar",
    "tensor 'x' size mismatch at index 0. expected 4, actual 8",
    "tensor '",
    "at index ",
    "L['",
    "Unsupported Tensor.item() call",
    "skipped frame: it",
    "a.cpp:12 f(at::Tensor)\nb.py:3 main",
    ": \n :9 \n",
    "grid 4x1x1 block 256x1x1 registers 32",
    "[4, 16], [16]",
    "\xff\xc3<&\"|"};

constexpr std::array kNumbers{std::numeric_limits<int64_t>::min(),
                              std::numeric_limits<int64_t>::max(),
                              int64_t{-1},
                              analyzer::kLongestNs,
                              analyzer::kLongestNs + 1,
                              analyzer::kLatestNs,
                              analyzer::kLatestNs - analyzer::kLongestNs,
                              int64_t{1} << 32,
                              int64_t{1'000'000},
                              int64_t{1'000'000'000}};

constexpr std::array kReals{0.0,
                            1e300,
                            -1e300,
                            1e12,
                            std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN(),
                            1e-300,
                            0.5};

/// Bytes as the choices that make rows; zeros at their end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  bool isEmpty() const { return bytes_.empty(); }

  uint8_t next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }

  /// Small mostly; beyond, one that is extreme, or anything.
  int64_t number() {
    constexpr uint8_t kSmall = 224, kAnything = 248;
    const uint8_t choice = next();
    if (choice < kSmall) return choice;
    if (choice < kAnything) return kNumbers[(choice - kSmall) % kNumbers.size()];
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8U | next();
    return static_cast<int64_t>(number);
  }

  double real() {
    const uint8_t choice = next();
    return choice < kReals.size() ? kReals[choice] : 1000.0 * choice;
  }

  std::string text() {
    const uint8_t choice = next();
    if (choice < 255) return std::string(kTexts[choice % kTexts.size()]);
    const size_t wanted = next(), size = std::min(wanted, bytes_.size());
    std::string own(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return own;
  }

 private:
  std::string_view bytes_;
};

/// Writes rows, some of them again and again: sums grow by that.
class RowWriter {
 public:
  RowWriter(trace::EventSink& sink, Choices& choices) : sink_(sink), choices_(choices) {}

  void write() {
    size_t tables = 0, table = 0;
    trace::forEachTable([&]<class Row>() { ++tables; });
    const uint8_t choice = choices_.next();
    trace::forEachTable([&]<class Row>() {
      if (table++ == choice % tables) writeRow<Row>(static_cast<int>(choice / tables));
    });
  }

 private:
  template <class Row>
  void writeRow(int repeats) {
    Row row;
    Row::columns([&](const char* name, auto member) { fill(row.*member, name); });
    const int64_t times = int64_t{1} << std::min(repeats, 9);
    for (int64_t i = 0; i < times && written_ < kMostRows; ++i, ++written_) trace::emit(sink_, row);
  }

  template <class Field>
  void fill(Field& field, std::string_view column) {
    if constexpr (std::is_same_v<Field, trace::StringId>) {
      field = sink_.intern(choices_.text());
    } else if constexpr (std::is_floating_point_v<Field>) {
      field = choices_.real();
    } else {
      int64_t number = choices_.number();
      // An end that is believable more often than not.
      if (column == "end_ns" && number >= 0 && number <= analyzer::kLatestNs)
        number += std::min(startNs_ & kHalf, std::numeric_limits<int64_t>::max() - number);
      if (column == "start_ns") startNs_ = number;
      field = static_cast<Field>(number);
    }
  }

  static constexpr int64_t kHalf = (int64_t{1} << 61) - 1;
  static constexpr int64_t kMostRows = 4'000;

  trace::EventSink& sink_;
  Choices& choices_;
  int64_t startNs_ = 0, written_ = 0;
};

}  // namespace

void loadRecording(std::string_view bytes) {
  const trace::MemoryFile memory("");
  {
    auto writer = trace::FileWriter::create(memory.path());
    if (!writer) return require(false);
    Choices choices(bytes);
    for (RowWriter rows(**writer, choices); !choices.isEmpty();) rows.write();
  }
  trace::Result<analyzer::Run> run = analyzer::loadRun(memory.path());
  if (!run) return require(false);
  requireSound(*run);
}

}  // namespace jitscope::fuzz
