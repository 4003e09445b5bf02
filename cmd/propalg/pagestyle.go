package main

// pageStyle is the style of a page: for light and dark, wide and narrow, screen and paper.
const pageStyle = `:root {
  color-scheme: light;
  --ground: #f5f6f8; --paper: #ffffff; --edge: #d9dde3; --ink: #1a1f26; --soft: #59636f; --faint: #eceff3;
  --focus: #1f6feb; --add: #13703a; --del: #b3261e; --upd: #8a5a00; --rep: #8b1f8f; --mov: #0b6b7a;
  --add-bg: #eaf7ee; --add-hot: #bfe9cb; --del-bg: #fdeeed; --del-hot: #f8c9c5; --void: #f7f8fa;
  --hit: #fff1a8; --pill: #e4e7ec;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {
  color-scheme: dark;
  --ground: #0e1116; --paper: #161a21; --edge: #2b323c; --ink: #e2e7ee; --soft: #98a3b1; --faint: #1f252e;
  --focus: #6aa8ff; --add: #6fd491; --del: #ff8f86; --upd: #e5b35a; --rep: #e69aea; --mov: #6cc9d8;
  --add-bg: #12261a; --add-hot: #1f5233; --del-bg: #2b1717; --del-hot: #6a2a28; --void: #12161c;
  --hit: #5c4d0c; --pill: #2b323c;
} }
:root[data-theme="dark"] {
  color-scheme: dark;
  --ground: #0e1116; --paper: #161a21; --edge: #2b323c; --ink: #e2e7ee; --soft: #98a3b1; --faint: #1f252e;
  --focus: #6aa8ff; --add: #6fd491; --del: #ff8f86; --upd: #e5b35a; --rep: #e69aea; --mov: #6cc9d8;
  --add-bg: #12261a; --add-hot: #1f5233; --del-bg: #2b1717; --del-hot: #6a2a28; --void: #12161c;
  --hit: #5c4d0c; --pill: #2b323c;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 var(--text); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.seen-not { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code, kbd, .file, .urn, table { font-family: var(--mono); }
kbd { font-size: .85em; padding: .05em .4em; border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 4px; background: var(--faint); }

.top { display: flex; flex-wrap: wrap; gap: .75rem 2rem; align-items: flex-end; justify-content: space-between; max-width: 100rem; margin: 0 auto; padding: 1.4rem 1.25rem .9rem; }
.names { min-width: 0; flex: 1 1 24rem; }
h1 { display: flex; flex-wrap: wrap; gap: 0 .5em; margin: 0; font-size: 1.1rem; font-weight: 600; line-height: 1.5; }
.file { overflow-wrap: anywhere; min-width: 0; }
.side { font: 600 .68rem var(--text); letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
.arrow { color: var(--soft); }
.lead { margin: .2rem 0 0; color: var(--soft); }
.warn { color: var(--del); }
.kinds { display: flex; flex-wrap: wrap; gap: .4rem; }
button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 7px; padding: .3rem .7rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
button[aria-pressed="true"] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.kinds button { border-radius: 99px; padding: .2rem .75rem; font-variant-numeric: tabular-nums; }
.kinds b { margin-right: .3em; font-family: var(--mono); }
.kinds button[aria-pressed="true"] b { color: inherit; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; padding: .55rem max(1.25rem, calc((100% - 100rem) / 2 + 1.25rem)); background: var(--ground); border-block: 1px solid var(--edge); }
.find { flex: 1 1 18rem; max-width: 34rem; }
.find input { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 7px; padding: .32rem .65rem; }
.find input::placeholder { color: var(--soft); opacity: 1; }
.shown { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.buttons { display: flex; flex-wrap: wrap; gap: .4rem; margin-left: auto; }

.list { max-width: 100rem; margin: 0 auto; padding: .8rem 1.25rem 3rem; outline: none; }
.none { text-align: center; color: var(--soft); padding: 2rem; }
article { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; scroll-margin-top: 4rem; padding-block: .15rem; }
article { --indent: 1.5rem; }
.head { display: flex; align-items: center; padding-left: calc(var(--depth, 0) * var(--indent)); }
.twig { flex: none; width: 1.5rem; height: 1.5rem; padding: 0; margin-right: .15rem; border: 0; background: none; color: var(--soft); font-size: .8rem; line-height: 1; }
.twig:hover { color: var(--ink); }
span.twig { display: inline-block; }
.title { margin: 0; flex: 1; min-width: 0; font-size: 1rem; font-weight: 400; }
.row { display: flex; align-items: baseline; gap: .6rem; width: 100%; text-align: left; padding: .42rem .75rem; background: var(--paper); border: 1px solid var(--edge); border-radius: 8px; }
.row:focus-visible { outline-offset: -2px; }
.row .mark { flex: none; width: 1.5em; font: 700 1rem/1 var(--mono); }
.row .name { font-weight: 600; overflow-wrap: anywhere; }
.row .type { color: var(--soft); font: .86rem var(--mono); overflow-wrap: anywhere; }
.row .said { margin-left: auto; flex: none; color: var(--soft); font-size: .86rem; white-space: nowrap; }
.row .caret { flex: none; align-self: center; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
[aria-expanded="true"] > .caret { transform: rotate(45deg) translate(-1px, -1px); }
.open .row { border-radius: 8px 8px 0 0; background: var(--faint); }
.same .row { background: none; border-color: transparent; color: var(--soft); padding-block: .2rem; }
.same .row:not([aria-expanded]) { cursor: default; }
.tag { flex: none; font-size: .74rem; font-weight: 600; padding: .05rem .5rem; border-radius: 99px; border: 1px solid currentColor; }
.m-add { color: var(--add); } .m-delete { color: var(--del); } .m-update { color: var(--upd); } .m-replace { color: var(--rep); } .m-move { color: var(--mov); } .m-none { color: var(--soft); }

.body { background: var(--paper); border: 1px solid var(--edge); border-top: 0; border-radius: 0 0 8px 8px; margin-left: calc(var(--depth, 0) * var(--indent) + 1.65rem); overflow: hidden; }
.bag .body { margin: 0; border-top: 1px solid var(--edge); border-radius: 8px; }
.bag .head { display: none; }
.urn { margin: 0; padding: .5rem .8rem; font-size: .8rem; color: var(--soft); overflow-wrap: anywhere; border-bottom: 1px solid var(--edge); }
.empty { margin: 0; padding: .6rem .8rem; color: var(--soft); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .84rem; line-height: 1.5; }
table + table { border-top: 1px solid var(--edge); }
table + table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
table + table tbody tr:first-child td { border-top: 1px solid var(--faint); }
table:last-child { margin-bottom: .4rem; }
caption { text-align: left; font: 600 .72rem var(--text); letter-spacing: .05em; text-transform: uppercase; color: var(--soft); padding: .55rem .8rem .3rem; }
thead th { font: 400 .75rem var(--mono); text-align: left; color: var(--soft); padding: .1rem .6rem .25rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-bottom: 1px solid var(--faint); }
col.gutter { width: 2.9rem; }
td { vertical-align: top; padding: .06rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
td.gutter { padding: .06rem 0 .06rem .55rem; font-weight: 700; white-space: nowrap; }
td.new, thead th.new { border-left: 1px solid var(--faint); }
.fold { border: 0; background: none; padding: 0 .15rem; font-size: .72rem; line-height: 1; color: var(--soft); }
td.void { background: var(--void); }
tr.d td.old { background: var(--del-bg); } tr.d td.new { background: var(--add-bg); }
tr.d td.void { background: var(--void); }
tr.hit td { box-shadow: inset 0 -2px 0 var(--upd), inset 0 2px 0 var(--upd); }
tr:hover td { background-image: linear-gradient(rgb(127 127 127 / .07), rgb(127 127 127 / .07)); }
.k { color: var(--ink); font-weight: 600; } .i, .p { color: var(--soft); }
td.old .o { background: var(--del-hot); border-radius: 3px; } td.new .n { background: var(--add-hot); border-radius: 3px; }
tr.one td .o, tr.one td .n { background: none; }
.x, .u, .h { background: var(--pill); border-radius: 4px; padding: 0 .3em; color: var(--soft); }
.t { color: var(--soft); font-style: italic; } .f-replace .t { color: var(--rep); font-style: normal; font-weight: 600; }
.c { color: var(--soft); }

.unified colgroup, .unified thead { display: none; }
.unified table, .unified caption, .unified tbody, .unified tr { display: block; }
.unified tr { position: relative; padding-left: 2.9rem; }
.unified td { display: block; }
.unified td.gutter { position: absolute; left: 0; }
.unified td.void, .unified tr.b td.old { display: none; }
.unified td.new { border-left: 0; }
.unified table + table tbody tr:first-child td { border-top: 0; }

dialog { border: 1px solid var(--edge); border-radius: 12px; background: var(--paper); color: var(--ink); padding: 1.2rem 1.5rem; max-width: 34rem; box-shadow: 0 12px 40px rgb(0 0 0 / .3); }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog h2 { margin: 0 0 .6rem; font-size: 1.05rem; }
dl { margin: 0; } dl div { display: flex; gap: .8rem; padding: .22rem 0; } dt { flex: none; width: 10.5rem; } dd { margin: 0; color: var(--soft); }
dialog form { text-align: right; }

@media (max-width: 46rem) {
  .top, .list { padding-inline: .7rem; } .bar { padding-inline: .7rem; position: static; }
  .buttons { margin-left: 0; } .body { margin-left: calc(var(--depth, 0) * var(--indent)); } .twig { width: 1.1rem; } article { --indent: .5rem; }
  .row { flex-wrap: wrap; gap: .1rem .5rem; padding-inline: .6rem; } .row .type { flex-basis: 100%; order: 5; padding-left: 2.1rem; font-size: .8rem; }
  dt { width: 7.5rem; }
}
@media (prefers-reduced-motion: no-preference) { .row .caret { transition: transform .12s; } }
@media print {
  :root, :root[data-theme="dark"], :root:not([data-theme="light"]) {
    color-scheme: light;
    --ground: #fff; --paper: #fff; --edge: #bbb; --ink: #000; --soft: #444; --faint: #f2f2f2; --add: #0b5c2c; --del: #9c1c15; --upd: #734b00; --rep: #74187a; --mov: #085763;
    --add-bg: #eaf7ee; --add-hot: #bfe9cb; --del-bg: #fdeeed; --del-hot: #f8c9c5; --void: #f7f7f7; --pill: #e8e8e8;
  }
  body { font-size: 10pt; } .bar, dialog, .twig, .caret, .fold { display: none !important; }
  .top { padding: 0 0 .6rem; } .list { padding: .4rem 0; max-width: none; } article { --indent: .8rem; } .body { margin-left: calc(var(--depth, 0) * var(--indent)); overflow: visible; }
  :focus-visible { outline: none; }
  article { content-visibility: visible; } .head { break-after: avoid; } tr { break-inside: avoid; }
  table, td, tr, .row, .x, .o, .n { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`
