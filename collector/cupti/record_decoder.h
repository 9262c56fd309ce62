#pragma once

#include "collector/cupti/activity_buffers.h"
#include "collector/cupti/call_texts.h"
#include "collector/cupti/correlation.h"
#include "collector/cupti/cupti_api.h"
#include "collector/cupti/devices.h"
#include "collector/cupti/kernel_texts.h"
#include "collector/cupti/launched_rows.h"
#include "collector/cupti/loss_counts.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Makes rows of CUPTI's activity records. Records whose times cannot be right, and kinds that it
/// does not know, are counted as losses. For one thread.
class RecordDecoder {
 public:
  RecordDecoder(const CuptiApi& api, trace::EventSink& sink, const CuptiWishes& wishes = {})
      : api_(api), sink_(sink), texts_(sink), calls_(api, sink), launched_(sink, wishes) {}

  /// Writes a row for each record of `buffer`.
  void decode(const FilledBuffer& buffer);

  /// What CUPTI had until now is decoded. `isLast`: nothing more comes.
  void endRound(bool isLast) { launched_.endRound(isLast); }

  /// What could not be told; the caller may add to it and writes it.
  LossCounts& losses() { return losses_; }

 private:
  void take(const CUpti_Activity& record);
  void take(const CUpti_ActivityKernel10& kernel);
  void take(const CUpti_ActivityMemcpy6& copy);
  void take(const CUpti_ActivityMemcpyPtoP4& copy);
  void take(const CUpti_ActivityMemset4& set);
  void take(const CUpti_ActivityAPI& call);
  void take(const CUpti_ActivitySynchronization2& wait);
  void take(const CUpti_ActivityGraphTrace2& launch);
  void take(const CUpti_ActivityOverhead3& overhead);
  template <class Row, class Record>
  bool place(const Record& record, Row& row);

  const CuptiApi& api_;
  trace::EventSink& sink_;
  KernelTexts texts_;
  CorrelationCounter correlations_;
  LossCounts losses_;
  Devices devices_;
  CallTexts calls_;
  LaunchedRows launched_;
};

}  // namespace jitscope::collector
