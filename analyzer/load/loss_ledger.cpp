#include "analyzer/load/loss_ledger.h"

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {

void LossLedger::add(Loss loss) {
  loss.amount = tamed(loss.amount);
  const auto [entry, isNew] =
      places_.try_emplace(Key{loss.kind, loss.place, loss.text}, losses_.size());
  if (isNew) {
    losses_.push_back(std::move(loss));
    return;
  }
  Loss& known = losses_[entry->second];
  known.amount = tamed(known.amount + loss.amount);
  known.isDamage |= loss.isDamage;
}

void LossLedger::addProcess(const Process& process, const std::vector<std::string_view>& texts) {
  for (const trace::ReadLoss& loss : process.file->losses()) {
    const bool isDamage = loss.kind == trace::LossKind::kDropped;
    add({loss.kind, placeIn(process, loss.place), loss.text, loss.amount, isDamage});
  }
  for (const trace::LossRow& row : process.rows<trace::LossRow>()) {
    const std::string place(texts[static_cast<size_t>(row.place)]);
    add({row.kind, place, std::string(texts[static_cast<size_t>(row.text)]), row.amount, false});
  }
}

void LossLedger::addOutOfRange(const Process& process, const char* table) {
  add({trace::LossKind::kOutOfRange, placeIn(process, table),
       "a time or duration that cannot be right", 1, false});
}

std::string LossLedger::placeIn(const Process& process, const std::string& place) const {
  return hasSeveralFiles_ ? process.path.filename().string() + ": " + place : place;
}

}  // namespace jitscope::analyzer
