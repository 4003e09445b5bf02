package page_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/ops"
	"github.com/propalg/propalg/cmd/propalg/internal/page"
)

// urn is the URN of a resource.
func urn(kind, name string) string { return "urn:pulumi:s::p::" + kind + "::" + name }

// updated is a resource that changed, below a parent.
func updated(kind, name, parent string) page.Resource {
	r := page.Named(urn(kind, name))
	r.Op, r.Parent = ops.Update, parent

	return r
}

func TestTree(t *testing.T) {
	top, site := urn("t:t:Top", "top"), urn("a:b:Site", "site")
	parents := map[string]string{top: "", site: top, urn("a:b:C", "idle"): site}
	resources := []page.Resource{
		updated("pulumi:providers:a", "default", ""), updated("a:b:C", "z", site), updated("b:b:C", "a", site), updated("a:b:C", "a", site),
		updated("a:b:C", "lost", urn("a:b:C", "nowhere")), updated("r:r:R", "x", urn("r:r:R", "y")), updated("r:r:R", "y", urn("r:r:R", "x")),
		updated("r:r:R", "self", urn("r:r:R", "self")),
	}
	waiting := updated("r:r:W", "w", "")
	waiting.Waits = true
	resources = append(resources, waiting, updated("r:r:W", "w", ""), updated("r:r:X", "below", urn("r:r:W", "w")))

	var got []string
	for _, r := range page.Tree(resources, parents) {
		got = append(got, fmt.Sprint(r.Depth, " ", cmp.Or(r.Op, "idle"), " ", r.Type, " ", r.Name, " ", r.Waits))
	}

	want := []string{
		"0 update a:b:C lost false", "0 update r:r:R self false", "0 update r:r:W w true", "0 update r:r:W w false", "1 update r:r:X below false",
		"0 idle a:b:Site site false", "1 update a:b:C a false", "1 update a:b:C z false", "1 update b:b:C a false",
		"0 update pulumi:providers:a default false", "0 update r:r:R x false", "1 update r:r:R y false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// Branches with a deletion are first, then those with a replacement; ancestors with one
// branch have no row, however many they are.
func TestTreeUrgent(t *testing.T) {
	parents := map[string]string{}
	deep := ""

	for i := range 10_000 {
		next := urn("d:d:D", fmt.Sprint("deep", i))
		parents[next] = deep
		deep = next
	}

	parents[urn("a:a:A", "one")], parents[urn("z:z:Z", "two")] = "", ""
	resources := []page.Resource{
		updated("b:b:B", "plain", urn("a:a:A", "one")), updated("b:b:B", "other", urn("a:a:A", "one")),
		updated("b:b:B", "x", urn("z:z:Z", "two")), updated("c:c:C", "gone", urn("z:z:Z", "two")), updated("c:c:C", "below", deep),
	}
	resources[3].Op, resources[4].Op = ops.Delete, ops.Replace

	var got []string
	for _, r := range page.Tree(resources, parents) {
		got = append(got, fmt.Sprint(r.Depth, " ", cmp.Or(r.Op, "idle"), " ", r.Name, " ", len(r.Above)))
	}

	want := []string{
		"0 idle two 0", "1 delete gone 0", "1 update x 0", "0 replace below 10000",
		"0 idle one 0", "1 update other 0", "1 update plain 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// What failed is before deletions, and default providers are last, whatever happened to them,
// as is what is above them alone.
func TestTreeOrder(t *testing.T) {
	parents := map[string]string{urn("a:a:A", "of providers"): ""}
	resources := []page.Resource{updated("pulumi:providers:a", "default_1", ""), updated("pulumi:providers:b", "default", urn("a:a:A", "of providers")), {Name: "deployment", Op: ops.Update}}
	resources[0].Op, resources[1].Op = ops.Delete, ops.Delete
	for i, op := range append(ops.All(), "extend") {
		r := updated("a:b:C", fmt.Sprint(9-i), "")
		r.Op = op
		resources = append(resources, r)
	}
	own := updated("pulumi:providers:a", "mine", "")
	own.Op = ops.Delete
	resources = append(resources, own)

	var got []string
	for _, r := range page.Tree(resources, parents) {
		got = append(got, fmt.Sprint(r.Op, " ", r.Name))
	}

	want := []string{
		"update deployment", "failed 9", "unfinished 8", "delete 7", "delete mine", "replace 6",
		"same -1", "extend -2", "discard 0", "read 1", "refresh 2", "update 3", "import 4", "create 5", "delete default", "delete default_1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// What is not printable is escaped, and a text that is not a URN is its own name.
func TestNamed(t *testing.T) {
	for _, row := range [][4]string{
		{urn("a:b:C", "n"), urn("a:b:C", "n"), "a:b:C", "n"},
		{"x", "x", "", "x"},
		{"a\x1b[31m", `"a\x1b[31m"`, "", `"a\x1b[31m"`},
	} {
		if r := page.Named(row[0]); r.URN != row[1] || r.Type != row[2] || r.Name != row[3] {
			t.Errorf("%q: %+v", row[0], r)
		}
	}
}
