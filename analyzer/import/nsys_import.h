#pragma once

#include <string_view>

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

/// \file
/// Exports of Nsight Systems to SQLite (`nsys export --type sqlite`), and of nvprof before it.
///
/// | table | row |
/// |---|---|
/// | CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, _MEMSET, _SYNCHRONIZATION | kernel, memcpy, memset, sync
/// | | CUPTI_ACTIVITY_KIND_RUNTIME, _DRIVER | api | | CUPTI_ACTIVITY_KIND_GRAPH_TRACE |
/// graph_launch | | NVTX_EVENTS (push and pop ranges) | op | | TARGET_INFO_GPU, ThreadNames |
/// device, thread |
///
/// Every table and every column may be missing. Times count from the session's start, which
/// TARGET_INFO_SESSION_START_TIME tells. Rows are split by process.
namespace jitscope::analyzer {

/// Whether a file that begins so is an SQLite database. Whether it has a table of Nsight Systems or
/// nvprof is known when it is read.
bool isSqliteFile(std::string_view head);

/// Reads one. An error when the database is damaged or has none of the tables.
trace::Result<void> importNsys(InputBytes& bytes, Import& result);

}  // namespace jitscope::analyzer
