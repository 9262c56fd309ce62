// A program that marks ranges with NVTX. Its arguments are steps:
//   rows N           write N operators to the collector
//   push, push-wide, push-ex NAME     a range of the default domain; pop
//   push-domain, push-registered NAME a range of another domain; pop-domain
//   start, start-ex, start-domain NAME   a range that any thread may end; end
//   thread           the next step is another thread's
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "trace/clock.h"
#include "trace/schema.h"
#include "trace/sink_client.h"

namespace {

using jitscope::trace::nowNs;

void writeRows(int count) {
  const auto sink = jitscope::trace::connectToCollector();
  for (int i = 0; sink && i < count; ++i) {
    const int64_t startNs = nowNs();
    jitscope::trace::emit(*sink, jitscope::trace::OpRow{.startNs = startNs, .endNs = nowNs()});
  }
}

nvtxEventAttributes_t named(const char* name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  return attributes;
}

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t only = nvtxDomainCreateA("a library");
  return only;
}

void pushRegistered(const char* name) {
  nvtxEventAttributes_t attributes = named(nullptr);
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain(), name);
  nvtxDomainRangePushEx(domain(), &attributes);
}

void run(std::string_view step, const char* next) {
  static nvtxRangeId_t range = 0;
  const nvtxEventAttributes_t attributes = named(next);
  if (step == "rows") writeRows(std::atoi(next));
  if (step == "push") nvtxRangePushA(next);
  if (step == "push-wide") {
    const std::string name(next);
    nvtxRangePushW(std::wstring(name.begin(), name.end()).c_str());
  }
  if (step == "push-ex") nvtxRangePushEx(&attributes);
  if (step == "push-domain") nvtxDomainRangePushEx(domain(), &attributes);
  if (step == "push-registered") pushRegistered(next);
  if (step == "pop") nvtxRangePop();
  if (step == "pop-domain") nvtxDomainRangePop(domain());
  if (step == "start") range = nvtxRangeStartA(next);
  if (step == "start-ex") range = nvtxRangeStartEx(&attributes);
  if (step == "start-domain") range = nvtxDomainRangeStartEx(domain(), &attributes);
  if (step == "end") nvtxRangeEnd(range);
  if (step == "end-domain") nvtxDomainRangeEnd(domain(), range);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  for (int i = 1; i < argumentCount; ++i) {
    const bool isOthers = std::string_view(arguments[i]) == "thread";
    if (isOthers) ++i;
    const char* next = i + 1 < argumentCount ? arguments[i + 1] : "";
    const char* step = arguments[i];
    if (isOthers) {
      std::thread([&] { run(step, next); }).join();
    } else {
      run(step, next);
    }
  }
  std::puts("done");
  return 0;
}
