// Package autogold takes the place of the package with which the bridge's tests compare
// what they expect: it compares the places of failures, and not the reasons, in which the
// bridge has content of values.
package autogold

import (
	"fmt"
	"reflect"
	"testing"
)

// Value is what a test expects.
type Value interface {
	Equal(t *testing.T, got any)
}

// Expect returns what a test expects.
func Expect(want any) Value { return value{want} }

type value struct{ want any }

// Equal fails if there are failures at other places.
func (v value) Equal(t *testing.T, got any) {
	t.Helper()

	if want, have := places(v.want), places(got); !reflect.DeepEqual(want, have) {
		t.Errorf("want %q, got %v", want, got)
	}
}

// places returns the paths of a slice of failures.
func places(failures any) []string {
	all := reflect.ValueOf(failures)

	var found []string
	for i := range all.Len() {
		found = append(found, fmt.Sprint(all.Index(i).FieldByName("ResourcePath")))
	}

	return found
}
