package stack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/pkg/v3/resource/deploy"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/pkg/v3/secrets"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"

	"github.com/propalg/propalg/codec/state"
)

var checked = flag.Int("checked", 1200, "mutants of states that state.Check and engines are asked about")

// mutant is a state that is being broken.
type mutant struct {
	*rand.Rand
	top, deployment map[string]json.RawMessage
	wraps           []string // the members around the deployment
	records         []map[string]json.RawMessage
}

func newMutant(t *testing.T, r *rand.Rand, text []byte) *mutant {
	t.Helper()
	m := &mutant{Rand: r}
	decode := func(text []byte, to any) {
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatal(err)
		}
	}
	decode(text, &m.top)
	inner := m.top
	for _, name := range []string{"deployment", "checkpoint", "latest"} {
		if inner[name] != nil {
			m.wraps = append(m.wraps, name)
			below := map[string]json.RawMessage{}
			decode(inner[name], &below)
			inner = below
		}
	}
	m.deployment = inner
	decode(inner["resources"], &m.records)
	return m
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func (m *mutant) text() []byte {
	deployment := maps.Clone(m.deployment)
	deployment["resources"] = raw(m.records)
	now := raw(deployment)
	for _, name := range slices.Backward(m.wraps[1:]) {
		now = raw(map[string]json.RawMessage{name: now})
	}
	top := maps.Clone(m.top)
	delete(top, "version")
	top[m.wraps[0]] = now
	text := raw(top)
	if m.top["version"] != nil { // a Reader wants it first if it is an old one
		text = append([]byte(`{"version":`+string(m.top["version"])+","), text[1:]...)
	}
	return text
}

// bare leaves out properties, which take the engine most of its time.
func (m *mutant) bare() {
	for _, r := range m.records {
		delete(r, "inputs")
		delete(r, "outputs")
	}
}

// sorted puts parents before their children, as old engines did not.
func (m *mutant) sorted() {
	var all []map[string]json.RawMessage
	done := map[string]bool{}
	var visit func(r map[string]json.RawMessage)
	visit = func(r map[string]json.RawMessage) {
		if done[string(r["urn"])] {
			return
		}
		done[string(r["urn"])] = true
		for _, other := range m.records {
			if string(other["urn"]) == string(r["parent"]) {
				visit(other)
			}
		}
		all = append(all, r)
	}
	for _, r := range m.records {
		visit(r)
	}
	m.records = all
}

func (m *mutant) some() int { return m.IntN(len(m.records)) }

func (m *mutant) copyOf(i int) map[string]json.RawMessage { return maps.Clone(m.records[i]) }

// set changes a copy of a record, since others may be the same one.
func (m *mutant) set(i int, name string, to json.RawMessage) {
	r := m.copyOf(i)
	if to == nil {
		delete(r, name)
	} else {
		r[name] = to
	}
	m.records[i] = r
}

// membersOf returns the members of an object, or none.
func membersOf[T any](text json.RawMessage) (of map[string]T) {
	if err := json.Unmarshal(text, &of); err != nil || of == nil {
		return map[string]T{}
	}
	return of
}

func (m *mutant) get(i int, name string) (text string) {
	_ = json.Unmarshal(m.records[i][name], &text) // else it is empty
	return text
}

// any returns a text that may be a URN of the state.
func (m *mutant) anyURN() string {
	switch m.IntN(8) {
	case 0:
		return ""
	case 1:
		return m.mangled(m.get(m.some(), "urn"))
	}
	return m.get(m.some(), "urn")
}

func (m *mutant) anyProvider() string {
	i := m.some()
	for range 20 {
		if strings.HasPrefix(m.get(i, "type"), "pulumi:providers:") {
			break
		}
		i = m.some()
	}
	ref := m.get(i, "urn") + "::" + m.get(i, "id")
	switch m.IntN(8) {
	case 0:
		return m.get(i, "urn")
	case 1:
		return m.get(i, "urn") + "::04da6b54-80e4-46f7-96ec-b56ff0331ba9"
	case 2:
		return m.mangled(ref)
	}
	return ref
}

// mangled changes a text a little.
func (m *mutant) mangled(text string) string {
	if text == "" {
		return "x"
	}
	i := m.IntN(len(text))
	switch m.IntN(9) {
	case 0:
		return text[:i]
	case 1:
		return text[i:]
	case 2:
		return text + "x"
	case 3:
		return strings.Replace(text, "::", ":", 1)
	case 4:
		return strings.Replace(text, "urn:pulumi:", "urn:pulumi:::", 1)
	case 5:
		return strings.Replace(text, "::", "::::", 1)
	case 6:
		return strings.Replace(text, "pulumi:providers:", []string{"pulumi:providers", "pulumi:provider:", "pulumi:providers::"}[m.IntN(3)], 1)
	case 7:
		return strings.ToUpper(text)
	}
	return text[:i] + ":" + text[i:]
}

// list is a list of dependencies with one more.
func (m *mutant) list(old json.RawMessage) json.RawMessage {
	var all []string
	_ = json.Unmarshal(old, &all) // else there are none
	return raw(append(all, m.anyURN()))
}

// mutate breaks something, perhaps, and says what.
func (m *mutant) mutate() string {
	i, j := m.some(), m.some()
	members := []string{"parent", "deletedWith", "viewOf"}
	flags := []string{"delete", "custom", "protect", "external", "pendingReplacement", "retainOnDelete"}
	lists := []string{"dependencies", "replaceWith", "aliases"}
	pick := func(of []string) string { return of[m.IntN(len(of))] }
	switch m.IntN(19) {
	case 0:
		m.records = slices.Delete(m.records, i, i+1)
		return "drop"
	case 1:
		m.records = slices.Insert(m.records, j, m.copyOf(i))
		return "double"
	case 2:
		m.records[i], m.records[j] = m.records[j], m.records[i]
		return "swap"
	case 3:
		r := m.records[i]
		m.records = slices.Delete(m.records, i, i+1)
		m.records = slices.Insert(m.records, min(j, len(m.records)), r)
		return "move"
	case 4:
		m.records = append(m.records, m.copyOf(i))
		m.set(len(m.records)-1, "delete", raw(true))
		return "double as pending deletion"
	case 5, 6:
		name := pick(members)
		m.set(i, name, raw(m.anyURN()))
		return name
	case 7, 8:
		m.set(i, "provider", raw(m.anyProvider()))
		return "provider"
	case 9, 10:
		name := pick(lists)
		m.set(i, name, m.list(m.records[i][name]))
		return name
	case 11:
		of := membersOf[json.RawMessage](m.records[i]["propertyDependencies"])
		of["p"] = m.list(of["p"])
		m.set(i, "propertyDependencies", raw(of))
		return "propertyDependencies"
	case 12:
		name := pick(flags)
		m.set(i, name, raw(m.IntN(3) > 0))
		return name
	case 13:
		name := pick([]string{"urn", "type", "id"})
		m.set(i, name, raw(m.mangled(m.get(i, name))))
		return "mangle " + name
	case 14:
		name := pick([]string{"urn", "type", "id", "custom", "parent", "provider"})
		m.set(i, name, nil)
		return "no " + name
	}
	return m.mutateRest(i)
}

// mutateRest breaks rarer things.
func (m *mutant) mutateRest(i int) string {
	manifest := func(change func(m map[string]any)) {
		of := membersOf[any](m.deployment["manifest"])
		change(of)
		m.deployment["manifest"] = raw(of)
	}
	versions := []string{"1", "v1.2", "1.2.3-a", "1.2-a", "", "x", "1.2.3.4", "01.2.3"}
	switch m.IntN(12) {
	case 0:
		manifest(func(of map[string]any) { of["magic"] = m.mangled(fmt.Sprint(of["magic"])) })
		return "magic"
	case 1:
		manifest(func(of map[string]any) { of["version"] = "v3" })
		return "version of the manifest"
	case 2:
		manifest(func(of map[string]any) {
			of["plugins"] = []any{map[string]any{"name": "a", "type": "resource", "version": versions[m.IntN(len(versions))]}}
		})
		return "plugin"
	case 3:
		m.top["version"] = raw(4)
		m.top["features"] = raw([]string{[]string{"views", "hooks", "other", ""}[m.IntN(4)]})
		return "features"
	case 4:
		ids := []any{map[string]any{"uuid": "a"}, map[string]any{"uuid": ""}, map[string]any{}, map[string]any{"uuid": "b"}}
		m.deployment["snippets"] = raw([]any{ids[m.IntN(4)], ids[m.IntN(4)]})
		return "snippets"
	case 5:
		r := m.copyOf(i)
		if m.IntN(2) == 0 {
			delete(r, []string{"urn", "type", "custom", "id"}[m.IntN(4)])
		}
		m.deployment["pending_operations"] = raw([]any{map[string]any{"type": "creating", "resource": r}})
		return "pending operation"
	case 6:
		delete(m.deployment, []string{"secrets_providers", "manifest", "metadata"}[m.IntN(3)])
		return "no member"
	case 7:
		m.top["version"] = raw(1 + m.IntN(5))
		return "version"
	case 8:
		m.deployment[[]string{"secrets_providers", "manifest", "metadata", "snippets"}[m.IntN(4)]] = []json.RawMessage{raw(5), raw(nil), raw("x")}[m.IntN(3)]
		return "other member"
	case 9:
		m.set(i, []string{"custom", "dependencies", "parent", "created", "propertyDependencies"}[m.IntN(5)], []json.RawMessage{raw(5), raw(nil), raw("x")}[m.IntN(3)])
		return "other kind"
	case 10:
		secret := map[string]any{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
		secret[[]string{"ciphertext", "plaintext", "other"}[m.IntN(3)]] = []string{"v1:InRleHQi", `"text"`, ""}[m.IntN(3)]
		m.set(i, []string{"inputs", "outputs"}[m.IntN(2)], raw(map[string]any{"p": secret}))
		if m.IntN(2) == 0 {
			delete(m.deployment, "secrets_providers")
		}
		return "secret"
	}
	m.set(i, "urn", raw(m.get(m.some(), "urn")))
	return "urn of another"
}

// engineRefuses returns why an engine refuses to load a state, or nil.
func engineRefuses(text []byte) error {
	return engineRefusesWith(engineCrypter{&crypter{all: true}}, text)
}

// engineRefusesWith is engineRefuses with what decrypts secrets, or nil.
func engineRefusesWith(opens secrets.Provider, text []byte) (why error) {
	defer func() {
		if failed := recover(); failed != nil {
			why = fmt.Errorf("panic: %v", failed)
		}
	}()
	made, err := engineSnapshotWith(opens, text)
	if err != nil {
		return err
	}
	return made.VerifyIntegrity()
}

// engineSnapshot is how the engine reads an export or a checkpoint.
func engineSnapshot(text []byte) (*deploy.Snapshot, error) {
	return engineSnapshotWith(engineCrypter{&crypter{all: true}}, text)
}

func engineSnapshotWith(opens secrets.Provider, text []byte) (*deploy.Snapshot, error) {
	var top struct {
		Deployment json.RawMessage `json:"deployment"`
	}
	if err := json.Unmarshal(text, &top); err != nil {
		return nil, err
	}

	ctx := context.Background()
	if top.Deployment == nil {
		checkpoint, _, _, err := stack.UnmarshalVersionedCheckpointToLatestCheckpoint(encoding.JSON, text)
		if err != nil {
			return nil, err
		}
		return stack.DeserializeCheckpoint(ctx, opens, checkpoint)
	}
	var export apitype.UntypedDeployment
	if err := json.Unmarshal(text, &export); err != nil {
		return nil, err
	}
	return stack.DeserializeUntypedDeployment(ctx, &export, opens)
}

// checkRefuses returns the codes of the errors that Check finds, sorted, each once.
func checkRefuses(text []byte) (codes []string) {
	for f, err := range state.Check(bytes.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			codes = append(codes, "error: "+err.Error())
		} else if f.Severity == state.SeverityError {
			codes = append(codes, f.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Check finds an error in a state exactly if engines refuse it: in the real ones, and in
// mutants of them.
func TestCheckRefusesAsEngines(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no state files here: ", err)
	}
	var texts [][]byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
		refused, codes := engineRefuses(text), checkRefuses(text)
		if (refused != nil) != (codes != nil) {
			t.Errorf("%s: the engine: %v; here: %v", filepath.Base(name), refused, codes)
		}
		m := newMutant(t, nil, text)
		m.sorted()
		if m.bare(); engineRefuses(m.text()) == nil {
			texts = append(texts, m.text())
		}
	}

	refusals, kinds := 0, map[string]int{}
	for n := range *checked {
		r := rand.New(rand.NewPCG(38, uint64(n)))
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		if r.IntN(20) > 0 {
			m.bare()
		}
		if r.IntN(20) > 0 {
			m.sorted()
		}
		var did []string
		for range 1 + r.IntN(3) {
			if len(m.records) > 1 {
				did = append(did, m.mutate())
			}
		}
		text := m.text()
		refused, codes := engineRefuses(text), checkRefuses(text)
		if (refused != nil) != (codes != nil) {
			t.Errorf("mutant %d (%s): the engine: %v; here: %v", n, strings.Join(did, ", "), refused, codes)
		}
		if refused != nil {
			refusals++
		}
		for _, code := range codes {
			kinds[code]++
		}
	}
	t.Logf("%d of %d refused, by %v", refusals, *checked, kinds)
}
