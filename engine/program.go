package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/value"
)

// Program is what a program declares: resources in the order in which it registers them.
type Program struct {
	Stack, Project string
	Resources      []Goal
	// Defaults maps the name of a package to the inputs of its default provider. A
	// package may be missing. The input "version" selects the version of the plugin, and
	// becomes part of the provider's name.
	Defaults map[string]value.Value
	// Replace are the URNs of resources of the state that are replaced, whatever their provider
	// says of them.
	Replace []string
}

// Goal is a resource as a program declares it.
//
// A Goal refers to another resource by its URN, or by its name if exactly one earlier
// resource of the program has that name.
type Goal struct {
	Type, Name string
	Component  bool // a component has no provider; its children name it as Parent
	Parent     string
	Provider   string // an earlier resource of type "pulumi:providers:" and the package; else the default one
	DependsOn  []string

	// Inputs are the program's inputs, an object that is not secret as a whole; Null is an
	// empty one.
	Inputs value.Value
	// Compute computes the inputs from outputs of earlier resources, in place of Inputs.
	// The properties "id" and "urn" are the ID and the URN. In a preview, outputs that
	// are not known yet are unknown. Outputs carry dependencies, which show what an input
	// depends on; use [value.Lift] to compute new values from them.
	Compute func(output func(resource, property string) value.Value) value.Value

	Protect          bool
	RetainOnDelete   bool     // a deletion keeps what the provider manages
	IgnoreChanges    []string // patterns, in Pulumi's dialect
	ReplaceOnChanges []string // patterns, in Pulumi's dialect
	HideDiff         []string // paths, in Pulumi's dialect, which engines write to the state
	// DeletedWith is an earlier resource: when a run deletes that, this one is not deleted by
	// its provider. If it is empty, it is that of the parent.
	DeletedWith string
	ReplaceWith []string // earlier resources: if one is replaced, so is this one
	// ReplacementTrigger is any value; another one than in the state replaces the resource,
	// but not if one of them is Null.
	ReplacementTrigger value.Value
	Aliases            []Alias // what the resource was called before, of which the first counts that the state has
	// AdditionalSecretOutputs are the names of outputs that are secrets even if the provider
	// returns them in clear, as SDKs and the YAML host take them from a schema.
	AdditionalSecretOutputs []string
	// DeleteBeforeReplace selects whether a replacement deletes the old resource before it
	// creates the new one. If it is nil, the provider's answer does.
	DeleteBeforeReplace *bool
	Timeouts            state.CustomTimeouts

	ImportID string // of an existing resource that is imported, and managed from then on
	ReadID   string // of an existing resource that is read, and not managed
}

// The type of a provider resource begins with providerType.
const providerType = "pulumi:providers:"

func isProvider(typ string) bool { return strings.HasPrefix(typ, providerType) }

func packageOf(typ string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(typ, providerType), ":")
	return name
}

type outcome struct {
	now     state.Resource
	partial bool // in a preview: outputs that are missing are unknown
	changed bool // the run made, changed or read it
	another bool // the run replaced it

	missing bool            // it is neither in the state nor a target
	skipped bool            // its action failed or was skipped
	wanted  *state.Resource // what the program declares, if the run may not change the resource
}

// declared returns the resource as the program declares it.
func (o *outcome) declared() *state.Resource {
	if o.wanted != nil {
		return o.wanted
	}
	return &o.now
}

func (r *run) urnOf(g *Goal) (u, parent string, err error) {
	if g.Parent != "" {
		if parent, err = r.find(g.Parent); err != nil {
			return "", "", fmt.Errorf("parent: %w", err)
		}
	}
	u, err = childURN(r.program.Stack, r.program.Project, parent, g.Type, g.Name)
	return u, parent, err
}

// find returns the URN of a resource that is registered already.
func (r *run) find(name string) (string, error) {
	if r.states[name] != nil {
		return name, nil
	}

	switch all := r.byName[name]; len(all) {
	case 0:
		return "", fmt.Errorf("no earlier resource is %q", name)
	case 1:
		return all[0], nil
	default:
		return "", fmt.Errorf("%d resources have the name %q: use the URN", len(all), name)
	}
}

func (r *run) add(name string, made *outcome) {
	r.byName[name] = append(r.byName[name], made.now.URN)
	r.states[made.now.URN] = made
}

// inputs returns the inputs of a goal without the dependencies of its properties, and
// these.
func (r *run) inputs(g *Goal) (bag value.Value, depends map[string][]string, err error) {
	bag = g.Inputs
	if g.Compute != nil {
		bag = g.Compute(func(name, property string) value.Value {
			v, wrong := r.output(name, property)
			if err == nil {
				err = wrong
			}
			return v
		})
	}
	switch {
	case err != nil:
		return value.Null(), nil, err
	case bag.IsNull():
		bag = value.Object()
	case bag.Kind() != value.KindObject:
		return value.Null(), nil, fmt.Errorf("inputs: expected object, found %v", bag.Kind())
	case bag.IsSecret(): // its names are secret too, and states cannot hold it
		return value.Null(), nil, errors.New("inputs: expected an object whose properties are secret, found a secret object")
	}

	depends = map[string][]string{}
	for name, property := range bag.Members() {
		var all []string
		for c := range property.Walk() {
			all = slices.AppendSeq(all, c.Value().Dependencies())
		}
		if len(all) > 0 {
			depends[name] = protocol.Union(all, nil)
		}
	}

	r.see(bag)
	return withoutDependencies(bag), depends, nil
}

func (r *run) output(name, property string) (value.Value, error) {
	u, err := r.find(name)
	if err != nil {
		return value.Null(), err
	}

	of := r.states[u]
	v, ok := of.now.Outputs.Lookup(property)
	switch {
	case property == "urn":
		v = value.String(u)
	case property == "id" && of.now.ID != "":
		v = value.String(of.now.ID)
	case property == "id" || (!ok && of.partial):
		v = value.Unknown()
	}
	return v.WithDependencies(u), nil
}
