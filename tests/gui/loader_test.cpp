#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>

#include "gui/loading/trace_loader.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

constexpr int kPatienceMs = 30'000;

class LoaderTest : public RecordingTest {
 protected:
  /// Loads and waits for the end; gives the error, or the empty text.
  QString load(const QString& path) {
    QSignalSpy failed(&loader, &TraceLoader::failed);
    QSignalSpy finished(&loader, &TraceLoader::finished);
    loader.load(path.toStdString());
    while (failed.isEmpty() && finished.isEmpty()) {
      if (!finished.wait(50) && ++waits_ > kPatienceMs / 50) return "took too long";
    }
    EXPECT_EQ(failed.count() + finished.count(), 1);
    return failed.isEmpty() ? QString() : failed.first().first().toString();
  }

  void write(const QString& path, const QByteArray& bytes) {
    QFile target(path);
    ASSERT_TRUE(target.open(QIODevice::WriteOnly));
    target.write(bytes);
  }

  TraceLoader loader;

 private:
  int waits_ = 0;
};

TEST_F(LoaderTest, GivesRecordingAndTimelineOnceEach) {
  QSignalSpy timelines(&loader, &TraceLoader::timelineAvailable);
  QSignalSpy recordings(&loader, &TraceLoader::recordingAvailable);
  QSignalSpy progress(&loader, &TraceLoader::progressed);
  EXPECT_EQ(load(record()), QString());
  EXPECT_EQ(timelines.count(), 1);
  EXPECT_EQ(recordings.count(), 1);
  EXPECT_GT(progress.count(), 0);
}

TEST_F(LoaderTest, NamesAFileThatIsMissing) {
  const QString error = load(file("absent.jitscope"));
  EXPECT_TRUE(error.startsWith(file("absent.jitscope") + ":")) << error.toStdString();
  EXPECT_FALSE(error.contains('\n'));
}

TEST_F(LoaderTest, RefusesAnEmptyFileAndAForeignOne) {
  write(file("empty.jitscope"), {});
  write(file("foreign.jitscope"), QByteArray(5'000, 'x'));
  for (const char* name : {"empty.jitscope", "foreign.jitscope"}) {
    const QString error = load(file(name));
    EXPECT_TRUE(error.contains(name)) << error.toStdString();
    EXPECT_FALSE(error.contains('\n'));
  }
}

TEST_F(LoaderTest, ShowsWhatADamagedFileStillHoldsAndSaysWhatIsMissing) {
  const QString path = record({.eagerSteps = 40, .compiledSteps = 40});
  QFile recorded(path);
  ASSERT_TRUE(recorded.open(QIODevice::ReadOnly));
  const QByteArray bytes = recorded.readAll();
  write(file("cut.jitscope"), bytes.left(bytes.size() - bytes.size() / 10));
  QString losses;
  QObject::connect(&loader, &TraceLoader::timelineAvailable, &loader,
                   [&losses](const auto& timeline) { losses = timeline->losses; });
  EXPECT_EQ(load(file("cut.jitscope")), QString());
  EXPECT_NE(losses, "no losses");
  EXPECT_FALSE(losses.isEmpty());
}

TEST_F(LoaderTest, DeliversNothingAfterItWasCancelled) {
  QSignalSpy timelines(&loader, &TraceLoader::timelineAvailable);
  QSignalSpy failed(&loader, &TraceLoader::failed);
  QSignalSpy finished(&loader, &TraceLoader::finished);
  loader.load(record({.eagerSteps = 300, .compiledSteps = 300}).toStdString());
  loader.cancel();
  EXPECT_FALSE(loader.isLoading());
  // A second load runs after the first has left; nothing of the first may arrive with it.
  EXPECT_EQ(load(file("absent.jitscope")).isEmpty(), false);
  EXPECT_EQ(timelines.count(), 0);
  EXPECT_EQ(finished.count(), 0);
  EXPECT_EQ(failed.count(), 1);
}

TEST_F(LoaderTest, MayBeDestroyedWhileItLoads) {
  const QString path = record({.eagerSteps = 200, .compiledSteps = 200});
  TraceLoader shortLived;
  shortLived.load(path.toStdString());
}

}  // namespace
}  // namespace jitscope::gui
