package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/equality"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/value"
)

// planted is a provider of things with a mistake, which its mode names.
type planted struct{ *things }

func (p planted) is(mode string) bool { return p.mode == "planted: "+mode }

func (p planted) Check(ctx context.Context, r *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	name, isText := r.News.Field("name").AsString()
	size, isNumber := r.News.Field("size").AsNumber()
	switch {
	case p.is("Check makes a default that is random") && r.News.Field("size").IsNull():
		r.News, _ = r.News.WithField("size", value.Number(float64(rand.IntN(1<<20))))
	case p.is("Check makes a text of an unknown") && !isText:
		r.News, _ = r.News.WithField("name", value.String(name))
	case p.is("Check keeps the old size") && r.Olds.Field("size").Kind() == value.KindNumber && isNumber:
		r.News, _ = r.News.WithField("size", r.Olds.Field("size").WithMarksOf(r.News.Field("size")))
	case p.is("Check refuses an unknown") && r.News.Field("name").IsUnknown():
		return &rpc.CheckResponse{Inputs: r.News, Failures: []rpc.CheckFailure{{Property: "name", Reason: "expected a text"}}}, nil
	case p.is("Check adds to what it returned") && isNumber:
		r.News, _ = r.News.WithField("size", value.Number(size+1).WithMarksOf(r.News.Field("size")))
	case p.is("right: Check is strict") && size < 0:
		return &rpc.CheckResponse{Inputs: r.News, Failures: []rpc.CheckFailure{{Property: "size", Reason: "expected 0 or more"}}}, nil
	}
	return p.things.Check(ctx, r)
}

func (p planted) Diff(ctx context.Context, r *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	forget := func(name string) {
		r.News, _ = r.News.WithField(name, r.OldInputs.Field(name))
	}
	switch {
	case p.is("Diff compares the state with inputs"):
		r.OldInputs = r.Olds
	case p.is("Diff forgets an optional property"):
		forget("size")
	case p.is("right: no tags are as good as none") && r.News.Field("tags").DropSecret().Len() == 0 && r.OldInputs.Field("tags").DropSecret().Len() == 0 && !r.News.Field("tags").IsUnknown():
		forget("tags")
	case p.is("Diff forgets a secret"):
		forget("password")
	case p.is("Diff ignores ignoreChanges"):
		r.IgnoreChanges = nil
	case p.is("Diff takes tags for a set"):
		return provider.Differ{ReplaceOn: path.MustSet("name"), ArrayRules: []diff.ArrayRule{{Pattern: path.MustParsePattern("tags"), Match: diff.Unordered()}}}.Answer(r)
	case p.is("Diff takes names for equal"):
		return provider.Differ{ReplaceOn: path.MustSet("name"), Equality: equality.MustRules(equality.Rule{Pattern: path.MustParsePattern("name"), Form: equality.FoldCase})}.Answer(r)
	case p.is("Diff panics on an unknown") && r.News.ContainsUnknown():
		os.Exit(2)
	case p.is("Diff does not replace"):
		return provider.Differ{}.Answer(r)
	case p.is("names are unique, and Diff does not say so"), p.is("right: Diff deletes first"):
		a, err := provider.Differ{ReplaceOn: path.MustSet("name", "size"), DeleteBeforeReplace: p.is("right: Diff deletes first")}.Answer(r)
		return a, err
	}
	a, err := p.things.Diff(ctx, r)
	if p.is("Diff names one change of two") && err == nil && len(a.Diffs) > 1 {
		delete(a.DetailedDiff, a.Diffs[1])
		a.Diffs = a.Diffs[:1]
	}
	return a, err
}

func (p planted) Create(ctx context.Context, r *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	password, _ := r.Properties.Field("password").AsString()
	unique := p.is("names are unique, and Diff does not say so") || p.is("right: Diff deletes first")
	switch {
	case p.is("an error quotes the inputs") && r.Properties.Field("size").IsNull():
		name, _ := r.Properties.Field("name").AsString()
		return nil, fmt.Errorf("POST /things: 409 name %s, password %s exist", name, password)
	case p.is("a preview creates") && r.Preview:
		id, _ := p.things.Create(ctx, &rpc.CreateRequest{Properties: r.Properties})
		return &rpc.CreateResponse{Properties: id.Properties}, nil
	case unique && !r.Preview && p.taken(r.Properties):
		return nil, errors.New("the name is taken")
	}
	a, err := p.things.Create(ctx, r)
	if err != nil {
		return a, err
	}
	switch {
	case p.is("Create returns secrets in clear"):
		a.Properties, _ = a.Properties.WithField("password", a.Properties.Field("password").DropSecret())
	case p.is("a preview promises another path") && r.Preview:
		a.Properties, _ = a.Properties.WithField("path", value.String("/old"))
	case p.is("Create returns a number as a text") && !r.Preview:
		a.Properties, _ = a.Properties.WithField("size", value.String("1"))
	case p.is("an output has the password") && !r.Preview:
		a.Properties, _ = a.Properties.WithField("path", value.String("https://user:"+password+"@host"))
	case p.is("all have one ID") && !r.Preview:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all["one"] = r.Properties
		a.ID, a.Properties = "one", p.state("one", r.Properties)
	case p.is("right: Create is half done") && !r.Preview:
		return nil, grpc.InitFailed(&rpc.ErrorResourceInitFailed{ID: a.ID, Properties: a.Properties, Inputs: r.Properties, Reasons: []string{"slow"}})
	}
	return a, err
}

func (p planted) taken(inputs value.Value) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, other := range p.all {
		if other.Field("name").DropSecret().Equal(inputs.Field("name").DropSecret()) {
			return true
		}
	}
	return false
}

func (p planted) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	a, err := p.things.Read(ctx, r)
	switch {
	case err != nil:
	case a.ID == "" && p.is("Read fails if it is gone"):
		return nil, errors.New("404")
	case a.ID == "":
	case p.is("Read returns no inputs"):
		a.Inputs = value.Null()
	case p.is("Read returns 0 for missing") && a.Inputs.Field("size").IsNull():
		a.Inputs, _ = a.Inputs.WithField("size", value.Number(0))
	case p.is("Read reverses a list"):
		var tags []value.Value
		for _, tag := range a.Properties.Field("tags").Elems() {
			tags = append(tags, tag)
		}
		slices.Reverse(tags)
		if len(tags) > 0 {
			a.Properties, _ = a.Properties.WithField("tags", value.Array(tags...))
		}
	case p.is("Read has outputs among the inputs"):
		a.Inputs = a.Properties
	case p.is("an import has secrets in clear") && r.Properties.Len() == 0:
		a.Properties, _ = a.Properties.WithField("password", a.Properties.Field("password").DropSecret())
	case p.is("Read forgets the password"), p.is("right: Read cannot know the password"):
		a.Inputs, _ = a.Inputs.Without(path.MustParse("password"))
		a.Properties, _ = a.Properties.Without(path.MustParse("password"))
	}
	return a, err
}

func (p planted) Update(ctx context.Context, r *rpc.UpdateRequest) (*rpc.UpdateResponse, error) {
	a, err := p.things.Update(ctx, r)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.is("Update loses outputs") && !r.Preview:
		a.Properties, _ = a.Properties.Without(path.MustParse("path"))
	case p.is("Update keeps what was removed") && !r.Preview && r.News.Field("size").IsNull():
		p.all[r.ID], _ = r.News.WithField("size", r.Olds.Field("size"))
	case p.is("Update sends one field") && !r.Preview:
		p.all[r.ID], _ = r.OldInputs.WithField("size", r.News.Field("size"))
	case p.is("a preview updates") && r.Preview:
		p.all[r.ID] = r.News
	}
	return a, err
}

func (p planted) Delete(ctx context.Context, r *rpc.DeleteRequest) (*rpc.Empty, error) {
	if p.is("Delete does nothing") {
		return &rpc.Empty{}, nil
	}
	return p.things.Delete(ctx, r)
}

// TestPlanted: mistakes are found, and the right method is blamed.
func TestPlanted(t *testing.T) {
	for mode, row := range map[string]struct {
		want string // a finding: call, code and the beginning of the place
		args string
	}{
		"Check makes a default that is random":       {"Check not-repeatable", ""},
		"Check makes a text of an unknown":           {"Check unknown-lost name", ""},
		"Check keeps the old size":                   {"Check not-followed size", ""},
		"Check refuses an unknown":                   {"Check unknown-refused name", ""},
		"Check adds to what it returned":             {"Check not-idempotent", ""},
		"Diff compares the state with inputs":        {"Diff some-while-equal", ""},
		"Diff forgets an optional property":          {"Diff unreported size", ""},
		"Diff forgets a secret":                      {"Diff unreported password", ""},
		"Diff ignores ignoreChanges":                 {"Diff ignored-reported", ""},
		"Diff panics on an unknown":                  {"Diff crash", ""},
		"Diff does not replace":                      {"Diff should-replace name", ""},
		"Diff names one change of two":               {"Diff unreported ", ""},
		"names are unique, and Diff does not say so": {"Diff replacement-conflicts", "--live --replaces size"},
		"an error quotes the inputs":                 {"Create secret-shown", "--live"},
		"a preview creates":                          {"Create preview-differs path", "--live"},
		"Create returns secrets in clear":            {"Create secret-lost password", "--live"},
		"a preview promises another path":            {"Create preview-differs path", "--live"},
		"Create returns a number as a text":          {"Create schema-mismatch size", "--live"},
		"an output has the password":                 {"Create secret-derived path", "--live"},
		"all have one ID":                            {"Delete read-not-found", "--live"},
		"Read fails if it is gone":                   {"Read gone-read-fails", "--live"},
		"Read returns no inputs":                     {"Read inputs-missing", "--live"},
		"Read returns 0 for missing":                 {"Read inputs-drift size", "--live"},
		"Read reverses a list":                       {"Read order-differs tags", "--live"},
		"Read has outputs among the inputs":          {"Read inputs-drift path", "--live"},
		"an import has secrets in clear":             {"Read schema-secret password", "--live"},
		"Read forgets the password":                  {"Read state-drifts password", "--live"},
		"Update loses outputs":                       {"Update schema-mismatch path", "--live"},
		"Update keeps what was removed":              {"Update state-drifts size", "--live"},
		"Update sends one field":                     {"Update state-drifts ", "--live"},
		"a preview updates":                          {"Update preview-changes ", "--live"},
		"Delete does nothing":                        {"Delete gone-found", "--live"},
	} {
		args := append(strings.Fields(row.args), "--journal", journalIn(t), "--tries", "60", "--resource", "*")
		got := found(document(t, "planted: "+mode, args...))
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, row.want) }) {
			t.Errorf("%s: no %q among %q", mode, row.want, got)
		}
	}
}

// TestRightVariants: what is unusual, and right, is no finding.
func TestRightVariants(t *testing.T) {
	for mode, args := range map[string]string{
		"right: Check is strict":               "",
		"right: Diff deletes first":            "--replaces size",
		"right: Create is half done":           "",
		"right: no tags are as good as none":   "",
		"right: Read cannot know the password": "--write-only password",
	} {
		all := append(strings.Fields(args), "--live", "--journal", journalIn(t), "--tries", "60", "--resource", "*")
		if got := found(document(t, "planted: "+mode, all...)); got != nil {
			t.Errorf("%s: %q", mode, got)
		}
	}
}

// TestUnmarked: what is sent to a provider without secrets has none at any depth, and what it
// returns has those of the request.
func TestUnmarked(t *testing.T) {
	inputs := value.Object(value.Field("a", value.Array(value.Secret(value.String("x")))), value.Field("b", value.Secret(value.Unknown())))
	sent := rpc.CreateRequest{Properties: inputs}
	unmark(&sent)
	if sent.Properties.ContainsSecret() || !inputs.ContainsSecret() {
		t.Errorf("%v of %v", sent.Properties, inputs)
	}
	response := &rpc.CreateResponse{Properties: sent.Properties}
	mark(&rpc.CreateRequest{Properties: inputs}, response)
	if !response.Properties.Identical(inputs) {
		t.Errorf("%v, not %v", response.Properties, inputs)
	}
}
