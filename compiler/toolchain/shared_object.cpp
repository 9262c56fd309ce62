#include "compiler/toolchain/shared_object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace jitscope::compiler {
namespace {

/// A folder that is gone when the compilation is done, with the files that it was asked for. Done
/// by hand: LibTorch brings parts of std::filesystem along that other compilers' headers do not
/// fit.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* root = std::getenv("TMPDIR");
    std::string pattern = std::string(root && *root ? root : "/tmp") + "/jitscope-XXXXXX";
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~ScratchFolder() {
    for (const std::string& file : files_) unlink(file.c_str());
    if (!path_.empty()) rmdir(path_.c_str());
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const char* name) {
    files_.push_back(path_ + "/" + name);
    return files_.back();
  }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

struct CompilerProgram {
  std::string path;
  bool isClang = false;
};

std::string programOnPath(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    std::string file = std::string(rest.substr(0, end)) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

CompilerProgram findCompiler() {
  std::vector<std::string> names{"g++", "clang++"};
  if (const char* chosen = std::getenv("JITSCOPE_CXX")) names = {chosen};
  for (const std::string& name : names) {
    const std::string path = programOnPath(name);
    if (!path.empty()) return {path, name.find("clang") != std::string::npos};
  }
  return {};
}

std::vector<std::string> commandOf(const CompilerProgram& compiler, const std::string& source,
                                   const std::string& library) {
  // What torch's numbers need is kept: NaN, infinities, signed zeros, no contraction of a * b + c.
  // Exceptions that no one asks for are given up, since they stand in the way of vector code.
  std::vector<std::string> command{
      compiler.path,     "-std=c++17",        "-O2",     "-march=native",
      "-fno-math-errno", "-ffp-contract=off", "-fwrapv", "-fopenmp-simd",
      "-fPIC",           "-shared",           "-w",      "-fno-exceptions"};
#if defined(__x86_64__)
  command.emplace_back("-mprefer-vector-width=512");
#endif
  if (!compiler.isClang) command.emplace_back("-fno-trapping-math");
  command.insert(command.end(), {"-o", library, source, "-lm"});
  return command;
}

/// Runs a command with its output in a file. Its exit status, -1 when it could not be started.
int run(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  // The compiler is no part of the program that is recorded.
  std::vector<char*> environment;
  for (char** entry = environ; *entry; ++entry) {
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0) environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  pid_t child = -1;
  const int failure = posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(),
                                  environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    // A program that ignores its children learns nothing of them: the result will tell.
    if (errno == ECHILD) return 0;
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first line with an error, or the first line.
std::string firstError(const std::string& file) {
  std::ifstream lines(file);
  std::string first, line;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find("error") != std::string::npos) return line;
  }
  return first.empty() ? "it said nothing" : first;
}

}  // namespace

SharedObject::~SharedObject() { dlclose(handle_); }

void* SharedObject::function(const std::string& name) const { return dlsym(handle_, name.c_str()); }

trace::Result<std::shared_ptr<const SharedObject>> compileCpp(const std::string& source) {
  static const CompilerProgram compiler = findCompiler();
  if (compiler.path.empty()) {
    return trace::Error{
        "no C++ compiler on this machine: install g++, or name one with JITSCOPE_CXX"};
  }
  ScratchFolder folder;
  if (!folder.exists())
    return trace::Error{std::string("no folder for generated code: ") + std::strerror(errno)};
  const std::string file = folder.file("kernels.cpp"), library = folder.file("kernels.so");
  const std::string output = folder.file("output");
  std::ofstream written(file);
  written << source;
  written.close();
  if (!written) return trace::Error{"cannot write generated code to " + file};
  if (run(commandOf(compiler, file, library), output) != 0) {
    return trace::Error{compiler.path +
                        " cannot compile a generated kernel: " + firstError(output)};
  }
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return trace::Error{std::string("cannot load generated code: ") + dlerror()};
  return std::make_shared<const SharedObject>(handle);
}

}  // namespace jitscope::compiler
