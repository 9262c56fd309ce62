#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>

#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

struct Outcome {
  int status = -1;
  QString output, errors;
};

/// Runs the program as a user without a display would.
Outcome runProgram(const QStringList& arguments) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
    environment.remove(name);
  program.setProcessEnvironment(environment);
  program.start(JITSCOPE_GUI, arguments);
  if (!program.waitForFinished(60'000)) return {};
  return {program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1,
          program.readAllStandardOutput(), program.readAllStandardError()};
}

class ProgramTest : public RecordingTest {};

TEST_F(ProgramTest, DrawsAScreenshotOfAnySizeWithoutADisplay) {
  const QString path = record();
  for (const QSize size :
       {QSize(960, 540), QSize(1280, 720), QSize(1600, 900), QSize(3840, 2160)}) {
    const QString picture = file("a.png");
    const QString text = QString("%1x%2").arg(size.width()).arg(size.height());
    const Outcome outcome = runProgram({path, "--screenshot", picture, "--size", text});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    EXPECT_EQ(outcome.errors, QString());
    EXPECT_EQ(QImage(picture).size(), size);
  }
}

TEST_F(ProgramTest, EndsWith3OnBadInputAndSaysItInOneLine) {
  QFile empty(file("empty.jitscope"));
  ASSERT_TRUE(empty.open(QIODevice::WriteOnly));
  empty.close();
  for (const QString& path : {file("absent.jitscope"), file("empty.jitscope"), file("")}) {
    const Outcome outcome = runProgram({path, "--screenshot", file("a.png")});
    EXPECT_EQ(outcome.status, 3) << path.toStdString();
    EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
    EXPECT_FALSE(QFile::exists(file("a.png")));
  }
}

TEST_F(ProgramTest, EndsWith3WhenThePictureCannotBeWritten) {
  const Outcome outcome = runProgram({record(), "--screenshot", file("no/such/folder/a.png")});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
  EXPECT_TRUE(outcome.errors.contains("a.png"));
}

TEST_F(ProgramTest, EndsWith3WithoutADisplayAndPointsToScreenshots) {
  const Outcome outcome = runProgram({record()});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(outcome.errors.contains("--screenshot"));
}

TEST_F(ProgramTest, EndsWith2OnAWrongOption) {
  const Outcome outcome = runProgram({"--scrennshot", "a.png", "x"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.errors.contains("did you mean --screenshot?"));
}

TEST_F(ProgramTest, PrintsHelpOnStandardOutput) {
  const Outcome outcome = runProgram({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.output.startsWith("usage: jitscope-gui"));
  EXPECT_TRUE(outcome.errors.isEmpty());
}

}  // namespace
}  // namespace jitscope::gui
