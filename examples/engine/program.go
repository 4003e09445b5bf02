package main

import (
	"encoding/json"
	"fmt"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// program is what a language host would register: packages with their versions and
// configuration, and resources. Properties are written as in state files and on
// the wire, secrets and assets included.
//
//	{"stack": "dev", "project": "shop",
//	 "packages": {"demo": {"version": "0.1.0", "config": {"store": "/tmp/store.db"}}},
//	 "resources": [{"type": "demo:index:Record", "name": "a", "properties": {"title": "one"}}]}
type program struct {
	Stack, Project string
	Packages       map[string]pkg
	Resources      []*resource
}

type pkg struct {
	Version string
	Config  bag
}

// resource is one that the program declares, with its options.
type resource struct {
	Type, Name          string
	Properties          bag
	IgnoreChanges       []string
	ReplaceOnChanges    []string
	DeleteBeforeReplace *bool
	Import              string // the ID of what exists already

	urn urn.URN
}

// bag is an object of properties.
type bag struct{ value.Value }

func (b *bag) UnmarshalJSON(data []byte) (err error) {
	b.Value, err = codec.DecodeJSONBag(data, codec.Options{})
	return err
}

// object is the bag; one that is left out is empty.
func (b bag) object() value.Value {
	if b.IsNull() {
		return value.Object()
	}
	return b.Value
}

func parseProgram(text []byte) (program, error) {
	var p program
	if err := json.Unmarshal(text, &p); err != nil {
		return p, err
	}
	seen := map[urn.URN]bool{}
	for _, r := range p.Resources {
		u, err := urn.Build(urn.Parts{Stack: p.Stack, Project: p.Project, Type: r.Type, Name: r.Name})
		if err != nil || seen[u] {
			return p, fmt.Errorf("resource %q is there twice, or has no URN: %w", r.Name, err)
		}
		seen[u], r.urn = true, u
	}
	return p, nil
}
