package pulumi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/propalg/propalg/bench"
	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	ours "github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// urnRow parses texts and reads four parts of each.
func urnRow(b *testing.B) {
	var texts []string
	for _, row := range bench.RealRows(b, os.Open, "oracle-urns.jsonl") {
		if text := row.Text("urn"); readable(text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = bench.URNs(1800)
	}
	bench.Compare(b,
		bench.Each(bench.Ours, texts, func(text string) error {
			u, err := ours.Parse(text)
			if err != nil {
				return err
			}
			return bench.Must(len(u.Stack())+len(u.Project())+len(u.Type())+len(u.Name()) >= 0)
		}),
		bench.Each(classic, texts, func(text string) error {
			u, err := urn.Parse(text)
			if err != nil {
				return err
			}
			return bench.Must(len(u.Stack())+len(u.Project())+len(u.Type())+len(u.Name()) >= 0)
		}))
}

// readable says whether both sides parse a URN.
func readable(text string) bool {
	_, err := urn.Parse(text)
	_, ours := ours.Parse(text)
	return err == nil && ours == nil
}

// realPaths are the texts of real paths that both sides parse.
func realPaths(b *testing.B) []string {
	b.Helper()
	var texts []string
	for _, row := range bench.RealRows(b, os.Open, "oracle-paths.jsonl") {
		text := row.Text("path")
		_, err := resource.ParsePropertyPath(text)
		if _, ours := path.ParsePulumi(text); err == nil && ours == nil {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = bench.Paths(400)
	}
	return texts
}

func pathParseRow(b *testing.B) {
	all := realPaths(b)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(text string) error {
			_, err := path.ParsePulumi(text)
			return err
		}),
		bench.Each(classic, all, func(text string) error {
			_, err := resource.ParsePropertyPath(text)
			return err
		}))
}

// sdkPath is a pattern as the SDK has it.
func sdkPath(b *testing.B, pattern path.Pattern) resource.PropertyPath {
	b.Helper()
	text, err := pattern.Pulumi()
	if err != nil {
		b.Fatal(err)
	}
	way, err := resource.ParsePropertyPath(text)
	if err != nil {
		b.Fatal(err)
	}
	return way
}

// place is a path in every form, and its value.
type place struct {
	ours path.Path
	sdk  resource.PropertyPath
	new  property.Path
}

func placesOf(b *testing.B, v value.Value) []place {
	b.Helper()
	var all []place
	for c := range v.Walk() {
		if c.Depth() == 0 {
			continue
		}
		p := c.Path()
		way := sdkPath(b, p.Pattern())
		all = append(all, place{p, way, resource.FromResourcePropertyPath(way)})
	}
	return all
}

// pathAtRow reads every place of a large bag.
func pathAtRow(b *testing.B) {
	bag := formsOf(b, bench.Bag(bench.Large))
	all := placesOf(b, bag.ours)
	root, fresh := resource.NewProperty(bag.classic), property.New(bag.newer)
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p place) error {
			_, ok := bag.ours.At(p.ours)
			return bench.Must(ok)
		}),
		bench.Each(classic, all, func(p place) error {
			_, ok := p.sdk.Get(root)
			return bench.Must(ok)
		}),
		bench.Each(newer, all, func(p place) error {
			_, err := p.new.Get(fresh)
			return err
		}))
}

// pathAtRealRow reads the places of every tenth real bag, where all sides find the
// place. The classic model looks into no secret.
func pathAtRealRow(b *testing.B) {
	type read struct {
		place
		ours    value.Value
		classic resource.PropertyValue
		newer   property.Value
	}
	forms := realForms(b)
	var all []read
	for _, bag := range bench.Spread(forms, len(forms)/10) {
		root, fresh := resource.NewProperty(bag.classic), property.New(bag.newer)
		for _, p := range placesOf(b, bag.ours) {
			_, found := p.sdk.Get(root)
			if _, err := p.new.Get(fresh); found && err == nil {
				all = append(all, read{p, bag.ours, root, fresh})
			}
		}
	}
	b.Logf("%d places", len(all))
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(r read) error {
			_, ok := r.ours.At(r.place.ours)
			return bench.Must(ok)
		}),
		bench.Each(classic, all, func(r read) error {
			_, ok := r.sdk.Get(r.classic)
			return bench.Must(ok)
		}),
		bench.Each(newer, all, func(r read) error {
			_, err := r.new.Get(r.newer)
			return err
		}))
}

// pathMatchRow asks of every place of a large bag whether one of 100 patterns covers
// it. The patterns are of such bags too, and half of them match.
func pathMatchRow(b *testing.B) {
	bag := bench.Bag(bench.Large)
	all := placesOf(b, bag)
	patterns := bench.PatternsFor(bag, 100)
	set := path.NewSet(patterns...)
	var ways []resource.PropertyPath
	var globs []property.Glob
	for _, pattern := range patterns {
		ways = append(ways, sdkPath(b, pattern))
		var glob property.Glob
		if err := glob.UnmarshalText([]byte(pattern.String())); err != nil {
			b.Fatal(err)
		}
		globs = append(globs, glob)
	}
	covered := 0
	count := func(is bool) error {
		if is {
			covered++
		}
		return nil
	}
	bench.Compare(b,
		bench.Each(bench.Ours, all, func(p place) error { return count(set.Covers(p.ours)) }),
		bench.Each(classic, all, func(p place) error {
			return count(slices.ContainsFunc(ways, func(way resource.PropertyPath) bool { return way.Contains(p.sdk) }))
		}),
		bench.Each(newer, all, func(p place) error {
			return count(slices.ContainsFunc(globs, func(glob property.Glob) bool { return glob.Matches(p.new) }))
		}))
	b.Logf("%d covered", covered)
}

// stateMegabytes is the size of the state file of the row "state".
var stateMegabytes = flag.Int("state.mb", 100, "megabytes of the state file that the benchmarks read")

// stateRow reads a state file to the properties of all resources. The SDK's side is
// what its module has of that: the deployment, then property maps of plain JSON;
// the engine also looks for secrets, which is not in that module.
func stateRow(b *testing.B) {
	bags := bench.Bags(stackBags)
	many := resourcesIn(b, *stateMegabytes, bags)
	file := stackOf(b, many, bags)
	sameResources(b, file)
	bench.Compare(b,
		bench.Side{Name: bench.Ours, Do: func() error {
			n := 0
			for _, err := range state.NewReader(bytes.NewReader(file), state.Options{}).Resources() {
				if err != nil {
					return err
				}
				n++
			}
			return bench.Must(n == many)
		}},
		bench.Side{Name: classic, Do: func() error {
			all, err := sdkResources(file)
			if err != nil {
				return err
			}
			for _, r := range all {
				resource.NewPropertyMapFromMap(r.Inputs)
				resource.NewPropertyMapFromMap(r.Outputs)
			}
			return bench.Must(len(all) == many)
		}})
}

// stackBags is how many bags the resources of a state file share.
const stackBags = 1000

// resourcesIn is how many resources a state file of so many megabytes has.
func resourcesIn(b *testing.B, megabytes int, bags []value.Value) int {
	b.Helper()
	return int(stackBags * (int64(megabytes) << 20) / int64(len(stackOf(b, stackBags, bags))))
}

// stackOf is a state file of so many resources.
func stackOf(b *testing.B, resources int, bags []value.Value) []byte {
	b.Helper()
	var file bytes.Buffer
	if err := bench.WriteStack(&file, resources, bags); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// sdkResources are the resources of a state file as the SDK's module reads it.
func sdkResources(file []byte) ([]apitype.ResourceV3, error) {
	var whole apitype.UntypedDeployment
	if err := json.Unmarshal(file, &whole); err != nil {
		return nil, err
	}
	var deployment apitype.DeploymentV3
	err := json.Unmarshal(whole.Deployment, &deployment)
	return deployment.Resources, err
}

// sameResources checks, once, that both sides find the same resources in the file,
// with as many inputs and outputs.
func sameResources(b *testing.B, file []byte) {
	b.Helper()
	theirs, err := sdkResources(file)
	if err != nil {
		b.Fatal(err)
	}
	for r, err := range state.NewReader(bytes.NewReader(file), state.Options{}).Resources() {
		if err != nil {
			b.Fatal(err)
		}
		t := theirs[0]
		if r.URN != string(t.URN) || r.ID != string(t.ID) || r.Inputs.Len() != len(t.Inputs) || r.Outputs.Len() != len(t.Outputs) {
			b.Fatalf("%s is not %s", r.URN, t.URN)
		}
		theirs = theirs[1:]
	}
	if len(theirs) > 0 {
		b.Fatalf("%d resources are missing", len(theirs))
	}
}

// keptRow reports what a bag keeps in memory, in the unit kept-B.
func keptRow(b *testing.B, bag value.Value) {
	b.Helper()
	data := marshalled(b, bag)
	bench.Kept(b, bench.Ours, func() (value.Value, error) { return codec.Decode(data, codec.Options{}) })
	bench.Kept(b, classic, func() (resource.PropertyMap, error) { return sdkDecode(data) })
	bench.Kept(b, newer, func() (property.Map, error) {
		props, err := sdkDecode(data)
		return resource.FromResourcePropertyMap(props), err
	})
}
