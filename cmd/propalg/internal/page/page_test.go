package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/changed"
	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/page"
)

func write(t *testing.T, p page.Page) string {
	t.Helper()
	var b strings.Builder
	if err := page.Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestKinds: a page has what happened to its resources, the most urgent first, with the words
// for it; ancestors are of none.
func TestKinds(t *testing.T) {
	var p page.Page
	for _, op := range []ops.Op{ops.Same, "extend", ops.Create, ops.Failed, ops.Create, "</b>"} {
		p.Resources = append(p.Resources, page.Of(changed.Resource{Op: op}))
	}
	p.Resources = append(p.Resources, page.Named("urn:pulumi:s::p::a:b:C::above"))

	text := write(t, p)
	_, text, _ = strings.Cut(text, `id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	var got struct {
		Kinds     []page.Kind
		Resources []struct{ Kind int }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(got)
	if want := `{"Kinds":[{"name":"failed","mark":"!"},{"name":"created","mark":"+"},{"name":"the same","mark":""},{"name":"??b?","mark":"?"},{"name":"extend","mark":"?"}],` +
		`"Resources":[{"Kind":2},{"Kind":4},{"Kind":1},{"Kind":0},{"Kind":1},{"Kind":3},{"Kind":-1}]}`; err != nil || string(all) != want {
		t.Errorf("%v\n got %s\nwant %s", err, all, want)
	}
}

// TestOneFile: a file that has both sides is named once.
func TestOneFile(t *testing.T) {
	for _, row := range []struct{ old, now, title, heading string }{
		{"a<b", "a<b", "a&lt;b", `<span class="file">a&lt;b</span>`},
		{"a", "b", "a → b", `<span class="file"><span class="side">old</span> a</span> <span class="file"><span class="arrow" aria-hidden="true">→</span> <span class="side">new</span> b</span>`},
	} {
		text := write(t, page.Page{Old: row.old, New: row.now})
		if !strings.Contains(text, "<title>"+row.title+" · propalg diff</title>") || !strings.Contains(text, "<h1>"+row.heading+"</h1>") {
			t.Errorf("%s, %s: %s", row.old, row.now, text[:2000])
		}
	}
}
