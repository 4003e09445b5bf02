package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

func runStateSet(inv *invocation) (int, error) {
	how := inv.editing()
	bag := newChoice("auto", partInputs, partOutputs, "both")
	inv.flags.Var(bag, "in", "change the `bag`: inputs, outputs or both; auto is inputs or, for --secret without VALUE, each that has the property in clear")
	remove := inv.flags.Bool("remove", false, "remove the property")
	secret := inv.flags.Bool("secret", false, "mark the property, or VALUE, as secret; it is written as plaintext, which 'pulumi stack import' encrypts")
	plain := inv.flags.Bool("plain", false, "take the mark off a secret, which REVEALS it: the file has it in clear then, and so has who reads the state; in the inputs, unless --in says otherwise")

	var members memberFlags
	members.addTo(inv)
	var marks bySchema
	marks.addTo(inv)
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	if marks.isSet() {
		marks.bag = bag.value
		return marks.run(inv, how, *secret, *remove || *plain || len(members) > 0)
	}
	if err := inv.onceStdin(); err != nil {
		return 0, err
	}
	switch {
	case len(inv.args) == 1 || len(inv.args) > 4:
		return 0, inv.wrongNumber()
	case len(members) > 0 && (len(inv.args) > 2 || *remove || *secret || *plain || bag.value != "auto"):
		return 0, usageError{"what is about properties and flags of members, such as --id, cannot be combined"}
	case len(members) > 0:
		return inv.rewrite(members.of(inv.args[1]), how, nil)
	case len(inv.args) == 2:
		return 0, inv.wrongNumber()
	}
	at, err := placeOf(inv.args[2])
	if err != nil {
		return 0, err
	}

	p := state.PropertyEdit{Resource: inv.args[1], Remove: *remove, Secret: *secret, Plain: *plain}
	hasValue := len(inv.args) == 4
	if err := checkSet(&p, hasValue); err != nil {
		return 0, err
	}
	if hasValue {
		if err := inv.setValue(&p); err != nil {
			return 0, err
		}
	}
	return inv.rewrite(state.Edits{Properties: []state.PropertyEdit{p}}, how, func(in *input.Source, e *state.Edits) ([]string, error) {
		s := setting{edit: e.Properties[0], at: at, bag: bag.value}
		if err := s.settle(in); err != nil {
			return nil, err
		}

		e.Properties = s.all
		return s.notes, nil
	})
}

// checkSet refuses flags that cannot be combined.
func checkSet(p *state.PropertyEdit, hasValue bool) error {
	switch {
	case p.Remove && (p.Secret || hasValue):
		return usageError{"--remove cannot be combined with --secret or VALUE"}
	case p.Plain && (p.Remove || p.Secret || hasValue):
		return usageError{"--plain cannot be combined with --secret, --remove or VALUE"}
	case !p.Remove && !p.Secret && !p.Plain && !hasValue:
		return usageError{"expected VALUE, --secret, --plain or --remove"}
	}
	return nil
}

// placeOf returns the places that the argument of an edit names: one, or all that a pattern
// matches. A wildcard is not in quotes, since a key may be a star.
func placeOf(text string) (path.Pattern, error) {
	if p, err := path.ParsePulumiPattern(text); err == nil && !strings.Contains(text, `"*"`) {
		return p, nil
	}
	at, err := path.ParsePulumi(text)
	return at.Pattern(), err
}

func (inv *invocation) setValue(p *state.PropertyEdit) error {
	text := inv.args[3]
	if text == "-" {
		var err error
		if text, _, err = input.ReadAll(text, inv.in); err != nil {
			return err
		}
	}
	v, err := codec.DecodeJSONValue(text, codec.Options{Form: codec.FormState})
	if err != nil {
		return fmt.Errorf(`VALUE, which is JSON, such as '"text"': %w`, err)
	}

	if p.Value = v; p.Secret {
		p.Secret, p.Value = false, value.Secret(v)
	}
	return nil
}

func bagNames() []string { return []string{partInputs, partOutputs} }

type setting struct {
	edit state.PropertyEdit // without bag and place
	at   path.Pattern
	bag  string // inputs, outputs, both or auto

	all   []state.PropertyEdit
	notes []string
}

// settle chooses the bags and the places. It adds a note for a bag that has in clear what
// the edit makes secret in the other.
func (s *setting) settle(in *input.Source) error {
	at, isOne := s.at.Path()
	isSecret := s.edit.Secret || s.edit.Value.IsSecret()
	option := s.option(at)
	if isOne && !isSecret && !s.edit.Plain && option == "" {
		s.addTo(s.bags(nil), at)
		return nil
	}

	bags := bagsIn(in, s.edit.Resource)
	if _, isThere := bags[partInputs].Lookup(option); option != "" && !isThere && bags != nil {
		return fmt.Errorf("the inputs have no %s, and would get one (--in inputs does that); %s", option, howToEdit(option))
	}
	open := map[string]bool{} // bags with a place that is not secret
	for name, bag := range bags {
		for c := range bag.Find(path.NewSet(s.at)) {
			if s.edit.Plain && c.Value().IsSecret() && slices.Contains(s.bags(nil), name) {
				s.notes = append(s.notes, fmt.Sprintf("%v is no secret any more, and in clear in what is written", path.Show(path.Path{}.Member(name).Join(c.Path()), -1)))
			}
			open[name] = open[name] || !c.Value().IsSecret()
		}
	}

	for _, name := range s.bags(open) {
		delete(open, name)
		if isOne {
			s.addTo([]string{name}, at)
		} else if !s.addPlaces(name, bags[name]) {
			return fmt.Errorf("nothing in the %s is at %v", name, s.at)
		}
	}
	for _, name := range bagNames() {
		if isSecret && open[name] {
			s.notes = append(s.notes, fmt.Sprintf("the %s still have %v in clear (--in both)", name, s.at))
		}
	}
	return nil
}

// bags returns the names of the bags to edit. By default they are the inputs or, for a mark,
// those that have the property in clear.
func (s *setting) bags(open map[string]bool) []string {
	switch s.bag {
	case "both":
		return bagNames()
	case partInputs, partOutputs:
		return []string{s.bag}
	}

	if found := slices.DeleteFunc(bagNames(), func(name string) bool { return !open[name] }); s.edit.Secret && len(found) > 0 {
		return found
	}
	return []string{partInputs}
}

// addTo adds an edit of one place in each of some bags.
func (s *setting) addTo(bags []string, at path.Path) {
	for _, name := range bags {
		p := s.edit
		p.Bag, p.At = name, at
		s.all = append(s.all, p)
	}
}

// addPlaces adds edits of the places in a bag that the pattern matches, but no mark inside a
// secret, and reports whether there is any. Elements are removed from the end.
func (s *setting) addPlaces(name string, bag value.Value) (found bool) {
	first := len(s.all)
	for c := range bag.Find(path.NewSet(s.at)) {
		if found = true; !s.edit.Secret || !c.Value().IsSecret() {
			s.addTo([]string{name}, c.Path())
		}
	}

	if s.edit.Remove {
		slices.Reverse(s.all[first:])
	}
	return found
}

// option returns the first name in a path if members of resources that are not properties
// are called so: most often such a member is meant. It is empty if a bag was named.
func (s *setting) option(at path.Path) string {
	first, _, _ := at.Cut()
	name, _ := first.AsKey()
	if s.bag == "auto" && !s.edit.Remove && !s.edit.Secret && !s.edit.Plain && slices.Contains([]string{
		"additionalSecretOutputs", "aliases", "custom", "customTimeouts", "delete", "deletedWith", "dependencies", "external",
		"id", "ignoreChanges", "importID", "initErrors", "parent", "pendingReplacement", "propertyDependencies", "protect",
		"provider", "replaceOnChanges", "replaceWith", "retainOnDelete", "taint", "type", "urn", "viewOf",
	}, name) {
		return name
	}

	return ""
}

// howToEdit says what edits a member of a resource.
func howToEdit(member string) string {
	_, isFlag := memberUsages()[member]
	switch {
	case member == "protect":
		return "'propalg state protect' and 'unprotect' change the option"
	case isFlag:
		return "--" + member + " changes the member of the resource"
	}
	return "the member of the resource is not edited"
}

// memberUsages returns the flags of members that are not properties.
func memberUsages() map[string]string {
	return map[string]string{
		"delete":   "the resource was replaced, and its deletion is pending; --delete=false ends that",
		"taint":    "the next update replaces the resource; --taint=false ends that",
		"id":       "set the `ID` of the resource, which no provider is",
		"parent":   "set the parent, the `URN` of a resource before it; its own URN stays",
		"provider": "set the `provider`, URN::ID of one before it",
		"type":     "set the `type`, such as aws:s3/bucket:Bucket; its URN and those below it follow",
	}
}

// memberFlags are edits of members of one resource.
type memberFlags []state.MemberEdit

func (m *memberFlags) addTo(inv *invocation) {
	for name, usage := range memberUsages() {
		if name != "delete" && name != "taint" {
			inv.flags.Func(name, usage, func(text string) error {
				*m = append(*m, state.MemberEdit{Name: name, Value: value.String(text)})
				return nil
			})
			continue
		}
		inv.flags.BoolFunc(name, usage, func(text string) error {
			if text != "true" && text != "false" {
				return errors.New("expected true or false")
			}
			*m = append(*m, state.MemberEdit{Name: name, Value: value.Bool(text == "true")})
			return nil
		})
	}
}

func (m memberFlags) of(resource string) (e state.Edits) {
	for _, each := range m {
		if each.Name == "type" {
			typ, _ := each.Value.AsString()
			e.Retype = map[string]string{resource: typ}
			continue
		}
		each.Resource = resource
		e.Members = append(e.Members, each)
	}
	return e
}

// bagsIn returns the bags of a resource, by their names.
func bagsIn(in *input.Source, resource string) map[string]value.Value {
	names := numbersOf(in, resource)
	for r, err := range resourcesOf(in) {
		if err == nil && names[r.Number] != "" {
			return map[string]value.Value{partInputs: r.Inputs, partOutputs: r.Outputs}
		}
	}
	return nil // Rewrite says more
}
