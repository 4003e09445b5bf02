package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// refused is what a small tool writes for an argument that does not parse.
type refused struct {
	Error  string `json:"error"`
	Offset int    `json:"offset"`
}

type stepJSON struct {
	Key   *string `json:"key,omitempty"`
	Index *int    `json:"index,omitempty"`
	Any   bool    `json:"any,omitempty"`
}

type pathJSON struct {
	Text      string     `json:"text"`
	Steps     []stepJSON `json:"steps"`
	Canonical string     `json:"canonical"`
	Pulumi    *string    `json:"pulumi"`
}

func runPathParse(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	dialect := newChoice("canonical", "pulumi")
	inv.flags.Var(dialect, "dialect", "`name` of the grammar: canonical or pulumi")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	code := exitSame
	for _, text := range inv.args {
		p, err := dialect.patternParser()(text)
		if err != nil {
			code = exitBad
			inv.refuse(form, err, struct {
				Text string `json:"text"`
				refused
			}{text, refused{err.Error(), pathOffset(err)}})
			continue
		}
		if err := inv.showPath(form, text, p); err != nil {
			return 0, err
		}
	}
	return code, nil
}

// refuse reports an argument that does not parse: in JSON beside the others, as
// text on standard error.
func (inv *invocation) refuse(form *choice, err error, row any) {
	if form.value == "json" {
		_ = printable.WriteJSON(inv.out, row) // a broken pipe is quiet
		return
	}
	inv.say("%w", err)
}

func (inv *invocation) showPath(form *choice, text string, p path.Pattern) error {
	row := pathJSON{Text: text, Steps: []stepJSON{}, Canonical: p.String()}
	if pulumi, err := p.Pulumi(); err == nil {
		row.Pulumi = &pulumi
	}
	for each := range p.Steps() {
		row.Steps = append(row.Steps, stepRow(each))
	}
	if form.value == "json" {
		return printable.WriteJSON(inv.out, row)
	}
	line := printable.Text(row.Canonical)
	for _, s := range row.Steps {
		switch {
		case s.Any:
			line += "  any"
		case s.Index != nil:
			line += fmt.Sprintf("  index %d", *s.Index)
		default:
			line += "  key " + value.String(*s.Key).String()
		}
	}
	_, err := fmt.Fprintln(inv.out, line)
	return err
}

func stepRow(ps path.PatternStep) stepJSON {
	s, ok := ps.Step()
	if !ok {
		return stepJSON{Any: true}
	}
	if i, ok := s.Index(); ok {
		return stepJSON{Index: &i}
	}
	k, _ := s.Key()
	return stepJSON{Key: &k}
}

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
	form := inv.output("text", "json")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	code := exitSame
	for _, text := range inv.args {
		u, err := urn.Parse(text)
		if err != nil {
			code = exitBad
			offset := 0
			if e := (*urn.Error)(nil); errors.As(err, &e) {
				offset = e.Offset
			}
			inv.refuse(form, err, struct {
				URN string `json:"urn"`
				refused
			}{text, refused{err.Error(), offset}})
			continue
		}
		if err := inv.showURN(form, u); err != nil {
			return 0, err
		}
	}
	return code, nil
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
		row.Spec, row.SpecError = false, err.Error()
	}
	return row
}

func (inv *invocation) showURN(form *choice, u urn.URN) error {
	row := urnRow(u)
	if form.value == "json" {
		return printable.WriteJSON(inv.out, row)
	}
	show := func(s string) string { return value.String(s).String() }
	line := fmt.Sprintf("stack %s  project %s  type %s  name %s", show(row.Stack), show(row.Project), show(row.Type), show(row.Name))
	for _, p := range row.Parents {
		line += "  parent " + show(p)
	}
	if !row.Spec {
		line += "  (not of the published grammar)"
	}
	_, err := fmt.Fprintln(inv.out, line)
	return err
}

func runVersion(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	if err := inv.parse(0, 0); err != nil {
		return 0, err
	}
	row := struct {
		Version string `json:"version"`
		Go      string `json:"go"`
		Commit  string `json:"commit"`
	}{"(devel)", runtime.Version(), "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			row.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				row.Commit = s.Value
			}
		}
	}
	if form.value == "json" {
		return exitSame, printable.WriteJSON(inv.out, row)
	}
	_, err := fmt.Fprintf(inv.out, "propalg %s, %s, commit %s\n", row.Version, row.Go, row.Commit)
	return exitSame, err
}
