//go:build page && unix

package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asGitHub renders Markdown with GitHub's own renderer and writes a page, whose file it
// returns.
func asGitHub(t *testing.T, text string) string {
	t.Helper()
	if _, err := exec.LookPath("cmark-gfm"); err != nil {
		t.Fatal("no cmark-gfm: .ci/page installs it")
	}
	c := exec.Command("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tagfilter", "-e", "tasklist")
	c.Stdin = strings.NewReader(text)
	html, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "comment.html")
	page := `<!doctype html><meta charset="utf-8"><style>body{font:14px/1.5 sans-serif;max-width:820px;margin:1rem auto;padding:0 1rem}code{background:#eee;padding:.1em .3em;border-radius:4px;font-size:85%}` +
		`pre{background:#f6f8fa;padding:12px;overflow:auto}pre code{background:none;padding:0}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 10px}` +
		`.a{background:#dafbe1;color:#116329}.d{background:#ffebe9;color:#82071e}.u{color:#953800;background:#ffd8b5}.h{color:#6639ba;font-weight:bold}</style>` + string(html) +
		`<script>for (const c of document.querySelectorAll("pre code")) { const all = c.textContent.split("\n"); c.textContent = ""; for (const l of all) {` +
		` const s = document.createElement("span"); s.textContent = l + "\n"; s.className = { "+": "a", "-": "d", "!": "u", "@": "h" }[l[0]] || ""; c.append(s); } }</script>`
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestBrowserMarkdown: as GitHub renders it, a document has the table, folded resources
// and one fence in each, and nothing in it is markup of its contents.
func TestBrowserMarkdown(t *testing.T) {
	b := openBrowser(t)
	many := writeFiles(t, map[string]string{"old.json": manyStack(200, "a"), "new.json": manyStack(200, "b")})
	inject := writeFiles(t, map[string]string{"old.json": injection("1"), "new.json": injection("2|`\\\\|``` </details>")})
	for _, row := range []struct {
		name     string
		old, now string
		rows     int // of the table, with its head
		details  int
	}{
		{"sample", "testdata/samples/before.json", "testdata/samples/after.json", 8, 7},
		{"many", filepath.Join(many, "old.json"), filepath.Join(many, "new.json"), -1, -1},
		{"injection", filepath.Join(inject, "old.json"), filepath.Join(inject, "new.json"), 2, 1},
		{"bag", "testdata/bags/old.json", "testdata/bags/new.json", 0, 0},
	} {
		got := propalg(t, "../..", "", "diff", "-o", "markdown", "--replace-on", "engineVersion", row.old, row.now)
		b.window(900, 1000, "light")
		b.open(asGitHub(t, got.stdout))
		if row.rows < 0 {
			row.details = strings.Count(got.stdout, "\n<details>")
			row.rows = strings.Count(got.stdout, "\n| ") - 1 + 1
			t.Logf("%s: %d bytes, %d rows, %d resources", row.name, len(got.stdout), row.rows, row.details)
		}
		b.want(`document.querySelectorAll("tr").length`, fmt.Sprint(row.rows))
		b.want(`[...document.querySelectorAll("tr")].every((tr) => tr.cells.length === 3)`, "true")
		b.want(`document.querySelectorAll("body > details").length`, fmt.Sprint(row.details))
		b.want(`document.querySelectorAll("details details, details table").length`, "0")
		b.want(`[...document.querySelectorAll("details")].every((d) => d.querySelectorAll("summary").length === 1 && d.querySelectorAll("pre").length === 1)`, "true")
		b.want(`document.querySelectorAll("pre").length`, fmt.Sprint(max(row.details, 1)))
		b.want(`[...document.querySelectorAll("pre code")].every((c) => c.className === "language-diff" && [...c.children].every((l) => "+-! @\n".includes(l.textContent[0])))`, "true")
		b.want(`document.querySelectorAll("img, a, svg, iframe, script:not(:last-of-type), del, em, blockquote, li").length`, "0")
		b.want(`typeof pwned`, `"undefined"`)
		b.want(`document.documentElement.scrollWidth <= innerWidth`, "true")
		b.shoot("markdown-" + row.name)
		b.eval(`document.querySelectorAll("details").forEach((d, i) => { d.open = i < 3; })`)
		b.shoot("markdown-" + row.name + "-open")
	}
	b.quiet()
}
