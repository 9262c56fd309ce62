#pragma once

#include <string_view>

/// \file
/// What stands around the content of an HTML report: nothing in it comes from a recording.
namespace jitscope::analyzer {

/// From the first line to inside of <head>.
inline constexpr std::string_view kHtmlHead = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>
:root { --ink: #1c2430; --paper: #fff; --line: #d8dee6; --soft: #5c6773; --blue: #3b7dd8;
  --orange: #e08a2e; --grey: #9aa5b1; --red: #d2403c; --green: #3a9d5d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --paper: #171b21; --line: #333b46;
  --soft: #98a3b0; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1240px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.3em; overflow-wrap: anywhere; } h2 { font-size: 1.1em; margin-top: 2em; }
.verdict { font-weight: 600; font-size: 1.1em; } .note, figcaption { color: var(--soft); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25em .6em; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; vertical-align: top; }
th { cursor: pointer; } th[aria-sort=ascending]::after { content: " ▲"; }
th[aria-sort=descending]::after { content: " ▼"; } .number { text-align: right; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .6em 0; padding: .5em 1em; }
summary { cursor: pointer; font-weight: 600; } dl { display: grid; gap: .2em 1em;
  grid-template-columns: 6em 1fr; } dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; } figure { margin: 0; overflow-x: auto; }
svg { width: 100%; min-width: 700px; } svg text { fill: var(--soft); font-size: 11px; }
.label { text-anchor: end; } .tick { text-anchor: middle; } .grid { stroke: var(--line); }
.hit, .fused { fill: var(--blue); } .compiling { fill: var(--orange); }
.eager, .kernel { fill: var(--grey); } .break, .failed { fill: var(--red); }
.replay, .op { fill: var(--green); } .texts li { overflow-wrap: anywhere; }
[data-text] { text-decoration: underline dotted var(--soft); }
</style>
)html";

/// Shows a long text where a person points at its beginning, and sorts a table by the column whose
/// head is clicked: by amount where cells are numbers with units.
inline constexpr std::string_view kHtmlScript = R"html(<script>
const units = {ns: 1, "µs": 1e3, ms: 1e6, s: 1e9, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12};
const valueOf = (text) => {
  const match = text.match(/^([-+]?[\d,.]+)\s*(\S*)$/);
  return match ? parseFloat(match[1].replaceAll(",", "")) * (units[match[2]] ?? 1) : NaN;
};
const compare = (a, b) => {
  const x = valueOf(a), y = valueOf(b);
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? -1 : 1;
  return isNaN(x) ? a.localeCompare(b) : x - y;
};
const texts = document.getElementById("texts");
for (const each of document.querySelectorAll("[data-text]")) each.addEventListener("mouseenter", () => {
  each.title = texts.children[each.dataset.text - 1].textContent;
});
for (const head of document.querySelectorAll("th")) head.addEventListener("click", () => {
  const body = head.closest("table").tBodies[0];
  const isRising = head.getAttribute("aria-sort") === "descending";
  for (const each of head.parentNode.children) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isRising ? "ascending" : "descending");
  const cell = (row) => row.cells[head.cellIndex].textContent;
  const rows = [...body.rows].sort((a, b) => compare(cell(a), cell(b)) * (isRising ? 1 : -1));
  body.append(...rows);
});
</script>
)html";

}  // namespace jitscope::analyzer
