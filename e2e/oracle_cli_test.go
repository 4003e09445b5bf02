package e2e_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/examples/provider/store"
	"github.com/propalg/propalg/value"
)

// passphrase is the one that [stack.runWith] gives to the CLI.
const passphrase = "no secret"

// copied is a stack of its own that begins as s is now, driven with the provider of
// package faulty. It is faster than to make one.
func (s *stack) copied(t *testing.T) *stack {
	t.Helper()
	c := &stack{t: t, dir: t.TempDir(), provider: filepath.Join(bin, "faulty"), env: []string{"PULUMI_STACK=dev"}}
	if err := os.CopyFS(c.dir, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	return c
}

// observed is what one command did: what it planned, what it carried out, and what is in
// the state then.
type observed struct {
	Failed    bool
	Printed   string // what says why
	Preview   []taken
	Update    []taken
	Resources []string            // of the state, as normalized texts, in its order
	Pending   []string            // operations
	Relatives map[string][]string // URNs of what a resource of the state needs, by URN
}

// taken is one step, planned or carried out.
type taken struct {
	Op, URN string
	Result  string // of a refresh: what it found
	Failed  bool
	// Keys replace, Diffs differ; Entries are those of the detailed diff, with kinds.
	Keys, Diffs, Entries []string
}

// String is all of a step on a line.
func (s taken) String() string {
	line := s.Op + " " + shortURN(s.URN)
	if s.Result != "" {
		line += " found " + s.Result
	}
	if s.Failed {
		line += " failed"
	}
	for _, part := range []struct {
		name string
		list []string
	}{{"replaced by", s.Keys}, {"differs in", s.Diffs}, {"detailed", s.Entries}} {
		if len(part.list) > 0 {
			line += "; " + part.name + " " + strings.Join(part.list, ", ")
		}
	}
	return line
}

// shortURN is what tells the URNs of one stack apart.
func shortURN(urn string) string { return strings.TrimPrefix(urn, "urn:pulumi:dev::e2e::") }

// metadata is a step in an event of the CLI, and, with other names, in the JSON of its
// preview.
type metadata struct {
	Op, URN                     string
	Keys, Diffs                 []string
	ReplaceReasons, DiffReasons []string
	DetailedDiff                map[string]struct {
		Kind, DiffKind string
		InputDiff      bool
	}
}

func (m metadata) taken() taken {
	s := taken{Op: m.Op, URN: m.URN, Keys: append(m.Keys, m.ReplaceReasons...), Diffs: append(m.Diffs, m.DiffReasons...)}
	for key, entry := range m.DetailedDiff {
		text := key + " " + entry.Kind + entry.DiffKind
		if !entry.InputDiff {
			text += " of state"
		}
		s.Entries = append(s.Entries, text)
	}
	slices.Sort(s.Keys)
	slices.Sort(s.Diffs)
	slices.Sort(s.Entries)
	return s
}

// events reads what `pulumi up --yes --json` printed: the digest of a preview, then the
// events of the update, each in a JSON document of its own.
func events(r result) (preview, update []taken, err error) {
	documents := json.NewDecoder(strings.NewReader(r.stdout))
	for {
		var d struct {
			Steps            []metadata
			ResourcePreEvent *struct{ Metadata metadata }
			ResOutputsEvent  *struct{ Metadata metadata }
			ResOpFailedEvent *struct{ Metadata metadata }
		}
		if err := documents.Decode(&d); errors.Is(err, io.EOF) {
			return preview, update, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("%w in %s", err, r)
		}
		for _, m := range d.Steps {
			preview = append(preview, m.taken())
		}
		if e := d.ResourcePreEvent; e != nil {
			update = append(update, e.Metadata.taken())
		}
		if e := d.ResOpFailedEvent; e != nil {
			if i := last(update, e.Metadata.URN, e.Metadata.Op); i >= 0 {
				update[i].Failed = true
			}
		}
		if e := d.ResOutputsEvent; e != nil {
			if i := last(update, e.Metadata.URN, "refresh"); i >= 0 {
				found := e.Metadata.taken()
				found.Op, found.Result = "refresh", found.Op
				update[i] = found
			}
		}
	}
}

// last is the index of the last step of a URN and operation, or -1.
func last(steps []taken, urn, op string) int {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].URN == urn && steps[i].Op == op {
			return i
		}
	}
	return -1
}

// perform makes an edit with the CLI.
func (s *stack) perform(e edit) observed {
	s.t.Helper()
	if e.program != "" {
		s.program(strings.ReplaceAll(e.program, "FOLDER", s.in("cloud")))
	}
	if e.cloud != nil {
		if err := e.cloud(store.Open(s.cloud())); err != nil {
			s.t.Fatal(err)
		}
	}
	s.tamper(e.state)
	var o observed
	s.with("DEMO_FAIL="+e.fail, func() { o = s.observe(cmp.Or(e.command, "up")) })
	return o
}

// tamper edits the state.
func (s *stack) tamper(changes []tampering) {
	s.t.Helper()
	if len(changes) == 0 {
		return
	}
	file := s.stateFile()
	var document map[string]any
	if err := json.Unmarshal([]byte(s.read(file)), &document); err != nil {
		s.t.Fatal(err)
	}
	tamper(s.t, document["checkpoint"].(map[string]any)["latest"].(map[string]any), changes)
	data, err := json.Marshal(document)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// tamper edits a deployment: that of a state file, as JSON.
func tamper(t *testing.T, deployment map[string]any, changes []tampering) {
	t.Helper()
	for _, change := range changes {
		resources := deployment["resources"].([]any)
		i := slices.IndexFunc(resources, func(r any) bool { return strings.HasSuffix(r.(map[string]any)["urn"].(string), "::"+change.name) })
		var to any
		if err := json.Unmarshal([]byte(change.value), &to); err != nil {
			t.Fatalf("%s: %v", change.name, err)
		}
		if i < 0 {
			continue // it was not made
		}
		r := resources[i].(map[string]any)
		if change.member == "pending" {
			operations, _ := deployment["pending_operations"].([]any)
			deployment["pending_operations"] = append(operations, map[string]any{"resource": r, "type": to})
			continue
		}
		if change.copies {
			r = maps.Clone(r)
			deployment["resources"] = slices.Insert(resources, len(resources), any(r))
		}
		r[change.member] = to
	}
}

// observe runs a command of the CLI that changes the stack.
func (s *stack) observe(command ...string) observed {
	s.t.Helper()
	r := s.run(append(command, "--yes", "--json", "--show-sames", "--show-replacement-steps", "--parallel", "1")...)
	o := observed{Failed: r.code != 0}
	var err error
	if o.Preview, o.Update, err = events(r); err != nil {
		s.t.Fatal(err)
	}
	if command[0] != "up" {
		o.Preview = nil // package engine has none of these
	}
	file := s.checkpoint()
	o.read(s.t, sure(s.t, file.Resources()), sure(s.t, file.PendingOperations()), s.in("cloud"))
	o.Printed = r.String()
	return o
}

// stateFile is the file that the CLI keeps the state in.
func (s *stack) stateFile() string { return s.in("state", ".pulumi", "stacks", "e2e", "dev.json") }

// checkpoint is the state of the stack, decrypted.
func (s *stack) checkpoint() *state.File {
	s.t.Helper()
	data, err := os.ReadFile(s.stateFile())
	if err != nil {
		s.t.Fatal(err)
	}
	f, err := state.Parse(data, state.Options{})
	if err == nil {
		f, err = f.Decrypt(&opener{data: data})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// opener decrypts what the CLI encrypted with the passphrase.
type opener struct{ data []byte }

var salt = regexp.MustCompile(`"salt":\s*"v1:([^:]*):`)

// crypters are the crypters by salt. To make one takes a good part of a second.
var crypters sync.Map

// Decrypt is that of a state.Decrypter.
func (o *opener) Decrypt(ciphertexts []string) (plaintexts []string, err error) {
	found := salt.FindSubmatch(o.data)
	if found == nil {
		return nil, errors.New("no salt")
	}
	raw, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		return nil, err
	}
	once, _ := crypters.LoadOrStore(string(raw), sync.OnceValue(func() config.Crypter {
		return config.NewSymmetricCrypterFromPassphrase(passphrase, raw)
	}))
	for _, text := range ciphertexts {
		plain, err := once.(func() config.Crypter)().DecryptValue(context.Background(), text)
		if err != nil {
			return nil, err
		}
		plaintexts = append(plaintexts, plain)
	}
	return plaintexts, nil
}

// read takes what is compared from a state. What differs from run to run has no part in
// it: times, positions in the program, random texts, and the folder of the side.
func (o *observed) read(t *testing.T, resources iter.Seq[state.Resource], pending iter.Seq[state.Operation], folder string) {
	t.Helper()
	o.Relatives = map[string][]string{}
	for r := range resources {
		o.Resources = append(o.Resources, normalized(t, r, folder))
		o.Relatives[r.URN] = append(o.Relatives[r.URN], relativesOf(r)...)
	}
	for operation := range pending {
		o.Pending = append(o.Pending, operation.Type+" "+shortURN(operation.Resource.URN))
	}
}

// sure is a sequence without its errors, which end the test.
func sure[T any](t *testing.T, all iter.Seq2[T, error]) iter.Seq[T] {
	t.Helper()
	return func(yield func(T) bool) {
		for v, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(v) {
				return
			}
		}
	}
}

// relativesOf are the URNs of what a resource needs.
func relativesOf(r state.Resource) []string {
	all := append([]string{r.Parent, providerURN(r.Provider)}, r.Dependencies...)
	for _, urns := range r.PropertyDependencies {
		all = append(all, urns...)
	}
	return slices.DeleteFunc(all, func(urn string) bool { return urn == "" })
}

// providerURN is the URN in a reference to a provider.
func providerURN(reference string) string {
	if i := strings.LastIndex(reference, "::"); i >= 0 {
		return reference[:i]
	}
	return ""
}

// token is a text that the provider makes at random.
var token = regexp.MustCompile(`"[A-Z2-7]{26}"`)

// normalized is a resource as a text of one member a line.
func normalized(t *testing.T, r state.Resource, folder string) string {
	t.Helper()
	r.Dependencies = slices.Sorted(slices.Values(r.Dependencies))
	depends := map[string][]string{}
	for name, urns := range r.PropertyDependencies {
		if len(urns) > 0 {
			depends[name] = slices.Sorted(slices.Values(urns))
		}
	}
	r.PropertyDependencies = depends
	if strings.HasPrefix(r.Type, "pulumi:providers:") {
		r.ID = "RANDOM"
	}
	if r.Provider != "" {
		r.Provider = providerURN(r.Provider) + "::RANDOM"
	}
	if !r.Custom {
		r.Outputs = value.Null() // which package engine does not model
	}
	members := maps.Collect(r.Metadata().Members())
	for _, name := range []string{"created", "modified", "sourcePosition", "stackTrace", "additionalSecretOutputs"} {
		delete(members, name)
	}
	members["inputs"], members["outputs"] = r.Inputs, r.Outputs
	var text bytes.Buffer
	fmt.Fprintln(&text, shortURN(r.URN))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if v := members[name]; !isEmpty(v) {
			data, err := codec.AppendJSONValue(nil, v, codec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "  %s: %s\n", name, data)
		}
	}
	result := strings.ReplaceAll(text.String(), folder, "FOLDER")
	return token.ReplaceAllString(result, `"TOKEN"`)
}

// isEmpty reports whether a member of a resource says nothing.
func isEmpty(v value.Value) bool {
	text, isText := v.AsString()
	flag, isFlag := v.AsBool()
	return v.IsNull() || (isText && text == "") || (isFlag && !flag) || ((v.Kind() == value.KindArray || v.Kind() == value.KindObject) && v.Len() == 0)
}
