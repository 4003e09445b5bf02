"use strict";
// The page of a diff. Its data is JSON in a script element; all of it goes
// into the document as text (textContent), never as markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const list = byId("list"), filter = byId("filter"), root = document.documentElement;
  const kinds = {
    create: ["+", "add", "created"], delete: ["-", "delete", "deleted"], update: ["~", "update", "updated"],
    replace: ["+-", "replace", "replaced"], same: ["", "none", "unchanged"],
  };
  const marks = { "+": "add", "-": "delete", "~": "update", "+-": "replace", ">": "move" };
  const said = { "+": "added", "-": "deleted", "~": "changed", "+-": "forces replacement", ">": "moved" };
  const only = new Set(); // the kinds that are shown, or none for all
  let words = [];

  const make = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const plural = (n, what) => n.toLocaleString("en") + " " + what + (n === 1 ? "" : "s");

  // An item is a resource, in the order of the tree, with its elements.
  const items = data.resources.map((r, i) => ({ r, i, up: null, parents: 0, open: false, shut: false, drawn: false, visible: true }));
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
      const all = [item.r.urn, item.r.type, item.r.name, kinds[item.r.change][2]];
      for (const p of item.r.parts) {
        all.push(p.name);
        for (const row of p.rows) all.push(rowText(row));
      }
      item.text = all.join("\n").toLowerCase();
    }
    return item.text;
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
  const drawRow = (row) => {
    const both = row.both !== undefined;
    const one = !both && (!row.old || !row.new);
    const tr = make("tr", (both ? "b" : "d") + (one ? " one" : "") + (row.mark === "+-" ? " f-replace" : ""));
    const gutter = make("td", "gutter m-" + (marks[row.mark] || "none"));
    if (row.mark) {
      const mark = make("span", "", row.mark);
      mark.setAttribute("aria-hidden", "true");
      gutter.append(mark, make("span", "seen-not", said[row.mark]));
    }
    tr.append(gutter);
    const old = row.old, now = row.new;
    tr.append(cell(both ? row.both : old, "old", row.level), cell(both ? (now || row.both) : now, "new", row.level));
    return tr;
  };
  const folding = (trs, rows, at) => {
    const button = make("button", "fold", "▾");
    button.type = "button";
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
  const drawPart = (p) => {
    const table = make("table");
    if (p.name) table.append(make("caption", "", p.name));
    const cols = make("colgroup");
    for (const c of ["gutter", "old", "new"]) cols.append(make("col", c));
    const head = make("tr");
    const corner = make("th", "gutter");
    corner.append(make("span", "seen-not", "change"));
    head.append(corner);
    for (const [c, text] of [["old", data.old], ["new", data.new]]) {
      const th = make("th", c, text);
      th.scope = "col";
      head.append(th);
    }
    const thead = make("thead");
    thead.append(head);
    const body = make("tbody");
    const trs = p.rows.map(drawRow);
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
    if (item.r.urn) item.body.append(make("p", "urn", item.r.urn));
    for (const p of item.r.parts) item.body.append(drawPart(p));
    if (item.r.parts.length === 0) item.body.append(make("p", "empty", "No properties."));
    light(item);
  };
  // light marks the lines that the filter found.
  const light = (item) => {
    if (!item.drawn) return;
    const trs = item.body.querySelectorAll("tbody tr");
    let i = 0;
    for (const p of item.r.parts) {
      for (const row of p.rows) trs[i++].classList.toggle("hit", words.length > 0 && hits(rowText(row).toLowerCase()));
    }
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
    if (item.r.change === "same") return;
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
    if (item.r.change === "same") item.row.setAttribute("aria-expanded", String(!shut));
    show();
  };
  const toggle = (item) => {
    if (item.r.change === "same") setShut(item, !item.shut);
    else setOpen(item, !item.open);
  };

  const drawItem = (item) => {
    const { r } = item, [mark, style, word] = kinds[r.change];
    const article = item.article = make("article", r.change);
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
    const sign = make("span", "mark m-" + style, mark);
    sign.setAttribute("aria-hidden", "true");
    row.append(sign, make("span", "name", r.name), make("span", "seen-not", ", " + word + ", "), make("span", "type", r.type));
    if (r.waits) row.append(make("span", "tag m-none", "pending deletion"));
    if (r.change === "replace") row.append(make("span", "tag m-replace", "replaced"));
    row.append(make("span", "said", r.change === "same" ? "unchanged" : r.change === "update" || r.change === "replace" ? plural(r.changes, "change") : word));
    item.body = make("div", "body");
    item.body.id = "body-" + item.i;
    item.body.hidden = true;
    if (r.change !== "same") {
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

  // show hides what the filter, the kinds or a closed branch of the tree leave out.
  const show = () => {
    let count = 0;
    for (const item of items) item.match = false;
    for (const item of items) {
      if (item.r.change === "same" && !data.bag || only.size > 0 && !only.has(item.r.change) || !data.bag && !hits(texts2(item))) continue;
      count++;
      for (let up = item; up && !up.match; up = up.up) up.match = true;
    }
    for (const item of items) {
      const branch = !item.up || item.up.visible && !item.up.shut;
      item.visible = item.match && branch;
      item.article.hidden = !item.visible;
    }
    byId("none").hidden = count > 0 || items.length === 0;
    const all = items.reduce((n, item) => n + (item.r.change === "same" ? 0 : 1), 0);
    byId("shown").textContent = words.length + only.size > 0 && !data.bag ? count.toLocaleString("en") + " of " + all.toLocaleString("en") : "";
  };
  const texts2 = (item) => (words.length > 0 ? texts(item) : "");
  const search = () => {
    words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    show();
    for (const item of items) light(item);
    if (!data.bag) return;
    const found = list.querySelectorAll(".hit");
    byId("shown").textContent = words.length > 0 ? plural(found.length, "line") : "";
    if (found.length > 0) found[0].scrollIntoView({ block: "center" });
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
  const theme = () => { root.dataset.theme = isDark() ? "light" : "dark"; };

  const at = () => {
    const article = document.activeElement && document.activeElement.closest("article");
    return article ? items[Number(article.dataset.index)] : null;
  };
  const focus = (item) => {
    if (!item) return;
    item.row.focus({ preventScroll: true });
    item.article.scrollIntoView({ block: "nearest" });
  };
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
    u: () => unified(!list.classList.contains("unified")),
    t: theme,
    "?": () => byId("help").showModal(),
  };
  const inList = {
    ArrowDown: () => actions.j(),
    ArrowUp: () => actions.k(),
    ArrowRight: (item) => { if (item.shut) setShut(item, false); else setOpen(item, true); },
    ArrowLeft: (item) => {
      if (item.open) setOpen(item, false);
      else if (item.r.change === "same" && !item.shut) setShut(item, true);
      else focus(item.up);
    },
    x: (item) => setShut(item, !item.shut),
    Home: () => focus(step(-1, 1)),
    End: () => focus(step(items.length, -1)),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target === filter) {
      if (event.key === "Escape" && filter.value !== "") {
        filter.value = "";
        search();
        event.preventDefault();
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        focus(step(-1, 1));
        event.preventDefault();
      } else if (event.key === "Escape") {
        filter.blur();
      }
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

  for (const [kind, [mark, style, word]] of Object.entries(kinds)) {
    const count = items.filter((item) => item.r.change === kind).length;
    if (data.bag || kind === "same" || count === 0) continue;
    const button = make("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(make("b", "m-" + style, mark), count.toLocaleString("en") + " " + word);
    button.addEventListener("click", () => {
      if (!only.delete(kind)) only.add(kind);
      button.setAttribute("aria-pressed", String(only.has(kind)));
      show();
    });
    byId("kinds").append(button);
  }
  list.classList.toggle("bag", data.bag);
  const all = document.createDocumentFragment();
  for (const item of items) all.append(drawItem(item));
  list.append(all);
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
  show();
  const lines = items.reduce((n, item) => n + item.r.parts.reduce((m, p) => m + p.rows.length, 0), 0);
  if (data.bag || lines <= 300) everything(true);
  if (matchMedia("(max-width: 46rem)").matches) unified(true);
})();
