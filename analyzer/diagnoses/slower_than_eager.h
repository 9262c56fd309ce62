#pragma once

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Callables whose hits take longer than their eager calls, beyond what graph breaks explain. Needs
/// enough calls of both kinds that chance is no explanation.
std::vector<Finding> findSlowerThanEager(const Subject& subject);

}  // namespace jitscope::analyzer
