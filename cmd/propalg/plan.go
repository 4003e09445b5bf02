package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/decide"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// planJSON is what would be done to a resource.
type planJSON struct {
	Op      string   `json:"op"` // delete, or keep
	URN     string   `json:"urn"`
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	ID      string   `json:"id,omitempty"`
	Why     string   `json:"why,omitempty"`     // left out: the command asks for it
	Keys    []string `json:"keys,omitempty"`    // the properties that would replace it
	Because []string `json:"because,omitempty"` // the URNs of what is the reason
	NoCall  string   `json:"noCall,omitempty"`  // why the provider does not delete it
	Blocked bool     `json:"blocked,omitempty"`

	with string // its deletedWith
}

// planner shows what an engine would delete.
type planner struct {
	*invocation
	stack   engine.Stack
	views   int             // which are deleted with what they are views of
	gone    map[string]bool // the URNs of what is deleted
	blocked int
	rows    []planJSON
}

func runPlanDestroy(inv *invocation) (int, error) {
	inv.output("text", "json")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	return inv.plan(func(p *planner, urns []string) error {
		p.stack.Options = engine.Options{Targets: urns, TargetDependents: true, ContinueOnError: true}
		for a, err := range p.stack.Destroy(context.Background()) {
			switch {
			case a.URN == "":
				return err
			case a.Op == "pending" || a.Op == engine.OpSame:
			default:
				p.add(&a, err)
			}
		}
		return nil
	})
}

func runPlanReplace(inv *invocation) (int, error) {
	inv.output("text", "json")
	if err := inv.parse(2, 2); err != nil {
		return 0, err
	}
	return inv.plan(func(p *planner, urns []string) error {
		protected := map[string]bool{}
		for i := range p.stack.Resources { // each is listed that is
			r := &p.stack.Resources[i]
			protected[r.URN] = protected[r.URN] || (r.Protect && !r.Delete)
			r.Protect = false
		}
		for a, err := range p.stack.PreviewReplacement(context.Background(), urns[0]) {
			if a.Op == "pending" {
				continue
			}
			if err != nil {
				return err
			}
			a.Old.Protect = protected[a.URN] && !a.Old.Delete
			p.add(&a, nil)
		}
		if p.blocked > 0 {
			p.say("engines replace none of them, since what is kept is protected")
		}
		return nil
	})
}

// plan reads the stack that the first argument names, and shows what is done with it and the
// URNs of the resources that the others name.
func (inv *invocation) plan(do func(p *planner, urns []string) error) (int, error) {
	if err := inv.noneEmpty(); err != nil {
		return 0, err
	}
	in, err := input.OpenStack(inv.args[0], inv.in)
	if err != nil {
		return 0, err
	}
	defer in.Close()

	p := &planner{invocation: inv, gone: map[string]bool{}}
	p.stack.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return anyProvider{}, nil }
	var urns []string
	for _, text := range inv.args[1:] {
		r, note, err := pick(in, text)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", in.Name, err)
		}
		if note != "" {
			inv.say("%s", note)
		}
		urns = append(urns, r.URN)
	}
	if err = p.read(in); err == nil {
		err = do(p, urns)
	}
	if err == nil {
		err = p.show()
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Name, err)
	}
	return exitIf(p.blocked > 0), nil
}

// read reads the resources without what decides nothing: values, and what only runs need.
func (p *planner) read(in *input.Source) error {
	all, _ := in.Resources(nil)
	for r, err := range all {
		if err != nil {
			return in.Place(err)
		}
		if r.ViewOf != "" {
			p.views++
			continue
		}
		var has []value.Member
		for name := range r.Inputs.Members() {
			if r.PropertyDependencies[name] != nil {
				has = append(has, value.Field(name, value.Bool(true)))
			}
		}
		p.stack.Resources = append(p.stack.Resources, state.Resource{
			URN: r.URN, Type: r.Type, ID: r.ID, Custom: r.Custom, Delete: r.Delete, External: r.External, Protect: r.Protect,
			PendingReplacement: r.PendingReplacement, RetainOnDelete: r.RetainOnDelete, Inputs: value.Object(has...), Outputs: value.Object(),
			Parent: r.Parent, Provider: r.Provider, DeletedWith: r.DeletedWith, ReplaceWith: r.ReplaceWith,
			Dependencies: r.Dependencies, PropertyDependencies: r.PropertyDependencies,
		})
	}
	return nil
}

// add adds what an action does to the rows.
func (p *planner) add(a *engine.Action, err error) {
	old := &a.Old
	row := planJSON{Op: "delete", URN: old.URN, Type: old.Type, ID: old.ID, Why: a.Why, Keys: a.Keys, NoCall: noCall(old), with: old.DeletedWith}
	for _, u := range a.Causes {
		if u != a.URN {
			row.Because = append(row.Because, u)
		}
	}
	if u, err := urn.Parse(old.URN); err == nil {
		row.Name = u.Name()
	}
	if a.Why == decide.BecauseAsked {
		row.Why = ""
	}
	switch {
	case a.Op == "skip":
		row.Op, row.Blocked = "keep", true
	case old.Protect && !old.Delete && !old.PendingReplacement:
		row.Op, row.Blocked, row.Why = "keep", true, "it is protected"
	case err != nil:
		row.Op, row.Blocked, row.Why = "keep", true, strings.TrimPrefix(errorLine(err), "engine: "+printable.Text(old.URN)+": ")
	default:
		p.gone[old.URN] = true
	}
	if row.Blocked {
		p.blocked++
	}
	p.rows = append(p.rows, row)
}

// noCall says why the provider is not called to delete a resource, or nothing.
func noCall(r *state.Resource) string {
	switch {
	case !r.Custom:
		return "component"
	case strings.HasPrefix(r.Type, "pulumi:providers:"):
		return "provider"
	case r.External:
		return "external"
	case r.PendingReplacement:
		return "pendingReplacement"
	case r.RetainOnDelete:
		return "retainOnDelete"
	}
	return ""
}

// notCalled returns a reason of noCall as text.
func notCalled(reason string) string {
	switch reason {
	case "pendingReplacement":
		return "deleted already"
	case "retainOnDelete":
		return "retained on deletion"
	case "deletedWith":
		return "deleted with another"
	}
	return reason
}

// show writes the rows.
func (p *planner) show() error {
	for i := range p.rows {
		row := &p.rows[i]
		switch {
		case row.Blocked:
			row.NoCall = ""
		case row.NoCall == "" && p.gone[row.with]:
			row.NoCall = "deletedWith"
		}
		var err error
		if p.isJSON() {
			err = printable.WriteJSON(p.out, row)
		} else {
			_, err = fmt.Fprintln(p.out, row.text())
		}
		if err != nil {
			return err
		}
	}
	if p.views > 0 {
		p.say("not listed: %s, deleted with what they are of", printable.Counted(p.views, "view"))
	}
	if len(p.rows) == 0 {
		p.say("there is nothing to delete")
	}
	return nil
}

// text returns a line such as
//
//	delete a:b:C "n"  id "n-1": something that changed (vpcId), because of a:b:D "m"
func (r *planJSON) text() string {
	line := r.Op + " " + called(r.Type, r.Name)
	if r.ID != "" {
		line += "  id " + value.String(r.ID).String()
	}
	if r.NoCall != "" {
		line += "  (" + notCalled(r.NoCall) + ")"
	}
	if r.Why != "" {
		line += ": " + r.Why
	}
	if len(r.Keys) > 0 {
		keys := make([]string, 0, len(r.Keys))
		for _, key := range r.Keys {
			keys = append(keys, printable.Text(key))
		}
		line += " (" + strings.Join(keys, ", ") + ")"
	}
	for i, u := range r.Because {
		if i == 0 {
			line += ", because of "
		} else {
			line += ", "
		}
		parsed, err := urn.Parse(u)
		if err != nil {
			line += printable.Text(u)
			continue
		}
		line += called(parsed.Type(), parsed.Name())
	}
	return line
}

func called(typ, name string) string {
	return printable.Text(typ) + " " + value.String(name).String()
}

// anyProvider is a provider of any package that deletes what it is told to, and replaces what may
// have to be: each resource with an input that is not known.
type anyProvider struct{ rpc.Unimplemented }

// Configure accepts anything.
func (anyProvider) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{}, nil
}

// Diff says that each input that is not known replaces the resource.
func (anyProvider) Diff(_ context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	found := provider.Response{Changes: rpc.DiffSome}
	for name, v := range r.News.Members() {
		if v.ContainsUnknown() {
			found.Replaces = append(found.Replaces, name)
		}
	}
	return provider.NewDiffResponse(found), nil
}

// Delete deletes nothing, as there is nothing.
func (anyProvider) Delete(context.Context, *rpc.DeleteRequest) (*rpc.Empty, error) {
	return &rpc.Empty{}, nil
}
