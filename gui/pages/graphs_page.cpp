#include "gui/pages/graphs_page.h"

#include <QSplitter>
#include <QStackedLayout>

#include "gui/loading/graph_builder.h"
#include "gui/models/code_links.h"
#include "gui/models/number_text.h"
#include "gui/widgets/cell_tree_view.h"
#include "gui/widgets/empty_note.h"
#include "gui/widgets/graph_panel.h"
#include "gui/widgets/section_title.h"

namespace jitscope::gui {
namespace {

constexpr int kTreePx = 600, kPanelPx = 760;  ///< at first

constexpr size_t kMostReportBytes = 1'500'000;  ///< of a fusion's report

QStringList linesOf(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).split('\n');
}

Sheet refusalTable(std::string_view report) {
  using Kind = ColumnKind;
  Sheet sheet;
  sheet.columns = {{"First", Kind::kCode},
                   {"Second", Kind::kCode},
                   {"Would save", Kind::kNumber},
                   {"Why not", Kind::kText, true}};
  for (const QStringList& refusal : fusionRefusals(linesOf(report.substr(0, kMostReportBytes)))) {
    const int64_t bytes = refusal[2].toLongLong();
    sheet.lines.push_back({{{refusal[0]},
                            {refusal[1]},
                            {bytesText(bytes), static_cast<double>(bytes)},
                            {refusal[3]}}});
  }
  return sheet;
}

}  // namespace

GraphsPage::GraphsPage(Selection* selection, QWidget* parent)
    : Page(parent),
      selection_(selection),
      tree_(new CellTree(this)),
      job_([this](const Made& made) { show(made); }, [this](const QString& error) { fail(error); }),
      guards_([this](const Sheet& guards) { panel_->showTable(guards); },
              [this](const QString& error) {
                panel_->showDetail({"Guards", error, Category::kHost, {}});
              }) {
  auto* pages = new QStackedLayout(this);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setHandleWidth(2);
  splitter->setChildrenCollapsible(false);
  treeView_ = new CellTreeView("Frames and entries");
  treeView_->setModel(tree_);
  panel_ = new GraphPanel;
  splitter->addWidget(
      titled("Frames and entries", "→ opens, Enter shows on the timelines", treeView_));
  splitter->addWidget(panel_);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({kTreePx, kPanelPx});
  pages->addWidget(splitter);
  empty_ = new EmptyNote;
  pages->addWidget(empty_);
  setFocusProxy(treeView_);
  connect(treeView_, &CellTreeView::nodeSelected, this,
          [this](const QModelIndex& index) { showNode(CellTree::node(index)); });
  connect(treeView_, &CellTreeView::nodeChosen, this, [this](const QModelIndex& index) {
    const int64_t startNs = made_.views.nodes[CellTree::node(index)].startNs;
    if (startNs != 0) selection_->goTo(selection_->leadingPane(), startNs);
  });
  connect(panel_, &GraphPanel::lineChosen, this, &GraphsPage::showOperators);
}

void GraphsPage::open(const std::shared_ptr<const Recording>& recording) {
  show({});  // nodes of the last recording mean nothing in this one
  job_.start([recording](const std::stop_token&) {
    return Made{recording, buildGraphs(*recording)};
  });
}

void GraphsPage::show(const Made& made) {
  made_ = made;
  tree_->reset(made_.views.tree);
  empty_->setText(made_.views.whyEmpty);
  const bool isEmpty = !made_.views.whyEmpty.isEmpty();
  static_cast<QStackedLayout*>(layout())->setCurrentIndex(isEmpty ? 1 : 0);
  giveKeysTo(isEmpty ? static_cast<QWidget*>(empty_) : treeView_);
  guards_.drop();
  panel_->showDetail({});
  if (made_.views.nodes.empty()) return;
  treeView_->expandToDepth(0);
  treeView_->setCurrentIndex(tree_->index(0, 0));
}

void GraphsPage::fail(const QString& error) {
  Made made;
  made.views.whyEmpty = error;
  show(made);
}

void GraphsPage::showNode(size_t node) {
  guards_.drop();
  const GraphNode& chosen = made_.views.nodes[node];
  switch (chosen.kind) {
    case GraphNode::Kind::kFrame:
    case GraphNode::Kind::kEntry:
      return panel_->showDetail(chosen.detail);
    case GraphNode::Kind::kGuards:
      panel_->showTable(Sheet());
      return guards_.start([recording = made_.recording, entry = chosen.entry](
                               const std::stop_token&) { return buildGuards(*recording, entry); });
    case GraphNode::Kind::kRefusals:
      return panel_->showTable(refusalTable(chosen.text));
    case GraphNode::Kind::kCode:
      return panel_->showCode(chosen.text, chosen.language, chosen.isGeneratedCode);
  }
}

size_t GraphsPage::graphOf(size_t node) const {
  // Texts stand in the order of a compilation: the nearest graph before is what was lowered, but
  // Inductor names the values of the graph that was captured, which is the first.
  const size_t parent = made_.views.tree.nodes[node].parent;
  for (size_t each = parent + 1; each < node; ++each) {
    if (made_.views.tree.nodes[each].parent == parent && made_.views.nodes[each].isGraph)
      return each;
  }
  return TreeNode::kNoParent;
}

void GraphsPage::showOperators(int line) {
  const size_t code = CellTree::node(treeView_->currentIndex());
  const size_t graph = graphOf(code);
  if (graph == TreeNode::kNoParent) return;
  const NamedOperators operators = panel_->operatorsOf(line);
  treeView_->setCurrentIndex(tree_->indexOf(graph));
  panel_->mark(operators);
}

}  // namespace jitscope::gui
