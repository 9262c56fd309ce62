#include "trace/sink_client.h"

#include <dlfcn.h>

#include <limits>
#include <string_view>

namespace jitscope::trace {
namespace {

class ClientSink final : public EventSink {
 public:
  explicit ClientSink(const JitscopeSink& target) : target_(target) {}

  StringId intern(std::string_view text) noexcept override {
    const uint64_t id = target_.intern(target_.context, text.data(), text.size());
    return id <= std::numeric_limits<uint32_t>::max() ? static_cast<StringId>(id) : StringId{};
  }

  void write(TableId table, std::span<const int64_t> cells) noexcept override {
    target_.write(target_.context, static_cast<uint32_t>(table), cells.data(),
                  static_cast<uint32_t>(cells.size()));
  }

 private:
  const JitscopeSink& target_;
};

uint64_t internInto(void* context, const char* text, uint64_t size) {
  const std::string_view view(text, size);
  return static_cast<uint64_t>(static_cast<EventSink*>(context)->intern(view));
}

void writeInto(void* context, uint32_t table, const int64_t* cells, uint32_t count) {
  static_cast<EventSink*>(context)->write(static_cast<TableId>(table), {cells, count});
}

}  // namespace

std::unique_ptr<EventSink> connectToCollector() {
  void* symbol = dlsym(RTLD_DEFAULT, JITSCOPE_SINK_SYMBOL);
  if (symbol == nullptr) return nullptr;
  const JitscopeSink* sink = reinterpret_cast<JitscopeSinkGetter>(symbol)();
  // Later versions only append members, so every version from 1 on has what is used here.
  return sink != nullptr && sink->version >= 1 ? sinkOver(*sink) : nullptr;
}

std::unique_ptr<EventSink> sinkOver(const JitscopeSink& target) {
  return std::make_unique<ClientSink>(target);
}

JitscopeSink offerSink(EventSink& sink) {
  return {.version = 1, .context = &sink, .intern = internInto, .write = writeInto};
}

}  // namespace jitscope::trace
