package demo_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/interop/grpc"
	"github.com/propalg/propalg/value"
)

func TestLifecycle(t *testing.T) {
	s := configured(t, nil)
	ctx := t.Context()
	inputs := s.check(full("one"))

	// The preview of it all leaves no trace.
	q := &rpc.CreateRequest{URN: recordURN, Properties: inputs, Preview: true}
	foretold, err := s.Create(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	u := value.Unknown()
	want := with(inputs, "url", u, "revision", u, "documentBytes", u, "bundleEntries", u, "token", value.Secret(u))
	if !foretold.Properties.Identical(want) {
		t.Errorf("foretold %v, want %v", foretold.Properties, want)
	}
	if _, err := os.Stat(s.file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a preview wrote: %v", err)
	}

	made := s.create(inputs)
	p := made.Properties
	token := p.Field("token")
	if secret, _ := token.AsString(); !token.IsSecret() || len(secret) < 20 {
		t.Error("no secret token")
	}
	want = with(inputs, "url", text("https://one.a.demo.test/"), "revision", number(1), "documentBytes", number(9), "bundleEntries", number(2), "token", token)
	if made.ID == "" || !p.Identical(want) {
		t.Errorf("%s: %v, want %v", made.ID, p, want)
	}
	if value.Strict.Compatible(foretold.Properties, p) == value.Changed {
		t.Errorf("foretold %v, came %v", foretold.Properties, p)
	}

	news := with(inputs, "title", text("bye"), "document", value.TextAsset("other"))
	update := &rpc.UpdateRequest{URN: recordURN, ID: made.ID, Olds: p, OldInputs: inputs, News: news, Preview: true}
	preview, err := s.Update(ctx, update)
	if err != nil {
		t.Fatal(err)
	}
	want = with(p, "title", text("bye"), "document", news.Field("document"), "revision", u, "documentBytes", u)
	if !preview.Properties.Identical(want) {
		t.Errorf("foretold %v, want %v", preview.Properties, want)
	}
	update.Preview = false
	updated, err := s.Update(ctx, update)
	if err != nil {
		t.Fatal(err)
	}
	s.keeps(update, updated)
	want = with(want, "revision", number(2), "documentBytes", number(5))
	if !updated.Properties.Identical(want) {
		t.Errorf("%v, want %v", updated.Properties, want)
	}

	read, err := s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: made.ID, Properties: p, Inputs: inputs})
	if err != nil || read.ID != made.ID || !read.Inputs.Identical(news) || !read.Properties.Identical(want) {
		t.Errorf("%v %v", read, err)
	}
	for range 2 {
		if _, err := s.Delete(ctx, &rpc.DeleteRequest{URN: recordURN, ID: made.ID}); err != nil {
			t.Error(err)
		}
	}
	if read, err = s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: "one"}); err != nil || read.ID != "" {
		t.Errorf("%v %v", read, err)
	}
	_, err = s.Update(ctx, update)
	isCode(t, err, codes.NotFound)
}

func isCode(t *testing.T, err error, want codes.Code) {
	t.Helper()
	var e *grpc.Error
	if !errors.As(err, &e) || e.Code != want {
		t.Errorf("%v, want %v", err, want)
	}
}

// What is secret stays secret when somebody changed it elsewhere, and is found to
// be in an import, which knows nothing.
func TestRead(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(with(full("one"), "labels", value.Secret(object("a", text("b")))))
	old := s.create(inputs).Properties
	drifted := with(inputs, "title", text("elsewhere"), "password", text("other"), "labels", object("a", text("c"), "new", text("d")))
	record, _, err := s.cloud.Load(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	record.Inputs = drifted
	if err := s.cloud.Save(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	old = with(old, "url", value.Secret(old.Field("url"))) // as the program may ask
	r, err := s.Read(t.Context(), &rpc.ReadRequest{URN: recordURN, ID: "one", Properties: old, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	want := with(drifted, "password", value.Secret(text("other")), "labels", value.Secret(drifted.Field("labels")))
	if !r.Inputs.Identical(want) {
		t.Errorf("inputs %v, want %v", r.Inputs, want)
	}
	for name, v := range old.Members() {
		if want.Field(name).IsNull() {
			want = with(want, name, v)
		}
	}
	if !r.Properties.Identical(want) {
		t.Errorf("state %v, want %v", r.Properties, want)
	}
	r, err = s.Read(t.Context(), &rpc.ReadRequest{URN: recordURN, ID: "one"})
	if err != nil || !r.Inputs.Identical(with(drifted, "password", value.Secret(text("other")))) || !r.Properties.Field("token").IsSecret() || !r.Properties.Field("password").IsSecret() {
		t.Errorf("import: %v %v", r, err)
	}
}

func TestNamesAreTakenOnce(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(full("one"))
	s.create(inputs)
	s.create(inputs) // the engine never heard of the first
	for _, q := range []*rpc.CreateRequest{
		{URN: recordURN + "x", Properties: inputs},
		{URN: recordURN, Properties: with(inputs, "zone", text("b"))}, // a replacement that does not delete first
	} {
		_, err := s.Create(t.Context(), q)
		isCode(t, err, codes.AlreadyExists)
	}
	if all, err := s.cloud.List(t.Context()); err != nil || len(all) != 1 || all[0].Phase != store.Ready {
		t.Errorf("%v %v", all, err)
	}
}

// A record may be replaced by itself: the engine creates the new one first, with the
// same inputs, and deletes the old one then. What it sends is the same as when it
// never heard of the end of the first Create.
func TestReplacedByItself(t *testing.T) {
	s := configured(t, nil)
	ctx := t.Context()
	inputs := s.check(full("one"))
	first := s.create(inputs)
	second := s.create(inputs)
	if first.ID == second.ID || first.Properties.Field("token").Equal(second.Properties.Field("token")) {
		t.Errorf("%q is not made anew: %q", first.ID, second.ID)
	}
	old := &rpc.UpdateRequest{URN: recordURN, ID: first.ID, Olds: first.Properties, OldInputs: inputs, News: inputs}
	_, err := s.Update(ctx, old)
	isCode(t, err, codes.NotFound)
	if r, err := s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: first.ID, Properties: first.Properties, Inputs: inputs}); err != nil || r.ID != "" {
		t.Errorf("the old one is there: %v %v", r, err)
	}
	for range 2 {
		if _, err := s.Delete(ctx, &rpc.DeleteRequest{URN: recordURN, ID: first.ID, Properties: first.Properties}); err != nil {
			t.Error(err)
		}
	}
	r, err := s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: second.ID, Properties: second.Properties, Inputs: inputs})
	if err != nil || r.ID != second.ID || !r.Properties.Identical(second.Properties) {
		t.Errorf("the new one: %v %v", r, err)
	}
	if r, err := s.Read(ctx, &rpc.ReadRequest{URN: recordURN, ID: "one"}); err != nil || r.ID != second.ID {
		t.Errorf("import by name: %v %v", r, err)
	}
	old.ID, old.Olds = second.ID, second.Properties
	if _, err := s.Update(ctx, old); err != nil {
		t.Error(err)
	}
	if _, err := s.Delete(ctx, &rpc.DeleteRequest{URN: recordURN, ID: second.ID, Properties: second.Properties}); err != nil {
		t.Error(err)
	}
	if all, err := s.cloud.List(ctx); err != nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
	if again := s.create(inputs); again.ID == first.ID || again.ID == second.ID {
		t.Errorf("ID %q again", again.ID)
	}
	q := &rpc.CheckRequest{URN: recordURN, News: with(full("one"), "name", text("a#2"))}
	if r, err := s.Check(ctx, q); err != nil || len(r.Failures) != 1 || r.Failures[0].Property != "name" {
		t.Errorf("a name that looks like an ID: %v %v", r, err)
	}
}

func TestPartialFailure(t *testing.T) {
	s := configured(t, nil)
	inputs := s.check(with(full("one"), "size", number(1001)))
	failed := func(err error) *rpc.ErrorResourceInitFailed {
		t.Helper()
		var e *grpc.Error
		if !errors.As(err, &e) || !errors.Is(err, grpc.ErrInitFailed) {
			t.Fatal(err)
		}
		detail, ok := e.Detail.(*rpc.ErrorResourceInitFailed)
		if !ok || !strings.HasPrefix(detail.ID, "one#") || len(detail.Reasons) != 1 {
			t.Fatal(detail)
		}
		return detail
	}
	_, err := s.Create(t.Context(), &rpc.CreateRequest{URN: recordURN, Properties: inputs})
	detail := failed(err)
	s.keeps(&rpc.CreateRequest{}, detail)
	if !detail.Properties.Field("token").IsSecret() || !detail.Inputs.Identical(inputs) {
		t.Errorf("%v", detail)
	}
	update := &rpc.UpdateRequest{URN: recordURN, ID: detail.ID, Olds: detail.Properties, OldInputs: inputs, News: inputs}
	_, err = s.Update(t.Context(), update)
	failed(err)
	update.News = with(inputs, "size", number(10))
	r, err := s.Update(t.Context(), update)
	if err != nil || !r.Properties.Field("token").Identical(detail.Properties.Field("token")) {
		t.Errorf("%v %v", r, err)
	}
}

func TestContents(t *testing.T) {
	s := configured(t, nil)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	inputs := s.check(object("name", text("one"), "document", value.FileAsset(filepath.Join(dir, "a")), "bundle", value.FileArchive(dir)))
	p := s.create(inputs).Properties
	if !p.Field("documentBytes").Identical(number(3)) || !p.Field("bundleEntries").Identical(number(1)) {
		t.Errorf("%v", p)
	}
	for _, bad := range []value.Value{
		with(inputs, "name", text("two"), "document", value.FileAsset(filepath.Join(dir, "nothing"))),
		with(inputs, "name", text("two"), "bundle", value.FileArchive(filepath.Join(dir, "nothing"))),
		with(inputs, "name", text("two"), "document", value.URIAsset("https://example.com/")),
		with(inputs, "name", text("two"), "document", value.Secret(value.FileAsset(filepath.Join(dir, canary)))),
	} {
		_, err := s.Create(t.Context(), &rpc.CreateRequest{URN: recordURN + "2", Properties: bad})
		isCode(t, err, codes.InvalidArgument)
		noSecret(t, err)
	}
	// What failed took no name.
	if _, found, err := s.cloud.Load(t.Context(), "two"); found || err != nil {
		t.Errorf("%v %v", found, err)
	}
}
