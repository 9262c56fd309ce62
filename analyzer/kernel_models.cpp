#include "analyzer/kernel_models.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/import/generated_kernel.h"
#include "analyzer/load/eager_traffic.h"
#include "analyzer/load/inductor_traffic.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;
using trace::OpRow;

constexpr int64_t kNoModel = -1;
using BytesByKernel = std::map<std::string, int64_t, std::less<>>;

/// The kernels of the graphs that a compilation made, by the code that was written for them.
class WrittenKernels {
 public:
  explicit WrittenKernels(const Run& run) : run_(run) {
    for (const Artifact& artifact : run.artifacts) {
      if (run.text(artifact.kind) != "output_code" || !exists(artifact.frameIndex)) continue;
      codes_[{artifact.frameIndex, artifact.attempt}].push_back(artifact.content);
    }
  }

  bool isEmpty() const { return codes_.empty(); }

  int64_t bytesOf(FrameIndex frame, trace::AttemptId attempt, std::string_view kernel) {
    const auto codes = codes_.find({frame, attempt});
    if (codes == codes_.end()) return kNoModel;
    const auto [known, isNew] = traffic_.try_emplace(codes->first);
    if (isNew) known->second = read(codes->second);
    const auto found = known->second.find(kernel);
    return found == known->second.end() ? kNoModel : found->second;
  }

 private:
  using Compilation = std::pair<FrameIndex, trace::AttemptId>;

  /// A name that several graphs of one compilation share is known where they agree.
  BytesByKernel read(const std::vector<trace::StringId>& codes) const {
    BytesByKernel all;
    for (const trace::StringId code : codes) {
      for (const auto& [kernel, bytes] : inductorTraffic(run_.text(code))) {
        const auto [known, isNew] = all.try_emplace(kernel, bytes);
        if (!isNew && known->second != bytes) known->second = kNoModel;
      }
    }
    return all;
  }

  const Run& run_;
  std::map<Compilation, std::vector<trace::StringId>> codes_;
  std::map<Compilation, BytesByKernel> traffic_;
};

/// What LibTorch's own kernels move, each set of shapes computed once.
class EagerKernels {
 public:
  explicit EagerKernels(const Run& run) : run_(run) {}

  int64_t bytesOf(const Process& process, size_t kernel, OpIndex op) {
    const size_t at = position(op);
    const Key key{process.kernels.get<&KernelRow::name>(kernel), process.ops.get<&OpRow::name>(at),
                  process.ops.get<&OpRow::shapes>(at)};
    const auto [known, isNew] = known_.try_emplace(key, kNoModel);
    if (isNew) {
      known->second = eagerTraffic(run_.text(std::get<0>(key)), run_.text(std::get<1>(key)),
                                   run_.text(std::get<2>(key)));
    }
    return known->second;
  }

 private:
  using Key = std::tuple<trace::StringId, trace::StringId, trace::StringId>;

  const Run& run_;
  std::map<Key, int64_t> known_;
};

}  // namespace

class KernelModels::Models {
 public:
  explicit Models(const Run& run) : run_(run), written_(run), eager_(run) {}

  std::vector<int64_t> of(const Process& process) {
    std::vector<int64_t> models(process.kernels.size(), kNoModel);
    const std::vector<bool> haveSeveral = opsOfSeveralKernels(process);
    for (size_t i = 0; i < models.size(); ++i) models[i] = bytesOf(process, i, haveSeveral);
    return models;
  }

 private:
  /// By the positions of operators.
  static std::vector<bool> opsOfSeveralKernels(const Process& process) {
    std::vector<bool> haveOne(process.ops.size()), haveSeveral(process.ops.size());
    for (const OpIndex op : process.kernelOps) {
      if (!exists(op)) continue;
      const size_t at = position(op);
      if (haveOne[at]) haveSeveral[at] = true;
      haveOne[at] = true;
    }
    return haveSeveral;
  }

  int64_t bytesOf(const Process& process, size_t kernel, const std::vector<bool>& haveSeveral) {
    const int64_t recorded = process.kernels.get<&KernelRow::modelledBytes>(kernel);
    if (recorded >= 0) return recorded;
    if (!written_.isEmpty()) {
      const std::string_view name = run_.text(process.kernels.get<&KernelRow::name>(kernel));
      if (isGeneratedKernel(name)) return writtenBytes(process, kernel, name);
    }
    const OpIndex op = process.kernelOps[kernel];
    if (!exists(op) || process.kernels.get<&KernelRow::graphNode>(kernel) != 0) return kNoModel;
    return haveSeveral[position(op)] ? kNoModel : eager_.bytesOf(process, kernel, op);
  }

  int64_t writtenBytes(const Process& process, size_t kernel, std::string_view name) {
    const PieceIndex piece = process.kernelPieces[kernel];
    if (!exists(piece) || !exists(process.pieces[piece].region)) return kNoModel;
    const Region& region = run_.regions[process.pieces[piece].region];
    return written_.bytesOf(region.frameIndex, region.attempt, name);
  }

  const Run& run_;
  WrittenKernels written_;
  EagerKernels eager_;
};

KernelModels::KernelModels(const Run& run) : models_(std::make_unique<Models>(run)) {}
KernelModels::~KernelModels() = default;

std::vector<int64_t> KernelModels::of(const Process& process) { return models_->of(process); }

}  // namespace jitscope::analyzer
