#include "collector/record/program.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace jitscope::collector {
namespace {

bool isFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string readBeginning(const std::string& path, size_t sizeBytes) {
  std::ifstream file(path, std::ios::binary);
  std::string beginning(sizeBytes, '\0');
  file.read(beginning.data(), static_cast<std::streamsize>(sizeBytes));
  beginning.resize(static_cast<size_t>(std::max<std::streamsize>(0, file.gcount())));
  return beginning;
}

// The word after `#!`, or after `env` there.
std::string interpreterOf(std::string_view script) {
  std::string line(script.substr(2, script.find('\n') - 2));
  std::vector<std::string> words;
  for (size_t begin = 0; (begin = line.find_first_not_of(" \t", begin)) != line.npos;) {
    const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  if (words.empty()) return {};
  const bool isEnv = words[0].ends_with("/env");
  if (!isEnv) return words[0];
  const auto program = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
    return !word.starts_with('-') && word.find('=') == word.npos;
  });
  return program == words.end() ? words[0] : findProgram(*program);
}

std::optional<std::string> whyNotByHeader(const std::string& path, const std::string& beginning) {
  Elf64_Ehdr header{};
  std::memcpy(&header, beginning.data(), std::min(sizeof header, beginning.size()));
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "is a 32-bit program";
  std::string loader;
  for (size_t index = 0; index < header.e_phnum; ++index) {
    const size_t place = header.e_phoff + index * sizeof(Elf64_Phdr);
    Elf64_Phdr segment{};
    if (place + sizeof segment > beginning.size()) return std::nullopt;
    std::memcpy(&segment, beginning.data() + place, sizeof segment);
    if (segment.p_type != PT_INTERP) continue;
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    std::getline(file, loader, '\0');
  }
  if (loader.empty()) return "is linked statically";
  if (loader.find("ld-musl") != loader.npos) return "is built for another C library (musl)";
  return std::nullopt;
}

// The loader ignores preloaded libraries in a program that runs with more rights than its caller.
bool gainsRights(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return false;
  const bool changesUser = (status.st_mode & S_ISUID) && status.st_uid != getuid();
  const bool changesGroup = (status.st_mode & S_ISGID) && status.st_gid != getgid();
  const bool hasCapabilities =
      getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  return changesUser || changesGroup || hasCapabilities;
}

}  // namespace

std::string findProgram(const std::string& word) {
  if (word.find('/') != word.npos) return isFile(word) ? word : std::string();
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  std::string notExecutable;
  for (bool isMore = true; isMore;) {
    const size_t end = folders.find(':');
    std::string folder(folders.substr(0, end));
    if (folder.empty()) folder = ".";
    folder += '/';
    std::string path = folder + word;
    if (isFile(path)) {
      if (access(path.c_str(), X_OK) == 0) return path;
      if (notExecutable.empty()) notExecutable = path;
    }
    isMore = end != folders.npos;
    if (isMore) folders.remove_prefix(end + 1);
  }
  return notExecutable;
}

std::optional<std::string> whyNotPreloadable(const std::string& path) {
  constexpr int kMostInterpreters = 5;  // as the kernel
  std::string program = path;
  for (int depth = 0; depth < kMostInterpreters && !program.empty(); ++depth) {
    const std::string beginning = readBeginning(program, 4096);
    if (beginning.starts_with(ELFMAG)) {
      if (gainsRights(program)) return "runs with more rights than its caller";
      return whyNotByHeader(program, beginning);
    }
    if (!beginning.starts_with("#!")) break;
    program = interpreterOf(beginning);
  }
  return std::nullopt;
}

}  // namespace jitscope::collector
