#include "report/html_report.h"

namespace varylink::report {

namespace {

constexpr std::string_view kStyle =
    R"css(:root { color-scheme: light dark; --ink: #1c1f24; --paper: #ffffff; --line: #c9ced6; --soft: #f2f4f7; --dim: #667085;
  --kept: #2f6fb5; --dead: #8a8f98; --constant: #a86a00; --uniform: #8a5a9e; --duplicate: #1d8a7a; --moved: #5f7d1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #16181c; --line: #3a3f47; --soft: #22262c; --dim: #9aa3af; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 20px; }
h1 { font-size: 22px; margin: 0 0 4px; } #details > h1 { margin-top: 28px; } summary { margin: 12px 0; cursor: pointer; } h2 { font-size: 18px; margin: 28px 0 8px; } h3 { font-size: 15px; margin: 20px 0 6px; }
.dim { color: var(--dim); }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 14px 0; }
.tile { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 8px 14px; }
.tile b { display: block; font-size: 20px; }
table { border-collapse: collapse; } th, td { padding: 3px 10px; border-bottom: 1px solid var(--line); text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow: auto; max-height: 420px; border: 1px solid var(--line); border-radius: 6px; }
.scroll table { width: 100%; } .scroll th { position: sticky; top: 0; background: var(--soft); }
th button { all: unset; cursor: pointer; font-weight: 600; }
#modules button { all: unset; cursor: pointer; margin-right: 10px; text-decoration: underline dotted; } th button:focus-visible { outline: 2px solid var(--kept); }
#batch tbody tr { cursor: pointer; } #batch tbody tr:hover, #batch tbody tr.chosen { background: var(--soft); }
#batch tbody tr.chosen td:first-child { box-shadow: inset 4px 0 var(--kept); }
input[type=search] { padding: 4px 8px; margin: 0 0 8px; width: 280px; font: inherit; }
.maps { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 28px; align-items: start; }
@media (max-width: 800px) { .maps { grid-template-columns: minmax(0, 1fr); } }
.map { display: grid; grid-template-columns: 2.4em repeat(4, minmax(0, 1fr)); gap: 3px; }
.map .head { color: var(--dim); text-align: center; font-size: 12px; } .map .location { color: var(--dim); text-align: right; padding: 8px 6px 0 0; }
.slot { min-height: 40px; border-radius: 4px; padding: 3px 6px; font-size: 12px; color: #fff; overflow: hidden; border: 2px solid transparent; }
.slot span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .slot .what { opacity: 0.85; font-size: 11px; }
.slot.empty { background: var(--soft); border: 1px dashed var(--line); }
.slot.lit { border-color: var(--ink); }
.kept { background: var(--kept); } .dead { background: var(--dead); } .constant { background: var(--constant); }
.uniform { background: var(--uniform); } .duplicate { background: var(--duplicate); } .moved { background: var(--moved); }
.slot.dead { background: repeating-linear-gradient(45deg, #8a8f98 0 8px, #7b808a 8px 16px); }
.legend { display: flex; flex-wrap: wrap; gap: 14px; margin: 6px 0 12px; font-size: 13px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 5px; vertical-align: -1px; }
.bar { position: relative; width: 220px; height: 18px; } .bar i { position: absolute; left: 0; height: 8px; border-radius: 2px; }
.bar .before { top: 0; background: var(--dead); } .bar .after { top: 9px; background: var(--kept); }
.better { color: #1a7f37; } .worse { color: #c02f2f; }
@media (prefers-color-scheme: dark) { .better { color: #57c46e; } .worse { color: #ff7b72; } }
.graph .picture { overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
.graph .back { background: #9ec9f5; } .graph .forth { background: #ffc78a; } .graph .cut { background: #c02f2f; }
.graph i.gone { border: 1px dashed var(--dim); }
.graph svg { font-size: 11.5px; max-width: 100%; height: auto; } .graph svg text { fill: var(--ink); } .graph svg .title { font-weight: 600; font-size: 13px; }
.graph .box rect { fill: var(--soft); stroke: var(--dim); } .graph .had rect { fill: var(--paper); }
.graph .back rect { fill: #9ec9f5; } .graph .forth rect { fill: #ffc78a; }
.graph .back text, .graph .forth text { fill: #1c1f24; } .graph .back { background: #9ec9f5; }
.graph g.gone rect { fill: none; stroke-dasharray: 3 3; } .graph g.gone text { fill: var(--dim); }
.graph .field rect { fill: var(--kept); stroke: none; } .graph .field.moved rect { fill: var(--moved); } .graph .field text { fill: #fff; }
.graph g.field { background: none; } .graph .use rect { fill: none; stroke: none; } .graph .use text { fill: var(--dim); }
.graph .line { fill: none; stroke: var(--dim); stroke-opacity: 0.6; } .graph .line.cut { stroke: #c02f2f; stroke-width: 2; background: none; }
.graph .line.gone { stroke-dasharray: 3 3; stroke-opacity: 0.35; }
.tag { color: #fff; border-radius: 3px; padding: 0 6px; font-size: 12px; }
.error { color: #c02f2f; }
)css";

}  // namespace

std::string_view html_style() { return kStyle; }

}  // namespace varylink::report
