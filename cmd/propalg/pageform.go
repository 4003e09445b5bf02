package main

// pageForm is the form of a page, for html/template.
const pageForm = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="propalg">
<title>{{.Old}} → {{.New}} · propalg diff</title>
<style>{{.Style}}</style>
</head>
<body>
<header class="top">
<div class="names">
<h1><span class="file"><span class="side">old</span> {{.Old}}</span> <span class="file"><span class="arrow" aria-hidden="true">→</span> <span class="side">new</span> {{.New}}</span></h1>
<p class="lead">{{.Lead}} {{if .Masked}}<span class="veil">Secrets are masked.</span>{{else}}<strong class="warn">Secrets are shown in clear on this page.</strong>{{end}}</p>
</div>
<div class="kinds" id="kinds" role="group" aria-label="Show only resources that were"></div>
</header>
<div class="bar" id="bar" role="toolbar" aria-label="View" hidden>
<label class="find"><span class="seen-not">Filter</span><input id="filter" type="search" placeholder="Filter by name, type, property, value  ( / )" autocomplete="off" spellcheck="false" aria-describedby="shown"></label>
<output id="shown" class="shown" aria-live="polite"></output>
<span class="buttons">
<button id="expand" type="button" title="Open everything that is shown (e)">Expand all</button>
<button id="collapse" type="button" title="Close everything (c)">Collapse all</button>
<button id="view" type="button" aria-pressed="false" title="One column instead of two (u)">Unified</button>
<button id="theme" type="button" title="Dark or light (t)">Theme</button>
<button id="keys" type="button" aria-haspopup="dialog" title="What the keys do (?)">Keys</button>
</span>
</div>
<noscript><p class="lead">This page shows its contents with a script of its own. Where scripts are off, <code>propalg diff -o text</code> says the same.</p></noscript>
<main id="list" class="list" tabindex="-1"></main>
<p id="none" class="none" hidden>Nothing matches the filter. <kbd>Esc</kbd> clears it.</p>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">Keys</h2>
<dl>
<div><dt><kbd>/</kbd></dt><dd>filter; words all have to match; <kbd>Esc</kbd> clears</dd></div>
<div><dt><kbd>j</kbd> <kbd>k</kbd> or <kbd>↓</kbd> <kbd>↑</kbd></dt><dd>next and previous resource</dd></div>
<div><dt><kbd>→</kbd> <kbd>←</kbd></dt><dd>open and close; ← on a closed one goes to its parent</dd></div>
<div><dt><kbd>Enter</kbd> <kbd>Space</kbd></dt><dd>open or close</dd></div>
<div><dt><kbd>x</kbd></dt><dd>show or hide what is below in the tree</dd></div>
<div><dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first and last</dd></div>
<div><dt><kbd>e</kbd> <kbd>c</kbd></dt><dd>expand all, collapse all</dd></div>
<div><dt><kbd>u</kbd></dt><dd>one column or two</dd></div>
<div><dt><kbd>t</kbd></dt><dd>dark or light</dd></div>
<div><dt><kbd>?</kbd></dt><dd>this help</dd></div>
</dl>
<p>Marks: <b class="m-add">+</b> created, <b class="m-delete">-</b> deleted, <b class="m-update">~</b> changed, <b class="m-replace">+-</b> forces a replacement, <b class="m-move">&gt;</b> moved. What is printed is what is open.</p>
<form method="dialog"><button>Close</button></form>
</dialog>
<script type="application/json" id="data">{{.Data}}</script>
<script>{{.Script}}</script>
</body>
</html>
`
