// What the doctor says of GPUs that are not here.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "collector/doctor/gpu_facts.h"

namespace jitscope::collector {
namespace {

/// A machine on which all is well.
GpuFacts goodFacts() {
  return {.hasDriver = true,
          .cudaVersion = "13.0",
          .driver = "NVRM version: 580.159.04",
          .gpu = "NVIDIA H200, Disabled",
          .cupti = "libcupti.so.13",
          .cuptiVersion = 130001,
          .recorder = "/opt/jitscope/lib/libjitscope_cupti.so",
          .otherInjection = "",
          .isForAdministrator = false,
          .isAdministrator = false};
}

struct Case {
  const char* name;
  std::function<void(GpuFacts&)> change;
  const char* matter;
  State state;
  const char* finding;
  const char* remedy;
};

class DoctorOfGpus : public testing::TestWithParam<Case> {};

TEST_P(DoctorOfGpus, SaysWhatIsTheMatterAndWhatToDo) {
  GpuFacts facts = goodFacts();
  GetParam().change(facts);
  for (const Check& check : judgeGpu(facts)) {
    if (check.matter != GetParam().matter) continue;
    EXPECT_EQ(check.state, GetParam().state);
    EXPECT_NE(check.finding.find(GetParam().finding), std::string::npos) << check.finding;
    EXPECT_NE(check.remedy.find(GetParam().remedy), std::string::npos) << check.remedy;
    return;
  }
  FAIL() << "nothing is said of " << GetParam().matter;
}

INSTANTIATE_TEST_SUITE_P(
    Gpu, DoctorOfGpus,
    testing::Values(
        Case{"Driver", [](auto&) {}, "GPU driver", State::kGood, "CUDA 13.0, NVRM", ""},
        Case{"NoDriver", [](auto& f) { f = {}; }, "GPU driver", State::kAbsent, "no libcuda.so.1",
             "recorded all the same"},
        Case{"Name", [](auto&) {}, "GPU", State::kGood, "NVIDIA H200", ""},
        Case{"Mig", [](auto& f) { f.gpu = "NVIDIA H200, Enabled"; }, "GPU", State::kAbsent, "(MIG)",
             "kernels are recorded"},
        Case{"Cupti", [](auto&) {}, "CUPTI", State::kGood, "version 13.0", ""},
        Case{"NoCupti", [](auto& f) { f.cupti.clear(); }, "CUPTI", State::kAbsent, "not found",
             "install"},
        Case{"OldCupti", [](auto& f) { f.cuptiVersion = 28; }, "CUPTI", State::kAbsent,
             "older than 13.0", "CUDA 13"},
        Case{"CuptiOfUnknownAge", [](auto& f) { f.cuptiVersion = 0; }, "CUPTI", State::kGood,
             "libcupti.so.13", ""},
        Case{"Recorder", [](auto&) {}, "GPU recorder", State::kGood, "libjitscope_cupti.so", ""},
        Case{"NoRecorder", [](auto& f) { f.recorder.clear(); }, "GPU recorder", State::kAbsent,
             "built without", "WITH_CUDA"},
        Case{"AnotherTool", [](auto& f) { f.otherInjection = "/opt/nsys/lib.so"; }, "GPU recorder",
             State::kAbsent, "/opt/nsys/lib.so", "unset it"},
        Case{"CountersForAll", [](auto&) {}, "GPU counters", State::kGood, "every user", ""},
        Case{"CountersForbidden", [](auto& f) { f.isForAdministrator = true; }, "GPU counters",
             State::kAbsent, "only the administrator", "NVreg_RestrictProfilingToAdminUsers=0"},
        Case{"CountersOfRoot",
             [](auto& f) {
               f.isForAdministrator = true;
               f.isAdministrator = true;
             },
             "GPU counters", State::kGood, "this user", ""},
        Case{"CountersWithoutDriver", [](auto& f) { f.isForAdministrator.reset(); }, "GPU counters",
             State::kAbsent, "no NVIDIA driver", ""}),
    [](const auto& info) { return info.param.name; });

TEST(DoctorOfGpusThatAreNot, NeverStandsInTheWayOfRecording) {
  for (const Check& check : judgeGpu({})) EXPECT_NE(check.state, State::kBad) << check.matter;
}

}  // namespace
}  // namespace jitscope::collector
