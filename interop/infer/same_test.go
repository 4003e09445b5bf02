package infer_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/bind"
)

// Both sides read the same from a bag, or find the same of its properties wrong, and make
// the same bag of it again; and of the struct alone, too.
func TestSameStructsAndBags(t *testing.T) {
	t.Run("server", sameFor[server])
	t.Run("numbers", sameFor[numbers])
	t.Run("deep", sameFor[deep])
}

func sameFor[T any](t *testing.T) {
	t.Helper()
	right, wrong := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := source{t: t, wrong: rapid.Bool().Draw(t, "wrong")}
		v := s.draw(reflect.TypeFor[T](), 0)
		if checkSame[T](t, v) {
			right++
		} else {
			wrong++
		}
	})
	if enough := 100; right+wrong >= enough && (right == 0 || wrong == 0) {
		t.Errorf("%d bags could be read, %d could not", right, wrong)
	}
}

// checkSame compares the sides on one bag, and reports whether it could be read.
func checkSame[T any](t *rapid.T, v value.Value) bool {
	t.Helper()
	theirs, theirErr := theirDecode[T](v)
	var ours T
	info, err := bind.Decode(v, &ours, bind.Options{})
	if err != nil || theirErr != nil {
		if want, got := theirProperties(t, theirErr), ourProperties(t, err); !slices.Equal(want, got) {
			t.Fatalf("%v: infer refuses %q (%v), bind %q (%v)", v, want, theirErr, got, err)
		}
		return false
	}
	// An empty list that infer reads is nil, and empty where bind reads it.
	if d := cmp.Diff(theirs, ours, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%v: infer reads - and bind +\n%s", v, d)
	}

	back, theirErr := theirReturn[T](v)
	again, err := info.Encode(ours)
	sameValues(t, "with marks", back, theirErr, again, err)

	written, theirErr := theirEncode(ours)
	alone, err := bind.Encode(ours, bind.Options{})
	sameValues(t, "alone", written, theirErr, alone, err)
	return true
}

func sameValues(t *rapid.T, what string, theirs value.Value, theirErr error, ours value.Value, err error) {
	t.Helper()
	if theirErr != nil || err != nil {
		t.Fatalf("%s: infer: %v, bind: %v", what, theirErr, err)
	}
	if !theirs.Equal(ours) {
		t.Fatalf("%s: infer writes\n%s\nand bind\n%s", what, theirs.Reveal(), ours.Reveal())
	}
}

// theirProperties returns which members of a bag infer refuses.
func theirProperties(t *rapid.T, err error) []string {
	t.Helper()
	r := (*refusal)(nil)
	if err != nil && !errors.As(err, &r) {
		t.Fatal(err)
	}
	if r == nil {
		return nil
	}
	return sortedSet(r.properties, func(name string) string { return name })
}

// ourProperties returns which members of a bag bind refuses.
func ourProperties(t *rapid.T, err error) []string {
	t.Helper()
	e := (*bind.Error)(nil)
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e == nil {
		return nil
	}
	return sortedSet(e.Problems, func(p bind.Problem) string { return p.At.String() })
}

// sortedSet returns the first steps of the places of all, each once. The keys that come
// first are names of fields, which need no quotes.
func sortedSet[T any](all []T, at func(T) string) []string {
	var names []string
	for _, x := range all {
		name := at(x)
		if end := strings.IndexAny(name, ".["); end >= 0 {
			name = name[:end]
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
