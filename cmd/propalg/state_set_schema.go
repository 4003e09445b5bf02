package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/schema"
	"github.com/propalg/propalg/value"
)

// bySchema marks what package schemas call secret.
type bySchema struct {
	files []string
	isAll bool
	bag   string // inputs, outputs, both or auto, which is both

	schemas []*schema.Package
	edits   []state.PropertyEdit
	lines   []string
	marked  int // resources
	known   int // resources whose type a schema has
	unknown int // others that have properties
	example string
}

func (b *bySchema) addTo(inv *invocation) {
	inv.flags.Func("schema", "with --secret and FILE [URN…]: mark what is secret by the package schema in this JSON `file`, in inputs and outputs, unless --in says otherwise (repeatable)", appendTo(&b.files))
	inv.flags.BoolVar(&b.isAll, "all", false, "with --schema: in all resources")
}

// isSet reports whether one of the flags is given.
func (b *bySchema) isSet() bool { return b.isAll || len(b.files) > 0 }

// run marks what is secret in the resources that are named, or in all. isOther is whether
// the edit is told to do something else too.
func (b *bySchema) run(inv *invocation, how *editing, isSecret, isOther bool) (int, error) {
	isNamed := len(inv.args) > 1
	switch {
	case len(b.files) == 0:
		return 0, usageError{"--all needs --schema"}
	case !isSecret || isOther:
		return 0, usageError{"--schema needs --secret, and no other edit"}
	case !isNamed && !b.isAll:
		return 0, usageError{"no resource is named; --all is for all"}
	case isNamed && b.isAll:
		return 0, usageError{"names and --all cannot be combined"}
	}

	var err error
	if b.schemas, err = readSchemas(b.files); err != nil {
		return 0, err
	}
	named := state.Edits{}
	for _, name := range inv.args[1:] {
		named.Properties = append(named.Properties, state.PropertyEdit{Resource: name})
	}
	return inv.rewrite(named, how, func(in *input.Source, e *state.Edits) ([]string, error) {
		if err := b.settle(in, e.Properties); err != nil {
			return nil, err
		}

		e.Properties = b.edits
		how.list, how.verb = b.lines, "marked as secret"
		how.what = printable.Counted(len(b.edits), "place") + " in " + printable.Counted(b.marked, "resource")
		return b.notes(), nil
	})
}

// settle finds the places in the resources that are named, or in all.
func (b *bySchema) settle(in *input.Source, named []state.PropertyEdit) error {
	names := make([]string, 0, len(named))
	for _, p := range named {
		names = append(names, p.Resource)
	}
	numbers, err := state.Numbers(in.Reader(), names...)
	if err != nil {
		return in.Place(err)
	}
	chosen := map[int]bool{}
	for _, name := range names {
		if len(numbers[name]) != 1 { // Rewrite says why that is wrong
			b.edits = []state.PropertyEdit{{Resource: name, Bag: partInputs, At: path.Path{}.Member(name), Secret: true}}
			return nil
		}
		chosen[numbers[name][0]] = true
	}

	count := map[string]int{} // of resources with a URN
	for r, err := range resourcesOf(in) {
		if err != nil {
			return in.Place(err)
		}
		count[r.URN]++
		if chosen[r.Number] || b.isAll {
			b.mark(&r, count[r.URN])
		}
	}
	if b.known == 0 && b.unknown > 0 {
		return errors.New(b.notes()[0])
	}
	return nil
}

// mark adds edits of what is in clear in a resource, the one with this number of those with
// its URN, and secret by a schema.
func (b *bySchema) mark(r *state.Resource, number int) {
	bags := map[string]value.Value{partInputs: r.Inputs, partOutputs: r.Outputs}
	isKnown, first := false, len(b.edits)
	for _, name := range bagNames() {
		marked := bags[name]
		for _, p := range b.schemas {
			types, isConfig := bagTypes(p, r.Type, name)
			isKnown = isKnown || len(types) > 0
			for _, t := range types {
				if isConfig {
					marked = parsedConfig(t, marked)
				}
				marked = t.MarkSecrets(marked)
			}
		}
		if b.bag == "auto" || b.bag == "both" || b.bag == name {
			b.addPlaces(r.URN, number, name, bags[name], marked)
		}
	}

	switch {
	case isKnown:
		b.known++
	case r.Inputs.Len()+r.Outputs.Len() > 0:
		b.unknown++
		if b.example == "" {
			b.example = r.Type
		}
	}
	if len(b.edits) > first {
		b.marked++
	}
}

// bagTypes returns the types that a package has for a bag of resources: none if it lacks the
// resource, and all there are of configuration for its provider.
func bagTypes(p *schema.Package, typ, bag string) (types []*schema.Type, isConfig bool) {
	if name, ok := packageOf(typ); ok && name == p.Name() && p.Provider() != nil {
		return []*schema.Type{p.Provider().Inputs(), p.Provider().State(), p.Config()}, true
	}
	r, ok := p.Resource(typ)
	switch {
	case !ok:
		return nil, false
	case bag == partInputs:
		return []*schema.Type{r.Inputs()}, false
	}
	return []*schema.Type{r.State()}, false
}

// parsedConfig returns configuration with the values of texts that are JSON, in which there
// may be secrets. A text that is something else stays, and hides no other.
func parsedConfig(t *schema.Type, config value.Value) value.Value {
	var all []value.Member
	for name, v := range config.Members() {
		if one, err := t.ParseConfig(value.Object(value.Member{Key: name, Value: v})); err == nil {
			v = one.Field(name)
		}
		all = append(all, value.Member{Key: name, Value: v})
	}
	return value.Object(all...).WithMarksOf(config)
}

// addPlaces adds edits of the outermost secrets of marked that a bag has in clear.
func (b *bySchema) addPlaces(urn string, number int, name string, bag, marked value.Value) {
	var last path.Path
	for at := range marked.SecretPaths() {
		for !bag.Has(at) { // in a text that is JSON: that is marked, and once
			at, _ = at.Parent()
		}
		if at == last {
			continue
		}
		last = at
		v, _ := bag.At(at)
		for _, inner := range clearParts(v) {
			b.add(urn, number, name, at.Join(inner))
		}
	}
}

func (b *bySchema) add(urn string, number int, bag string, at path.Path) {
	p := state.PropertyEdit{Resource: fmt.Sprintf("%s#%d", urn, number), Bag: bag, At: at, Secret: true}
	b.edits = append(b.edits, p)
	b.lines = append(b.lines, fmt.Sprintf("~ %s: %v", strings.TrimSuffix(p.Resource, "#1"), path.Show(path.Path{}.Member(bag).Join(at), -1)))
}

// clearParts returns the places of a value that have to be marked so that all of it is secret:
// that of the value or, since a sealed secret cannot be inside another, those around such.
func clearParts(v value.Value) (all []path.Path) {
	holdsSealed := false
	for c := range v.Walk() {
		_, isSealed := c.Value().AsSealed()
		if holdsSealed = holdsSealed || isSealed; isSealed || !c.Value().ContainsSecret() {
			c.SkipBelow()
		}
	}
	for c := range v.Walk() {
		switch one := c.Value(); {
		case one.IsSecret() || one.IsNull():
			c.SkipBelow()
		case !holdsSealed || !one.ContainsSecret():
			all = append(all, c.Path())
			c.SkipBelow()
		}
	}
	return all
}

// notes says how many resources have a type that no schema has.
func (b *bySchema) notes() []string {
	switch b.unknown {
	case 0:
		return nil
	case 1:
		return []string{"1 resource has a type that no schema has: " + printable.Text(b.example)}
	}
	return []string{fmt.Sprintf("%s have a type that no schema has, such as %s", printable.Counted(b.unknown, "resource"), printable.Text(b.example))}
}
