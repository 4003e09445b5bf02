//go:build page && unix

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pageFile writes the page of a diff to a file.
func pageFile(t *testing.T, args ...string) string {
	t.Helper()
	got := propalg(t, "../..", "", append([]string{"diff", "-o", "html"}, args...)...)
	if got.code != 1 {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// shownLines are the texts of the lines of open resources that can be seen.
const shownLines = `[...document.querySelectorAll("tbody tr")].filter((tr) => tr.getClientRects().length > 0).map((tr) => [...tr.querySelectorAll("td:not(.gutter)")].map((td) => td.textContent).join(""))`

const shownRows = `document.querySelectorAll("article:not([hidden])").length`

// rowsLeftOfParents are the names of resources that do not stand to the right of
// the resource that they are below of.
const rowsLeftOfParents = `(() => {
	const depth = (a) => Number(a.style.getPropertyValue("--depth"));
	const left = (a) => a.querySelector(".row").getBoundingClientRect().left;
	const above = [], wrong = [];
	for (const a of document.querySelectorAll("article")) {
		const d = depth(a);
		above[d] = left(a);
		if (d > 0 && above[d] <= above[d - 1]) wrong.push(a.querySelector(".name").textContent);
	}
	return wrong;
})()`

// TestBrowserPage drives the page of the samples: it loads, filters, expands,
// obeys the keys, changes its theme, prints, and says nothing on the console.
func TestBrowserPage(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(pageFile(t, "--replace-on", "engineVersion", "--replace-on", "ingress", "testdata/samples/before.json", "testdata/samples/after.json"))
	b.want(shownRows, "7")
	b.want(`[...document.querySelectorAll("article .name")].map((e) => e.textContent)`, `["shop-dev","mail","web","db","orders","assets","index"]`)
	b.want(`document.querySelector(".above").textContent`, "\"site \\u203a\"") // which did not change
	b.want(`document.querySelectorAll("table").length > 6`, "true")
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(245, 246, 248)"`)
	b.shoot("stack-light-wide")
	b.key("c")
	b.want(`document.querySelectorAll(".body:not([hidden])").length`, "0")
	b.want(`[...document.querySelectorAll("article .row")].map((e) => e.querySelector(".what")?.textContent || "")`, `["outputs adminPassword, url","","ingress forces replacement, description","engineVersion forces replacement, allocatedStorage, backup, 2 more","","forceDestroy, tags","source; outputs etag"]`)
	b.shoot("stack-closed")
	b.key("/")
	b.want(`document.activeElement.id`, `"filter"`)
	for _, r := range "engine" {
		b.key(string(r))
	}
	b.want(`document.getElementById("shown").textContent`, `"1 of 7"`)
	b.want(shownRows, "2") // with what is above it
	b.want(shownLines, `["engineVersion   : \"16.4\"engineVersion   : \"17.2\"  # forces replacement"]`)
	b.shoot("stack-filter")
	b.key("Enter")
	b.key("ArrowDown")
	b.want(`document.activeElement.querySelector(".name").textContent`, `"db"`)
	b.want(`document.activeElement.getAttribute("aria-expanded")`, `"true"`)
	b.key("ArrowLeft")
	b.want(`document.activeElement.getAttribute("aria-expanded")`, `"false"`)
	b.key("ArrowLeft")
	b.want(`document.activeElement.querySelector(".name").textContent`, `"shop-dev"`)
	b.key("/")
	b.key("Escape")
	b.want(shownRows, "7")
	b.want(`document.activeElement.querySelector(".name").textContent`, `"shop-dev"`) // as before
	b.key("x")
	b.want(shownRows, "1")
	b.key("x")
	b.want(shownRows, "7")
	b.key("?")
	b.want(`document.getElementById("help").open`, "true")
	b.shoot("help")
	b.key("Escape")
	b.want(`document.getElementById("help").open`, "false")
	b.want(`[...document.querySelectorAll("#kinds button")].map((e) => e.textContent)`, `["-1 deleted","+-2 replaced","+1 created","~3 updated"]`)
	b.eval(`document.querySelector("#kinds button:nth-child(2)").click()`)
	b.want(`document.getElementById("shown").textContent`, `"2 of 7"`)
	b.eval(`document.querySelector("#kinds button:nth-child(2)").click()`)
	b.key("e")
	b.key("u")
	b.want(`document.getElementById("view").getAttribute("aria-pressed")`, `"true"`)
	b.shoot("stack-unified")
	b.key("u")
	b.key("t")
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(14, 17, 22)"`)
	b.shoot("stack-dark-toggled")
	b.printed("stack")
	b.ask("Emulation.setEmulatedMedia", map[string]string{"media": "print"}, nil)
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(255, 255, 255)"`) // whatever the theme
	b.want(`getComputedStyle(document.getElementById("bar")).display`, `"none"`)
	b.shoot("stack-print")
	b.ask("Emulation.setEmulatedMedia", map[string]string{"media": ""}, nil)
	b.key("t")
	b.window(1300, 1000, "dark")
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(245, 246, 248)"`)
	b.want(`[...document.querySelectorAll("button, input")].every((e) => e.disabled || e.textContent || e.getAttribute("aria-label") || e.labels.length > 0)`, "true")
	b.quiet()
}

// TestBrowserLooks takes the pictures of themes and widths, and holds the page to
// not being wider than its window.
func TestBrowserLooks(t *testing.T) {
	b := openBrowser(t)
	for name, file := range map[string]string{
		"stack": pageFile(t, "--replace-on", "engineVersion", "testdata/samples/before.json", "testdata/samples/after.json"),
		"bag":   pageFile(t, "testdata/bags/old.json", "testdata/bags/new.json"),
	} {
		for _, width := range []int{360, 400, 735, 737, 800, 1300, 2000} {
			for _, theme := range []string{"light", "dark"} {
				b.window(width, 1000, theme)
				b.open(file)
				b.want(`document.querySelectorAll("td").length > 0`, "true")
				b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
				b.want(rowsLeftOfParents, "[]")
				b.shoot(fmt.Sprint(name, "-", width, "-", theme))
			}
		}
	}
	b.quiet()
}

// tornRows are the rows whose name, count and arrow are not beside each other, or whose
// ancestors are not above them.
const tornRows = `[...document.querySelectorAll(".row")].filter((row) => {
	const [name, said, caret, above] = ["name", "said", "caret", "above"].map((c) => row.querySelector("." + c)?.getClientRects()[0]);
	const isBeside = (a, b) => a.right <= b.left && a.top < b.bottom && b.top < a.bottom;
	return caret && !(isBeside(name, said) && isBeside(said, caret)) || above && above.bottom > name.top + 2;
}).map((row) => row.textContent)`

// TestBrowserRows: however long names and ancestors are, a row is whole.
func TestBrowserRows(t *testing.T) {
	nested := func(value string) string {
		var b strings.Builder
		b.WriteString(`{"version":3,"deployment":{"resources":[`)
		parent := ""
		for i, name := range []string{"platform", "region-eu-central-1", "network", "very-long-name-of-a-component-that-nobody-shortened", "public", "gateway-of-" + strings.Repeat("the-subnet-", 9), "route"} {
			urn := "urn:pulumi:dev::shop::acme:platform/network:ComponentWithALongName::" + name
			fmt.Fprintf(&b, `{"urn":%q,"type":"acme:platform/network:ComponentWithALongName","parent":%q,"inputs":{`, urn, parent)
			if i > 4 {
				fmt.Fprintf(&b, `"destinationCidrBlocks":%q,"propagatingVirtualGateways":%q,"tagsAll":%q,"routes":%q`, value, value, value, value)
			}
			b.WriteString(`}},`)
			parent = urn
		}
		return b.String() + `{"urn":"urn:pulumi:dev::shop::a:b:C::short","type":"a:b:C","inputs":{"v":"` + value + `"}}]}}`
	}
	dir := writeFiles(t, map[string]string{"old.json": nested("a"), "new.json": nested("b")})
	file := pageFile(t, "--replace-on", "destinationCidrBlocks", filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json"))
	b := openBrowser(t)
	for _, width := range []int{320, 390, 800, 1280} {
		b.window(width, 800, "light")
		b.open(file)
		b.want(shownRows, "3")
		b.want(tornRows, "[]")
		b.key("c")
		b.want(tornRows, "[]")
		b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
		b.want(`[...document.querySelectorAll(".row *")].every((e) => e.getBoundingClientRect().right <= e.closest(".row").getBoundingClientRect().right)`, "true")
		b.shoot(fmt.Sprint("rows-", width))
	}
	b.quiet()
}

// TestBrowserDeployment shows what changed beyond the resources.
func TestBrowserDeployment(t *testing.T) {
	dir := writeFiles(t, map[string]string{"old.json": stackWith("", ""), "new.json": stackWith(`,"protect":true`, `,"pending_operations":[{"type":"creating","resource":{"urn":"u"}}]`)})
	b := openBrowser(t)
	b.window(800, 1000, "light")
	b.open(pageFile(t, filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json")))
	b.want(`[...document.querySelectorAll("article .name")].map((e) => e.textContent)`, `["deployment","n"]`)
	b.want(`document.querySelector(".body").textContent.includes("pendingOperations")`, "true")
	b.shoot("deployment")
	b.want(`[...document.querySelectorAll("#kinds button")].map((e) => e.textContent)`, `["~1 updated"]`) // it is no resource
	b.eval(`document.querySelector("#kinds button").click()`)
	b.want(`document.getElementById("shown").textContent`, `"1 of 1"`)
	b.want(shownRows, "1")
	b.eval(`document.querySelector("#kinds button").click()`)
	b.key("/")
	for _, r := range "pendingop" {
		b.key(string(r))
	}
	b.want(`document.getElementById("shown").textContent`, `"0 of 1"`)
	b.want(shownRows, "1")
	b.want(`document.getElementById("none").hidden`, "true")
	b.quiet()
}

// bucket is a stack with a bucket whose properties have odd names, and two others.
func bucket(value string) string {
	resource := func(kind, name, more string) string {
		return `{"urn":"urn:pulumi:dev::shop::` + kind + `::` + name + `","custom":true,"id":"i","type":"` + kind + `"` + more + `}`
	}
	extra := resource("a:b:New", "new", `,"inputs":{"only":{"here":"`+value+`"}}`)
	if value == "old" {
		extra = resource("a:b:Old", "gone", `,"inputs":{"only":{"there":1}}`)
	}
	return `{"version":3,"deployment":{"resources":[` + resource("a:b:Bucket", "assets", `,"inputs":{"tags":{"cost.center":"`+value+`","env":"`+value+`"},"rules":[{"port":1},{"port":2,"to":"`+value+`"}],"plain":"`+value+`"},"outputs":{"plain":"`+value+`","etag":"`+value+`"}`) + `,` +
		resource("a:b:Bucket", "logs", `,"inputs":{"plain":"`+value+`"}`) + `,` + extra + `]}}`
}

// buckets writes the page of the two stacks.
func buckets(t *testing.T) string {
	t.Helper()
	dir := writeFiles(t, map[string]string{"old.json": bucket("old"), "new.json": bucket("new")})
	return pageFile(t, "--label", "old=main", "--label", "new=#42 <b>", filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json"))
}

// TestBrowserLinks: a resource and a property have a link, which opens and shows it, and
// paths and URNs can be copied.
func TestBrowserLinks(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 700, "light")
	file := buckets(t)
	b.open(file)
	b.want(`[...document.querySelectorAll("article .name")].map((e) => e.textContent)`, `["gone","assets","logs","new"]`)
	b.eval(`Object.defineProperty(navigator, "clipboard", { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } } })`)
	b.key("c")
	b.eval(`document.querySelectorAll("button.row")[1].focus()`)
	var paths []string
	for range 10 {
		b.key("n")
		b.key("y")
		b.want(`document.getElementById("copy-path").textContent`, `"Copied"`)
		paths = append(paths, b.eval("copied"))
		b.eval(`document.getElementById("copy-path").textContent = "Copy path"`)
	}
	if got := strings.Join(paths, " "); got != `"plain" "rules" "rules[1]" "rules[1].to" "rules[1]" "rules" "tags" "tags[\"cost.center\"]" "tags.env" "tags"` {
		t.Errorf("the paths are %s", got)
	}
	b.want(`document.getElementById("line-path").textContent`, `"inputs / tags"`)
	b.shoot("line")
	b.key("p")
	b.eval(`document.getElementById("copy-link").click()`)
	b.want(`copied.endsWith("#urn:pulumi:dev::shop::a:b:Bucket::assets~inputs.tags.env") && copied === location.href`, "true")
	b.eval(`document.querySelector("article.open .urn button").click()`)
	b.want("copied", `"urn:pulumi:dev::shop::a:b:Bucket::assets"`)
	b.key("Escape")
	b.want(`document.getElementById("line").hidden`, "true")
	b.eval(`[...document.querySelectorAll("tbody tr")].find((tr) => tr.textContent.includes("etag")).click()`)
	b.want(`document.getElementById("line-path").textContent`, `"outputs / etag"`)
	for _, link := range []string{"#urn:pulumi:dev::shop::a:b:Bucket::assets~inputs.tags%5B%22cost.center%22%5D", "#urn:pulumi:dev::shop::a:b:Bucket::logs", "#urn:pulumi:dev::shop::a:b:New::new~inputs.only.here", "#nowhere"} {
		b.ask("Page.navigate", map[string]string{"url": "about:blank"}, nil)
		b.listen(func(m message) bool { return m.Method == "Page.loadEventFired" })
		b.open(file + link)
		switch {
		case strings.Contains(link, "assets"):
			b.want(`document.getElementById("line-path").textContent`, `"inputs / tags[\"cost.center\"]"`)
			b.want(`document.querySelectorAll("tr.on").length`, "1")
		case strings.Contains(link, "logs"):
			b.want(`document.activeElement.querySelector(".name").textContent + document.activeElement.getAttribute("aria-expanded")`, `"logstrue"`)
		case strings.Contains(link, "new"):
			b.want(`document.querySelector("tr.on").textContent.includes("here")`, "true")
		}
	}
	b.quiet()
}

// TestBrowserSides: what is on one side only has the whole width, and labels name the
// sides.
func TestBrowserSides(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(buckets(t))
	b.want(`document.querySelector("[data-kind=created] table").querySelectorAll("thead th, col").length + document.querySelector("[data-kind=deleted] table").querySelectorAll("thead th, col").length`, "8")
	b.want(`document.querySelector("[data-kind=created] td.new").clientWidth > 900 && document.querySelector("[data-kind=deleted] td.old").clientWidth > 900`, "true")
	b.want(`document.querySelector("[data-kind=updated] td.new").clientWidth < 800`, "true")
	b.want(`[...document.querySelectorAll("[data-kind=updated] table:first-of-type thead th")].map((e) => e.textContent).slice(0, 3)`, `["change","old","new"]`)
	b.want(`document.querySelector("h1").textContent.includes("main") && document.querySelector("h1").textContent.includes("#42 <b>")`, "true")
	b.want(`document.documentElement.outerHTML.includes("old.json")`, "false") // no path gets into what is attached
	b.want(`[...document.querySelectorAll("#type-list button")].map((e) => e.textContent)`, `["~2 updated a:b:Bucket","+1 created a:b:New","-1 deleted a:b:Old"]`)
	b.eval(`document.getElementById("types").open = true`)
	b.shoot("types")
	b.eval(`document.querySelector("#type-list button").click()`)
	b.want(shownRows, "2")
	b.quiet()
}

// TestBrowserFilter: what the filter finds is opened, with only the lines that it found
// and what they are part of; clearing it closes what it opened.
func TestBrowserFilter(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(buckets(t))
	b.key("c")
	b.eval(`document.querySelectorAll("button.row")[2].click()`) // logs is open before
	filter := func(text string) {
		b.eval(`(() => { const f = document.getElementById("filter"); f.value = ` + strconv.Quote(text) + `; f.dispatchEvent(new Event("input")); })()`)
	}
	filter("cost.center")
	b.want(shownLines, `["tags : {tags : {","cost.center: \"old\"cost.center: \"new\""]`)
	b.shoot("filter")
	filter("assets outputs")
	b.want(shownLines, `["etag: \"old\"etag: \"new\""]`)
	b.eval(`document.querySelector(".open .show-all").click()`)
	b.want(shownLines+`.length`, "11")
	filter("logs")
	b.want(`[...document.querySelectorAll("article.open .name")].map((e) => e.textContent)`, `["logs"]`)
	filter("nothing of the kind")
	b.want(`document.getElementById("none").hidden`, "false")
	filter("")
	b.want(`[...document.querySelectorAll("article.open .name")].map((e) => e.textContent)`, `["logs"]`)
	b.quiet()
}

// TestBrowserKept: theme and view are as they were after the page is loaded again.
func TestBrowserKept(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(buckets(t))
	b.key("t")
	b.key("u")
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(14, 17, 22)"`)
	b.shoot("unified-dark")
	b.ask("Page.reload", nil, nil)
	b.listen(func(m message) bool { return m.Method == "Page.loadEventFired" })
	b.want(`getComputedStyle(document.body).backgroundColor`, `"rgb(14, 17, 22)"`)
	b.want(`document.getElementById("view").getAttribute("aria-pressed")`, `"true"`)
	b.quiet()
}

// TestBrowserTab: with the tab key one gets from a resource to the next in a few steps,
// however many lines it has.
func TestBrowserTab(t *testing.T) {
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(pageFile(t, "testdata/samples/before.json", "testdata/samples/after.json"))
	b.eval(`document.querySelector("button.row").focus()`)
	for range 3 { // the two of its URN
		b.key("Tab")
	}
	b.want(`document.activeElement.className`, `"row"`)
	b.quiet()
}

// TestBrowserInjection: markup as key, value, name and type stays text.
func TestBrowserInjection(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old", "new"} {
		if err := os.WriteFile(filepath.Join(dir, name+`"><b>.json`), []byte(injection(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(pageFile(t, filepath.Join(dir, `old"><b>.json`), filepath.Join(dir, `new"><b>.json`)))
	b.want(`document.querySelectorAll("td").length > 0`, "true")
	b.want(`document.querySelectorAll("img, svg, iframe, object, embed, link, b:not(.m-add, .m-delete, .m-update, .m-replace, .m-move)").length`, "0")
	b.want(`document.scripts.length`, "2")
	b.want(`typeof pwned`, `"undefined"`)
	b.want(`document.body.textContent.includes("</scr" + "ipt><img onerror=pwned=1 src=x>")`, "true")
	b.shoot("injection")
	b.quiet()
}

// TestBrowserLarge: 10,000 resources that all changed can be filtered, opened and
// walked through. The times are for people; the limit is for what hangs.
func TestBrowserLarge(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old", "new"} {
		var text strings.Builder
		text.WriteString(`{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev","type":"pulumi:pulumi:Stack"}`)
		for i := range 10_000 {
			n := strconv.Itoa(i)
			text.WriteString(`,{"urn":"urn:pulumi:dev::shop::aws:ec2/instance:Instance::web-` + n + `","custom":true,"id":"i-` + n + `","type":"aws:ec2/instance:Instance",` +
				`"parent":"urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev","inputs":{"name":"` + name + n + `","tags":{"a":"` + name + `","b":[1,2,"` + name + `"]},"text":"one\n` + name + `\nthree"}}`)
		}
		text.WriteString(`]}}`)
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := openBrowser(t)
	b.window(1300, 1000, "light")
	b.open(pageFile(t, filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json")))
	b.want(shownRows, "10001")
	b.want(`document.querySelector(".lead").textContent.startsWith("10,000 updated, 1 unchanged.")`, "true")
	t.Log("loaded after", b.eval(`Math.round(performance.now())`), "ms")
	b.shoot("large")
	t.Log("filter", b.eval(`(async () => {
		const begin = performance.now();
		const filter = document.getElementById("filter");
		filter.value = "web-77 old";
		filter.dispatchEvent(new Event("input"));
		while (document.getElementById("shown").textContent === "") await new Promise((done) => setTimeout(done, 10));
		return Math.round(performance.now() - begin);
	})()`), "ms")
	b.want(`document.getElementById("shown").textContent`, `"111 of 10,000"`)
	b.key("/")
	b.key("Escape")
	b.want(shownRows, "10001")
	b.key("Escape")
	t.Log("expand all", b.eval(`(async () => {
		const begin = performance.now();
		document.getElementById("expand").click();
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return Math.round(performance.now() - begin);
	})()`), "ms")
	b.want(`document.querySelectorAll("table").length > 0`, "true")
	b.want(`document.querySelectorAll("table").length < 1000`, "true") // what is far away is not drawn yet
	b.eval(`document.querySelector("article:last-child button.row").focus()`)
	b.key("ArrowUp")
	b.want(`document.activeElement.querySelector(".name").textContent`, `"web-9998"`)
	b.want(`document.activeElement.closest("article").querySelectorAll("td").length > 0`, "true")
	b.shoot("large-end")
	b.quiet()
}
