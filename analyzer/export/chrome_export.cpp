#include "analyzer/export/chrome_export.h"

#include <fmt/format.h>

#include "analyzer/export/chrome_device_rows.h"
#include "analyzer/export/chrome_host_rows.h"
#include "analyzer/export/chrome_kept_rows.h"
#include "analyzer/export/chrome_writer.h"

namespace jitscope::analyzer {
namespace {

/// What stands in front of the events, as profilers write it: readers look for it there.
void writeHead(const Run& run, ChromeWriter& writer) {
  writer.raw(
      fmt::format("{{\n\"schemaVersion\": 1,\n\"baseTimeNanoseconds\": {},\n", writer.baseNs()));
  std::string devices;
  for (const Process& process : run.processes) {
    for (const trace::DeviceRow& row : process.rows<trace::DeviceRow>()) {
      devices += fmt::format(
          "{}{{\"id\": {}, \"name\": {}, \"totalGlobalMem\": {}, \"computeMajor\": {}, "
          "\"computeMinor\": {}, \"numSms\": {}}}",
          devices.empty() ? "" : ", ", row.device, writer.text(row.name), row.memoryBytes,
          row.computeMajor, row.computeMinor, row.multiprocessors);
    }
  }
  writer.raw(fmt::format("\"deviceProperties\": [{}],\n", devices));
  const Process* const first = run.processes.empty() ? nullptr : &*run.processes.begin();
  // Of several ranks none is the file's: --rank writes one of them.
  if (first != nullptr && run.processes.size() == 1 && first->row.rank >= 0) {
    writer.raw(fmt::format("\"distributedInfo\": {{\"rank\": {}, \"world_size\": {}}},\n",
                           first->row.rank, first->row.worldSize));
  }
  writer.raw("\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [");
}

void writeNames(const Run& run, ProcessIndex index, ChromeWriter& writer) {
  const Process& process = run.processes[index];
  const int64_t pid = writer.processId(index);
  const std::string_view command = run.text(process.row.commandLine);
  writer.event(fmt::format(
      "\"ph\": \"M\", \"name\": \"process_name\", \"pid\": {}, \"tid\": 0, \"args\": {{\"name\": "
      "{}}}",
      pid, command.empty() ? std::string("\"program\"") : writer.text(process.row.commandLine)));
  for (const trace::ThreadRow& row : process.rows<trace::ThreadRow>()) {
    writer.event(fmt::format(
        "\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": {}, \"tid\": {}, \"args\": {{\"name\": "
        "{}}}",
        pid, row.thread, writer.text(row.name)));
  }
}

}  // namespace

trace::Result<void> exportChrome(const Run& run, const std::filesystem::path& target) {
  trace::Result<OutputFile> file = OutputFile::create(target);
  if (!file) return file.error().within(target.string());
  ChromeWriter writer(run, *file);
  writeHead(run, writer);
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const ProcessIndex index = run.processes.indexAt(p);
    writeNames(run, index, writer);
    writeHostRows(run, index, writer);
    writeDeviceRows(run, index, writer);
  }
  writeKeptRows(run, writer);
  writer.raw("\n],\n\"traceName\": " + jsonString(target.string()) + "\n}\n");
  writer.flush();
  const trace::Result<void> closed = file->close();
  return closed ? closed : trace::Result<void>(closed.error().within(target.string()));
}

}  // namespace jitscope::analyzer
