package schema_test

import (
	"testing"

	"github.com/propalg/propalg/schema"
)

// What has been read is looked up without allocations.
func TestAllocations(t *testing.T) {
	p := read(t, `PROPERTY {"type": "string", "const": "x", "default": "y"}`, schema.Options{})

	if n := testing.AllocsPerRun(100, func() {
		r, ok := p.Resource("demo:index:A")
		x, found := r.Inputs().Property("x")

		if _, none := p.Resource("demo:index:B"); !ok || !found || none || x.Type().Kind() != schema.KindString || x.Required() || x.Const().IsNull() || x.Default().IsNull() {
			t.Error("not found")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
