package schema_test

import (
	"testing"

	"github.com/propalg/propalg/schema"
)

// Any text is read or refused, and what is read can be looked at.
func FuzzRead(f *testing.F) {
	for _, row := range allWrong() {
		f.Add([]byte(whole(row.document)), true)
	}

	for _, document := range accepted() {
		f.Add([]byte(whole(document)), false)
	}

	f.Fuzz(func(t *testing.T, document []byte, dangling bool) {
		p, err := schema.Read(document, schema.Options{AllowDangling: dangling})
		if err != nil {
			if err.Error() == "" || p != nil {
				t.Errorf("%v, %q", p, err)
			}

			return
		}

		again, err := schema.FromValue(p.Document(), schema.Options{AllowDangling: dangling})
		if err != nil || again.Name() != p.Name() {
			t.Errorf("read again: %v", err)
		}

		for r := range p.Resources() {
			look(r.Inputs())
			look(r.State())
			look(r.StateInputs())
			r.Outputs()
		}

		for fn := range p.Functions() {
			look(fn.Inputs())
			look(fn.Outputs())
		}

		for x := range p.Types() {
			look(x)
		}
	})
}

// look calls the methods of a type and of its properties.
func look(t *schema.Type) {
	_ = t.String()

	for p := range t.Properties() {
		p.Const()
		p.Default()
		p.Environment()

		for a := range p.Type().Alternatives() {
			_ = a.String()
		}
	}
}
