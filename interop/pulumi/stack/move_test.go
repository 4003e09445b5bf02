package stack_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

var toMove = flag.Int("moved", 400, "moves between states after which engines load both")

// drawMove draws what to move, some of it by position.
func drawMove(m *mutant) (o state.MoveOptions) {
	for range 1 + m.IntN(3) {
		i := m.some()
		for range 8 { // most resources, not providers
			if strings.HasPrefix(m.get(i, "type"), "pulumi:providers:") {
				i = m.some()
			}
		}
		name := m.get(i, "urn")
		if m.IntN(4) == 0 {
			name = fmt.Sprint(name, "#", 1+m.IntN(2))
		}
		o.Resources = append(o.Resources, name)
	}
	o.Parents = m.IntN(3) == 0
	return o
}

// destinationOf draws a state to move to: another one, or what is left of the same one in
// another stack.
func destinationOf(t *testing.T, r *rand.Rand, text, other []byte) *mutant {
	t.Helper()
	if r.IntN(3) == 0 {
		return newMutant(t, r, other)
	}
	m := newMutant(t, r, bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("urn:pulumi:"), []byte("urn:pulumi:x")), []byte(`"urn:pulumi:xx`), []byte(`"urn:pulumi:x`)))
	keep := m.IntN(2) == 0
	m.records = slices.DeleteFunc(m.records, func(own map[string]json.RawMessage) bool {
		isProvider := bytes.HasPrefix(own["type"], []byte(`"pulumi:providers:`))
		return !bytes.HasPrefix(own["type"], []byte(`"pulumi:pulumi:Stack`)) && (!keep || !isProvider)
	})
	return m
}

// TestMovesOfTheEngine: a move makes neither file worse, engines load both results if they
// load both files, and each record of both is in one of the results, as it was but for what
// is said.
func TestMovesOfTheEngine(t *testing.T) {
	texts := soundStates(t)
	r := rand.New(rand.NewPCG(7, 8))
	made, refused, records := 0, 0, 0
	for n := range *toMove {
		m := newMutant(t, r, texts[r.IntN(len(texts))])
		to := destinationOf(t, r, m.text(), texts[r.IntN(len(texts))])
		if r.IntN(4) > 0 { // else encrypted secrets may be refused
			m.bare()
			to.bare()
		}
		for range max(0, r.IntN(6)-3) {
			if each := []*mutant{m, to}[r.IntN(2)]; len(each.records) > 1 {
				each.damage()
			}
		}
		for range r.IntN(3) {
			m.records = append(m.records, m.copyOf(m.some()))
			m.set(len(m.records)-1, "delete", raw(true))
		}
		if len(m.records) == 0 {
			continue
		}
		from, there, o := m.text(), to.text(), drawMove(m)
		plan, err := state.Move(bytes.NewReader(from), bytes.NewReader(there), o)
		if err != nil {
			refused++
			continue
		}
		made++
		var left, now bytes.Buffer
		if err := plan.WriteDestination(&now); err != nil {
			t.Fatal(err)
		}
		if err := plan.WriteSource(&left); err != nil {
			t.Fatal(err)
		}
		areSound := engineRefuses(from) == nil && engineRefuses(there) == nil
		for _, pair := range [][2][]byte{{from, left.Bytes()}, {there, now.Bytes()}} {
			twice, others := refusals(t, pair[0])
			twiceNow, othersNow := refusals(t, pair[1])
			if why := error(nil); twiceNow > twice || othersNow > others || (areSound && engineRefuses(pair[1]) != nil) {
				if areSound {
					why = engineRefuses(pair[1])
				}
				t.Errorf("move %d: %d and %d errors, %d and %d before, %v: %+v\n%s\n%s", n, twiceNow, othersNow, twice, others, why, o, pair[0], pair[1])
			}
		}
		records += accounted(t, plan, from, there, left.Bytes(), now.Bytes())
		if t.Failed() {
			t.Fatalf("move %d: %+v", n, o)
		}
	}
	if t.Logf("%d moves made of %d records, %d refused", made, records, refused); made < *toMove/3 || refused < *toMove/20 {
		t.Error("too few of one kind")
	}
}

// accounted compares every record of both files with what a move says of it, and returns the
// number of those that were moved or copied.
func accounted(t *testing.T, plan *state.Moved, from, there, left, now []byte) (n int) {
	t.Helper()
	type name struct {
		urn string
		n   int
	}
	gone, broken := map[name]state.Relocation{}, map[name][]state.Mend{}
	urns := map[string]string{}
	for _, each := range plan.Relocations {
		urns[each.URN] = each.To
		gone[name{each.URN, each.Record}] = each
	}
	for _, each := range plan.Broken {
		broken[name{each.URN, each.Record}] = append(broken[name{each.URN, each.Record}], each)
	}
	stays, arrived, seen := []string{}, map[string]json.RawMessage{}, map[string]int{}
	for _, text := range rawRecords(t, from) {
		own := membersOf[any](text)
		urn, _ := own["urn"].(string)
		seen[urn]++
		key := name{urn, seen[urn]}
		where, isGone := gone[key]
		if isGone && !where.IsMet {
			arrived[fmt.Sprint(where.To, "#", own["id"], own["delete"], len(arrived))] = text
			n++
		}
		if isGone && !where.Stays {
			continue
		}
		for _, each := range slices.Backward(broken[key]) {
			changeLink(t, own, each)
		}
		stays = append(stays, string(raw(own)))
	}
	for i, text := range rawRecords(t, left) {
		if got := string(raw(membersOf[any](text))); i >= len(stays) || got != stays[i] {
			t.Fatalf("record %d of the source is\n%s\nwant\n%v", i, got, stays[min(i, len(stays)-1)])
		}
	}
	if got := len(rawRecords(t, left)); got != len(stays) {
		t.Fatalf("%d records are left, want %d", got, len(stays))
	}

	before, after := rawRecords(t, there), rawRecords(t, now)
	if isMade := gone[name{"", 0}].To != ""; isMade {
		after = after[1:]
	}
	if len(after) != len(before)+n {
		t.Fatalf("%d records, %d were there and %d are moved", len(after), len(before), n)
	}
	for i := range before {
		if !bytes.Equal(before[i], after[i]) {
			t.Fatalf("record %d of the destination is %s, was %s", i, after[i], before[i])
		}
	}
	for i, text := range after[len(before):] {
		want := ""
		for key, old := range arrived {
			if sameBut(membersOf[any](text), membersOf[any](old), urns) {
				want = key
			}
		}
		if want == "" {
			t.Fatalf("record %d is none that is moved: %s", i, text)
		}
		delete(arrived, want)
	}
	return n
}

// sameBut compares a record with what it was: references may be fewer, and what is left has
// the new URNs in the same order.
func sameBut(now, old map[string]any, urns map[string]string) bool {
	for _, links := range []map[string]any{now, old} {
		for _, name := range []string{"parent", "provider"} { // the engine checks these
			delete(links, name)
		}
	}
	if now["urn"] != urns[fmt.Sprint(old["urn"])] {
		return false
	}
	delete(now, "urn")
	delete(old, "urn")
	for _, name := range []string{"deletedWith", "viewOf"} {
		if text, isText := now[name].(string); isText && text != urns[fmt.Sprint(old[name])] {
			return false
		}
	}
	for _, name := range []string{"dependencies", "replaceWith"} {
		if !isPartOf(now[name], old[name], urns) {
			return false
		}
	}
	lists, _ := now["propertyDependencies"].(map[string]any)
	were, _ := old["propertyDependencies"].(map[string]any)
	for key, list := range lists {
		if !isPartOf(list, were[key], urns) {
			return false
		}
	}
	for _, links := range []map[string]any{now, old} {
		for _, name := range []string{"deletedWith", "viewOf", "dependencies", "replaceWith", "propertyDependencies"} {
			delete(links, name)
		}
	}
	return reflect.DeepEqual(now, old)
}

// isPartOf reports whether a list is what is left of another one with new URNs: all that
// have one.
func isPartOf(now, old any, urns map[string]string) bool {
	list, _ := now.([]any)
	for _, each := range list {
		were, _ := old.([]any)
		i := slices.IndexFunc(were, func(was any) bool { return urns[fmt.Sprint(was)] == each })
		if i < 0 {
			return false
		}
		old = were[i+1:]
	}
	return true
}
