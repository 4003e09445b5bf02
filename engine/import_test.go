package engine_test

import (
	"context"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/value"
)

// owned returns a lab with a resource in the cloud that no stack has, and its ID.
func owned(t *testing.T, inputs ...string) (l *lab, id string) {
	t.Helper()
	l = newLab(t)
	l.made(thingNamed("x", inputs...))
	id = l.id("x")
	l.Resources = nil
	return l, id
}

// TestImport imports by ID, with inputs that match and that do not.
func TestImport(t *testing.T) {
	for name, row := range map[string]struct {
		inputs []string
		want   string
	}{
		"the same":  {[]string{"size", "1"}, "import a: the run asks for it"},
		"an update": {[]string{"size", "2"}, "import a: the run asks for it\nupdate a: something changed [size] | Update"},
		"a replacement": {
			[]string{"size", "1", "name", "x"},
			"import a: the run asks for it\nfail a: the imported resource would have to be replaced [name] | engine: urn:pulumi:dev::shop::demo:index:Thing::a: the imported resource would have to be replaced",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, id := owned(t, "size", "1")
			g := thingNamed("a", row.inputs...)
			g.ImportID = id
			l.does(row.want, l.Preview(context.Background(), of(g)))
			l.update(row.want, g)
			if a := l.resource("a"); a.ID != id || a.ImportID != id || a.External {
				t.Errorf("the state has %+v", a)
			}
			if name != "a replacement" {
				l.update("", g) // the option stays in the program
			}
		})
	}
}

// TestImportInstead imports in place of what is there.
func TestImportInstead(t *testing.T) {
	l, id := owned(t)
	l.made(thingNamed("a"))
	g := thingNamed("a")
	g.ImportID = id
	l.update(`import-replacement a: the run asks for it
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, g)
	g.ImportID = "nothing"
	l.update("import-replacement a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: there is nothing with this ID: \"nothing\"", g)

	l, g.ImportID = owned(t)
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return silent{l.cloud.New()}, nil }
	l.update("import a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: the provider returned no inputs from Read, and cannot import", g)
}

// silent is a provider whose Read returns no inputs.
type silent struct{ rpc.Provider }

func (p silent) Read(ctx context.Context, r *rpc.ReadRequest) (*rpc.ReadResponse, error) {
	found, err := p.Provider.Read(ctx, r)
	if err == nil {
		found.Inputs = value.Null()
	}
	return found, err
}

// TestImportAll imports as a command does, with whatever was read.
func TestImportAll(t *testing.T) {
	l, id := owned(t, "size", "1")
	group := engine.Goal{Type: "demo:index:Group", Name: "group", Component: true}
	g := engine.Goal{Type: "demo:index:Thing", Name: "a", ImportID: id, Parent: "group"}
	l.does("create group: it is not managed yet\nimport a: the run asks for it", l.Import(context.Background(), of(group, g)))
	if a := l.resource("a"); a.ID != id || a.ImportID != "" || !a.Inputs.Field("size").Equal(value.String("1")) {
		t.Errorf("the state has %+v", a)
	}
	l.does("fail a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Group$demo:index:Thing::a: the state has the resource already",
		l.Import(context.Background(), of(group, g)))
	l.does("fail b: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::b: the resource has no ImportID",
		l.Import(context.Background(), of(thingNamed("b"))))
	managed := thingNamed("a", "size", "1", "tier", "free")
	managed.Parent = "group"
	l.update("", group, managed)
}

// TestRelinquish reads a resource by the ID of the one that was managed.
func TestRelinquish(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"))
	l.update("read a: the run asks for it", engine.Goal{Type: "demo:index:Thing", Name: "a", ReadID: l.id("a")})
	l.update("discard a: the program does not declare it")
	if len(l.cloud.Records) != 1 {
		t.Error("it was deleted")
	}
}

// TestMisusedOptions refuses to read and import what has no provider.
func TestMisusedOptions(t *testing.T) {
	l := newLab(t)
	const want = "fail a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Group::a: only a resource of a provider can be imported or read"
	l.update(want, engine.Goal{Type: "demo:index:Group", Name: "a", Component: true, ReadID: "i"})
}
