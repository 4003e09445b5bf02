package value_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func TestWithMarksOf(t *testing.T) {
	for i, v := range hosts(t) {
		for j, w := range hosts(t) {
			got := v.WithMarksOf(w)
			deps := slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
				for _, from := range []value.Value{v, w} {
					for u := range from.Dependencies() {
						if !yield(u, true) {
							return
						}
					}
				}
			})))

			bare, want := got.DropSecret().DropDependencies(), v.DropSecret().DropDependencies()
			if got.OwnSecret() != (v.OwnSecret() || w.OwnSecret()) || got.IsSecret() != (v.IsSecret() || w.IsSecret()) ||
				!slices.Equal(slices.Collect(got.Dependencies()), deps) || !value.IgnoreDependencies.Equal(bare, want) || flaw(got) != nil {
				t.Errorf("%d with the marks of %d: %v", i, j, got.GoString())
			}
		}
	}
}

func TestWithField(t *testing.T) {
	for i, v := range hosts(t) {
		for _, key := range []string{"", "a", "zz"} {
			for _, x := range guests() {
				got, ok := v.WithField(key, x)
				want, err := v.Put(path.Of(path.Key(key)), x)

				if ok != (err == nil) || !got.Identical(want) || flaw(got) != nil {
					t.Errorf("value %d, %q: %v, %v", i, key, got.GoString(), err)
				}
			}
		}
	}
}
