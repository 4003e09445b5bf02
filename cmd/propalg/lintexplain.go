package main

import (
	"fmt"
	"strings"

	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
)

// explain writes what a provider answered to Diff, with the values that it speaks
// of, and which of it replaces the resource.
func (inv *invocation) explain(x *exchange, sides provider.Sides, r provider.Response, colour render.Colour) error {
	replaces := replacing(r)
	o := render.Options{Indent: 1, Width: inv.valueWidth(), Colour: colour, ReplaceOn: replaces, Documents: jsonDocument}
	says := r.Changes.String()
	if r.Replace() {
		says += ", the resource is replaced"
	}
	text := fmt.Appendf(nil, "%s:%d %s %s %s: %s\n", plain(x.log), x.line, x.call, plain(x.subject), nameOf(x.urn), says)
	if replaces.Len() == 0 && r.Replace() {
		text = append(text, "    nothing is named that would say why\n"...)
	}
	body := render.AppendText(nil, check.Read(r, sides).Diff, o)
	if len(body) == 0 && r.Changes == provider.Some {
		body = []byte("    no change of it can be seen in what Diff was given\n")
	}
	_, err := inv.out.Write(append(append(text, body...), '\n'))
	return err
}

// replacing are the places that a response says force a replacement: entries that
// count, and names. Keys that cannot be read say nothing.
func replacing(r provider.Response) *path.Set {
	var all []path.Pattern
	if r.HasDetailed {
		for _, e := range r.Detailed {
			if p, err := path.ParsePulumi(e.Key); err == nil && e.Kind.IsReplace() && !p.IsRoot() {
				all = append(all, p.Pattern())
			}
		}
	}
	if len(all) == 0 {
		for _, name := range r.Replaces {
			all = append(all, path.Root().Key(name).Pattern())
			if i := strings.IndexAny(name, ".["); i > 0 { // some send paths
				all = append(all, path.Root().Key(name[:i]).Pattern())
			}
		}
	}
	return path.NewSet(all...)
}
