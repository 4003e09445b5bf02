package resourcetest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/provider/resource"
	"github.com/propalg/propalg/provider/resource/resourcetest"
	"github.com/propalg/propalg/value"
)

// Color is what a disk looks like.
type Color string

// The colors.
const (
	Red   Color = "red" // as fire
	Green Color = "green"
	other Color = "other" // not exported
)

// Level counts.
//
// Deprecated: count with
// something else.
type Level int

const (
	Low Level = iota + 1
	High
)

type place struct {
	Rack string `pulumi:"rack"` // where it is
}

type diskArgs struct {
	// Name is what the disk is called.
	Name  string `pulumi:"name" provider:"replaceOnChanges"`
	Color Color  `pulumi:"color,optional"`
	// Deprecated: use color.
	Colour string  `pulumi:"colour,optional"`
	Level  Level   `pulumi:"level" default:"2"`
	Places []place `pulumi:"places,optional"`
	Key    string  `pulumi:"key,optional" provider:"secret"`
}

// disk is a disk in the cloud.
type disk struct {
	diskArgs
	Size int `pulumi:"size"`
}

func disks() resource.Package {
	_ = other
	return resource.Package{
		Name: "demo", Version: "1.0.0", Description: "Disks.",
		Resources: []resource.Resource{resource.Of[diskArgs, disk]{
			Token:  "demo:index:Disk",
			Create: func(context.Context, diskArgs) (string, disk, error) { return "id", disk{}, nil },
			Update: func(context.Context, string, disk, diskArgs) (disk, error) { return disk{}, nil },
		}},
	}
}

//go:generate go test -run TestSchema .
func TestSchema(t *testing.T) {
	resourcetest.Schema(t, disks(), filepath.Join("testdata", "schema.json"))
	if os.Getenv("GOLINE") != "" {
		return
	}

	stale := disks()
	stale.Description = "Other disks."
	r := &recorder{TB: t}
	resourcetest.Schema(r, stale, filepath.Join("testdata", "schema.json"))
	if want := filepath.Join("testdata", "schema.json") + ": the types say something else, first in line 2: run go generate"; fmt.Sprint(r.lines) != "["+want+"]" {
		t.Errorf("%q", r.lines)
	}
}

// recorder records failures.
type recorder struct {
	testing.TB

	lines []string
}

func (*recorder) Helper()                     {}
func (r *recorder) Error(all ...any)          { r.lines = append(r.lines, fmt.Sprint(all...)) }
func (r *recorder) Errorf(f string, x ...any) { r.lines = append(r.lines, fmt.Sprintf(f, x...)) }

func TestAgree(t *testing.T) {
	p := disks()
	p.Schema = []byte(`{"name": "demo", "types": {
		"demo:index:Place": {"type": "object", "required": ["rack"], "properties": {"rack": {"type": "number"}, "row": {"type": "string"}}},
		"demo:index:Color": {"type": "string", "enum": [{"value": "red"}]}
	}, "resources": {"demo:index:Disk": {
		"inputProperties": {
			"name": {"type": "string"}, "color": {"$ref": "#/types/demo:index:Color"}, "level": {"type": "integer"}, "key": {"type": "string"},
			"places": {"type": "array", "items": {"$ref": "#/types/demo:index:Place"}}, "colour": {"oneOf": [{"type": "string"}, {"type": "number"}]}
		},
		"requiredInputs": ["name", "color"],
		"properties": {"name": {"type": "string", "willReplaceOnChanges": true}, "size": {"type": "string"}}, "required": ["name", "size"]
	}}}`)
	r := &recorder{TB: t}
	resourcetest.Agree(r, p)
	want := `demo:index:Disk: inputs.color: the schema says that it is required
demo:index:Disk: inputs.key: the type says that it is secret
demo:index:Disk: inputs.name: the type says that it is replaced by a change of it
demo:index:Disk: inputs.places[*].row: the type lacks it
demo:index:Disk: inputs.places[*].rack: the type has string, the schema number
demo:index:Disk: state.color: the schema lacks it
demo:index:Disk: state.colour: the schema lacks it
demo:index:Disk: state.key: the schema lacks it
demo:index:Disk: state.level: the schema lacks it
demo:index:Disk: state.places: the schema lacks it
demo:index:Disk: state.size: the type has integer, the schema string`
	if got := strings.Join(r.lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	p.Schema, _ = os.ReadFile(filepath.Join("testdata", "schema.json"))
	resourcetest.Agree(t, p)
}

const recorded = `{"version": 3, "deployment": {"resources": [
	{"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "type": "pulumi:pulumi:Stack"},
	{"urn": "urn:pulumi:dev::shop::pulumi:providers:demo::default", "type": "pulumi:providers:demo", "custom": true, "id": "p"},
	{"urn": "urn:pulumi:dev::shop::demo:index:Disk::a", "type": "demo:index:Disk", "custom": true, "id": "a", "parent": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
		"provider": "urn:pulumi:dev::shop::pulumi:providers:demo::default::p",
		"inputs": {"name": "a", "level": 2}, "outputs": {"name": "a", "level": 2, "size": 1}}
]}}`

func TestUpgrade(t *testing.T) {
	p, err := resource.New(disks())
	if err != nil {
		t.Fatal(err)
	}
	resourcetest.Upgrade(t, p, []byte(recorded))

	// The older version knew no level: its state changes, unless it is migrated.
	old := strings.ReplaceAll(recorded, `, "level": 2`, "")
	r := &recorder{TB: t}
	resourcetest.Upgrade(r, p, []byte(old))
	want := "[update demo:index:Disk a: something changed (level) [level ADD]: the older version made it, and this one would change it]"
	if fmt.Sprint(r.lines) != want {
		t.Errorf("%v", r.lines)
	}

	migrating := disks()
	made, _ := migrating.Resources[0].(resource.Of[diskArgs, disk])
	made.Migrate = func(inputs, state value.Value) (value.Value, value.Value, error) {
		inputs, _ = inputs.WithField("level", value.Number(2))
		return inputs, state, nil
	}
	migrating.Resources[0] = made
	if p, err = resource.New(migrating); err != nil {
		t.Fatal(err)
	}
	resourcetest.Upgrade(t, p, []byte(old))
}

func TestFuzz(t *testing.T) {
	p, err := resource.New(disks())
	if err != nil {
		t.Fatal(err)
	}
	tested := resourcetest.Fuzz(p, "demo:index:Disk")
	if tested.Schema == nil || !tested.SupportsPreview || tested.Compared.ReplaceOn == nil {
		t.Errorf("%+v", tested)
	}
	if _, err := tested.Check(t.Context(), &rpc.CheckRequest{URN: "urn:pulumi:dev::shop::demo:index:Disk::a"}); err != nil {
		t.Error(err)
	}
}
