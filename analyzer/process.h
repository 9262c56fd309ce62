#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "analyzer/column_table.h"
#include "analyzer/rows.h"
#include "trace/schema.h"

namespace jitscope::analyzer {

using OpTable = ColumnTable<trace::OpRow>;
using KernelTable = ColumnTable<trace::KernelRow>;

/// A stretch of one thread's time during which neither the innermost call nor the innermost region
/// changes. Every operator and kernel belongs to the piece in which it was started.
struct Piece {
  int64_t thread = 0;
  int64_t startNs = 0;                ///< it ends where the thread's next piece starts
  CallIndex call = CallIndex::kNone;  ///< innermost call; kNone outside of all compiled callables
  RegionIndex region = RegionIndex::kNone;       ///< innermost region inside that call, if any
  trace::Origin origin = trace::Origin::kEager;  ///< the region's, else eager
  /// torch.compile is at work, which runs no code of the user: kernels here are tried out.
  bool isCompiling = false;
};

/// One process of a run: its trace file, its big tables, and what each of their rows belongs to.
/// Never changes after loading; any number of threads may read.
struct Process {
  std::filesystem::path path;  ///< its trace file
  trace::ProcessRow row;       ///< zeros when the file has lost it
  bool isComplete = true;      ///< false: the process was killed, or its file is cut
  OpTable ops;
  KernelTable kernels;
  Rows<PieceIndex, Piece> pieces;        ///< by thread, then time
  std::vector<PieceIndex> opPieces;      ///< one for each row of `ops`
  std::vector<PieceIndex> kernelPieces;  ///< one for each row of `kernels`; kNone when not known
  std::vector<OpIndex> kernelOps;        ///< the innermost operator that launched it; may be kNone
  std::shared_ptr<const TextMap> texts;  ///< text ids of the file → of the run
  std::shared_ptr<const trace::TraceFile> file;

  /// What an operator belongs to: its innermost call and region.
  const Piece& pieceOf(OpIndex op) const { return pieces[opPieces[position(op)]]; }

  /// How an operator came to run: kEager outside of every region, else the region's origin.
  trace::Origin originOf(OpIndex op) const { return pieceOf(op).origin; }

  /// How a kernel came to run: as the recorder said, else as the piece that launched it.
  trace::Origin originOf(KernelIndex kernel) const;

  /// All rows of a table in file order, with the run's text ids.
  template <class Row>
  std::vector<Row> rows() const {
    std::vector<Row> result = file->rows<Row>();
    for (Row& each : result) {
      Row::columns([&](const char*, auto member) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each.*member)>, trace::StringId>)
          each.*member = toRunText(*texts, each.*member);
      });
    }
    return result;
  }
};

}  // namespace jitscope::analyzer
