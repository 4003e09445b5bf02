package stack_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	deployed "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/graph"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// refusals returns how many errors Check finds: URNs that are there twice, and others.
func refusals(t *testing.T, text []byte) (twice, others int) {
	t.Helper()
	for f, err := range state.Check(bytes.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Severity != state.SeverityError:
		case f.Code == "urn-twice":
			twice++
		default:
			others++
		}
	}
	return twice, others
}

// drawEdits draws edits of records, some of them by position.
func drawEdits(m *mutant) (e state.Edits) {
	name := func() string {
		urn := m.get([]int{m.some(), len(m.records) - 1}[m.IntN(2)], "urn") // of which there may be another
		if m.IntN(3) == 0 {
			return urn
		}
		return fmt.Sprint(urn, "#", 1+m.IntN(2))
	}
	e.Protected = true
	switch m.IntN(7) {
	case 0:
		e.Rename = map[string]string{m.get(m.some(), "urn"): "renamed"}
	case 1:
		urn := m.get(m.some(), "urn")
		e.Rename = map[string]string{m.get(m.some(), "urn"): urn[strings.LastIndex(urn, "::")+2:] + "-gone"}
	case 2:
		e.Properties = []state.PropertyEdit{{Resource: name(), Bag: "outputs", At: path.MustParse("edited"), Value: value.Bool(true)}}
	case 3:
		e.Delete = []string{name(), name()}
	case 4:
		e.Delete = []string{name()}
	case 5:
		to := m.get(m.some(), "urn")
		e.Members = []state.MemberEdit{
			{Resource: name(), Name: "parent", Value: value.String(to)},
			{Resource: name(), Name: "protect", Value: value.Bool(true)},
			{Resource: name(), Name: "delete", Value: value.Bool(m.IntN(2) == 0)},
		}[m.IntN(3):][:1]
	case 6:
		e.Retype = map[string]string{}
		for range 1 + m.IntN(2) {
			e.Retype[m.get(m.some(), "urn")] = []string{m.get(m.some(), "type"), "edited:index:Type"}[m.IntN(2)]
		}
	}
	return e
}

// TestEditsOfTheEngine: no edit makes a state worse, whatever is wrong with it already, and
// what engines load they load after it.
func TestEditsOfTheEngine(t *testing.T) {
	texts := soundStates(t)
	r := rand.New(rand.NewPCG(5, 6))
	made, refused := 0, 0
	for n := range *toRepair {
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		for range r.IntN(4) {
			if len(m.records) > 1 {
				m.damage()
				m.records = append(m.records, m.copyOf(m.some()))
				m.set(len(m.records)-1, "delete", raw(m.IntN(2) == 0))
			}
		}
		text, e := m.text(), drawEdits(m)
		also, failed := state.Dependents(bytes.NewReader(text), e.Delete...)
		for _, each := range also {
			e.Delete = append(e.Delete, each.Resource)
		}
		var out bytes.Buffer
		if _, err := state.Rewrite(bytes.NewReader(text), &out, e); err != nil {
			if refused++; len(e.Delete) > 0 && failed == nil {
				t.Errorf("edit %d, with all dependents: %v\n%s", n, err, text)
			}
			continue
		}
		made++
		twice, others := refusals(t, text)
		twiceNow, othersNow := refusals(t, out.Bytes())
		if twiceNow > twice || othersNow > others || (twice+others == 0 && engineRefuses(out.Bytes()) != nil) {
			t.Errorf("edit %d: %d and %d errors, %d and %d before: %+v\n%s", n, twiceNow, othersNow, twice, others, e, text)
		}
	}
	if t.Logf("%d edits made, %d refused", made, refused); made < *toRepair/4 || refused < *toRepair/10 {
		t.Error("too few of one kind")
	}
}

// TestDependentsOfTheEngine: what depends on a resource is what the engine deletes with it,
// for each resource of the real states.
func TestDependentsOfTheEngine(t *testing.T) {
	asked, found := 0, 0
	for _, text := range soundStates(t) {
		snapshot, err := engineSnapshot(text)
		if err != nil {
			t.Fatal(err)
		}
		graph := graph.NewDependencyGraph(snapshot.Resources)
		names := map[*deployed.State]string{}
		count := map[resource.URN]int{}
		for _, r := range snapshot.Resources {
			count[r.URN]++
			names[r] = fmt.Sprint(r.URN, "#", count[r.URN])
		}
		for _, r := range snapshot.Resources {
			all, err := state.Dependents(bytes.NewReader(text), names[r])
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, each := range all {
				if got = append(got, each.Resource); !strings.Contains(each.Resource, "#") {
					got[len(got)-1] += "#1"
				}
			}
			for _, each := range graph.OnlyDependsOn(r) {
				want = append(want, names[each])
			}
			if asked++; !slices.Equal(got, want) {
				t.Errorf("%s: %v, and for the engine %v", names[r], got, want)
			}
			found += len(got)
		}
	}
	if t.Logf("%d dependents of %d resources", found, asked); found < asked {
		t.Error("too few")
	}
}
