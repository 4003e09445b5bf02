package stack_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/internal/test/sample"
	pulumi "github.com/propalg/propalg/interop/pulumi"
	"github.com/propalg/propalg/value"
)

// failer is what the tests and rapid's have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// snapshot is what the engine makes of a state file.
func snapshot(t failer, text []byte, c *crypter) *deploy.Snapshot {
	t.Helper()
	var top struct {
		Deployment json.RawMessage `json:"deployment"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		t.Fatal(err)
	}
	if top.Deployment == nil {
		checkpoint, _, _, err := stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := stack.DeserializeDeploymentV3(context.Background(), *checkpoint.Latest, engineCrypter{c})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	var export apitype.UntypedDeployment
	if err := json.Unmarshal(text, &export); err != nil {
		t.Fatal(err)
	}
	made, err := stack.DeserializeUntypedDeployment(context.Background(), &export, engineCrypter{c})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// parsed is what this library makes of it, with one call to decrypt at most.
func parsed(t failer, text []byte, c *crypter) []state.Resource {
	t.Helper()
	file, err := state.Parse(text, state.Options{Codec: codec.Options{RoundNumbers: true}})
	if err != nil {
		t.Fatal(err)
	}
	if file, err = file.Decrypt(c); err != nil {
		t.Fatal(err)
	}
	if c.calls > 1 {
		t.Fatalf("%d calls to decrypt", c.calls)
	}
	var all []state.Resource
	for r, err := range file.Resources() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// agree compares the resources of a snapshot with those that were parsed.
func agree(t failer, y *tally, engine *deploy.Snapshot, ours []state.Resource) {
	t.Helper()
	if len(engine.Resources) != len(ours) {
		t.Fatalf("%d resources, the engine has %d", len(ours), len(engine.Resources))
	}
	for i, r := range engine.Resources {
		if string(r.URN) != ours[i].URN || string(r.ID) != ours[i].ID || r.Delete != ours[i].Delete || string(r.Parent) != ours[i].Parent {
			t.Fatalf("resource %d is %s here, %s in the engine", i, ours[i].URN, r.URN)
		}
		for _, bag := range []struct {
			engine resource.PropertyMap
			ours   value.Value
		}{{r.Inputs, ours[i].Inputs}, {r.Outputs, ours[i].Outputs}} {
			want, err := pulumi.FromPropertyMap(bag.engine)
			if err != nil {
				t.Fatal(err)
			}
			if bag.ours.IsNull() {
				bag.ours = value.Object() // properties that are not there
			}
			if !same(bag.ours, want, y) {
				t.Fatalf("%s\nwe:         %s\nthe engine: %s", r.URN, fuzz.GoSource(bag.ours), fuzz.GoSource(want))
			}
			parts(bag.ours, y)
			y.count(alike)
		}
	}
}

// engineExports is the stack export that the engine writes of a snapshot.
func engineExports(t failer, made *deploy.Snapshot, show bool) []byte {
	t.Helper()
	untyped, err := stack.SerializeUntypedDeployment(context.Background(), made, &stack.SerializeOptions{ShowSecrets: show})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(untyped)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// weExport is a stack export with the bags of resources as this library writes them.
func weExport(t failer, all []state.Resource, e state.Encrypter) []byte {
	t.Helper()
	var bags []value.Value
	for _, r := range all {
		bags = append(bags, r.Inputs, r.Outputs)
	}
	texts, err := state.EncodeBags(bags, e, codec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var resources []any
	for i, r := range all {
		resources = append(resources, map[string]any{
			"urn": r.URN, "id": r.ID, "custom": r.Custom, "delete": r.Delete, "type": r.Type, "parent": r.Parent,
			"inputs": json.RawMessage(texts[2*i]), "outputs": json.RawMessage(texts[2*i+1]),
		})
	}
	text, err := json.Marshal(map[string]any{"version": 3, "deployment": map[string]any{
		"manifest": map[string]any{"time": "2024-01-01T00:00:00Z", "magic": "m", "version": "v3"}, "resources": resources,
		"secrets_providers": map[string]any{"type": "passphrase", "state": map[string]any{"salt": "v1:x"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// every holds both sides to each other on a state file: as it is, as the engine
// writes it again, and as it is written here.
func every(t failer, y *tally, text []byte, opens *crypter) {
	t.Helper()
	ours := *opens
	made := snapshot(t, text, opens)
	all := parsed(t, text, &ours)
	agree(t, y, made, all)
	if made.SecretsManager != nil {
		made.SecretsManager = engineCrypter{&crypter{}}
	}
	for _, show := range []bool{false, true} {
		if again := engineExports(t, made, show); made.SecretsManager != nil || !strings.Contains(string(again), sigSecret) {
			agree(t, y, snapshot(t, again, &crypter{}), parsed(t, again, &crypter{}))
		}
	}
	for _, e := range []state.Encrypter{nil, &crypter{}} {
		again := weExport(t, all, e)
		agree(t, y, snapshot(t, again, &crypter{}), all)
	}
}

// All recorded state files mean the same to the engine and here, in both directions.
func TestStateFiles(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no state files here: ", err)
	}
	var y tally
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			every(t, &y, text, &crypter{all: true})
		})
	}
	t.Logf("%d files, %v", len(files), y.counts)
}

// Whole deployments of drawn bags mean the same, in both directions.
func TestDeployments(t *testing.T) {
	var y tally
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for range 1 + rapid.IntRange(0, 3).Draw(t, "resources") {
			text := engineWrites(t, bags().Draw(t, "bag"), rapid.Bool().Draw(t, "show secrets"))
			if _, err := weRead(text, &crypter{}); err != nil {
				continue // TestBagsOfTheEngine says why
			}
			texts = append(texts, string(text))
		}
		every(t, &y, []byte(sample.StackExport(texts...)), &crypter{})
	})
	y.report(t, alike)
}
