"use strict";
// The page of a diff. Its data is JSON in a script element; all of it goes
// into the document as text (textContent), never as markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const list = byId("list"), filter = byId("filter"), root = document.documentElement;
  const styles = { "+": "add", "-": "delete", "~": "update", "+-": "replace", ">": "move", "=": "add", "<": "move", "!": "delete" };
  const styleOf = (mark) => "m-" + (styles[mark] || "none");
  const said = { "+": "added", "-": "deleted", "~": "changed", "+-": "forces replacement", ">": "moved" };
  const only = new Set(); // the kinds that are shown, or none for all
  const idle = { name: "unchanged", mark: "" }; // what happened to ancestors
  let words = [];

  const make = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const plural = (n, what) => n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s");

  // An item is a resource, in the order of the tree, with its elements.
  const items = data.resources.map((r, i) => ({ r, i, kind: data.kinds[r.kind] || idle, up: null, parents: 0, open: false, shut: false, drawn: false, visible: true, found: [], byFilter: false }));
  const byLink = new Map(); // items by the id that links have
  for (const item of items) {
    const name = item.r.urn || (data.bag ? "bag" : "deployment");
    item.id = name;
    for (let n = 2; byLink.has(item.id); n++) item.id = name + "+" + n;
    byLink.set(item.id, item);
  }
  {
    const path = [];
    for (const item of items) {
      path.length = Math.min(path.length, item.r.depth);
      item.up = path[path.length - 1] || null;
      if (item.up) item.up.parents++;
      path.push(item);
    }
  }

  // Text of an item to filter by: made when it is first needed.
  const texts = (item) => {
    if (item.text === undefined) {
      item.head = [item.r.urn, item.r.type, item.r.name, item.kind.name, ...(item.r.above || [])].join("\n").toLowerCase();
      item.rows = [];
      for (const p of item.r.parts) for (const row of p.rows) item.rows.push((p.name + " " + rowText(row)).toLowerCase());
      item.text = item.head + "\n" + item.rows.join("\n");
    }
    return item.text;
  };
  // linesFound says of each line whether the filter found it: it has one of the words, and
  // the others are in it too, or in what names the resource.
  const linesFound = (item) => {
    if (words.length === 0 || !hits(texts(item))) return [];
    const rest = words.filter((w) => !item.head.includes(w));
    return item.rows.map((text) => rest.every((w) => text.includes(w)) && words.some((w) => text.includes(w)));
  };
  const rowText = (row) => [row.both, row.old, row.new].map((spans) => (spans || []).map((s) => s[1]).join("")).join(" ");
  const hits = (text) => words.every((w) => text.includes(w));

  // The parts of an item, drawn when it is first opened.
  const cell = (spans, className, level) => {
    const td = make("td", className + (spans ? "" : " void"));
    if (spans) {
      td.style.paddingInlineStart = Math.min(level, 24) * 1.4 + 0.6 + "em";
      for (const [style, text] of spans) td.append(make("span", style, text));
    }
    return td;
  };
  const drawRow = (row, side) => {
    const both = row.both !== undefined;
    const one = !both && (!row.old || !row.new);
    const tr = make("tr", (both ? "b" : "d") + (one ? " one" : "") + (row.mark === "+-" ? " f-replace" : ""));
    const gutter = make("td", "gutter " + styleOf(row.mark));
    if (row.mark) {
      const mark = make("span", "", row.mark);
      mark.setAttribute("aria-hidden", "true");
      gutter.append(mark, make("span", "seen-not", said[row.mark]));
    }
    tr.append(gutter);
    const old = row.old, now = row.new;
    if (side) tr.append(cell(row[side] || row.both || now, side, row.level));
    else tr.append(cell(both ? row.both : old, "old", row.level), cell(both ? (now || row.both) : now, "new", row.level));
    return tr;
  };
  const folding = (trs, rows, at) => {
    const button = make("button", "fold", "▾");
    button.type = "button";
    button.tabIndex = -1; // the key x does the same
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-label", "lines below");
    button.addEventListener("click", () => {
      const shut = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!shut));
      button.textContent = shut ? "▸" : "▾";
      for (let i = at + 1, skip = -1; i < rows.length && rows[i].level > rows[at].level; i++) {
        if (skip >= 0 && rows[i].level > skip) continue;
        skip = -1;
        trs[i].hidden = shut;
        const inner = trs[i].querySelector(".fold");
        if (!shut && inner && inner.getAttribute("aria-expanded") === "false") skip = rows[i].level;
      }
    });
    trs[at].firstChild.append(button);
  };
  const drawPart = (p, whole) => {
    const side = whole && p.rows.length > 0 ? (p.rows[0].old ? "old" : "new") : ""; // the only one
    const table = make("table");
    if (p.name) table.append(make("caption", "", p.name));
    const cols = make("colgroup");
    const shown = side ? [side] : ["old", "new"];
    for (const c of ["gutter", ...shown]) cols.append(make("col", c));
    const head = make("tr");
    const corner = make("th", "gutter");
    corner.append(make("span", "seen-not", "change"));
    head.append(corner);
    for (const c of shown) {
      const th = make("th", c, c);
      th.scope = "col";
      head.append(th);
    }
    const thead = make("thead");
    thead.append(head);
    const body = make("tbody");
    const trs = p.rows.map((row) => drawRow(row, side));
    p.rows.forEach((row, i) => {
      if (row.open && i + 1 < p.rows.length && p.rows[i + 1].level > row.level) folding(trs, p.rows, i);
    });
    body.append(...trs);
    table.append(cols, thead, body);
    return table;
  };
  const draw = (item) => {
    if (item.drawn) return;
    item.drawn = true;
    if (item.r.urn) {
      const urn = make("p", "urn", item.r.urn + " ");
      urn.append(small("Copy URN", (button) => copy(item.r.urn, button)), " ", small("Copy link", (button) => copy(linkTo(item.id), button)));
      item.body.append(urn);
    }
    item.all = small("", () => {
      item.body.classList.remove("found");
      item.all.hidden = true;
    });
    item.all.classList.add("show-all");
    item.body.append(item.all);
    for (const p of item.r.parts) item.body.append(drawPart(p, item.r.whole));
    if (item.r.parts.length === 0) item.body.append(make("p", "empty", "No properties."));
    light(item);
  };
  const small = (text, act) => {
    const button = make("button", "small", text);
    button.type = "button";
    button.addEventListener("click", () => act(button));
    return button;
  };
  const rowsOf = (item) => item.body.querySelectorAll("tbody tr");
  // light shows only the lines that the filter found, and what they are part of.
  const light = (item) => {
    if (!item.drawn) return;
    const trs = rowsOf(item), some = item.found.includes(true);
    let at = 0;
    for (const p of item.r.parts) {
      const above = [];
      for (const row of p.rows) {
        above.length = Math.min(above.length, row.level);
        const isHit = item.found[at] === true;
        trs[at].classList.toggle("hit", isHit);
        trs[at].classList.remove("way");
        if (isHit) for (const tr of above) if (tr) tr.classList.add("way");
        above[row.level] = trs[at++];
      }
    }
    for (const table of item.body.querySelectorAll("table")) table.classList.toggle("missed", some && !table.querySelector(".hit"));
    item.body.classList.toggle("found", some);
    item.all.hidden = !some || !item.found.includes(false);
    item.all.textContent = "Show all " + plural(trs.length, "line");
  };

  // Of many that are opened at once, each is drawn when it comes near the window.
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      const item = items[Number(entry.target.dataset.index)];
      if (item.open) draw(item);
    }
  }, { rootMargin: "600px" });
  const setOpen = (item, open, later) => {
    if (item.kind === idle) return;
    item.open = open;
    item.article.classList.toggle("open", open);
    if (item.row) item.row.setAttribute("aria-expanded", String(open));
    item.body.hidden = !open;
    if (!open || item.drawn) return;
    if (later) near.observe(item.article);
    else draw(item);
  };
  const setShut = (item, shut) => {
    if (item.parents === 0) return;
    item.shut = shut;
    item.twig.textContent = shut ? "▸" : "▾";
    item.twig.setAttribute("aria-expanded", String(!shut));
    if (item.kind === idle) item.row.setAttribute("aria-expanded", String(!shut));
    show();
  };
  const toggle = (item) => {
    item.byFilter = false;
    if (item.kind === idle) setShut(item, !item.shut);
    else setOpen(item, !item.open);
  };

  const drawItem = (item) => {
    const { r, kind } = item, isIdle = kind === idle;
    const article = item.article = make("article", isIdle ? "idle" : "");
    article.dataset.kind = kind.name;
    article.dataset.index = item.i;
    const head = make("div", "head");
    if (item.parents > 0) {
      item.twig = make("button", "twig", "▾");
      item.twig.type = "button";
      item.twig.tabIndex = -1; // the key x does the same
      item.twig.setAttribute("aria-expanded", "true");
      item.twig.setAttribute("aria-label", "resources below " + r.name);
      item.twig.addEventListener("click", () => setShut(item, !item.shut));
      head.append(item.twig);
    } else {
      head.append(make("span", "twig"));
    }
    article.style.setProperty("--depth", String(Math.min(r.depth, 10)));
    const title = make("div", "title");
    title.setAttribute("role", "heading");
    title.setAttribute("aria-level", String(Math.min(r.depth + 2, 6)));
    const row = item.row = make("button", "row");
    row.type = "button";
    const sign = make("span", "mark " + styleOf(kind.mark), kind.mark);
    sign.setAttribute("aria-hidden", "true");
    const main = make("span", "main");
    main.append(make("span", "name", r.name), make("span", "seen-not", ", " + kind.name + ", "), make("span", "type", r.type));
    const hasChanges = !r.whole && r.changes > 0;
    if (hasChanges && kind.mark !== "~" && !(kind.mark === "!" && r.note)) main.append(make("span", "tag " + styleOf(kind.mark), kind.name));
    if (r.note) main.append(make("span", "tag " + (kind.mark === "!" ? styleOf("!") : "m-none"), r.note));
    if (r.what) {
      const what = make("span", "what");
      for (const [style, text] of r.what) what.append(make("span", style, text));
      main.append(what);
    }
    if (r.above) row.append(make("span", "above", (r.above.length > 5 ? "… › " : "") + r.above.slice(-5).join(" › ") + " ›"));
    row.append(sign, main);
    row.append(make("span", "said", hasChanges ? plural(r.changes, "change") : kind.name));
    item.body = make("div", "body");
    item.body.id = "body-" + item.i;
    item.body.hidden = true;
    if (!isIdle) {
      const caret = make("span", "caret");
      caret.setAttribute("aria-hidden", "true");
      row.append(caret);
      row.setAttribute("aria-expanded", "false");
      row.setAttribute("aria-controls", item.body.id);
    } else if (item.parents > 0) {
      row.setAttribute("aria-expanded", "true");
    } else {
      row.disabled = true;
    }
    row.addEventListener("click", () => toggle(item));
    title.append(row);
    head.append(title);
    article.append(head, item.body);
    return article;
  };

  // isCounted says of an item that it is a resource that changed, rather than the deployment.
  const isCounted = (item) => item.kind !== idle && item.r.urn !== "";
  // show hides what the filter, the kinds or a closed branch of the tree leave out.
  const show = () => {
    let count = 0;
    for (const item of items) item.match = false;
    for (const item of items) {
      if (item.kind === idle || only.size > 0 && !(isCounted(item) && only.has(item.kind)) || !data.bag && !hits(texts2(item))) continue;
      if (isCounted(item)) count++;
      for (let up = item; up && !up.match; up = up.up) up.match = true;
    }
    for (const item of items) {
      const branch = !item.up || item.up.visible && !item.up.shut;
      item.visible = item.match && branch;
      item.article.hidden = !item.visible;
    }
    byId("none").hidden = items.length === 0 || items.some((item) => item.match);
    const all = items.filter(isCounted).length;
    byId("shown").textContent = words.length + only.size > 0 && !data.bag ? count.toLocaleString("en") + " of " + all.toLocaleString("en") : "";
  };
  const texts2 = (item) => (words.length > 0 ? texts(item) : "");
  const search = () => {
    words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    show();
    for (const item of items) {
      item.found = item.kind === idle ? [] : linesFound(item);
      const some = item.found.includes(true);
      if (some && !item.open) {
        item.byFilter = true;
        setOpen(item, true, items.length > 50);
      } else if (!some && item.byFilter) {
        item.byFilter = false;
        setOpen(item, false);
      }
      light(item);
    }
    if (!data.bag) return;
    byId("shown").textContent = words.length > 0 ? plural(items[0].found.filter(Boolean).length, "line") : "";
    const first = list.querySelector(".hit");
    if (first) first.scrollIntoView({ block: "center" });
  };

  // A line that was chosen: its path can be copied, and a link to it.
  let line = null; // { item, at, tr, part, path, id }
  const labelOf = (row) => {
    const first = (row.new || row.both || row.old || [])[0];
    return first && (first[0] === "i" || first[0] === "k") ? first : null;
  };
  const join = (path, [style, text]) => {
    if (style === "i") return path + text;
    if (/[.[\]" ]/.test(text)) return path + "[" + (text[0] === '"' ? text : JSON.stringify(text)) + "]";
    return path === "" ? text : path + "." + text;
  };
  // lineAt returns a line of an item, counted over all its parts.
  const lineAt = (item, at) => {
    let i = at;
    for (const p of item.r.parts) {
      if (i >= p.rows.length) {
        i -= p.rows.length;
        continue;
      }
      const labels = [];
      for (const row of p.rows.slice(0, i + 1)) {
        labels.length = Math.min(labels.length, row.level + 1);
        const label = labelOf(row);
        if (label) labels[row.level] = label; // what closes an object has none, and is the same place
      }
      const path = labels.reduce((path, label) => (label ? join(path, label) : path), "");
      const part = p.name.split(":")[0];
      return { item, at, part, path, id: item.id + "~" + part + (part && path && path[0] !== "[" ? "." : "") + path };
    }
    return null;
  };
  const linkTo = (id) => location.href.split("#")[0] + "#" + encodeURI(id).replaceAll("#", "%23");
  const copy = (text, button) => {
    const was = button.textContent;
    if (was === "Copied") return;
    const done = () => {
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = was; }, 1200);
    };
    const byCommand = () => { // where a page may not use the clipboard
      const area = make("textarea", "seen-not", text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
      done();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byCommand);
    else byCommand();
  };
  // keep keeps the theme and the view when the page is loaded again.
  const keep = (link) => {
    const state = { theme: root.dataset.theme || "", unified: list.classList.contains("unified") };
    try { history.replaceState(state, "", link || location.href); } catch { /* a page without an address */ }
  };
  const choose = (next) => {
    if (line) line.tr.classList.remove("on");
    line = next;
    byId("line").hidden = !line;
    if (!line) return;
    line.tr = rowsOf(line.item)[line.at];
    line.tr.classList.add("on");
    byId("line-path").textContent = (line.part ? line.part + " / " : "") + (line.path || "(all)");
    keep(linkTo(line.id));
  };
  const chooseNext = (from, by) => {
    const item = from || (line && line.item) || (data.bag ? items[0] : null);
    if (!item || item.kind === idle) return;
    setOpen(item, true);
    const trs = rowsOf(item);
    let at = line && line.item === item ? line.at + by : by > 0 ? 0 : trs.length - 1;
    while (at >= 0 && at < trs.length && trs[at].getClientRects().length === 0) at += by;
    if (at < 0 || at >= trs.length) return;
    choose(lineAt(item, at));
    line.tr.scrollIntoView({ block: "nearest" });
  };
  // follow goes to what a link names.
  const follow = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    if (id === "") return;
    let item = byLink.get(id);
    for (let i = id.indexOf("~"); !item && i >= 0; i = id.indexOf("~", i + 1)) item = byLink.get(id.slice(0, i));
    if (!item) return;
    if (!item.visible && (words.length > 0 || only.size > 0)) {
      for (const button of byId("kinds").children) if (button.getAttribute("aria-pressed") === "true") button.click();
      filter.value = "";
      search();
    }
    for (let up = item.up; up; up = up.up) if (up.shut) setShut(up, false);
    if (item.kind !== idle) setOpen(item, true);
    if (!data.bag) item.row.focus({ preventScroll: true });
    const count = id === item.id ? 0 : item.r.parts.reduce((n, p) => n + p.rows.length, 0);
    for (let at = 0; at < count; at++) {
      const next = lineAt(item, at);
      if (next.id !== id) continue;
      choose(next);
      line.tr.scrollIntoView({ block: "center" });
      return;
    }
    item.article.scrollIntoView({ block: "start" });
  };

  const everything = (open) => {
    const several = items.length > 50;
    for (const item of items) if (!open || item.visible) setOpen(item, open, several);
    if (open) near.takeRecords();
  };
  const bar = (id, act) => byId(id).addEventListener("click", act);
  const unified = (on) => {
    list.classList.toggle("unified", on);
    byId("view").setAttribute("aria-pressed", String(on));
  };
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const theme = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep();
  };

  const at = () => {
    const article = document.activeElement && document.activeElement.closest("article");
    return article ? items[Number(article.dataset.index)] : null;
  };
  const focus = (item) => {
    if (!item) return;
    item.row.focus({ preventScroll: true });
    item.article.scrollIntoView({ block: "nearest" });
  };
  let before = null; // what had the focus before the filter
  const step = (from, by) => {
    for (let i = from + by; i >= 0 && i < items.length; i += by) {
      if (items[i].visible && !items[i].row.disabled) return items[i];
    }
    return null;
  };
  const actions = {
    "/": () => { filter.focus(); filter.select(); },
    j: () => focus(step(at() ? at().i : -1, 1)),
    k: () => focus(at() ? step(at().i, -1) : null),
    e: () => everything(true),
    c: () => everything(false),
    u: () => {
      unified(!list.classList.contains("unified"));
      keep();
    },
    n: (item) => chooseNext(item, 1),
    p: (item) => chooseNext(item, -1),
    y: (item) => {
      if (line) copy(line.path, byId("copy-path"));
      else if (item && item.open && item.r.urn) copy(item.r.urn, item.body.querySelector("button"));
    },
    t: theme,
    "?": () => byId("help").showModal(),
  };
  const inList = {
    ArrowDown: () => actions.j(),
    ArrowUp: () => actions.k(),
    ArrowRight: (item) => { if (item.shut) setShut(item, false); else setOpen(item, true); },
    ArrowLeft: (item) => {
      if (item.open) setOpen(item, false);
      else if (item.kind === idle && !item.shut) setShut(item, true);
      else focus(item.up);
    },
    x: (item) => {
      const fold = line && line.item === item && line.tr.querySelector(".fold");
      if (fold) fold.click();
      else setShut(item, !item.shut);
    },
    Home: () => focus(step(-1, 1)),
    End: () => focus(step(items.length, -1)),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target === filter) {
      if (event.key === "Escape") {
        filter.value = "";
        search();
        filter.blur();
        if (before) before.focus();
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        focus(step(-1, 1));
      } else {
        return;
      }
      event.preventDefault();
      return;
    }
    if (event.key === "Escape" && line) {
      choose(null);
      event.preventDefault();
      return;
    }
    const item = at();
    const action = item && !data.bag && inList[event.key] || actions[event.key];
    if (!action) return;
    action(item);
    event.preventDefault();
  });
  addEventListener("beforeprint", () => {
    for (const item of items) if (item.open && item.visible) draw(item);
  });

  for (const kind of data.kinds) {
    const count = items.filter((item) => isCounted(item) && item.kind === kind).length;
    if (count === 0) continue;
    const button = make("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(make("b", styleOf(kind.mark), kind.mark), count.toLocaleString("en") + " " + kind.name);
    button.addEventListener("click", () => {
      if (!only.delete(kind)) only.add(kind);
      button.setAttribute("aria-pressed", String(only.has(kind)));
      show();
    });
    byId("kinds").append(button);
  }
  // The types, by how many of their resources changed.
  const types = new Map();
  for (const { r, kind } of items) {
    if (kind === idle || !r.type) continue;
    const counts = types.get(r.type) || { all: 0 };
    counts.all++;
    counts[r.kind] = (counts[r.kind] || 0) + 1;
    types.set(r.type, counts);
  }
  for (const [name, counts] of [...types].sort((a, b) => b[1].all - a[1].all || (a[0] < b[0] ? -1 : 1))) {
    const button = small("", () => {
      filter.value = name;
      search();
      filter.focus();
    });
    data.kinds.forEach((kind, i) => {
      if (!counts[i]) return;
      const count = make("span", "count " + styleOf(kind.mark), kind.mark + counts[i].toLocaleString("en"));
      count.append(make("span", "seen-not", " " + kind.name));
      button.append(count, " ");
    });
    button.append(make("span", "type", name));
    const entry = make("li");
    entry.append(button);
    byId("type-list").append(entry);
  }
  byId("types").hidden = data.bag || types.size < 2;
  byId("types").firstElementChild.textContent = types.size.toLocaleString("en") + " types";
  list.classList.toggle("bag", data.bag);
  const all = document.createDocumentFragment();
  for (const item of items) all.append(drawItem(item));
  list.append(all);
  filter.addEventListener("focus", (event) => { before = event.relatedTarget; });
  let timer = 0;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, items.length > 500 ? 120 : 0);
  });
  bar("expand", () => everything(true));
  bar("collapse", () => everything(false));
  bar("view", actions.u);
  bar("theme", theme);
  bar("keys", actions["?"]);
  byId("bar").hidden = items.length === 0;
  bar("copy-path", () => line && copy(line.path, byId("copy-path")));
  bar("copy-link", () => line && copy(linkTo(line.id), byId("copy-link")));
  bar("line-end", () => choose(null));
  list.addEventListener("click", (event) => {
    const tr = event.target.closest("tbody tr");
    if (!tr || event.target.closest("button") || !getSelection().isCollapsed) return;
    const item = items[Number(tr.closest("article").dataset.index)];
    choose(lineAt(item, [...rowsOf(item)].indexOf(tr)));
  });
  show();
  const lines = items.reduce((n, item) => n + item.r.parts.reduce((m, p) => m + p.rows.length, 0), 0);
  if (data.bag || lines <= 300) everything(true);
  const kept = history.state || {};
  if (kept.theme) root.dataset.theme = kept.theme;
  unified(kept.unified !== undefined ? kept.unified : matchMedia("(max-width: 46rem)").matches);
  addEventListener("hashchange", follow);
  follow();
})();
