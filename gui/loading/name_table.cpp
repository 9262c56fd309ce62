#include "gui/loading/name_table.h"

#include "gui/loading/run_text.h"

namespace jitscope::gui {

NameId NameTable::idOf(trace::StringId text) {
  const auto known = byId_.find(text);
  if (known != byId_.end()) return known->second;
  const QString name = toLine(run_.text(text));
  return byId_[text] = idOf(name.trimmed().isEmpty() ? "unnamed" : name);
}

NameId NameTable::idOf(const QString& text) {
  const auto known = byText_.constFind(text);
  if (known != byText_.constEnd()) return *known;
  const auto id = static_cast<NameId>(names_.size());
  byText_.insert(text, id);
  names_.push_back(text);
  isLibrary_.emplace_back();
  return id;
}

bool NameTable::isLibrary(NameId id) {
  // Operators by their own names, kernels by what cuBLAS, cuDNN and attention libraries call
  // theirs.
  static const char* const kWords[] = {"aten::mm",      "aten::bmm",    "aten::addmm",
                                       "aten::baddbmm", "aten::matmul", "aten::linear",
                                       "convolution",   "aten::conv",   "scaled_dot_product",
                                       "flash_",        "gemm",         "nvjet",
                                       "cutlass",       "cudnn",        "cublas",
                                       "fmha",          "wgrad",        "dgrad"};
  auto& known = isLibrary_[static_cast<size_t>(id)];
  if (known) return *known;
  known = false;
  for (const char* word : kWords) known = *known || text(id).contains(word, Qt::CaseInsensitive);
  return *known;
}

}  // namespace jitscope::gui
