#include <arrow/array/array_binary.h>
#include <arrow/array/array_primitive.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "analyzer/parquet/plugin.h"
#include "tests/analyzer/parquet_content.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

using tests::ParquetContent;
using trace::ColumnType;

/// One column of made-up rows.
class Column final : public RowSource {
 public:
  Column(ColumnType type, size_t rows, std::function<RunTable::Cell(size_t)> cell)
      : column_{{{"value", type}}}, rows_(rows), cell_(std::move(cell)) {}

  std::span<const RowSource::Column> columns() const override { return column_; }
  bool next() override { return ++row_ <= rows_; }
  RunTable::Cell at(size_t) const override { return cell_(row_ - 1); }

 private:
  std::array<RowSource::Column, 1> column_;
  size_t rows_, row_ = 0;
  std::function<RunTable::Cell(size_t)> cell_;
};

class ParquetFile : public testing::Test {
 protected:
  ParquetContent written(Column column) const {
    const trace::Result<ParquetPlugin> plugin = ParquetPlugin::open();
    if (!plugin) throw std::runtime_error(plugin.error().text);
    const trace::Result<void> done = plugin->write(column, path_);
    if (!done) throw std::runtime_error(done.error().text);
    return tests::readParquet(path_);
  }

  template <class Value>
  ParquetContent written(ColumnType type, const std::vector<Value>& values) const {
    return written(Column(type, values.size(), [&](size_t row) { return values[row]; }));
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "file.parquet";
};

std::vector<std::string> textsOf(const ParquetContent& content) {
  std::vector<std::string> texts;
  for (size_t row = 0; row < content.rowCount(); ++row)
    texts.emplace_back(std::get<std::string_view>(content.at(row, 0)));
  return texts;
}

TEST_F(ParquetFile, KeepsTheExtremesOfIntegers) {
  using Limits = std::numeric_limits<int64_t>;
  const std::vector<int64_t> values{Limits::min(), Limits::max(), -1, 0, 1'700'000'000'123'456'789};
  const ParquetContent content = written(ColumnType::kInteger, values);
  ASSERT_EQ(content.rowCount(), values.size());
  for (size_t row = 0; row < values.size(); ++row)
    EXPECT_EQ(std::get<int64_t>(content.at(row, 0)), values[row]);
}

TEST_F(ParquetFile, KeepsTheBitsOfReals) {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values{Limits::max(),
                                   Limits::lowest(),
                                   Limits::denorm_min(),
                                   -0.0,
                                   Limits::infinity(),
                                   Limits::quiet_NaN(),
                                   0.1};
  const ParquetContent content = written(ColumnType::kReal, values);
  ASSERT_EQ(content.rowCount(), values.size());
  for (size_t row = 0; row < values.size(); ++row) {
    EXPECT_EQ(std::bit_cast<int64_t>(std::get<double>(content.at(row, 0))),
              std::bit_cast<int64_t>(values[row]))
        << values[row];
  }
}

TEST_F(ParquetFile, HoldsUtf8WhateverTheTextsWere) {
  using namespace std::literals;
  const std::string bad = "\xEF\xBF\xBD";
  const std::vector<std::pair<std::string_view, std::string>> cases{
      {"", ""},
      {"plain", "plain"},
      {"µs, 形, 🙂", "µs, 形, 🙂"},
      {"a\0b"sv, "a\0b"s},
      {"\xFF", bad},
      {"\xFE", bad},  // another text, which becomes the same one
      {"cut \xE5\xBD", "cut " + bad + bad},
      {"overlong \xC0\xAF", "overlong " + bad + bad},
      {"half \xED\xA0\x80", "half " + bad + bad + bad},
      {"beyond \xF4\x90\x80\x80", "beyond " + bad + bad + bad + bad},
  };
  std::vector<std::string_view> given;
  std::vector<std::string> expected;
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (const auto& [text, stored] : cases) {
      given.push_back(text);
      expected.push_back(stored);
    }
  }
  EXPECT_EQ(textsOf(written(ColumnType::kText, given)), expected);
}

TEST_F(ParquetFile, EncodesTextAsADictionary) {
  const std::vector<std::string_view> texts{"aten::mm", "aten::relu", "aten::mm"};
  EXPECT_TRUE(written(ColumnType::kText, texts).hasDictionary(0));
}

TEST_F(ParquetFile, HasNoNullsAndNamesAndTypesWithoutRows) {
  const ParquetContent content = written(ColumnType::kText, std::vector<std::string_view>{});
  EXPECT_EQ(content.rowCount(), 0U);
  EXPECT_EQ(content.schemaText(), "value: string not null");
}

TEST_F(ParquetFile, BoundsTheRowsOfARowGroup) {
  constexpr size_t kRows = 300'000, kMost = 131'072;
  const ParquetContent content = written(
      Column(ColumnType::kInteger, kRows, [](size_t row) { return static_cast<int64_t>(row); }));
  EXPECT_EQ(content.rowGroupSizes(), (std::vector<size_t>{kMost, kMost, kRows - 2 * kMost}));
  for (const size_t row : {size_t{0}, kMost - 1, kMost, 2 * kMost, kRows - 1})
    EXPECT_EQ(std::get<int64_t>(content.at(row, 0)), static_cast<int64_t>(row));
}

TEST_F(ParquetFile, BoundsTheTextOfARowGroup) {
  constexpr size_t kMebibyte = 1 << 20;
  std::string code(kMebibyte, '.');
  const ParquetContent content = written(Column(ColumnType::kText, 130, [&](size_t row) {
    code[0] = static_cast<char>('0' + row % 70);
    return std::string_view(code);
  }));
  EXPECT_EQ(content.rowGroupSizes(), (std::vector<size_t>{64, 64, 2}));
}

TEST_F(ParquetFile, ToldWhyItCannotBeWritten) {
  const trace::Result<ParquetPlugin> plugin = ParquetPlugin::open();
  ASSERT_TRUE(plugin) << plugin.error().text;
  Column column(ColumnType::kInteger, 1, [](size_t) { return int64_t{1}; });
  const trace::Result<void> done = plugin->write(column, folder_ / "absent" / "file.parquet");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text.find("No such file or directory"), std::string::npos)
      << done.error().text;
}

}  // namespace
}  // namespace jitscope::analyzer
