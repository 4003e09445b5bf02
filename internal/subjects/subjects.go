// Package subjects makes one of everything that the public packages hand out, each
// with secrets in it, and looks for those secrets in what printers write of it. The
// tests of fuzz give it the printers of the standard library and go-cmp; those of
// interop/printers give it the rest.
package subjects

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/diff/ignore"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/cloud"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/provider/check"
	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
	"github.com/propalg/propalg/value/bind"
)

// Secret is what no printer may show. Texts and numbers of two secrets that are
// compared are equally long, since lengths are not secret.
type Secret struct {
	Text   string
	Number float64
	Bool   bool
}

// Subject is one value to print.
type Subject struct {
	Name  string
	Value any
	// Digests: it holds a digest of the secret, or its exact size, so that two
	// secrets may print differently.
	Digests bool
}

// All returns the subjects for one secret.
func All(s Secret) []Subject {
	var all []Subject
	for _, some := range [][]Subject{s.values(), s.editing(), s.structs(), s.assets(), s.diffs(), s.merges(), s.building(), s.codecs(), s.files(), s.resources(), s.messages(), s.runs()} {
		all = append(all, some...)
	}

	return all
}

// inClear is an object with the secret in it, without marks.
func (s Secret) inClear() value.Value {
	return value.Object(
		value.Member{Key: "text", Value: value.String(s.Text)}, value.Member{Key: "number", Value: value.Number(s.Number)},
		value.Member{Key: "bool", Value: value.Bool(s.Bool)}, value.Member{Key: s.Text, Value: value.Array(value.Number(s.Number), value.Bool(s.Bool))},
	)
}

// bag holds the secret as marked leaves, in a marked container and beside
// dependencies.
func (s Secret) bag() value.Value {
	return value.Object(
		value.Member{Key: "text", Value: value.Secret(value.String(s.Text))},
		value.Member{Key: "number", Value: value.Secret(value.Number(s.Number))},
		value.Member{Key: "bool", Value: value.Secret(value.Bool(s.Bool))},
		value.Member{Key: "whole", Value: value.Secret(s.inClear())},
		value.Member{Key: "deps", Value: value.Secret(value.Number(s.Number)).WithDependencies("urn:pulumi:s::p::t::n")},
		value.Member{Key: "list", Value: value.Array(value.Secret(value.Array(value.Number(s.Number), value.Bool(s.Bool), value.String(s.Text))))},
		value.Member{Key: "plain", Value: value.Number(1)},
	)
}

// json is the bag as JSON text; its length does not depend on the secret. Some
// numbers are written more exactly than a double holds them.
func (s Secret) json() string {
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":`

	number := strconv.FormatFloat(s.Number, 'f', 3, 64) + "00000000000000000000000001"
	flag := fmt.Sprintf("%-5v", s.Bool)
	text := strconv.Quote(s.Text)

	return `{"text":` + secret + text + `},"number":` + secret + number + `},"bool":` + secret + flag + `},"whole":` + secret + `{"number":` + number + `,"bool":` + flag +
		`,` + text + `:[` + number + `,` + text + `]}},"plain":1}`
}

// wired is the bag in the form that codecs of messages read.
func (s Secret) wired() string { return s.json() }

func (s Secret) values() []Subject {
	bag := s.bag()
	whole := bag.Field("whole")
	children := whole.Children()
	at, _ := bag.At(path.MustParse("whole.number"))

	all := []Subject{
		{Name: "value.Value", Value: bag},
		{Name: "secret string", Value: bag.Field("text")},
		{Name: "secret number", Value: bag.Field("number")},
		{Name: "secret boolean", Value: bag.Field("bool")},
		{Name: "secret container", Value: whole},
		{Name: "number of a secret object", Value: whole.Field("number")},
		{Name: "boolean of a secret object", Value: whole.Field("bool")},
		{Name: "number at a path", Value: at},
		{Name: "number of a secret array", Value: bag.Field("list").Elem(0).Elem(0)},
		{Name: "number with dependencies", Value: bag.Field("deps")},
		{Name: "number that had dependencies", Value: bag.Field("deps").DropDependencies()},
		{Name: "number that is in another container", Value: value.Array(whole.Field("number")).Elem(0)},
		{Name: "number marked twice", Value: value.Secret(value.Secret(value.Number(s.Number)))},
		{Name: "value.Member", Value: value.Member{Key: "k", Value: whole.Field("number")}},
		{Name: "[]value.Value", Value: []value.Value{whole.Field("number"), bag.Field("bool"), bag}},
		{Name: "map of values", Value: map[string]value.Value{"m": bag.Field("number")}},
		{Name: "value.Children", Value: children},
		{Name: "path.Shown", Value: path.Show(path.Of(path.Key("whole"), path.Key(s.Text)), 1)},
	}

	for c := range whole.Walk() {
		kept := *c
		all = append(all, Subject{Name: "value.Cursor", Value: &kept})
	}

	for i := range children.Len() {
		_, child := children.At(i)
		all = append(all, Subject{Name: "child " + strconv.Itoa(i) + " of a secret object", Value: child})
	}

	return all
}

func (s Secret) editing() []Subject {
	_, below := s.bag().With(path.Of(path.Key("whole"), path.Key(s.Text), path.Key(s.Text)), value.Null())

	b := &value.Builder{}
	b.Push(value.Number(s.Number))
	b.Push(value.Bool(s.Bool))
	b.PushMember(s.Text, value.Number(s.Number))

	reserved := &value.Builder{}
	reserved.Reserve(4, 4)
	reserved.PushMember(s.Text, value.Number(s.Number))

	sorted := &value.Builder{}
	sorted.PushMember(s.Text+"b", value.Number(s.Number))
	sorted.PushMember(s.Text+"a", value.Bool(s.Bool))
	_, _, _ = sorted.Object(2)

	return []Subject{{Name: "value.Error", Value: below}, {Name: "value.Builder at its end", Value: sorted}, {Name: "value.Builder", Value: b}, {Name: "reserved value.Builder", Value: reserved}}
}

func (s Secret) structs() []Subject {
	output := bind.Secret(s.Text)
	info, errInfo := bind.Decode(s.bag(), &map[string]value.Value{}, bind.Options{})
	_, err := bind.As[map[string]map[string]bool](s.bag())

	return []Subject{{Name: "bind.Output", Value: output}, {Name: "*bind.Output", Value: &output}, {Name: "bind.Info", Value: info}, {Name: "bind.Error", Value: errors.Join(err, errInfo)}}
}

func (s Secret) assets() []Subject {
	entries := func(text string) value.Value {
		inner, err := value.LiteralArchive(value.Member{Key: s.Text, Value: value.TextAsset(text).Value()})
		if err != nil {
			panic(err)
		}

		return value.Secret(inner.Value())
	}
	contents := asset.Contents{Files: asset.FS(fstest.MapFS{})}

	var all []Subject

	for e, err := range contents.Entries(context.Background(), entries("x")) {
		if err != nil {
			panic(err)
		}

		all = append(all, Subject{Name: "asset.Entry", Value: e})
	}

	list, listErr := contents.List(context.Background(), entries("x"))
	_, missing := contents.Open(context.Background(), value.Secret(value.FileAsset(s.Text).Value()))

	if listErr != nil || missing == nil {
		panic("no lists, or no error")
	}

	blob, err := contents.Open(context.Background(), value.Secret(value.TextAsset(s.Text).Value()))
	if err != nil {
		panic(err)
	}

	return append(all, Subject{Name: "asset.List", Value: list},
		Subject{Name: "asset.Error", Value: missing}, Subject{Name: "asset.Blob", Value: blob}, Subject{Name: "secret archive", Value: entries("x")})
}

func (s Secret) diffs() []Subject {
	old := s.bag()
	now, err := old.With(path.Of(path.Key("whole"), path.Key(s.Text), path.Index(0)), value.Null())
	if err != nil {
		panic(err)
	}

	for _, k := range []string{"text", "number", "bool"} {
		if now, err = now.With(path.MustParse(k), value.Secret(value.Null())); err != nil {
			panic(err)
		}
	}
	// What was in the clear becomes secret.
	old, _ = old.With(path.MustParse("plain"), value.Number(s.Number))
	now, _ = now.With(path.MustParse("plain"), value.Secret(value.Number(s.Number)))

	d := diff.Between(old, now, diff.Options{})
	_, misfit := diff.Apply(now, d)
	all := []Subject{
		{Name: "diff.Diff", Value: d},
		{Name: "inverted diff.Diff", Value: d.Invert()},
		{Name: "diff.Error", Value: misfit},
		{Name: "diff/render.Lines", Value: lines(d)},
	}

	for c := range d.Changes() {
		all = append(all, Subject{Name: "diff.Change", Value: c})
	}

	for p := range d.Places() {
		all = append(all, Subject{Name: "diff.Place", Value: p})

		// A value in clear that became secret is a number as any other to a printer that
		// does not call methods.
		if c, _ := p.Change(); !c.SecretChanged() {
			all = append(all, Subject{Name: "diff.Record", Value: p.Record()})
		}
	}

	text, err := patch.Marshal(d, patch.Options{Secrets: patch.RevealSecrets})
	if err != nil {
		panic(err)
	}

	read, err := patch.Unmarshal(text, patch.Options{})
	if err != nil {
		panic(err)
	}

	_, broken := patch.UnmarshalText(string(text[:len(text)/2]), patch.Options{})
	sides := provider.Sides{OldInputs: old, OldState: old, News: now}
	response := provider.Response{HasDetailed: true, Detailed: []provider.Entry{{Key: "nowhere"}}}
	all = append(all, Subject{Name: "patch.Patch", Value: read}, Subject{Name: "patch.Error", Value: broken},
		Subject{Name: "diff.Findings", Value: check.Validate(response, sides, provider.Options{})}, Subject{Name: "provider.Sides", Value: provider.Sides{OldInputs: s.bag(), News: s.bag()}},
		Subject{Name: "provider.Comparison", Value: provider.Compare(sides, provider.Options{})},
		Subject{Name: "equality.Rules", Value: equality.MustRules(equality.Rule{Form: equality.FoldCase})})

	return all
}

// lines are those of the text of a diff.
func lines(d diff.Diff) []render.Line {
	var all []render.Line
	for l := range render.Lines(d, render.Options{}) {
		all = append(all, l)
	}

	return all
}

func (s Secret) merges() []Subject {
	base := s.bag()
	at := path.Of(path.Key("whole"), path.Key(s.Text), path.Index(0))
	left, _ := base.With(at, value.Number(s.Number+1))
	right, _ := base.With(at, value.Null())
	left, _ = left.With(path.MustParse("plain"), value.Secret(value.Number(s.Number)))
	right, _ = right.With(path.MustParse("plain"), value.Number(s.Number))
	merged := diff.Merge(base, left, right, diff.Options{})
	shorter, _ := base.With(path.Of(path.Key("whole"), path.Key(s.Text)), value.Array(value.Null()))
	ignored := ignore.Changes(base, shorter, []path.Pattern{path.Of(path.Key("whole"), path.Key(s.Text)).Pattern().Append(path.Any())}, ignore.Engine)

	all := []Subject{{Name: "diff.Merged", Value: merged}}
	for _, c := range merged.Conflicts {
		all = append(all, Subject{Name: "diff.Conflict", Value: c})
	}

	for _, p := range ignored.Patterns {
		for _, m := range p.Mismatches {
			all = append(all, Subject{Name: "diff/ignore.Mismatch", Value: m})
		}
	}

	return all
}

func (s Secret) building() []Subject {
	old := s.bag()
	now, _ := old.With(path.Of(path.Key("whole"), path.Key(s.Text)), value.Number(s.Number))
	b := diff.NewBuilder(diff.Options{})

	for p := range diff.Between(old, now, diff.Options{}).Places() {
		if inside, ok := p.Inside(); ok {
			_ = b.Enter(p.Record(), inside)
		} else {
			_ = b.Put(p.Record())
		}
	}

	return []Subject{{Name: "diff.Builder", Value: b}}
}

func (s Secret) codecs() []Subject {
	var report codec.Report

	_, err := codec.DecodeJSON([]byte(s.json()), codec.Options{RoundNumbers: true, Report: &report})
	if err != nil || len(report.Rounded) == 0 {
		panic(fmt.Sprint("no report: ", err))
	}

	_, inexact := codec.DecodeJSON([]byte(s.json()), codec.Options{})
	_, below := codec.EncodeJSON(value.Secret(value.Object(value.Member{Key: s.Text, Value: value.String("\xff")})), codec.Options{})

	return []Subject{
		{Name: "codec.Report", Value: report},
		{Name: "codec.Rounded", Value: report.Rounded[0]},
		{Name: "codec.Error", Value: inexact},
		{Name: "codec.Error of a key", Value: below},
	}
}

// export is a stack export with the secret in it.
func (s Secret) export() string {
	return `{"version":3,"deployment":{"manifest":{"time":"2024-01-01T00:00:00Z","magic":"m","version":"v3.100.0"},` +
		`"secrets_providers":{"type":"passphrase","state":{"salt":"v1:x"}},"` + "metadata" + `":` + s.json() + `,"resources":[` +
		`{"urn":"urn:pulumi:s::p::a:b:C::n","custom":true,"id":"i","type":"a:b:C","inputs":` + s.json() + `,"outputs":` + s.json() +
		`,"parent":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","initErrors":[` + strconv.Quote(s.Text) + `],"modified":"2024-01-01T00:00:00Z",` +
		`"later":` + s.json() + `}]},"wrapped":` + s.json() + `}`
}

type vault struct{ plain string }

func (v vault) Decrypt(ciphertexts []string) ([]string, error) {
	plain := make([]string, len(ciphertexts))
	for i := range plain {
		plain[i] = v.plain
	}

	return plain, nil
}

func (s Secret) files() []Subject {
	o := state.Options{Codec: codec.Options{RoundNumbers: true}}

	file, err := state.Parse(s.export(), o)
	if err != nil {
		panic(err)
	}

	opened, err := file.Decrypt(vault{strconv.Quote(s.Text)})
	if err != nil {
		panic(err)
	}

	_, broken := state.Parse(s.export()[:len(s.export())/2], o)
	reader := state.NewReader(strings.NewReader(s.export()), o)

	all := []Subject{
		{Name: "state.File", Value: file},
		{Name: "opened state.File", Value: opened},
		{Name: "state.Field", Value: file.Fields()},
		{Name: "wrapping state.Field", Value: file.Envelope()},
		{Name: "state.Error", Value: broken},
		{Name: "state.Reader", Value: reader},
	}

	for e, err := range state.NewReader(strings.NewReader(s.export()), o).Entries() {
		if err != nil {
			panic(err)
		}

		all = append(all, Subject{Name: "state.Entry", Value: e, Digests: true})
	}

	for _, err := range reader.Resources() {
		if err != nil {
			panic(err)
		}

		return append(all, Subject{Name: "state.Reader at work", Value: reader})
	}

	return all
}

func (s Secret) resources() []Subject {
	file, err := state.Parse(s.export(), state.Options{Codec: codec.Options{RoundNumbers: true}})
	if err != nil {
		panic(err)
	}

	var all []Subject

	for r, err := range file.Resources() {
		if err != nil {
			panic(err)
		}

		all = append(all, Subject{Name: "state.Resource", Value: r})
	}

	empty := strings.NewReader(`{"version":3,"deployment":{"resources":[]}}`)

	c, err := state.Compare(empty, strings.NewReader(s.export()), state.CompareOptions{Codec: codec.Options{RoundNumbers: true}})
	if err != nil {
		panic(err)
	}

	all = append(all, Subject{Name: "state.Comparison", Value: c, Digests: true})

	for d, err := range c.Resources() {
		if err != nil {
			panic(err)
		}

		all = append(all, Subject{Name: "state.ResourceDiff", Value: d})
	}

	return all
}

func (s Secret) messages() []Subject {
	bag := s.bag()
	trigger := bag.Field("number")
	log := `{"method":"/pulumirpc.ResourceProvider/Check","request":{"news":` + s.wired() + `},"errors":[` + strconv.Quote(s.Text) + `],"response":{"inputs":` + s.wired() + "}}\n"
	_, inexact := (&rpc.ConfigureRequest{Variables: map[string]string{"p:config:password": `{"` + s.Text + `":`}}).PropertiesWithStrings()
	all := []Subject{
		{Name: "rpc.DiffRequest", Value: &rpc.DiffRequest{URN: "urn", Olds: bag, News: bag.Field("whole")}},
		{Name: "rpc.CheckResponse", Value: rpc.CheckResponse{Inputs: bag}},
		{Name: "rpc.RegisterResourceRequest", Value: &rpc.RegisterResourceRequest{Object: bag, ReplacementTrigger: &trigger}},
		{Name: "rpc.Error", Value: inexact},
	}

	session := &check.Session{}
	session.Add(&rpc.CreateRequest{URN: "urn", Properties: bag}, &rpc.CreateResponse{ID: "i", Properties: bag})
	all = append(all, Subject{Name: "check.Session", Value: session, Digests: true})

	for c, err := range rpc.ReadLog(strings.NewReader(log)) {
		if err != nil {
			panic(err)
		}

		all = append(all, Subject{Name: "rpc.LoggedCall", Value: c})
	}

	return all
}

// runs are of a stack with a provider that quotes what it is sent.
func (s Secret) runs() []Subject {
	c := &cloud.Cloud{Fail: func(method, urn string) error {
		if method != "Create" && method != "Create+" || strings.HasSuffix(urn, "::a") {
			return nil
		}

		return fmt.Errorf("refused %s, %v and %v", s.Text, s.Number, s.Bool)
	}}
	stack := engine.Stack{Launch: func(context.Context, engine.Plugin) (rpc.Provider, error) { return c.New(), nil }}

	goals := []engine.Goal{{Type: "demo:index:Thing", Name: "a", Inputs: s.bag()}, {Type: "demo:index:Thing", Name: "b"}}

	var all []Subject

	for a, err := range stack.Update(context.Background(), engine.Program{Stack: "dev", Project: "shop", Resources: goals}) {
		all = append(all, Subject{Name: "engine.Stack at work", Value: stack}, Subject{Name: "engine.Action", Value: a}, Subject{Name: "error of an action", Value: err})
	}

	return append(all, Subject{Name: "engine.Stack", Value: stack}, Subject{Name: "engine.Program", Value: goals})
}
