package stack_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pulumiengine "github.com/pulumi/pulumi/pkg/v3/engine"
	"github.com/pulumi/pulumi/pkg/v3/resource/deploy/deploytest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"

	"github.com/propalg/propalg/codec/state"
)

var toRepair = flag.Int("repaired", 300, "mutants of states that state.Repair mends and engines load")

// damage breaks something as people, and engines that are killed, do.
func (m *mutant) damage() string {
	i, j := m.some(), m.some()
	pick := func(of ...string) string { return of[m.IntN(len(of))] }
	other := func() string {
		if m.IntN(4) == 0 {
			return m.get(m.some(), "urn") + "-gone"
		}
		return m.get(m.some(), "urn")
	}
	switch m.IntN(10) {
	case 0, 1:
		m.records = slices.Delete(m.records, i, i+1)
		return "drop"
	case 2:
		m.records = slices.Insert(m.records, j, m.copyOf(i))
		return "double"
	case 3:
		m.records[i], m.records[j] = m.records[j], m.records[i]
		return "swap"
	case 4:
		r := m.records[i]
		m.records = slices.Delete(m.records, i, i+1)
		m.records = slices.Insert(m.records, min(j, len(m.records)), r)
		return "move"
	case 5:
		m.Shuffle(len(m.records), func(i, j int) { m.records[i], m.records[j] = m.records[j], m.records[i] })
		return "shuffle"
	case 6:
		name := pick("parent", "deletedWith")
		m.set(i, name, raw(other()))
		return name
	case 7:
		name := pick("dependencies", "replaceWith")
		m.set(i, name, raw([]string{other(), other(), other()}))
		return name
	case 8:
		m.set(i, "propertyDependencies", raw(map[string][]string{"p": {other()}, "q": {other(), other()}}))
		return "propertyDependencies"
	}
	provider := ""
	for range 20 {
		if k := m.some(); strings.HasPrefix(m.get(k, "type"), "pulumi:providers:") {
			provider = m.get(k, "urn") + "::" + m.get(k, "id") + pick("", "", "x")
		}
	}
	if provider != "" {
		m.set(i, "provider", raw(provider))
	}
	return "provider"
}

// rawRecords returns the records of a state as they are written.
func rawRecords(t *testing.T, text []byte) (all []json.RawMessage) {
	t.Helper()
	m := newMutant(t, nil, text)
	if err := json.Unmarshal(m.deployment["resources"], &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// mended returns how often a repair has to leave each record, of those before it, and those
// that it drops, by what it says. Unchanged ones have the same bytes.
func mended(t *testing.T, before []json.RawMessage, mends []state.Mend) (after map[string]int, dropped []string) {
	t.Helper()
	after = map[string]int{}
	type name struct {
		urn string
		n   int
	}
	of := map[name][]state.Mend{}
	for _, m := range mends {
		of[name{m.URN, m.Record}] = append(of[name{m.URN, m.Record}], m)
	}
	seen := map[string]int{}
	for _, text := range before {
		var own struct{ URN string }
		if err := json.Unmarshal(text, &own); err != nil {
			t.Fatal(err)
		}
		seen[own.URN]++
		all := of[name{own.URN, seen[own.URN]}]
		if len(all) == 0 {
			after[string(text)]++
			continue
		}
		var r map[string]any
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		isChanged := false
		for _, m := range slices.Backward(all) { // elements from the end
			switch m.Mending {
			case state.MendingDropped:
				dropped = append(dropped, string(text))
				r = nil
			case state.MendingRemoved, state.MendingRepointed:
				isChanged = true
				changeLink(t, r, m)
			case state.MendingMoved, state.MendingRenamed:
			}
		}
		switch {
		case isChanged:
			after[string(raw(r))]++
		case r != nil:
			after[string(text)]++
		}
	}
	return after, dropped
}

// changeLink makes a change of one reference in a record.
func changeLink(t *testing.T, r map[string]any, m state.Mend) {
	t.Helper()
	steps := slices.Collect(m.At.RevealPath().Steps())
	member, _ := steps[0].AsKey()
	if len(steps) == 1 {
		if r[member] != m.From {
			t.Fatalf("%v: it is %v", m, r[member])
		}
		if r[member] = m.To; m.To == "" {
			delete(r, member)
		}
		return
	}

	in, key := r, member
	if len(steps) == 3 {
		in, _ = r[member].(map[string]any)
		key, _ = steps[1].AsKey()
	}
	list, _ := in[key].([]any)
	i, _ := steps[len(steps)-1].AsIndex()
	if i >= len(list) || list[i] != m.From {
		t.Fatalf("%v: it is %v", m, list)
	}
	in[key] = slices.Delete(list, i, i+1)
}

// mends repairs a state, and checks what comes out.
func mends(t *testing.T, text []byte, o state.RepairOptions) (out []byte, r *state.Repaired) {
	t.Helper()
	r, err := state.Repair(bytes.NewReader(text), o)
	if err != nil {
		if engineRefuses(text) == nil || errors.Is(err, state.ErrEdit) {
			t.Fatal(err)
		}
		return nil, &state.Repaired{} // it cannot be read
	}
	var to, lost bytes.Buffer
	if _, err := r.WriteTo(&to); len(r.Unmended) > 0 {
		if err == nil || to.Len() > 0 {
			t.Fatalf("written although not all can be mended: %v", r.Unmended)
		}
		return nil, r
	} else if err != nil {
		t.Fatal(err)
	}
	if err := r.WriteDropped(&lost); err != nil {
		t.Fatal(err)
	}

	out = to.Bytes()
	want, gone := mended(t, rawRecords(t, text), r.Mends)
	for _, each := range rawRecords(t, out) {
		text := string(each)
		if want[text] == 0 {
			text = sorted(t, each)
		}
		if want[text]--; want[text] < 0 {
			t.Fatalf("one record too many: %s\nby %v", each, r.Mends)
		}
	}
	for text, n := range want {
		if n > 0 {
			t.Fatalf("it is missing: %s\nby %v", text, r.Mends)
		}
	}
	var beside struct{ Resources []json.RawMessage }
	if err := json.Unmarshal(lost.Bytes(), &beside); err != nil || len(beside.Resources) != len(gone) {
		t.Fatalf("%v: %s", err, lost.Bytes())
	}
	for i, each := range beside.Resources {
		if string(each) != gone[i] {
			t.Fatalf("dropped is %s, not %s", each, gone[i])
		}
	}
	again, err := state.Repair(bytes.NewReader(out), state.RepairOptions{})
	if err != nil || len(again.Mends)+len(again.Unmended) > 0 {
		t.Fatalf("repaired again: %v, %v, %v", again.Mends, again.Unmended, err)
	}
	return out, r
}

// sorted returns the text of a record with its members in an order.
func sorted(t *testing.T, text []byte) string {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return string(raw(r))
}

// TestRepairOfTheEngine: what Repair writes is loaded by engines, has every record but those
// that the report names, and is the same if nothing was wrong. What it has no answer to is
// a missing provider, or which of two records is the right one, and once it is told it has.
func TestRepairOfTheEngine(t *testing.T) {
	texts := soundStates(t)
	r := rand.New(rand.NewPCG(3, 4))
	counts := map[string]int{}
	for n := range *toRepair {
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		isStrict := r.IntN(4) > 0
		var did []string
		for range 1 + r.IntN(4) {
			switch {
			case len(m.records) < 2:
			case isStrict:
				did = append(did, m.damage())
			default:
				did = append(did, m.mutate())
			}
		}
		text := m.text()
		what := strings.Join(did, ", ")

		out, report := mends(t, text, state.RepairOptions{})
		if out == nil {
			out, report = told(t, m, text, report, counts)
		}
		switch {
		case out == nil:
			for _, f := range report.Unmended {
				if counts["not mended: "+f.Code]++; isStrict && f.Code != "provider-missing" && f.Code != "provider-order" {
					t.Errorf("mutant %d (%s): %v", n, what, f)
				}
			}
			continue
		case engineRefuses(out) != nil:
			t.Errorf("mutant %d (%s): %v after %v\n%s", n, what, engineRefuses(out), report.Mends, out)
		case engineRefuses(text) == nil && !bytes.Equal(out, text) && !bytes.Contains(text, []byte(`""`)):
			t.Errorf("mutant %d (%s): it was sound, and %v", n, what, report.Mends)
		case len(report.Mends) == 0:
			counts["sound"]++
		}
		for _, m := range report.Mends {
			counts[m.Mending.String()]++
		}
	}
	t.Logf("%d mutants: %v", *toRepair, counts)
}

// soundStates returns states that engines load: the real ones, and these without properties.
func soundStates(t *testing.T) (texts [][]byte) {
	t.Helper()
	files, err := filepath.Glob("../../../../shared/data/state-files/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("no state files here: ", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if out, _ := mends(t, text, state.RepairOptions{}); engineRefuses(text) == nil && !bytes.Equal(out, text) {
			t.Errorf("%s is sound, and changed", filepath.Base(name))
		}
		m := newMutant(t, nil, text)
		m.sorted()
		if len(text) < 100_000 && engineRefuses(m.text()) == nil {
			texts = append(texts, m.text())
		}
		m.bare()
		if engineRefuses(m.text()) == nil {
			texts = append(texts, m.text())
		}
	}
	return texts
}

// told repairs a mutant as somebody decided who knows what to keep.
func told(t *testing.T, m *mutant, text []byte, report *state.Repaired, counts map[string]int) ([]byte, *state.Repaired) {
	t.Helper()
	o := state.RepairOptions{Providers: map[string]string{}}
	kept := map[string]bool{}
	packages := map[string][]string{} // providers that are there
	for i := range m.records {
		if typ := m.get(i, "type"); strings.HasPrefix(typ, "pulumi:providers:") && m.get(i, "id") != "" {
			packages[typ] = append(packages[typ], m.get(i, "urn")+"::"+m.get(i, "id"))
		}
	}
	for _, f := range report.Unmended {
		switch {
		case f.Code == "urn-twice" && !kept[f.URN]:
			kept[f.URN] = true
			o.Keep = append(o.Keep, f.URN+"#"+string(rune('0'+f.Record)))
		case f.Code == "provider-missing":
			for typ, all := range packages {
				if strings.Contains(f.Detail, typ+"::") {
					o.Providers[f.Detail] = all[m.IntN(len(all))]
				}
			}
		}
	}
	counts["told"]++
	if _, err := state.Repair(bytes.NewReader(text), o); err != nil {
		counts["refused"]++
		return nil, &state.Repaired{}
	}
	return mends(t, text, state.RepairOptions{Keep: o.Keep, Providers: maps.Clone(o.Providers)})
}

// family registers a component with two resources of an own provider below it.
func family(monitor *deploytest.ResourceMonitor) error {
	register := func(typ tokens.Type, name string, custom bool, o deploytest.ResourceOptions) (resource.URN, resource.ID, error) {
		made, err := monitor.RegisterResource(typ, name, custom, o)
		if err != nil {
			return "", "", err
		}
		return made.URN, made.ID, nil
	}
	root, _, err := register(resource.RootStackType, "test-test", false, deploytest.ResourceOptions{})
	if err != nil {
		return err
	}
	own, id, err := register(ownType, "own", true, deploytest.ResourceOptions{Parent: root})
	if err != nil {
		return err
	}
	group, _, err := register(groupType, "group", false, deploytest.ResourceOptions{Parent: root})
	if err != nil {
		return err
	}
	o := deploytest.ResourceOptions{Parent: group, Provider: string(own) + "::" + string(id), Inputs: resource.PropertyMap{"a": resource.NewProperty("b")}}
	one, _, err := register(thingType, "one", true, o)
	if err != nil {
		return err
	}
	o.Dependencies, o.DeletedWith = []resource.URN{one}, one
	o.PropertyDeps = map[resource.PropertyKey][]resource.URN{"a": {one}}
	_, _, err = register(thingType, "two", true, o)
	return err
}

// TestPreviewAfterRepair: a state that was broken and repaired is that of the program as it
// was: nothing is replaced or deleted, and only what was dropped is created.
func TestPreviewAfterRepair(t *testing.T) {
	r := &inProcess{t: t, provider: deploytest.Provider{CreateF: creates}}
	export := engineExports(t, r.made(family), false)
	const root, own, group, one, two = 0, 1, 2, 3, 4
	drop := func(i int) func(*mutant) {
		return func(m *mutant) { m.records = slices.Delete(m.records, i, i+1) }
	}
	for name, row := range map[string]struct {
		damage  []func(*mutant)
		keep    string
		created string
	}{
		"reversed":         {[]func(*mutant){func(m *mutant) { slices.Reverse(m.records) }}, "", ""},
		"no component":     {[]func(*mutant){drop(group)}, "", "group"},
		"no dependency":    {[]func(*mutant){drop(one)}, "", "one"},
		"no stack":         {[]func(*mutant){drop(root)}, "", "test-test"},
		"none but things":  {[]func(*mutant){drop(group), drop(root), func(m *mutant) { slices.Reverse(m.records) }}, "", "test-test group"},
		"twice":            {[]func(*mutant){func(m *mutant) { m.records = append(m.records, m.copyOf(one)); m.set(5, "id", raw("other")) }}, "::one#1", ""},
		"twice, reversed":  {[]func(*mutant){func(m *mutant) { m.records = append(m.records, m.copyOf(two)); slices.Reverse(m.records) }}, "::two#2", ""},
		"a wrong parent":   {[]func(*mutant){func(m *mutant) { m.set(group, "parent", raw(m.get(two, "urn"))) }}, "", ""},
		"a wrong provider": {[]func(*mutant){func(m *mutant) { m.set(own, "dependencies", raw([]string{m.get(one, "urn")})) }}, "", ""},
	} {
		m := newMutant(t, nil, export)
		for _, each := range row.damage {
			each(m)
		}
		o := state.RepairOptions{}
		for i := range m.records {
			if urn := m.get(i, "urn"); row.keep != "" && strings.HasSuffix(urn, row.keep[:len(row.keep)-2]) {
				o.Keep = []string{urn + row.keep[len(row.keep)-2:]}
			}
		}
		if engineRefuses(m.text()) == nil {
			t.Fatalf("%s: the engine takes it as it is", name)
		}
		out, report := mends(t, m.text(), o)
		if out == nil {
			t.Errorf("%s: %v", name, report.Unmended)
			continue
		}

		before := snapshot(t, out, &crypter{all: true})
		before.SecretsManager = nil // which the framework cannot copy
		did := r.run(pulumiengine.Update, before, true, family)
		var created []string
		for _, s := range did.steps {
			switch op := string(s.Op); op {
			case "same", "update":
			case "create":
				created = append(created, s.URN.Name())
			default:
				t.Errorf("%s: %s %s", name, op, s.URN)
			}
		}
		if did.err != nil || strings.Join(created, " ") != row.created {
			t.Errorf("%s: created is %q, not %q: %v\n%v\n%s", name, created, row.created, did.err, report.Mends, out)
		}
	}
}
