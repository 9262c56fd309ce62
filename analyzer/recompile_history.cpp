#include "analyzer/recompile_history.h"

#include "analyzer/diagnoses/recompile_causes.h"

namespace jitscope::analyzer {

std::vector<Recompile> recompileHistory(const Run& run) {
  std::vector<Recompile> history;
  for (const CausedCompile& caused : causedCompiles(run)) {
    const GuardStory story = storyOf(run, caused);
    Recompile recompile{caused.compile, caused.call, std::string(name(story.cause)),
                        whatChanged(story)};
    if (exists(caused.decisive())) {
      recompile.guard = run.text(run.guardFailures[caused.decisive()].text);
    }
    recompile.expected = story.expected;
    recompile.actual = story.actual;
    history.push_back(std::move(recompile));
  }
  return history;
}

}  // namespace jitscope::analyzer
