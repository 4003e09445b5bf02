package resourcetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/schema"
)

// Agree fails where the types of a package and its Schema, which was written by hand, say
// different things of a property: that it is there, its kind, and whether it is required, secret,
// or replaces. It is no difference that a schema has more resources and functions.
func Agree(t testing.TB, p resource.Package) {
	t.Helper()
	document, err := p.Document()
	if err != nil {
		t.Fatal(err)
	}
	types, err := schema.FromValue(document, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	written, err := schema.Read(p.Schema, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}

	a := agreement{}
	for r := range types.Resources() {
		if other, there := written.Resource(r.Token()); there {
			a.compare(r.Token()+": inputs", r.Inputs(), other.Inputs())
			a.compare(r.Token()+": state", r.State(), other.State())
		} else {
			a.add(r.Token(), "the schema lacks it")
		}
	}
	for f := range types.Functions() {
		if other, there := written.Function(f.Token()); there {
			a.compare(f.Token()+": inputs", f.Inputs(), other.Inputs())
			a.compare(f.Token()+": outputs", f.Outputs(), other.Outputs())
		} else {
			a.add(f.Token(), "the schema lacks it")
		}
	}
	if p.Config != nil && written.Provider() != nil {
		a.compare("the configuration", types.Provider().Inputs(), written.Provider().Inputs())
	}
	for _, line := range a.lines {
		t.Error(line)
	}
}

// agreement collects differences.
type agreement struct {
	open  [][2]*schema.Type
	lines []string
}

func (a *agreement) add(at, what string) { a.lines = append(a.lines, at+": "+what) }

// compare compares what a Go type and the schema say of a place.
func (a *agreement) compare(at string, typ, written *schema.Type) {
	pair := [2]*schema.Type{typ, written}
	if slices.Contains(a.open, pair) {
		return
	}
	a.open = append(a.open, pair)
	defer func() { a.open = a.open[:len(a.open)-1] }()

	if written.Kind() == schema.KindEnum {
		written = written.Elem()
	}
	switch written.Kind() { //nolint:exhaustive // the others are compared
	case schema.KindUnion, schema.KindExternal, schema.KindResource: // a struct cannot say these
		return
	}
	if typ.Kind() == schema.KindAny { // a value.Value takes all
		return
	}
	if typ.Kind() != written.Kind() {
		a.add(at, fmt.Sprintf("the type has %s, the schema %s", typ.Kind(), written.Kind()))
		return
	}
	if typ.Kind() == schema.KindArray || typ.Kind() == schema.KindMap {
		a.compare(at+"[*]", typ.Elem(), written.Elem())
		return
	}
	a.members(at, typ, written)
}

// members compares the properties of objects.
func (a *agreement) members(at string, typ, written *schema.Type) {
	for _, name := range written.Names() {
		if _, there := typ.Property(name); !there {
			a.add(at+"."+name, "the type lacks it")
		}
	}
	for p := range typ.Properties() {
		place := at + "." + p.Name()
		other, there := written.Property(p.Name())
		if !there {
			a.add(place, "the schema lacks it")
			continue
		}
		for _, fact := range []struct {
			name     string
			is, says bool
		}{
			{"required", p.Required(), other.Required()},
			{"secret", p.Secret(), other.Secret()},
			{"replaced by a change of it", p.WillReplaceOnChanges(), other.WillReplaceOnChanges()},
		} {
			if fact.is != fact.says {
				a.add(place, map[bool]string{true: "the type says that it is ", false: "the schema says that it is "}[fact.is]+fact.name)
			}
		}
		a.compare(place, p.Type(), other.Type())
	}
}
