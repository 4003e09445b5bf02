package main

import (
	"encoding/json"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/engine"
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
	Packages       map[string]struct {
		Version string
		Config  bag
	}
	Resources []struct {
		Type, Name              string
		Properties              bag
		AdditionalSecretOutputs []string // SDKs take them from the schema
		IgnoreChanges           []string
		ReplaceOnChanges        []string
		DeleteBeforeReplace     *bool
		Protect                 bool
		DependsOn               []string
		Import                  string // the ID of what exists already
	}
}

// bag is an object of properties.
type bag struct{ value.Value }

func (b *bag) UnmarshalJSON(data []byte) (err error) {
	b.Value, err = codec.DecodeJSON(data, codec.Options{})
	return err
}

// parseProgram reads a program.
func parseProgram(text []byte) (engine.Program, error) {
	var read program
	if err := json.Unmarshal(text, &read); err != nil {
		return engine.Program{}, err
	}
	p := engine.Program{Stack: read.Stack, Project: read.Project, Defaults: map[string]value.Value{}}
	for name, pkg := range read.Packages {
		inputs := pkg.Config.Value
		if inputs.IsNull() {
			inputs = value.Object()
		}
		if pkg.Version != "" {
			inputs, _ = inputs.WithField("version", value.String(pkg.Version))
		}
		p.Defaults[name] = inputs
	}
	for _, r := range read.Resources {
		p.Resources = append(p.Resources, engine.Goal{
			Type: r.Type, Name: r.Name, Inputs: r.Properties.Value, DependsOn: r.DependsOn, Protect: r.Protect,
			DeleteBeforeReplace: r.DeleteBeforeReplace, IgnoreChanges: r.IgnoreChanges, ReplaceOnChanges: r.ReplaceOnChanges, ImportID: r.Import,
			AdditionalSecretOutputs: r.AdditionalSecretOutputs,
		})
	}
	return p, nil
}
