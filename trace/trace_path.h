#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace jitscope::trace {

/// Whether a FileWriter of this or another process still has the trace at `path` open. False too
/// where that cannot be told: the file is not there, or its file system knows no locks.
bool isBeingWritten(const std::filesystem::path& path);

/// The name beside `path` under which this process makes that trace until it has its header:
/// `.NAME.PID`. Of a process that is killed meanwhile it stays.
std::filesystem::path hiddenTracePath(const std::filesystem::path& path);

/// Whether a file of a recording's folder has such a name.
bool isHiddenTracePath(const std::filesystem::path& path);

/// The number of the process that wrote the trace at `path`, by the file's first bytes alone;
/// nothing when they are not those of a trace.
std::optional<int64_t> writerPid(const std::filesystem::path& path);

/// Where this process may put its trace when `wanted` was asked of it and perhaps of others too, by
/// an environment variable that children inherit: `wanted`, or NAME-PID.EXTENSION beside it when
/// `wanted` is being written, or is what this very process wrote as the program that it was before
/// an exec.
std::filesystem::path tracePathFor(const std::filesystem::path& wanted);

}  // namespace jitscope::trace
