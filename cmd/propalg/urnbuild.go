package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"

	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/urn"
)

// checkedJSON says what grammar a text is of.
type checkedJSON struct {
	URN    string `json:"urn"`
	Valid  bool   `json:"valid"` // engines and this tool read it
	Spec   bool   `json:"spec"`  // and it is of the published grammar
	Error  string `json:"error,omitempty"`
	Offset *int   `json:"offset,omitempty"` // in bytes, of the error
}

// runURNCheck holds URNs against the published grammar.
func runURNCheck(inv *invocation) (int, error) {
	form := inv.output("text", "json")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	code := exitSame
	for _, text := range inv.args {
		row := checkedJSON{URN: text}
		u, err := urn.Parse(text)
		if row.Valid = err == nil; row.Valid {
			err = u.CheckSpec()
			row.Spec = err == nil
		}
		said := "is a URN of the published grammar"
		switch {
		case !row.Valid:
			code = exitBad
		case !row.Spec:
			code = max(code, exitDifferent)
			said = "engines read it, but it is not of the published grammar: "
		}
		if e := (*urn.Error)(nil); errors.As(err, &e) {
			row.Error, row.Offset = err.Error(), &e.Offset
		}
		switch {
		case form.value == "json":
			err = printable.WriteJSON(inv.out, row)
		case !row.Valid:
			inv.refuse(form, err, nil)
			err = nil
		case !row.Spec:
			_, err = fmt.Fprintf(inv.out, "%s: %s%s\n", printable.Text(text), said, printable.Line(err))
		default:
			_, err = fmt.Fprintf(inv.out, "%s: %s\n", printable.Text(text), said)
		}
		if err != nil {
			return 0, err
		}
	}
	return code, nil
}

// texts is a repeatable flag.
type texts struct{ list []string }

// String returns how many there are.
func (t *texts) String() string { return strconv.Itoa(len(t.list)) }

// Set adds a text.
func (t *texts) Set(s string) error {
	t.list = append(t.list, s)
	return nil
}

// runURNBuild makes a URN of parts, or with other parts than one has.
func runURNBuild(inv *invocation) (int, error) {
	var parents texts
	form := inv.output("text", "json")
	stack := inv.flags.String("stack", "", "`name` of the stack")
	project := inv.flags.String("project", "", "`name` of the project")
	typ := inv.flags.String("type", "", "`type` of the resource, such as aws:s3/bucketV2:BucketV2")
	name := inv.flags.String("name", "", "`name` of the resource")
	inv.flags.Var(&parents, "parent", "`type` of a parent, the outermost first (repeatable); an empty one: no parents")
	if err := inv.parse(0, 1); err != nil {
		return 0, err
	}
	var parts urn.Parts
	given := map[string]bool{}
	inv.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if len(inv.args) == 1 {
		u, err := urn.Parse(inv.args[0])
		if err != nil {
			return 0, err
		}
		parts = u.Parts()
	} else {
		for _, need := range []string{"stack", "project", "type", "name"} {
			if !given[need] {
				return 0, usageError{"wants --stack, --project, --type and --name, or a URN to change"}
			}
		}
	}
	for _, part := range []struct {
		name string
		from *string
		to   *string
	}{{"stack", stack, &parts.Stack}, {"project", project, &parts.Project}, {"type", typ, &parts.Type}, {"name", name, &parts.Name}} {
		if given[part.name] {
			*part.to = *part.from
		}
	}
	if given["parent"] {
		parts.Parents = parents.list
		if len(parents.list) == 1 && parents.list[0] == "" {
			parts.Parents = nil
		}
	}
	u, err := urn.Build(parts)
	if err != nil {
		return 0, err
	}
	if form.value == "json" {
		return exitSame, printable.WriteJSON(inv.out, urnRow(u))
	}
	_, err = fmt.Fprintln(inv.out, printable.Text(u.String()))
	return exitSame, err
}
