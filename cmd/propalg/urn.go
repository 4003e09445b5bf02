package main

import (
	"errors"
	"flag"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

type urnJSON struct {
	URN           string   `json:"urn"`
	Stack         string   `json:"stack"`
	Project       string   `json:"project"`
	QualifiedType string   `json:"qualifiedType"`
	Type          string   `json:"type"`
	Parents       []string `json:"parents"`
	Package       string   `json:"package"`
	Module        string   `json:"module"`
	TypeName      string   `json:"typeName"`
	Name          string   `json:"name"`
	Spec          bool     `json:"spec"`
	SpecError     string   `json:"specError,omitempty"`
}

func runURNParse(inv *invocation) (int, error) {
	inv.output("text", "json")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	return each(inv, inv.args, urn.Parse, func(text string) refused { return refused{URN: &text} }, func(_ string, u urn.URN) error {
		row := urnRow(u)
		return inv.show(row, row.text)
	})
}

func urnRow(u urn.URN) urnJSON {
	row := urnJSON{
		URN: u.String(), Stack: u.Stack(), Project: u.Project(), QualifiedType: u.QualifiedType(),
		Type: u.Type(), Parents: []string{}, Package: u.Package(), Module: u.Module(),
		TypeName: u.TypeName(), Name: u.Name(), Spec: true,
	}
	for p := range u.Parents() {
		row.Parents = append(row.Parents, p)
	}

	if err := u.CheckSpec(); err != nil {
		row.Spec, row.SpecError = false, plain(err)
	}
	return row
}

func (row urnJSON) text() string {
	show := func(s string) string { return value.String(s).String() }
	words := []string{"stack " + show(row.Stack), "project " + show(row.Project), "type " + show(row.Type), "name " + show(row.Name)}
	for _, p := range row.Parents {
		words = append(words, "parent "+show(p))
	}
	if !row.Spec {
		words = append(words, "(not of the published grammar)")
	}
	return strings.Join(words, "  ")
}

// checkedJSON says which grammars a text conforms to.
type checkedJSON struct {
	URN    string `json:"urn"`
	Valid  bool   `json:"valid"` // by the grammar that engines accept
	Spec   bool   `json:"spec"`  // by the published grammar too
	Error  string `json:"error,omitempty"`
	Offset *int   `json:"offset,omitempty"` // of the error, in bytes

	SpecError string `json:"specError,omitempty"` // the error by the published grammar alone
}

func runURNCheck(inv *invocation) (int, error) {
	inv.output("text", "json")
	spec := inv.flags.Bool("spec", false, "exit with 1 for URNs that engines accept and that are not of the published grammar, as many of real stacks are not")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}

	code := exitSame
	for _, text := range inv.args {
		row, err := checkURN(text)
		switch {
		case !row.Valid:
			code = exitBad
		case *spec && !row.Spec:
			code = max(code, exitDifferent)
		}

		if err := inv.showChecked(row, err); err != nil {
			return 0, err
		}
	}
	return code, nil
}

// checkURN returns the grammars that a text conforms to, and the error of the first
// that it does not.
func checkURN(text string) (row checkedJSON, err error) {
	row = checkedJSON{URN: text}
	u, err := urn.Parse(text)
	reason := &row.Error
	if err == nil {
		row.Valid, reason = true, &row.SpecError
		err = u.CheckSpec()
		row.Spec = err == nil
	}
	if e := (*urn.Error)(nil); errors.As(err, &e) {
		*reason, row.Offset = plain(err), &e.Offset
	}

	return row, err
}

func (inv *invocation) showChecked(row checkedJSON, reason error) error {
	if !row.Valid && !inv.isJSON() {
		inv.say("%w", reason)
		return nil
	}

	return inv.show(row, func() string {
		if !row.Spec {
			return printable.Text(row.URN) + ": engines accept it, but it is not of the published grammar: " + errorLine(reason)
		}
		return printable.Text(row.URN) + ": a URN of the published grammar"
	})
}

func runURNBuild(inv *invocation) (int, error) {
	var parents []string
	inv.output("text", "json")
	inv.flags.String("stack", "", "`name` of the stack")
	inv.flags.String("project", "", "`name` of the project")
	inv.flags.String("type", "", "`type` of the resource, such as aws:s3/bucketV2:BucketV2")
	inv.flags.String("name", "", "`name` of the resource")
	inv.flags.Func("parent", "`type` of a parent, the outermost first (repeatable); an empty one means none", appendTo(&parents))
	if err := inv.parse(0, 1); err != nil {
		return 0, err
	}
	parts, err := inv.urnParts(parents)
	if err != nil {
		return 0, err
	}

	u, err := urn.Build(parts)
	if err != nil {
		return 0, err
	}
	return exitSame, inv.show(urnRow(u), func() string { return printable.Text(u.String()) })
}

// urnParts returns the parts of the URN that is the argument, if there is one, with
// those that flags set.
func (inv *invocation) urnParts(parents []string) (parts urn.Parts, err error) {
	given := map[string]string{}
	inv.flags.Visit(func(f *flag.Flag) {
		given[f.Name] = f.Value.String()
		if given[f.Name] == "" && f.Name != "parent" {
			err = usageError{dashed(f.Name) + " is empty"}
		}
	})
	if err != nil {
		return parts, err
	}

	isChange := len(inv.args) == 1
	if isChange {
		u, err := urn.Parse(inv.args[0])
		if err != nil {
			return parts, err
		}

		parts = u.Parts()
	}

	for name, to := range map[string]*string{"stack": &parts.Stack, "project": &parts.Project, "type": &parts.Type, "name": &parts.Name} {
		text, isGiven := given[name]
		switch {
		case isGiven:
			*to = text
		case !isChange:
			return parts, usageError{"expected --stack, --project, --type and --name, or a URN to change"}
		}
	}
	if _, isGiven := given["parent"]; isGiven {
		parts.Parents = parents
	}
	if len(parents) == 1 && parents[0] == "" {
		parts.Parents = nil
	}
	return parts, nil
}
