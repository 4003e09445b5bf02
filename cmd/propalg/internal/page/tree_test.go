package page_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/page"
)

// urn is the URN of a resource.
func urn(kind, name string) string { return "urn:pulumi:s::p::" + kind + "::" + name }

// changed is a resource that changed, below a parent.
func changed(kind, name, parent string) page.Resource {
	r := page.Named(urn(kind, name))
	r.Change, r.Parent = page.Update, parent

	return r
}

func TestTree(t *testing.T) {
	top, site := urn("t:t:Top", "top"), urn("a:b:Site", "site")
	parents := map[string]string{top: "", site: top, urn("a:b:C", "idle"): site}
	resources := []page.Resource{
		changed("pulumi:providers:a", "default", ""), changed("a:b:C", "z", site), changed("b:b:C", "a", site), changed("a:b:C", "a", site),
		changed("a:b:C", "lost", urn("a:b:C", "nowhere")), changed("r:r:R", "x", urn("r:r:R", "y")), changed("r:r:R", "y", urn("r:r:R", "x")),
		changed("r:r:R", "self", urn("r:r:R", "self")),
	}
	waiting := changed("r:r:W", "w", "")
	waiting.Waits = true
	resources = append(resources, waiting, changed("r:r:W", "w", ""), changed("r:r:X", "below", urn("r:r:W", "w")))

	var got []string
	for _, r := range page.Tree(resources, parents) {
		got = append(got, fmt.Sprint(r.Depth, " ", r.Change, " ", r.Type, " ", r.Name, " ", r.Waits))
	}

	want := []string{
		"0 update a:b:C lost false", "0 update r:r:R self false", "0 update r:r:W w true", "0 update r:r:W w false", "1 update r:r:X below false",
		"0 same a:b:Site site false", "1 update a:b:C a false", "1 update a:b:C z false", "1 update b:b:C a false",
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
		changed("b:b:B", "plain", urn("a:a:A", "one")), changed("b:b:B", "other", urn("a:a:A", "one")),
		changed("b:b:B", "x", urn("z:z:Z", "two")), changed("c:c:C", "gone", urn("z:z:Z", "two")), changed("c:c:C", "below", deep),
	}
	resources[3].Change, resources[4].Change = page.Delete, page.Replace

	var got []string
	for _, r := range page.Tree(resources, parents) {
		got = append(got, fmt.Sprint(r.Depth, " ", r.Change, " ", r.Name, " ", len(r.Above)))
	}

	want := []string{
		"0 same two 0", "1 delete gone 0", "1 update x 0", "0 replace below 10000",
		"0 same one 0", "1 update other 0", "1 update plain 0",
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
