#include "tests/gui/command_line_report.h"

#include <gtest/gtest.h>

#include <QJsonDocument>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/cli.h"

namespace jitscope::gui {

QJsonObject commandLineReport(const QString& path) {
  const std::vector<std::string> arguments{path.toStdString(), "--format", "json"};
  std::ostringstream output, errors;
  EXPECT_EQ(analyzer::reportCommand(arguments, output, errors), 0) << errors.str();
  return QJsonDocument::fromJson(QByteArray::fromStdString(output.str())).object();
}

}  // namespace jitscope::gui
