package resource_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

func TestLife(t *testing.T) {
	w := newWorld(t)
	inputs := object(
		"password", secret("hunter2hunter2"), "labels", object("a", text("b"), "c", text("")), "members", value.Array(text("x"), text("y")),
		"rules", value.Array(object("port", number(80)), value.Secret(object("port", number(81), "protocol", text("udp")))),
		"policy", text(`{"a": 1}`), "owner", secret("ann"), "extra", object("deep", secret("deep-secret")),
	)
	program := w.program(engine.Goal{Name: "a", Inputs: inputs})
	expect(t, w.all(w.stack.Preview(t.Context(), program)), "create")
	made := w.all(w.stack.Update(t.Context(), program))
	expect(t, made, "create")
	now := made[0].Now
	name, _ := now.Inputs.Field("name").AsString()
	if len(name) != len("a-1234567") || now.ID != name {
		t.Errorf("name %q, ID %q", name, now.ID)
	}
	want := with(inputs, "name", text(name), "size", number(10), "url", secret("https://"+name+".test/?p=hunter2hunter2"),
		"key", secret("key-of-"+name), "serial", number(1), "length", number(9))
	if !now.Outputs.Identical(want) {
		t.Errorf("state %v\nwant %v", now.Outputs, want)
	}

	expect(t, w.all(w.stack.Update(t.Context(), program)), "same")
	refreshed := w.all(w.stack.Refresh(t.Context()))
	if refreshed[0].Response.Changes != rpc.DiffNone || !refreshed[0].Now.Outputs.Identical(want) {
		t.Errorf("refresh: %v\n%v", refreshed[0].Response, refreshed[0].Now.Outputs)
	}

	// Another spelling, and another order of a set, are no changes.
	same := with(inputs, "policy", text(`{"a":1.0}`), "members", value.Array(text("y"), text("x")))
	expect(t, w.all(w.stack.Update(t.Context(), w.program(engine.Goal{Name: "a", Inputs: same}))), "same")

	// An update keeps the name and the key.
	larger := w.program(engine.Goal{Name: "a", Inputs: with(inputs, "size", number(20))})
	previewed := w.all(w.stack.Preview(t.Context(), larger))
	expect(t, previewed, "update")
	foretold := with(want, "size", number(20), "url", value.Unknown(), "serial", value.Unknown())
	if !previewed[0].Now.Outputs.Identical(foretold) {
		t.Errorf("foretold %v\nwant %v", previewed[0].Now.Outputs, foretold)
	}
	updated := w.all(w.stack.Update(t.Context(), larger))
	expect(t, updated, "update")
	if want := with(want, "size", number(20), "serial", number(2)); !updated[0].Now.Outputs.Identical(want) {
		t.Errorf("updated %v\nwant %v", updated[0].Now.Outputs, want)
	}

	// Drift shows in the inputs.
	found := w.boxes.all[name]
	found.Size = 7
	w.boxes.all[name] = found
	drifted := w.all(w.stack.Refresh(t.Context()))
	if got := drifted[0].Now.Inputs; !got.Identical(with(inputs, "name", text(name), "size", number(7))) {
		t.Errorf("drifted to %v", got)
	}
	expect(t, w.all(w.stack.Update(t.Context(), larger)), "update")

	renamed := w.program(engine.Goal{Name: "a", Inputs: with(inputs, "name", text("other"))})
	expect(t, w.all(w.stack.Update(t.Context(), renamed)), "create-replacement", "delete-replaced")
	delete(w.boxes.all, "other")
	expect(t, w.all(w.stack.Refresh(t.Context())), "refresh")
	expect(t, w.all(w.stack.Update(t.Context(), renamed)), "create")
	w.all(w.stack.Destroy(t.Context()))
	if len(w.boxes.all) > 1 { // the entry without a name is that of Delete
		t.Errorf("%d boxes are left", len(w.boxes.all))
	}
}

// What is not known in a preview is not known in the state either, and secret where it was.
func TestUnknowns(t *testing.T) {
	w := newWorld(t)
	program := w.program(
		engine.Goal{Name: "a", Inputs: object("password", secret("hunter2hunter2"))},
		engine.Goal{Name: "b", Compute: func(output func(string, string) value.Value) value.Value {
			return object("name", text("b"), "password", output("a", "key"), "owner", output("a", "url"), "size", output("a", "serial"),
				"labels", object("url", output("a", "url")), "rules", value.Array(object("port", output("a", "serial"))))
		}},
	)
	previewed := w.all(w.stack.Preview(t.Context(), program))
	expect(t, previewed, "create", "create")
	got := previewed[1].Now.Outputs
	unknown := value.Unknown()
	want := object("name", text("b"), "password", value.Secret(unknown), "owner", unknown, "size", unknown,
		"labels", object("url", unknown), "rules", value.Array(object("port", unknown)),
		"url", unknown, "key", value.Secret(unknown), "serial", unknown, "length", unknown)
	if !got.DropDependencies().Identical(want) {
		t.Errorf("foretold %v\nwant %v", got, want)
	}
	w.all(w.stack.Update(t.Context(), program))
	if b := w.boxes.all["b"]; b.Size != 1 || b.Rules[0].Port != 1 || !strings.HasPrefix(b.Labels["url"], "https://a-") {
		t.Errorf("made %d, %d", b.Size, b.Rules[0].Port)
	}
}

func TestImport(t *testing.T) {
	w := newWorld(t)
	p := w.boxes.configured(t)
	made, err := p.Create(t.Context(), &rpc.CreateRequest{URN: boxURN, Properties: object("name", text("there"), "size", number(3), "password", secret("hunter2hunter2"))})
	if err != nil {
		t.Fatal(err)
	}
	imported := w.all(w.stack.Import(t.Context(), w.program(engine.Goal{Name: "a", ImportID: made.ID})))
	expect(t, imported, "import")
	if got, want := imported[0].Now.Inputs, object("name", text("there"), "size", number(3)); !got.Identical(want) {
		t.Errorf("inputs %v, want %v", got, want)
	}
	if !imported[0].Now.Outputs.Field("key").IsSecret() {
		t.Error("the key is not secret")
	}
	none, err := p.Read(t.Context(), &rpc.ReadRequest{URN: boxURN, ID: "none"})
	if err != nil || none.ID != "" {
		t.Errorf("%v, %v", none, err)
	}
}

type switchArgs struct {
	On    bool `pulumi:"on,optional" default:"true"`
	Level int  `pulumi:"level,optional" default:"3"`
	Least *int `pulumi:"least,optional" default:"1"`
	Loud  bool `pulumi:"loud,optional"`
}

// A missing input means its default, so that Read returns a zero that is something else.
func TestZeroBesideADefault(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[switchArgs, switchArgs]{
		Token:  "demo:index:Switch",
		Create: func(ctx, switchArgs) (string, switchArgs, error) { return "id", switchArgs{}, nil },
		Read:   func(ctx, string, switchArgs) (switchArgs, error) { return switchArgs{}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	before, now := object("on", value.Bool(true), "level", number(3)), object("on", value.Bool(false), "level", number(0))
	for _, inputs := range []value.Value{value.Null(), before} {
		r, err := p.Read(t.Context(), &rpc.ReadRequest{URN: "urn:pulumi:dev::shop::demo:index:Switch::a", ID: "id", Inputs: inputs, Properties: inputs})
		if err != nil || !r.Inputs.Identical(now) || !r.Properties.Identical(now) {
			t.Errorf("%v, %v", r, err)
		}
	}
}

func TestBoxes(t *testing.T) {
	var b boxes
	texts := rapid.SampledFrom([]string{"", "one", "two"})
	p := resourcetest.Fuzz(b.configured(t), "demo:index:Box")
	p.Inputs = rapid.Custom(func(t *rapid.T) value.Value {
		var rules, members []value.Value
		for range rapid.IntRange(0, 2).Draw(t, "rules") {
			rules = append(rules, object("port", number(float64(rapid.IntRange(1, 99).Draw(t, "port"))), "protocol", text(texts.Draw(t, "protocol"))))
		}
		for _, m := range rapid.SliceOfDistinct(texts, func(s string) string { return s }).Draw(t, "members") {
			members = append(members, text(m))
		}
		all := object("name", text(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")), "size", number(float64(rapid.IntRange(1, 3).Draw(t, "size"))),
			"password", text(texts.Draw(t, "password")), "labels", object("x", text(texts.Draw(t, "label"))), "rules", value.Array(rules...),
			"members", value.Array(members...), "owner", text(texts.Draw(t, "owner")),
			"policy", text(rapid.SampledFrom([]string{"", "{}", `{ }`, `{"a":1}`}).Draw(t, "policy")), "extra", fuzz.Values(fuzz.Options{Style: fuzz.RealLike, NoUnknowns: true}).Draw(t, "extra"))
		for name := range all.Keys() {
			if name != "name" && rapid.IntRange(0, 3).Draw(t, "leave out "+name) == 0 {
				all = with(all, name, value.Null())
			}
		}
		return all
	})
	p.Run(t)
}

type zoneArgs struct {
	Name   string            `pulumi:"name,optional"`
	Labels map[string]string `pulumi:"labels,optional" provider:"computed"`
}

type zone struct {
	Name   string            `pulumi:"name"`
	Labels map[string]string `pulumi:"labels,optional" provider:"computed"`
	Note   string            `pulumi:"note,optional"`
}

// What the service fills in is unknown in a preview: a property that the state always has, and
// one that is computed.
func TestPreviewOfWhatIsFilledIn(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[zoneArgs, zone]{
		Token:  "demo:index:Zone",
		Create: func(ctx, zoneArgs) (string, zone, error) { return "", zone{}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, unread := p.Rules("demo:index:Zone"); len(unread) != 1 || unread[0].String() != "labels" {
		t.Errorf("%v", unread)
	}
	unknown := value.Unknown()
	for _, row := range []struct{ inputs, want value.Value }{
		{object(), object("name", unknown, "labels", unknown, "note", unknown)},
		{object("name", text("a"), "labels", object("a", secret("b"))), object("name", text("a"), "labels", value.Secret(unknown), "note", unknown)},
		{object("labels", value.Null()), object("name", unknown, "labels", unknown, "note", unknown)},
	} {
		r, err := p.Create(t.Context(), &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::demo:index:Zone::a", Properties: row.inputs, Preview: true})
		if err != nil || !r.Properties.Identical(row.want) {
			t.Errorf("%v: %v, %v", row.inputs, r, err)
		}
	}
	if _, err := p.Create(t.Context(), &rpc.CreateRequest{URN: "urn:pulumi:dev::shop::demo:index:Zone::a"}); err == nil {
		t.Error("an empty ID is accepted")
	}
}

// What the service fills in may be what was there before: it stays secret.
func TestSecretThatIsFilledIn(t *testing.T) {
	there := zone{Name: "a", Labels: map[string]string{"key": "hunter2"}, Note: "n"}
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[zoneArgs, zone]{
		Token:  "demo:index:Zone",
		Create: func(ctx, zoneArgs) (string, zone, error) { return "a", there, nil },
		Update: func(ctx, string, zone, zoneArgs) (zone, error) { return there, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	labels := value.Secret(object("key", text("hunter2")))
	old := object("name", text("a"), "labels", labels, "note", text("n"))
	for preview, want := range map[bool]value.Value{false: old, true: object("name", text("a"), "labels", value.Secret(value.Unknown()), "note", value.Unknown())} {
		r, err := p.Update(t.Context(), &rpc.UpdateRequest{
			URN: "urn:pulumi:dev::shop::demo:index:Zone::a", ID: "a", OldInputs: object("name", text("a"), "labels", labels), Olds: old, News: object("name", text("a")), Preview: preview,
		})
		if err != nil || !r.Properties.Identical(want) {
			t.Errorf("preview %v: %v, %v", preview, r, err)
		}
	}
}

type domainArgs struct {
	Name  string   `pulumi:"name" provider:"fold"`
	Hosts []string `pulumi:"hosts" provider:"fold"`
	Note  string   `pulumi:"note"`
}

// A service that writes names its own way will do so again: a preview has its spelling, where
// it had another one than the program.
func TestPreviewOfSpellings(t *testing.T) {
	p, err := resource.New(resource.Package{Name: "demo", Resources: []resource.Resource{resource.Of[domainArgs, domainArgs]{
		Token:  "demo:index:Domain",
		Create: func(ctx, domainArgs) (string, domainArgs, error) { return "id", domainArgs{}, nil },
		Update: func(ctx, string, domainArgs, domainArgs) (domainArgs, error) { return domainArgs{}, nil },
	}}})
	if err != nil {
		t.Fatal(err)
	}
	domain := func(name value.Value, host, note string) value.Value {
		return object("name", name, "hosts", value.Array(text(host)), "note", text(note))
	}
	for _, row := range []struct{ sent, is, now, want value.Value }{
		{domain(text("A"), "H", "x"), domain(text("a"), "h", "x"), domain(text("A"), "H", "y"), domain(text("a"), "h", "y")},
		{domain(text("A"), "H", "x"), domain(text("A"), "h", "x"), domain(text("a"), "i", "y"), domain(text("a"), "i", "y")},
		{domain(secret("A"), "H", "x"), domain(secret("a"), "H", "x"), domain(secret("A"), "h", "y"), domain(secret("a"), "h", "y")},
		{domain(text("A"), "H", "x"), domain(text("a"), "h", "x"), domain(value.Unknown(), "H", "y"), domain(value.Unknown(), "h", "y")},
	} {
		r, err := p.Update(t.Context(), &rpc.UpdateRequest{URN: "urn:pulumi:dev::shop::demo:index:Domain::a", ID: "id", OldInputs: row.sent, Olds: row.is, News: row.now, Preview: true})
		if err != nil || !r.Properties.Identical(row.want) {
			t.Errorf("%v: %v, %v, want %v", row.now, r, err, row.want)
		}
	}
}
