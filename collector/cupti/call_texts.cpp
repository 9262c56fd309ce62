#include "collector/cupti/call_texts.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "collector/cupti/traced_calls.h"

namespace jitscope::collector {
namespace {

std::string threadName(int64_t thread) {
  char name[32] = "";
  if (std::FILE* file = std::fopen(fmt::format("/proc/self/task/{}/comm", thread).c_str(), "re")) {
    if (!std::fgets(name, sizeof name, file)) name[0] = '\0';
    std::fclose(file);
  }
  return {name, std::strcspn(name, "\n")};
}

}  // namespace

trace::StringId CallTexts::name(const CUpti_ActivityAPI& call) {
  const bool isDriver = call.kind == CUPTI_ACTIVITY_KIND_DRIVER;
  const uint64_t key = uint64_t{isDriver} << 32 | call.cbid;
  const auto [known, isNew] = names_.try_emplace(key);
  if (isNew) {
    const char* name = nullptr;
    const auto domain = isDriver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    const bool isKnown =
        api_.getCallbackName(domain, call.cbid, &name) == CUPTI_SUCCESS && name != nullptr;
    known->second = sink_.intern(
        isKnown ? plainCallName(name)
                : fmt::format("{} call {}", isDriver ? "driver" : "runtime", call.cbid));
  }
  return known->second;
}

void CallTexts::nameThread(int64_t thread) {
  if (!threads_.insert(thread).second) return;
  trace::emit(sink_, trace::ThreadRow{.thread = thread, .name = sink_.intern(threadName(thread))});
}

}  // namespace jitscope::collector
