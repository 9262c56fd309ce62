#include "collector/inject/torch_library.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>

#include "collector/environment.h"
#include "collector/inject/cancellation_off.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/own_folder.h"
#include "collector/inject/session.h"
#include "collector/inject/sink_symbol.h"
#include "collector/torch_observer.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

enum class Observation { kNone, kStarting, kDone };
constinit std::atomic<Observation> observation{Observation::kNone};
constinit std::atomic<unsigned long long> librariesSeen{0};

struct LibrarySearch {
  unsigned long long loaded = 0;
  std::string path;
};

int visitLibrary(dl_phdr_info* library, size_t, void* search) {
  auto& found = *static_cast<LibrarySearch*>(search);
  found.loaded = library->dlpi_adds;
  // Nothing was loaded since the last search, which found nothing.
  if (found.loaded == librariesSeen.load(std::memory_order_relaxed)) return 1;
  if (!library->dlpi_name || !std::strstr(library->dlpi_name, "/libtorch_cpu.so")) return 0;
  found.path = library->dlpi_name;
  return 1;
}

std::string readVersion(const std::string& file) {
  std::FILE* stream = std::fopen(file.c_str(), "re");
  if (!stream) return {};
  char line[256];
  std::string version;
  while (version.empty() && std::fgets(line, sizeof line, stream)) {
    char quoted[64] = "";
    if (std::sscanf(line, "__version__ = '%63[^']'", quoted) == 1) version = quoted;
    // The package without Python has one line in a file of its own.
    if (std::isdigit(static_cast<unsigned char>(line[0])))
      version.assign(line, std::strcspn(line, "\r\n"));
  }
  std::fclose(stream);
  return version;
}

// .../torch/lib/libtorch_cpu.so stands in the package .../torch.
std::string versionOfPackage(const std::string& library) {
  const std::string folder = library.substr(0, library.rfind('/'));
  const std::string package = folder.substr(0, folder.rfind('/'));
  const std::string version = readVersion(package + "/version.py");
  return version.empty() ? readVersion(package + "/build-version") : version;
}

void reportLoss(const std::string& text) {
  trace::emit(session(), trace::LossRow{.timeNs = trace::nowNs(),
                                        .kind = trace::LossKind::kDropped,
                                        .place = session().intern("operators"),
                                        .text = session().intern(text)});
}

void start(const std::string& torch) {
  if (!openSession()) return;
  const std::string path = ownFolder() + '/' + kTorchLibrary;
  // Lazily: of another version of LibTorch it calls less, and less need be there.
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return reportLoss(std::string("operators are not recorded: ") +
                      (why ? why : "no reason given"));
  }
  const auto attach = reinterpret_cast<TorchAttach>(dlsym(library, kTorchAttachSymbol));
  if (!attach) return reportLoss("operators are not recorded: " + path + " is of another version");
  const char* problem = attach(jitscope_sink_v1(), versionOfPackage(torch).c_str());
  if (problem) return reportLoss(std::string("operators are not recorded: ") + problem);
  atEndOfSession(reinterpret_cast<TorchFinish>(dlsym(library, kTorchFinishSymbol)));
}

}  // namespace

TorchLibrary torchLibrary() {
  LibrarySearch search;
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* found) {
        if (!library->dlpi_name || !std::strstr(library->dlpi_name, "/libtorch_cpu.so")) return 0;
        *static_cast<std::string*>(found) = library->dlpi_name;
        return 1;
      },
      &search.path);
  if (search.path.empty()) return {};
  return {search.path, versionOfPackage(search.path)};
}

void observeTorch() noexcept {
  if (!isRecording() || observation.load(std::memory_order_relaxed) != Observation::kNone) return;
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  try {
    LibrarySearch search;
    dl_iterate_phdr(visitLibrary, &search);
    if (search.path.empty()) {
      librariesSeen = search.loaded;
      return;
    }
    Observation none = Observation::kNone;
    if (!observation.compare_exchange_strong(none, Observation::kStarting)) return;
    start(search.path);
    observation = Observation::kDone;
  } catch (const std::exception&) {
    // No memory: the program runs on without its operators being recorded.
    observation = Observation::kDone;
  }
}

}  // namespace jitscope::collector
