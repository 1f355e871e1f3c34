import { limits } from '../../base/limits.ts';

/** Each folder that is ticked is named in the sentence above the buttons. */
const folderRules = Array.from(
  { length: limits.consentFoldersMax },
  (_, at) => `form:has([data-at="${at}"]:checked) .says-folder-${at},`,
).join('\n');

/**
 * The style sheet of every page, exactly as it stands between `<style>` and `</style>`: the policy of
 * the pages names its hash. Colours and shapes are those of the console. Parts that belong to a choice
 * are hidden with `:has()`; a browser that does not know it shows them all.
 */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --bg: #fbfaf8; --panel: #ffffff; --side: #f4f2ee; --sunk: #f6f5f1; --line: #e7e4dd; --line-2: #d8d4cb; --edge: #8f8a80;
  --text: #1f1d1a; --soft: #4d4a44; --faint: #6d6961;
  --accent: #4a43c0; --accent-bg: #edecfb; --accent-line: #cfccf4; --on-accent: #ffffff;
  --good: #1a6b35; --good-bg: #eaf7ed; --good-line: #bfe0c7;
  --bad: #a3312b; --bad-bg: #fdeeed; --bad-line: #f0c9c6;
  --warn: #8a5300; --warn-bg: #fdf3e0; --warn-line: #f0d9ae;
  --shadow: 0 1px 2px rgb(40 34 20 / .05), 0 6px 24px rgb(40 34 20 / .05);
  --sans: Inter, ui-sans-serif, system-ui, "Segoe UI", "Noto Sans CJK JP", sans-serif;
  --mono: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) { :root {
  --bg: #161618; --panel: #1c1c1f; --side: #121214; --sunk: #18181b; --line: #2a2a2e; --line-2: #3a3a40; --edge: #76767e;
  --text: #ecebe8; --soft: #c3c1bb; --faint: #9a9892;
  --accent: #aaa5ff; --accent-bg: #26253d; --accent-line: #403d6b; --on-accent: #16151f;
  --good: #7fd698; --good-bg: #16261b; --good-line: #27472f;
  --bad: #f2a09a; --bad-bg: #2b1a1a; --bad-line: #573130;
  --warn: #f0c069; --warn-bg: #2a2214; --warn-line: #4d3d1d;
  --shadow: 0 1px 2px rgb(0 0 0 / .4);
} }
* { box-sizing: border-box; }
html { font: 15px/1.5 var(--sans); color: var(--text); background: var(--bg); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd, fieldset, legend { margin: 0; padding: 0; border: 0; min-width: 0; }
ul { list-style: none; }
a { color: var(--accent); }
button, input { font: inherit; color: inherit; }
b, h1, h2, h3 { font-weight: 620; }
small { font-size: 13px; }
code { font: 13px var(--mono); background: var(--sunk); border: 1px solid var(--line); border-radius: 5px; padding: 1px 5px; white-space: nowrap; }
.head code { white-space: normal; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.faint { color: var(--faint); } .soft { color: var(--soft); }
.i { width: 18px; height: 18px; flex: none; margin-top: 2px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.mark { width: 28px; height: 28px; flex: none; }
.mark .plate, .mark .knob { fill: var(--accent); } .mark .leaf { fill: var(--on-accent); }
.mark .frame { fill: none; stroke: var(--on-accent); stroke-width: 2; stroke-linecap: round; opacity: .55; }

.top { display: flex; align-items: center; gap: 10px; min-height: 56px; padding: 6px 16px; border-bottom: 1px solid var(--line); background: var(--side); font-weight: 620; }
.top form { margin-left: auto; }
main { max-width: 652px; margin: 0 auto; padding: 16px; }
main.wide { max-width: 972px; }
main.gate { max-width: 392px; min-height: 100vh; display: grid; align-content: center; gap: 14px; }
.gate .mark { width: 52px; height: 52px; margin: 0 auto; }
.gate h1, .gate > p { text-align: center; }
.gate form { display: grid; gap: 14px; }
h1 { font-size: 21px; line-height: 1.3; letter-spacing: -.02em; }
h1 + .note { margin-top: 10px; } .card h1 + .note { margin-top: 0; }
h2 { font-size: 16px; letter-spacing: -.01em; }
.or { display: flex; align-items: center; gap: 12px; color: var(--faint); font-size: 13px; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }

.btn { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 44px; padding: 6px 16px; border-radius: 9px; border: 1px solid var(--line-2); background: var(--panel); color: var(--text); font-weight: 560; text-decoration: none; cursor: pointer; }
.btn:hover { border-color: var(--edge); }
.btn.pri { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.btn.pri:hover { filter: brightness(1.08); }
.btn.bad { color: var(--bad); }
.btn:disabled { opacity: .6; cursor: default; }
.field { display: grid; gap: 5px; }
.field > span, .field > label { font-weight: 560; }
.field small { color: var(--faint); }
.in { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 9px; background: var(--panel); font-size: 16px; }
.in.code { font-family: var(--mono); letter-spacing: .04em; text-transform: uppercase; }

.card { border: 1px solid var(--line); border-radius: 12px; background: var(--panel); box-shadow: var(--shadow); }
.card > * { padding: 0 16px; }
.card > header { padding-top: 16px; display: grid; gap: 8px; }
.card form { display: grid; gap: 18px; padding-top: 18px; }
.card footer { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin: 0 -16px; padding: 14px 16px; border-top: 1px solid var(--line); background: var(--sunk); border-radius: 0 0 12px 12px; }
.card footer .btn { min-height: 48px; }
.to { border: 1px solid var(--line); border-radius: 10px; background: var(--sunk); padding: 12px 14px; }
.to strong { display: block; font-size: 24px; line-height: 1.25; font-weight: 650; letter-spacing: -.02em; margin: 2px 0 6px; }
.who { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: baseline; }
.count { min-width: 24px; padding: 0 7px; border-radius: 12px; background: var(--on-accent); color: var(--accent); font-size: 13px; }
.pill { display: inline-block; font-size: 12.5px; font-weight: 560; padding: 1px 9px; border-radius: 11px; border: 1px solid var(--line); color: var(--soft); background: var(--sunk); }
.pill.good { color: var(--good); background: var(--good-bg); border-color: var(--good-line); }
.pill.warn { color: var(--warn); background: var(--warn-bg); border-color: var(--warn-line); }
.note { display: flex; gap: 10px; align-items: flex-start; border: 1px solid var(--line); border-radius: 9px; padding: 10px 12px; background: var(--sunk); color: var(--soft); }
.note.warn { color: var(--warn); background: var(--warn-bg); border-color: var(--warn-line); }
.note.bad { color: var(--bad); background: var(--bad-bg); border-color: var(--bad-line); }
.note.good { color: var(--good); background: var(--good-bg); border-color: var(--good-line); }

legend { font-size: 14px; font-weight: 620; color: var(--soft); margin-bottom: 8px; }
.opts { display: grid; gap: 8px; }
.opt { display: flex; gap: 12px; align-items: flex-start; min-height: 44px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 9px; cursor: pointer; }
.opt:hover { border-color: var(--edge); }
.opt:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.opt:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.opt :focus-visible { outline: 0; }
.opt small { display: block; color: var(--faint); line-height: 1.4; }
.opt input { width: 18px; height: 18px; margin: 2px 0 0; flex: none; accent-color: var(--accent); }
.opt b { font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
.row .opt { align-items: center; gap: 8px; padding: 8px 10px 8px 8px; } .row .opt input { margin: 0; }
.under { display: grid; gap: 10px; padding: 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--sunk); }
.folders, .ends { margin-top: 8px; }
.under .opt { background: var(--panel); }
fieldset:not(:has([value="folders"]:checked)) > .folders, fieldset:not(:has([value="delete"]:checked)) .again, fieldset:has([value="never"]:checked) > .ends { display: none; }
.says, .says > b, .says span { display: none; }
@supports selector(:has(*)) { .says { display: block; } }
form:has([name="rights"][value="read"]:checked) .says-read,
form:has([name="rights"][value="propose"]:checked) .says-propose,
form:has([name="rights"][value="change"]:checked) .says-change,
form:has([name="rights"][value="delete"]:checked) .says-delete,
form:has([name="where"][value="all"]:checked) .says-all,
form:has([name="where"][value="folders"]:checked) .says-folders,
${folderRules}
form:has(.folders .in:not(:placeholder-shown)):not(:has([data-at]:checked)) .says-typed,
form:has(.folders .in:not(:placeholder-shown)):has([data-at]:checked) .says-more,
form:not(:has(.folders .in:not(:placeholder-shown), [data-at]:checked)) .says-none,
form:has([name="days"][value="1"]:checked) .says-1,
form:has([name="days"][value="30"]:checked) .says-30,
form:has([name="days"][value="90"]:checked) .says-90,
form:has([name="days"][value="365"]:checked) .says-365,
form:has([name="days"][value="never"]:checked) .says-never { display: inline; }
article:has(.missing):has(.folders .in:not(:placeholder-shown), [data-at]:checked) .note.bad { display: none; }
summary { min-height: 44px; padding: 10px 4px; cursor: pointer; color: var(--accent); font-weight: 560; }

section { margin-top: 30px; }
.head { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin-bottom: 10px; }
.head > div { flex: 1 1 240px; } .head p { color: var(--faint); font-size: 14px; }
.list { border: 1px solid var(--line); border-radius: 12px; background: var(--panel); box-shadow: var(--shadow); }
.list > li { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: flex-start; padding: 14px 16px; border-top: 1px solid var(--line); }
.list > li:first-child { border-top: 0; }
.list > li > div { flex: 1 1 260px; display: grid; gap: 6px; }
.list h3 { font-size: 15px; }
.sure { max-width: 260px; } .sure summary { color: var(--bad); } .sure[open] { display: grid; gap: 8px; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; font-size: 14px; }
.facts dt { color: var(--faint); }
.inline { display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-end; } .inline .field { flex: 1 1 200px; }
.steps { padding-left: 22px; display: grid; gap: 10px; }
.stack { display: grid; gap: 14px; }
@media (min-width: 700px) {
  main { padding: 28px 24px 48px; }
  .card > *, .card footer { padding-left: 20px; padding-right: 20px; } .card footer { margin: 0 -20px; }
  .two { grid-template-columns: 1fr 1fr; }
}
@media (forced-colors: active) { .opt:has(:checked) { outline: 2px solid Highlight; } }
`;
