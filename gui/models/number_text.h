#pragma once

#include <QString>
#include <cstdint>

namespace jitscope::gui {

/// What stands where there is no value.
inline constexpr const char* kNoValue = "–";

/// \file
/// Numbers as the window shows them: as the command line does (analyzer/units.h), always with their
/// unit.

/// `1234567` as "1,234,567".
QString countText(int64_t count);

/// "1 break", "3 breaks"; the plural takes an s.
QString countedText(int64_t count, const QString& singular);

/// "840 ns", "38.2 µs", "14.2 ms", "1.42 s", "3,600 s": three digits in the largest unit that keeps
/// them.
QString durationText(int64_t durationNs);

/// "512 B", "134.2 MB", "2.31 GB" (powers of ten).
QString bytesText(int64_t bytes);

/// 0.421 as "42.1 %".
QString percentText(double share);

/// A ratio as "2.31x".
QString factorText(double ratio);

/// "eager takes 2.31x the time" or, where it is the other that takes longer, "compiled takes …";
/// empty when one of them took none.
QString ratioText(const QString& name, int64_t durationNs, const QString& otherName,
                  int64_t otherNs);

/// The label of a tick in the unit that fits `stepNs`: "250 µs", "-1.5 ms".
QString tickText(int64_t timeNs, int64_t stepNs);

}  // namespace jitscope::gui
