//go:build page && unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// axeVersion is the release of axe-core that looks at the pages.
const axeVersion = "4.11.0"

// axe returns the script of axe-core, which npm fetches into a folder of the test.
func axe(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no npm: .ci/page installs it")
		}
		t.Skip("SKIPPED: no npm, which fetches axe-core: accessibility is not checked")
	}
	dir := t.TempDir()
	c := exec.Command("npm", "install", "--prefix", dir, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@"+axeVersion)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("npm: %v: %s", err, out)
		}
		t.Skipf("SKIPPED: npm cannot fetch axe-core: %v: %s", err, out)
	}
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// TestBrowserAxe: axe finds nothing wrong with the pages, in both themes, wide and
// narrow, with everything open, the help, a filter and a chosen line. Its rule for the
// size of targets is on.
func TestBrowserAxe(t *testing.T) {
	script := axe(t)
	b := openBrowser(t)
	runs := 0
	for _, file := range []string{
		pageFile(t, "--replace-on", "engineVersion", "testdata/samples/before.json", "testdata/samples/after.json"),
		buckets(t),
	} {
		for theme, width := range map[string]int{"light": 360, "dark": 1280} {
			b.window(width, 1000, theme)
			b.open(file)
			b.want(`document.querySelectorAll("td").length > 0`, "true")
			b.eval(script + "; true")
			for _, act := range []string{
				"true", `document.getElementById("view").click(); document.querySelector("tbody tr").click(); document.getElementById("types").open = true`,
				`(() => { const f = document.getElementById("filter"); f.value = "a"; f.dispatchEvent(new Event("input")); document.getElementById("keys").click(); })()`,
			} {
				b.eval(act)
				if found := b.eval(`axe.run(document, { rules: { "target-size": { enabled: true } } }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html).join(" ")))`); found != "[]" {
					t.Fatalf("%d columns, %s, after %s: %s", width, theme, act, found)
				}
				runs++
			}
		}
	}
	t.Logf("%d runs", runs)
	b.quiet()
}
