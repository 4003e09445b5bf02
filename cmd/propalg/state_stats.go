package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/propalg/propalg/cmd/propalg/internal/input"
	"github.com/propalg/propalg/cmd/propalg/internal/printable"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/value"
)

// The mostListed largest bags are listed.
const mostListed = 5

// bagJSON is the size of inputs or outputs.
type bagJSON struct {
	URN    string `json:"urn"`
	Bag    string `json:"bag"`    // "inputs" or "outputs"
	Values int    `json:"values"` // containers and their parts; a secret counts as one
	Depth  int    `json:"depth"`  // outside secrets; members of the bag have 1
	Bytes  int    `json:"bytes"`  // as JSON with secrets masked
}

type typeJSON struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

type statsJSON struct {
	File      string `json:"file,omitempty"` // if there are several
	Shape     string `json:"shape"`
	Version   int    `json:"version,omitempty"`
	Bytes     int64  `json:"bytes"`
	Provider  string `json:"secretsProvider,omitempty"`
	Resources struct {
		Total      int `json:"total"`
		Custom     int `json:"custom"`
		Components int `json:"components"`
		Deleting   int `json:"deleting"`
		Protected  int `json:"protected"`
		External   int `json:"external"`
	} `json:"resources"`
	Values struct {
		Total   int `json:"total"`
		Secrets int `json:"secrets"` // the outermost
		Sealed  int `json:"sealed"`  // secrets that are encrypted
		Unknown int `json:"unknown"`
		Assets  int `json:"assets"` // and archives
		Rounded int `json:"rounded"`
	} `json:"values"`
	Pending   int `json:"pendingOperations,omitempty"`
	kinds     map[value.Kind]int
	room      []byte         // for the text of a bag
	Providers []providerJSON `json:"providers"` // by version
	Types     []typeJSON     `json:"types"`     // the most frequent first
	Largest   []bagJSON      `json:"largest"`   // the largest first
	Deepest   []bagJSON      `json:"deepest"`   // the deepest first
}

func runStateStats(inv *invocation) (int, error) {
	inv.output("text", "json")
	all := inv.flags.Bool("all", false, "list all types as text too, not the most frequent ones")
	if err := inv.parse(1, -1); err != nil {
		return 0, err
	}
	files, err := inv.stackFiles()
	if err != nil {
		return 0, err
	}

	// The collector runs as if the heap had 16 MB more, which are never touched: that of a long
	// file is a few megabytes, and would be collected for each of them.
	ballast := make([]byte, 16<<20)
	defer runtime.KeepAlive(ballast)

	var sum statsTotal
	code := files.each(inv, func(in *input.Source) error {
		doc := statsJSON{
			File: files.file(in), Bytes: in.Size,
			kinds: map[value.Kind]int{}, Types: []typeJSON{}, Largest: []bagJSON{}, Deepest: []bagJSON{},
		}
		if err := doc.fill(in); err != nil {
			return err
		}
		sum.add(&doc)
		return inv.show(&doc, func() string { return files.named(in, doc.text(*all)) })
	})
	if files.isMany && !inv.isJSON() {
		return code, sum.write(inv, *all)
	}
	return code, nil
}

// statsTotal is what several stacks have together.
type statsTotal struct {
	files, resources int
	types            map[string]int
	providers        map[providerJSON]int
}

func (t *statsTotal) add(s *statsJSON) {
	if t.types == nil {
		t.types, t.providers = map[string]int{}, map[providerJSON]int{}
	}
	t.files++
	t.resources += s.Resources.Total
	for _, each := range s.Types {
		t.types[each.Type] += each.Count
	}
	for _, each := range s.Providers {
		t.providers[providerJSON{Package: each.Package, Version: each.Version}] += each.Count
	}
}

// write writes the total after the files.
func (t *statsTotal) write(inv *invocation, all bool) error {
	sum := &statsJSON{Types: typesOf(t.types), Providers: sortedProviders(t.providers)}
	lines := append([]string{fmt.Sprintf("%-11s%d in %s", "resources", t.resources, printable.Counted(t.files, "file"))}, sum.lists(all)...)
	_, err := fmt.Fprintln(inv.out, "total: "+strings.Join(lines, "\ntotal: "))
	return err
}

// typesOf returns types, the most frequent first.
func typesOf(counts map[string]int) []typeJSON {
	all := make([]typeJSON, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, typeJSON{name, counts[name]})
	}
	slices.SortStableFunc(all, func(a, b typeJSON) int { return cmp.Compare(b.Count, a.Count) })
	return all
}

// fill counts everything in a state.
func (s *statsJSON) fill(in *input.Source) error {
	types := map[string]int{}
	providers := providerCounts{map[string]providerJSON{}, map[string]int{}, map[string]int{}}
	all, document := in.Resources(func(*state.Resource, string) bool { return true })
	for r, err := range all {
		if err != nil {
			return in.Place(err)
		}
		types[r.Type]++
		providers.add(&r)
		s.resource(&r)
	}

	stack := document()
	s.Shape, s.Version, s.Provider, s.Providers = stack.Shape(), stack.Version(), stack.Provider(), providers.list()
	for _, err := range stack.PendingOperations() {
		if err != nil {
			return err
		}
		s.Pending++
	}

	s.Values.Sealed, s.Values.Unknown = s.kinds[value.KindSealed], s.kinds[value.KindUnknown]
	s.Values.Assets = s.kinds[value.KindAsset] + s.kinds[value.KindArchive]
	s.Types = typesOf(types)
	return nil
}

func (s *statsJSON) resource(r *state.Resource) {
	n := &s.Resources
	n.Total++
	for _, each := range []struct {
		isSet bool
		to    *int
	}{{r.Custom, &n.Custom}, {!r.Custom, &n.Components}, {r.Delete, &n.Deleting}, {r.Protect, &n.Protected}, {r.External, &n.External}} {
		if each.isSet {
			*each.to++
		}
	}

	s.bag(r.URN, "inputs", r.Inputs)
	s.bag(r.URN, "outputs", r.SecretOutputs())
	for _, report := range []codec.Report{r.InputsReport, r.OutputsReport, r.ReplacementTriggerReport} {
		s.Values.Rounded += len(report.Rounded) + report.More
	}
}

func (s *statsJSON) bag(urn, name string, v value.Value) {
	if v.IsNull() {
		return
	}

	row := bagJSON{URN: urn, Bag: name}
	for at := range v.Walk() {
		row.Values++
		row.Depth = max(row.Depth, at.Depth())
		part := at.Value()
		if part.IsSecret() { // the size of its contents is secret too
			at.SkipBelow()
			s.Values.Secrets++
		}
		s.kinds[part.Kind()]++
	}
	s.Values.Total += row.Values

	// JSON has no number that rounds to an infinity: then the size stays 0.
	if text, err := codec.AppendJSONValue(s.room[:0], v, codec.Options{Form: codec.FormMasked}); err == nil {
		row.Bytes, s.room = len(text), text
	}
	keep(&s.Largest, row, func(a, b bagJSON) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Values, a.Values))
	})
	keep(&s.Deepest, row, func(a, b bagJSON) int {
		return cmp.Or(cmp.Compare(b.Depth, a.Depth), cmp.Compare(b.Values, a.Values))
	})
}

// keep inserts a row into a short sorted list, after equal ones.
func keep(list *[]bagJSON, row bagJSON, order func(a, b bagJSON) int) {
	if n := len(*list); n == mostListed && order((*list)[n-1], row) <= 0 {
		return
	}
	*list = append(*list, row)
	slices.SortStableFunc(*list, order)
	*list = (*list)[:min(len(*list), mostListed)]
}

// statsLines are lines of text, of which those of a list have its name once.
type statsLines struct {
	all  []string
	last string
}

func (l *statsLines) add(name, format string, args ...any) {
	shown := name
	if name == l.last { // more of a list
		shown = ""
	}
	l.last = name
	l.all = append(l.all, fmt.Sprintf("%-11s", shown)+fmt.Sprintf(format, args...))
}

// lists returns the lines of providers and types.
func (s *statsJSON) lists(all bool) []string {
	var lines statsLines
	for _, p := range s.Providers {
		lines.add("providers", "%6d  %s", p.Count, printable.Text(strings.TrimSpace(p.Package+" "+cmp.Or(p.Version, "of no version"))))
	}
	for i, t := range s.Types {
		if i == 2*mostListed && !all {
			lines.add("types", "… %d more types (--all)", len(s.Types)-i)
			break
		}

		lines.add("types", "%6d  %s", t.Count, printable.Text(t.Type))
	}
	return lines.all
}

func (s *statsJSON) text(all bool) string {
	var lines statsLines
	line := lines.add
	shape := s.Shape
	if s.Version > 0 {
		shape += fmt.Sprintf(", version %d", s.Version)
	}
	n, v := s.Resources, s.Values
	line("file", "%s, %d bytes", shape, s.Bytes)
	line("resources", "%d: %d custom, %s; %d protected, %d external, %d pending deletion",
		n.Total, n.Custom, printable.Counted(n.Components, "component"), n.Protected, n.External, n.Deleting)
	line("values", "%d: %s (%d of them encrypted), %d unknown, %d assets and archives, %s",
		v.Total, printable.Counted(v.Secrets, "secret"), v.Sealed, v.Unknown, v.Assets, printable.Counted(v.Rounded, "rounded number"))
	if s.Pending > 0 {
		line("pending", "%s that did not end", printable.Counted(s.Pending, "operation"))
	}
	if s.Provider != "" {
		line("secrets by", "%s", printable.Text(s.Provider))
	}

	lines.all = append(lines.all, s.lists(all)...)
	for _, b := range s.Largest {
		line("largest", "%6d bytes, %s: %s of %s", b.Bytes, printable.Counted(b.Values, "value"), b.Bag, printable.Text(b.URN))
	}
	for _, b := range s.Deepest {
		line("deepest", "%6d deep: %s of %s", b.Depth, b.Bag, printable.Text(b.URN))
	}
	return strings.Join(lines.all, "\n")
}
