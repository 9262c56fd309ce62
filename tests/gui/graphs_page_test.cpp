#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QLabel>
#include <QTableView>
#include <QTreeView>

#include "gui/loading/graph_builder.h"
#include "gui/widgets/code_view.h"
#include "gui/widgets/detail_panel.h"
#include "tests/gui/command_line_report.h"
#include "tests/gui/page_test.h"

namespace jitscope::gui {
namespace {

class GraphsPage : public PageTest {
 protected:
  QAbstractItemModel& model() { return *find<QTreeView>("Frames and entries")->model(); }

  /// The node under `parent` that is called so.
  QModelIndex child(const QModelIndex& parent, const QString& name) {
    for (int row = 0; row < model().rowCount(parent); ++row) {
      const QModelIndex index = model().index(row, 0, parent);
      if (index.data().toString() == name) return index;
    }
    ADD_FAILURE() << "no node " << name.toStdString();
    return {};
  }

  int64_t number(const QModelIndex& node, int column) {
    return node.siblingAtColumn(column).data(kCellNumberRole).toLongLong();
  }

  void choose(const QModelIndex& node) {
    find<QTreeView>("Frames and entries")->setCurrentIndex(node);
  }
};

TEST_F(GraphsPage, CountsFramesAsTheCommandLineDoes) {
  const QString path = record();
  openFile(path, "graphs");
  const QAbstractItemModelTester tester(&model());
  const QJsonArray frames = commandLineReport(path)["frames"].toArray();
  ASSERT_EQ(model().rowCount(), frames.size());
  for (int row = 0; row < frames.size(); ++row) {
    const QModelIndex node = model().index(row, 0);
    EXPECT_EQ(node.data().toString(), frames[row].toObject()["name"].toString());
    EXPECT_EQ(number(node, 1), frames[row].toObject()["calls"].toInteger());
    EXPECT_EQ(number(node, 2), frames[row].toObject()["hits"].toInteger());
    EXPECT_EQ(number(node, 3),
              frames[row].toObject()["compiled"].toObject()["total_ns"].toInteger());
  }
}

TEST_F(GraphsPage, ShowsEntriesGuardsAndTextsUnderTheirFrame) {
  openFile(record(), "graphs");
  const QModelIndex frame = model().index(0, 0);
  const QModelIndex first = child(frame, "0/0");
  child(frame, "0/1");
  choose(first);
  EXPECT_TRUE(find<DetailPanel>("graph detail")->detail()->title.contains("0/0"));
  ASSERT_GT(model().rowCount(first), 0);
}

TEST_F(GraphsPage, GoesFromAnEntryToItsCompilation) {
  openFile(record(), "graphs");
  choose(child(model().index(0, 0), "0/1"));
  QTest::keyClick(find<QTreeView>("Frames and entries"), Qt::Key_Return);
  EXPECT_TRUE(find<QWidget>("timeline")->isVisible());
}

TEST_F(GraphsPage, CountsTheGuardsOfAnEntryApartFromTheWindow) {
  openFile(record(), "graphs");
  const QModelIndex entry = child(model().index(0, 0), "0/0");
  const QAbstractItemModel& guards = *find<QTableView>("Guards")->model();
  choose(child(entry, "guards"));
  EXPECT_EQ(guards.rowCount(), 0) << "not on this thread";
  settlePages();
  EXPECT_GT(guards.rowCount(), 0);
  EXPECT_TRUE(find<QTableView>("Guards")->isVisible());
  choose(entry);
  choose(child(entry, "guards"));
  choose(entry);
  settlePages();
  EXPECT_FALSE(find<QTableView>("Guards")->isVisible()) << "another node is chosen by now";
}

TEST_F(GraphsPage, ForgetsTheNodesOfTheRecordingBefore) {
  openFile(record(), "graphs");
  ASSERT_TRUE(writeRecording({.compiledSteps = 4}, file("other.jitscope").toStdString()));
  int rows = -1;
  QObject::connect(&window.loader(), &TraceLoader::recordingAvailable, &window,
                   [&] { rows = model().rowCount(); });
  openFile(file("other.jitscope"), "graphs");
  EXPECT_EQ(rows, 0);
  EXPECT_GT(model().rowCount(), 0);
}

/// A log of torch.compile: graphs and generated code of three entries.
class LoggedGraphsPage : public GraphsPage {
 protected:
  /// A small log with one frame, its graph and the code that was generated of it.
  QString log() {
    const QString path = file("torch_trace.log");
    QFile target(path);
    EXPECT_TRUE(target.open(QIODevice::WriteOnly));
    const auto record = [&target](const QByteArray& json, const QByteArray& payload) {
      target.write("V1129 17:59:53.200000 771 torch/_dynamo/output_graph.py:2423] {" + json +
                   ", \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n");
      for (const QByteArray& line : payload.split('\n')) target.write("\t" + line + "\n");
    };
    record(R"("dynamo_start": {"stack": [{"line": 5, "name": "step", "filename": 0}]})", {});
    record(R"("dynamo_output_graph": {}, "has_payload": "0")",
           "class GraphModule(torch.nn.Module):\n"
           "    def forward(self, L_x_: \"f32[8]\"):\n"
           "        l_x_ = L_x_\n"
           "        mul: \"f32[8]\" = l_x_ * 2\n"
           "        relu: \"f32[8]\" = torch.relu(mul)\n"
           "        return (relu,)");
    record(R"("inductor_output_code": {"filename": "c.py"}, "has_payload": "0")",
           "import torch\n"
           "# Topologically Sorted Source Nodes: [mul], Original ATen: [aten.mul]\n"
           "triton_poi_fused_mul_0 = async_compile.triton('triton_poi_fused_mul_0')\n"
           "# Topologically Sorted Source Nodes: [relu], Original ATen: [aten.relu]\n"
           "triton_poi_fused_relu_1 = async_compile.triton('triton_poi_fused_relu_1')");
    return path;
  }
};

TEST_F(LoggedGraphsPage, LeadsFromALineOfCodeToTheOperatorsOfTheGraph) {
  openFile(log(), "graphs");
  ASSERT_GT(model().rowCount(), 0);
  const QModelIndex entry = model().index(0, 0, model().index(0, 0));
  choose(child(entry, "generated code"));
  auto* code = find<CodeView>("code");
  ASSERT_TRUE(code->isVisible());
  code->moveCursor(QTextCursor::Start);
  for (int i = 0; i < 4; ++i) code->moveCursor(QTextCursor::Down);
  EXPECT_TRUE(find<QLabel>("operators")->text().startsWith("computes relu"));
  QTest::keyClick(code, Qt::Key_Return);
  EXPECT_EQ(code->marked(), (std::vector<int>{4}));
  EXPECT_TRUE(code->toPlainText().startsWith("class GraphModule"));
}

}  // namespace
}  // namespace jitscope::gui
