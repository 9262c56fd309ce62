#include "analyzer/diagnoses/dispatch_keys.h"

#include <gtest/gtest.h>

namespace jitscope::analyzer {
namespace {

TEST(DispatchKeys, TellTheDeviceOfATensor) {
  EXPECT_EQ(deviceOfKeys("DispatchKeySet(CPU, BackendSelect, AutogradCPU)"), "CPU");
  EXPECT_EQ(deviceOfKeys("DispatchKeySet(CUDA, ADInplaceOrView)"), "CUDA");
  EXPECT_EQ(deviceOfKeys("DispatchKeySet(BackendSelect, AutogradCPU)"), "");
}

TEST(DispatchKeys, TellWhyTensorsDiffer) {
  EXPECT_NE(differenceOfKeys("(CUDA)", "(CUDA, ADInplaceOrView)").find("inference_mode"),
            std::string_view::npos);
  EXPECT_NE(differenceOfKeys("(CUDA)", "(CUDA, Conjugate)").find("resolve_conj"),
            std::string_view::npos);
  EXPECT_EQ(differenceOfKeys("(CUDA)", "(CUDA)"), "");
}

}  // namespace
}  // namespace jitscope::analyzer
