#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <filesystem>
#include <utility>
#include <vector>

#include "gui/widgets/palette.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

struct Outcome {
  int status = -1;
  QString output, errors;
};

/// Runs the program as a user without a display would, with `more` in the environment.
Outcome runProgram(const QStringList& arguments,
                   const std::vector<std::pair<QString, QString>>& more = {}) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
    environment.remove(name);
  for (const auto& [name, value] : more) environment.insert(name, value);
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

TEST_F(ProgramTest, DrawsEveryPage) {
  const QString path = record({.hasGpu = true});
  for (const char* page : {"kernels", "query", "diff"}) {
    const Outcome outcome = runProgram({path, path, "--page", page, "--screenshot", file("a.png")});
    EXPECT_EQ(outcome.status, 0) << page;
    EXPECT_EQ(outcome.errors, QString());
  }
}

TEST_F(ProgramTest, DrawsInTheThemeThatIsAskedFor) {
  const QString path = record(), picture = file("a.png");
  const auto cornerOf = [&](const QStringList& more) {
    const Outcome outcome = runProgram(QStringList{path, "--screenshot", picture} + more);
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    return QImage(picture).pixel(0, 0);
  };
  EXPECT_EQ(cornerOf({}), coloursOf(Theme::kDark).surface);
  EXPECT_EQ(cornerOf({"--theme", "light"}), coloursOf(Theme::kLight).surface);
  EXPECT_EQ(cornerOf({"--theme", "dark"}), coloursOf(Theme::kDark).surface);
}

TEST_F(ProgramTest, DrawsTheRangeThatIsAskedFor) {
  const QString path = record({.hasGpu = true});
  const auto pictureOf = [&](const QStringList& more) {
    const Outcome outcome = runProgram(QStringList{path, "--screenshot", file("a.png")} + more);
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    return QImage(file("a.png"));
  };
  EXPECT_NE(pictureOf({"--range", "1ms..1100us"}), pictureOf({}));
  EXPECT_EQ(pictureOf({"--range", "1ms..1100us"}), pictureOf({"--range", "1000us..1.1ms"}));
}

TEST_F(ProgramTest, EndsWith3WhereTheRangeHasNothing) {
  const Outcome outcome =
      runProgram({record(), "--screenshot", file("a.png"), "--range", "100s..101s"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(outcome.errors.contains("--range 100 s..101 s: the recording is "))
      << outcome.errors.toStdString();
  EXPECT_FALSE(QFile::exists(file("a.png")));
}

TEST_F(ProgramTest, EndsWith3WhenTheSecondRecordingCannotBeRead) {
  for (const char* page : {"diff", "overview"}) {
    const Outcome outcome = runProgram(
        {record(), file("absent.jitscope"), "--page", page, "--screenshot", file("a.png")});
    EXPECT_EQ(outcome.status, 3) << page;
    EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
    EXPECT_TRUE(outcome.errors.contains("absent.jitscope: ")) << outcome.errors.toStdString();
    EXPECT_FALSE(QFile::exists(file("a.png")));
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
  const QString path = record();
  for (const QString& picture : {file("no/such/folder/a.png"), file("."), QString("/dev/full"),
                                 file(QString(300, 'a') + ".png")}) {
    const Outcome outcome = runProgram({path, "--screenshot", picture});
    EXPECT_EQ(outcome.status, 3) << picture.toStdString();
    EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
    EXPECT_TRUE(outcome.errors.contains(picture + ": cannot write the picture: "));
  }
}

TEST_F(ProgramTest, ReplacesNoFileThatIsNoPicture) {
  const QString path = record();
  const qint64 size = QFile(path).size();
  const Outcome outcome = runProgram({path, "--screenshot", path});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
  EXPECT_EQ(QFile(path).size(), size);
  EXPECT_EQ(runProgram({path, "--screenshot", file("a.png")}).status, 0);
  EXPECT_EQ(runProgram({path, "--screenshot", file("a.png")}).status, 0) << "a picture is replaced";
}

TEST_F(ProgramTest, TakesFileNamesOfAnyBytes) {
  const std::filesystem::path recorded = record().toStdString();
  const auto folder = recorded.parent_path() / "odd";
  std::filesystem::create_directory(folder);
  const std::vector<std::string> names{"\xff\xfe", "two\nlines", " ", "<b>%1", "-platform"};
  for (const std::string& name : names) std::filesystem::copy_file(recorded, folder / name);
  // QProcess passes on text only, a shell any bytes.
  QProcess shell;
  shell.setWorkingDirectory(QString::fromStdString(folder.string()));
  shell.start("sh",
              {"-c", "for name in *; do \"$0\" --screenshot \"./$name.png\" -- \"$name\"; done",
               JITSCOPE_GUI});
  ASSERT_TRUE(shell.waitForFinished(60'000));
  EXPECT_EQ(shell.readAllStandardError(), QByteArray());
  for (const std::string& name : names) {
    EXPECT_TRUE(std::filesystem::exists(folder / (name + ".png"))) << name;
  }
  std::filesystem::remove_all(folder);  // Qt would not find the names again
}

TEST_F(ProgramTest, SaysItInOneLineWhateverTheNameIs) {
  const Outcome outcome = runProgram({file("no\nsuch.jitscope"), "--screenshot", file("a.png")});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
}

TEST_F(ProgramTest, RefusesAPictureThatIsTooLargeOnceScaled) {
  const Outcome outcome = runProgram(
      {record(), "--screenshot", file("a.png"), "--size", "9000x540"}, {{"QT_SCALE_FACTOR", "2"}});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(outcome.errors.contains("18000x1080")) << outcome.errors.toStdString();
}

TEST_F(ProgramTest, ScalesThePictureWithTheScreen) {
  for (const char* factor : {"0.75", "1.5", "2"}) {
    const Outcome outcome =
        runProgram({record(), "--screenshot", file("a.png"), "--size", "1000x600"},
                   {{"QT_SCALE_FACTOR", factor}});
    EXPECT_EQ(outcome.status, 0) << outcome.errors.toStdString();
    EXPECT_EQ(QImage(file("a.png")).width(), qRound(1000 * QString(factor).toDouble()));
  }
}

TEST_F(ProgramTest, EndsWith3WithoutAPlatformThatCanShowAWindow) {
  for (const char* platform : {"nonsense", "xcb"}) {
    const Outcome outcome =
        runProgram({record()}, {{"QT_QPA_PLATFORM", platform}, {"DISPLAY", ":7777"}});
    EXPECT_EQ(outcome.status, 3) << platform;
    EXPECT_EQ(outcome.errors.count('\n'), 1) << outcome.errors.toStdString();
    EXPECT_TRUE(outcome.errors.contains("--screenshot")) << outcome.errors.toStdString();
  }
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
