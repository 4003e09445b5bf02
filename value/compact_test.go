package value_test

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/propalg/propalg/value"
)

// memory returns the addresses that a value reaches: by reflection, which sees
// only the first level, and by the accessors.
func memory(v value.Value, seen map[unsafe.Pointer]string) {
	note := func(what, s string) {
		if len(s) > 0 {
			seen[unsafe.Pointer(unsafe.StringData(s))] = what
		}
	}
	for c := range v.Walk() {
		x := c.Value()
		if p := reflect.ValueOf(x).FieldByName("ptr").UnsafePointer(); p != nil && (x.Len() > 0 || !x.Kind().IsContainer()) {
			seen[p] = x.Kind().String()
		}
		for k := range x.Keys() {
			note("key", k)
		}
		for u := range x.Dependencies() {
			note("dependency", u)
		}
		if s, ok := x.AsString(); ok {
			note("string", s)
		}
		if s, ok := x.AsSealed(); ok {
			note("sealed", s.Ciphertext)
			note("sealed", s.Provider)
		}
		if r, ok := x.AsResourceReference(); ok {
			id, _ := r.ID.Known()
			for _, text := range []string{r.URN, id, r.PackageVersion, r.Name, r.Type} {
				note("reference", text)
			}
		}
		blobs(x, seen, note)
	}
}

func blobs(x value.Value, seen map[unsafe.Pointer]string, note func(what, s string)) {
	if a, ok := x.AsAsset(); ok {
		text, _ := a.Text()
		file, _ := a.Path()
		uri, _ := a.URI()
		hash, _ := a.Hash()
		for _, s := range []string{text, file, uri, hash} {
			note("asset", s)
		}
	}
	if a, ok := x.AsArchive(); ok {
		file, _ := a.Path()
		uri, _ := a.URI()
		hash, _ := a.Hash()
		for _, s := range []string{file, uri, hash} {
			note("archive", s)
		}
		for k, e := range a.Entries() {
			note("entry", k)
			memory(e, seen)
		}
	}
}

func TestCompactSharesNothing(t *testing.T) {
	bag := strings.Repeat("0123456789", 10)
	vs := append(hosts(t),
		value.ResourceReference{URN: bag[:5], ID: value.KnownID(bag[5:9]), PackageVersion: bag[9:11], Name: bag[11:14], Type: bag[14:16]}.Value(),
		value.Sealed{Ciphertext: bag[:5], Provider: bag[5:8]}.Value().WithDependencies(bag[:9], bag[9:20]),
		archive(t, member(bag[:3], value.FileAsset(bag[3:5]).WithHash(bag[5:11])), member("u", value.URIArchive(bag[:7]))).WithHash(bag[1:4]),
		value.Array(num(1).WithDependencies(bag[2:5]), object(member(bag[:0], str(bag[3:4])))),
	)
	for i, v := range vs {
		w := v.Compact()
		if !w.Identical(v) || w.OwnSecret() != v.OwnSecret() || w.IsSecret() != v.IsSecret() || flaw(w) != nil || w.Depth() != v.Depth() {
			t.Errorf("value %d: the copy differs: %v", i, flaw(w))
		}
		old, fresh := map[unsafe.Pointer]string{}, map[unsafe.Pointer]string{}
		memory(v, old)
		memory(w, fresh)
		for p, what := range fresh {
			if was, shared := old[p]; shared {
				t.Errorf("value %d: %s of the copy is in memory of a %s", i, what, was)
			}
		}
		if len(old) > 0 && len(fresh) == 0 {
			t.Errorf("value %d: found no memory", i)
		}
	}
}
