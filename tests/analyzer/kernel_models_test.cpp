// What kernels move by the shapes of tensors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/kernel_summary.h"
#include "analyzer/load/eager_traffic.h"
#include "analyzer/load/inductor_traffic.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

const std::string kElementwise =
    "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, "
    "c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, "
    "std::array<char*, 3ul> >(int, …)";
const std::string kFloatKernel =
    "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<"
    "at::native::CUDAFunctor_add<float> >>";

struct EagerCase {
  const char* name;
  std::string kernel, op, shapes;
  int64_t bytes;
};

class EagerTraffic : public testing::TestWithParam<EagerCase> {};

TEST_P(EagerTraffic, FollowsFromTheShapes) {
  EXPECT_EQ(eagerTraffic(GetParam().kernel, GetParam().op, GetParam().shapes), GetParam().bytes);
}

INSTANTIATE_TEST_SUITE_P(
    Operators, EagerTraffic,
    testing::Values(
        EagerCase{"Product", kElementwise, "aten::mul", "[4, 16], [4, 16]", 2 * 3 * 64},
        EagerCase{"Broadcast", kElementwise, "aten::mul", "[4, 16], [16]", 2 * (64 + 16 + 64)},
        EagerCase{"BothBroadcast", kFloatKernel, "aten::add", "[4, 1], [1, 16]", 4 * (4 + 16 + 64)},
        EagerCase{"ByANumber", kElementwise, "aten::mul", "[4, 16], []", 2 * 2 * 64},
        EagerCase{"InPlace", kFloatKernel, "aten::add_", "[8], [8]", 4 * 24},
        EagerCase{"Comparison", kFloatKernel, "aten::gt", "[8], []", 4 * 8 + 8},
        EagerCase{"Copy", kFloatKernel, "aten::copy_", "[4, 8], [8]", 4 * 40},
        EagerCase{"Fill", kFloatKernel, "aten::fill_", "[4, 8], []", 4 * 32},
        EagerCase{"Empty", kFloatKernel, "aten::add", "[0, 8], [8]", 4 * 8},
        EagerCase{"Reduction",
                  "void at::native::reduce_kernel<512, 1, ReduceOp<c10::BFloat16, "
                  "MeanOps<c10::BFloat16, float, float, c10::BFloat16>, unsigned int>",
                  "aten::mean", "[64, 8]", 2 * 512},
        EagerCase{"Unknown", kFloatKernel, "aten::index", "[8], [8]", -1},
        EagerCase{"OwnOperator", kFloatKernel, "mine::add", "[8], [8]", -1},
        EagerCase{"OtherKernel", "gemm<float>", "aten::add", "[8], [8]", -1},
        EagerCase{"Converting",
                  "unrolled_elementwise_kernel<CUDAFunctor_add<float>, LoadWithCast<2>>",
                  "aten::add", "[8], [8]", -1},
        EagerCase{"WholeNumbers", "vectorized_elementwise_kernel<4, CUDAFunctor_add<long>>",
                  "aten::add", "[8], [8]", -1},
        EagerCase{"Complex", "vectorized_elementwise_kernel<4, float2>", "aten::add", "[8], [8]",
                  -1},
        EagerCase{"UnknownSize", kFloatKernel, "aten::add", "[8], [?]", -1},
        EagerCase{"CutOff", kFloatKernel, "aten::add", "[8], ...", -1},
        EagerCase{"WithoutShapes", kFloatKernel, "aten::add", "", -1}),
    [](const auto& info) { return info.param.name; });

const std::string kCode = R"(
triton_red_0 = async_compile.triton('triton_red_0', '''
    triton_meta={'signature': {'in_ptr0': '*bf16', 'in_ptr1': '*fp32', 'out_ptr1': '*bf16', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'device': 0},
''', device_str='cuda')
triton_poi_1 = async_compile.triton('triton_poi_1', '''
    triton_meta={'signature': {'in_out_ptr0': '*fp32', 'in_ptr0': '*i64', 'xnumel': 'i32'}, 'device': 0},
''', device_str='cuda')
triton_poi_2 = async_compile.triton('triton_poi_2', '''
    triton_meta={'signature': {'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'i32'}},
''', device_str='cuda')
    def call(self, args):
        assert_size_stride(arg0_1, (8, 64), (64, 1))
        assert_size_stride(arg1_1, (64, ), (1, ))
        buf1 = empty_strided_cuda((8, 64), (64, 1), torch.bfloat16)
        triton_red_0.run(arg0_1, arg1_1, buf1, 8, stream=stream0)
        buf2 = reinterpret_tensor(buf1, (4, 16), (16, 1), 0); del buf1  # reuse
        buf3 = buf2; del buf2  # reuse
        triton_poi_1.run(buf3, reinterpret_tensor(arg1_1, (4, 16), (0, 1), 0), 64, stream=stream0)
)";

TEST(InductorTraffic, IsThatOfTheBuffersOfAKernel) {
  const auto traffic = inductorTraffic(kCode);
  ASSERT_EQ(traffic.size(), 2U);
  EXPECT_EQ(traffic.at("triton_red_0"), 2 * 512 + 4 * 64 + 2 * 512);
  // What is changed in place counts twice, what is expanded as often as it is there.
  EXPECT_EQ(traffic.at("triton_poi_1"), 2 * 4 * 64 + 8 * 16);
}

TEST(InductorTraffic, IsUnknownOfSizesThatAreSymbols) {
  const auto traffic =
      inductorTraffic(kCode +
                      "        buf7 = empty_strided_cuda((s48, 64), (64, 1), torch.float32)\n"
                      "        triton_poi_2.run(arg0_1, buf7, 64*s48, stream=stream0)\n");
  EXPECT_FALSE(traffic.contains("triton_poi_2"));
}

TEST(InductorTraffic, IsUnknownOfResultsOfOtherOperators) {
  const auto traffic =
      inductorTraffic(kCode +
                      "        buf3 = torch.ops.aten.sort.default(arg0_1)\n"
                      "        triton_poi_2.run(arg0_1, buf3, 64, stream=stream0)\n");
  EXPECT_FALSE(traffic.contains("triton_poi_2"));
}

TEST(InductorTraffic, IsUnknownOfAKernelWithBuffersOfSeveralSizes) {
  const auto traffic =
      inductorTraffic(kCode +
                      "        triton_poi_2.run(arg0_1, arg0_1, 512, stream=stream0)\n"
                      "        triton_poi_2.run(arg1_1, arg1_1, 64, stream=stream0)\n");
  EXPECT_FALSE(traffic.contains("triton_poi_2"));
}

TEST(InductorTraffic, EndsAtAnyText) {
  for (const char* text : {"", "async_compile.triton('", "'signature': {'a", "x.run(",
                           "a = ", "assert_size_stride(a, (", "b = empty_strided_cuda(9, )"}) {
    EXPECT_TRUE(inductorTraffic(text).empty()) << text;
  }
}

std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2) text.replace(at, 1, "\\n");
  return text;
}

int64_t modelledOf(const analyzer::Run& run, const std::string& name) {
  for (const KernelGroup& group : summarizeKernels(run).groups) {
    if (run.text(group.name) == name)
      return group.modelled.count == 0 ? -1 : int64_t{group.modelled.bytes};
  }
  return -2;
}

TEST(KernelModels, OfAFusedKernelComeFromTheCodeOfItsGraph) {
  const analyzer::Run run = runOf(R"(
frame    frame=0 name="step" file="step.py" line=5
artifact frame=0 attempt=1 kind="output_code" name="ab.py" content=")" +
                                  escaped(kCode) + R"("
call     frame=0 attempt=1 at=30us..50us thread=1 outcome=hit
region   frame=0 attempt=1 segment=0 at=31us..49us thread=1
api      at=40us..41us thread=1 correlation=3 name="cuLaunchKernel"
kernel   at=42us..44us correlation=3 name="triton_red_0"
call     frame=0 attempt=2 at=60us..70us thread=1 outcome=hit
region   frame=0 attempt=2 segment=0 at=61us..69us thread=1
api      at=65us..66us thread=1 correlation=4 name="cuLaunchKernel"
kernel   at=67us..68us correlation=4 name="triton_poi_1"
)");
  EXPECT_EQ(modelledOf(run, "triton_red_0"), 2304);
  EXPECT_EQ(modelledOf(run, "triton_poi_1"), -1);  // of another compilation
}

TEST(KernelModels, OfAnEagerKernelComeFromItsOperator) {
  const analyzer::Run run = runOf(R"(
op     at=10us..20us thread=1 name="aten::mul" shapes="[4, 16], [16]"
api    at=12us..13us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=14us..15us correlation=1 name="elementwise_kernel<MulFunctor<float>>"
op     at=30us..40us thread=1 name="aten::sum" shapes="[4, 16]"
api    at=32us..33us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=34us..35us correlation=2 name="reduce_kernel<1, float>"
api    at=36us..37us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=38us..39us correlation=3 name="reduce_kernel<2, float>"
op     at=50us..60us thread=1 name="aten::add" shapes="[8], [8]"
api    at=52us..53us thread=1 correlation=4 name="cudaLaunchKernel"
kernel at=54us..55us correlation=4 name="vectorized_elementwise_kernel<4, float>" modelled_bytes=5
)");
  EXPECT_EQ(modelledOf(run, "elementwise_kernel<MulFunctor<float>>"), -1);   // whose it is not
  EXPECT_EQ(modelledOf(run, "reduce_kernel<1, float>"), -1);                 // one of two
  EXPECT_EQ(modelledOf(run, "vectorized_elementwise_kernel<4, float>"), 5);  // the recorder's
  const analyzer::Run known = runOf(R"(
op     at=10us..20us thread=1 name="aten::mul" shapes="[4, 16], [16]"
api    at=12us..13us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=14us..15us correlation=1 name="vectorized_elementwise_kernel<4, float>"
)");
  EXPECT_EQ(modelledOf(known, "vectorized_elementwise_kernel<4, float>"), 4 * 144);
}

}  // namespace
}  // namespace jitscope::analyzer
