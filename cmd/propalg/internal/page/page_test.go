package page_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/page"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// large returns resources of a page in which all changed: ten in each of the groups, which
// are components.
func large(n int) (resources []page.Resource, parents map[string]string) {
	parents = map[string]string{}

	for i := range n {
		group := urn("x:y:Group", fmt.Sprint("group", i/10))
		parents[group] = ""
		r := changed("a:b:C", fmt.Sprint("resource", i), group)
		bag := func(size int) value.Value {
			return value.Object(
				value.Field("name", value.String(fmt.Sprint("name-", i))), value.Field("size", value.Number(float64(size))),
				value.Field("password", value.Secret(value.String(fmt.Sprint("p", size)))),
				value.Field("tags", value.Object(value.Field("env", value.String(fmt.Sprint("<", size, ">"))))))
		}
		d := diff.Between(bag(i), bag(i+1), diff.Options{})
		r.Changes = d.Len()
		r.Parts = []page.Part{{Name: "inputs", Rows: page.Rows(slices.Collect(render.Lines(d, render.Options{Width: page.Width})))}}
		resources = append(resources, r)
	}

	return resources, parents
}

// BenchmarkPage makes the page of 10,000 resources that all changed, apart from their diffs:
// the tree, and the bytes of the page.
func BenchmarkPage(b *testing.B) {
	resources, parents := large(10_000)
	size := int64(0)

	b.ReportAllocs()

	for b.Loop() {
		var to counter
		if err := page.Write(&to, page.Page{Old: "old", New: "new", Resources: page.Tree(slices.Clone(resources), parents)}); err != nil {
			b.Fatal(err)
		}

		size = to.n
	}

	b.ReportMetric(float64(size), "page-bytes")
}

// counter counts what is written.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))

	return len(p), nil
}
