#pragma once

#include <QString>
#include <string_view>
#include <vector>

#include "gui/models/cell_tree.h"
#include "gui/models/detail.h"

namespace jitscope::gui {

/// In which language a text is highlighted.
enum class CodeLanguage { kPlain, kPython, kCpp };

/// What a node of the tree of graphs shows beside it.
struct GraphNode {
  enum class Kind { kFrame, kEntry, kGuards, kRefusals, kCode };
  Kind kind = Kind::kFrame;
  size_t entry = 0;       ///< index of the entry in the run, of kEntry and kGuards
  Detail detail;          ///< of kFrame and kEntry
  int64_t startNs = 0;    ///< when it was compiled; 0 when not recorded
  std::string_view text;  ///< of kCode and kRefusals; lives as long as the recording
  CodeLanguage language = CodeLanguage::kPlain;
  bool isGeneratedCode = false;  ///< its lines link to a graph
  bool isGraph = false;          ///< its lines can be linked to
};

/// Frames, their entries, and what compiling these left behind.
struct GraphViews {
  TreeContent tree;
  std::vector<GraphNode> nodes;  ///< of `tree.nodes`, one for each
  QString whyEmpty;              ///< in words; empty when there is something
};

}  // namespace jitscope::gui
