#pragma once

/// \file
/// The built-in tracing compiler: everything that a program needs to use it.

#include "compiler/compile.h"
#include "compiler/control.h"
#include "compiler/dynamic.h"
#include "compiler/errors.h"
#include "compiler/explain.h"
#include "compiler/guarded.h"
#include "compiler/stance.h"
