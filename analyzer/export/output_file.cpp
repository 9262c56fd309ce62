#include "analyzer/export/output_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

#include "analyzer/errno_text.h"
#include "analyzer/export/unfinished_target.h"

namespace jitscope::analyzer {
namespace {

/// zlib writes plain files too: in mode "T" without a header.
constexpr const char* kPlain = "wbT";
constexpr const char* kPacked = "wb6";

trace::Error cannotBeWritten(const std::string& why) { return {"cannot be written: " + why}; }

}  // namespace

class OutputFile::Stream {
 public:
  Stream(UnfinishedTarget unfinished, gzFile file)
      : unfinished_(std::move(unfinished)), file_(file) {
    constexpr unsigned kBufferBytes = 1 << 20;
    gzbuffer(file_, kBufferBytes);
  }
  ~Stream() {
    if (file_ != nullptr) gzclose(file_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void write(std::string_view text) {
    constexpr size_t kMost = 1 << 30;  // gzwrite takes an int
    while (!text.empty() && errorNumber_ == 0) {
      const size_t size = std::min(text.size(), kMost);
      errno = 0;
      if (gzwrite(file_, text.data(), static_cast<unsigned>(size)) != static_cast<int>(size))
        errorNumber_ = errno == 0 ? EIO : errno;
      text.remove_prefix(size);
    }
  }

  trace::Result<void> close() {
    errno = 0;
    const bool isClosed = gzclose(file_) == Z_OK;
    file_ = nullptr;
    if (!isClosed && errorNumber_ == 0) errorNumber_ = errno == 0 ? EIO : errno;
    if (errorNumber_ != 0) return cannotBeWritten(errnoText(errorNumber_));
    const trace::Result<void> finished = unfinished_.finish();
    return finished ? finished : cannotBeWritten(finished.error().text);
  }

 private:
  UnfinishedTarget unfinished_;
  gzFile file_;
  int errorNumber_ = 0;
};

OutputFile::OutputFile(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

trace::Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
  UnfinishedTarget unfinished(path);
  errno = 0;
  const gzFile file =
      gzopen(unfinished.path().c_str(), path.extension() == ".gz" ? kPacked : kPlain);
  if (file == nullptr) return cannotBeWritten(errnoText(errno == 0 ? ENOMEM : errno));
  return OutputFile(std::make_unique<Stream>(std::move(unfinished), file));
}

void OutputFile::write(std::string_view text) { stream_->write(text); }
trace::Result<void> OutputFile::close() { return stream_->close(); }

}  // namespace jitscope::analyzer
