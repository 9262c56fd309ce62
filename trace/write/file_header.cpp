#include "trace/write/file_header.h"

#include <sys/random.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "trace/clock.h"
#include "trace/format/xxhash64.h"

namespace jitscope::trace::write {

std::array<uint8_t, sizeof(format::FileHeader)> newFileHeader() {
  format::FileHeader header;
  header.pid = getpid();
  header.createdNs = nowNs();
  if (getrandom(header.uuid.data(), header.uuid.size(), GRND_NONBLOCK) < 0) {
    std::memcpy(header.uuid.data(), &header.createdNs, sizeof header.createdNs);
    std::memcpy(header.uuid.data() + 8, &header.pid, sizeof header.pid);
  }
  header.checksum = format::xxhash64(&header, offsetof(format::FileHeader, checksum));
  std::array<uint8_t, sizeof header> bytes{};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace jitscope::trace::write
