#pragma once

#include <gtest/gtest.h>

#include <QString>
#include <QTemporaryDir>

#include "tests/gui/synthetic_recording.h"

namespace jitscope::gui {

/// A test with a folder of its own, and a recording in it on demand.
class RecordingTest : public testing::Test {
 protected:
  /// Path of `name` in the test's folder.
  QString file(const QString& name) const { return folder_.filePath(name); }

  /// Writes a recording and gives its path.
  QString record(const SyntheticRecording& wanted = {}) const {
    QString path = file("run.jitscope");
    EXPECT_TRUE(writeRecording(wanted, path.toStdString()));
    return path;
  }

 private:
  QTemporaryDir folder_;
};

}  // namespace jitscope::gui
