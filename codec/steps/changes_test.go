package steps_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
)

// previewOf returns a preview with a step for each "op name old new": IDs, "-" is no state, and
// "!" behind one that it is pending deletion.
func previewOf(rows ...string) string {
	all := make([]string, 0, len(rows))
	for _, row := range rows {
		var op, name string
		var ids [2]string
		if _, err := fmt.Sscan(row, &op, &name, &ids[0], &ids[1]); err != nil {
			panic(err)
		}
		step := fmt.Sprintf(`{"op":%q,"urn":"urn:pulumi:s::p::a:b:C::%s"`, op, name)
		for i, side := range []string{"oldState", "newState"} {
			v := i
			if op == "same" {
				v = 0
			}
			if id, isPending := strings.CutSuffix(ids[i], "!"); id != "-" {
				step += fmt.Sprintf(`,%q:{"urn":"urn:pulumi:s::p::a:b:C::%s","custom":true,"type":"a:b:C","id":%q,"delete":%t,"inputs":{"v":%d}}`, side, name, id, isPending, v)
			}
		}
		all = append(all, step+"}")
	}
	return `{"steps":[` + strings.Join(all, ",") + `]}`
}

// stackOf returns a state with resources "name id", which have the inputs of those before a step.
func stackOf(rows ...string) string {
	all := make([]string, 0, len(rows))
	for _, row := range rows {
		name, id, _ := strings.Cut(row, " ")
		id, isPending := strings.CutSuffix(id, "!")
		all = append(all, fmt.Sprintf(`{"urn":"urn:pulumi:s::p::a:b:C::%s","custom":true,"type":"a:b:C","id":%q,"delete":%t,"inputs":{"v":0,"more":1}}`, name, id, isPending))
	}
	return `{"version":3,"deployment":{"resources":[` + strings.Join(all, ",") + `]}}`
}

func name(urn string) string { return urn[strings.LastIndexByte(urn, ':')+1:] }

// TestChanges: one change for each resource, and what the steps leave of a stack.
func TestChanges(t *testing.T) {
	for _, row := range []struct {
		why                string
		steps, stack       []string
		want               []string
		untouched, missing int
	}{
		{"an update leaves the others", []string{"update a 1 1"}, []string{"a 1", "b 1"}, []string{"update a 1>1 updated"}, 1, 0},
		{"a replacement is one", []string{"create-replacement a 1 2", "replace a 1 2", "delete-replaced a 1 -"}, []string{"a 1"}, []string{"replace a 1>2 updated"}, 0, 0},
		{"also in the other order", []string{"delete-replaced a 1 -", "replace a 1 -", "create-replacement a - 2"}, []string{"a 1"}, []string{"replace a 1>- deleted"}, 0, 0},
		{"what an earlier update left is deleted", []string{"same a 2 2", "delete-replaced a 1! -"}, []string{"a 2", "a 1!"}, []string{"same a 2>2 unchanged", "delete a 1>- deleted"}, 0, 0},
		{"a part without its sum is a replacement", []string{"create-replacement a 1 2"}, []string{"a 1"}, []string{"replace a 1>2 updated"}, 0, 0},
		{"a record is discarded", []string{"remove-pending-replace a 1 -"}, []string{"a 1"}, []string{"discard a 1>- deleted"}, 0, 0},
		{"gone and made again", []string{"delete a 1 -", "create a - 2"}, []string{"a 1"}, []string{"delete a 1>- deleted", "create a ->2 created"}, 0, 0},
		{"created where the stack has one already", []string{"create a - 2"}, []string{"a 1"}, []string{"create a ->2 created"}, 0, 0},
		{"another stack", []string{"update a 1 1", "same b 1 1"}, []string{"c 1"}, []string{"update a 1>1 updated", "same b 1>1 unchanged"}, 1, 1},
		{"of the empty stack", []string{"update a 1 1"}, nil, []string{"update a 1>1 updated"}, 0, 1},
	} {
		stack, err := steps.NewStack(strings.NewReader(stackOf(row.stack...)), state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for c, err := range steps.NewReader(strings.NewReader(previewOf(row.steps...)), state.Options{}).Changes(stack, state.CompareOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			ids := [2]string{"-", "-"}
			for i, r := range []*state.Resource{c.Old, c.New} {
				if r != nil {
					ids[i] = r.ID
				}
			}
			got = append(got, fmt.Sprintf("%s %s %s>%s %v", c.Op, name(c.Step.URN), ids[0], ids[1], c.Outcome))
			if c.Old != nil && c.Step.Old != c.Step.New && c.Inputs.Old.Len() == 1 && row.missing == 0 {
				t.Errorf("%s: %s is not compared with the stack", row.why, c.Step.URN)
			}
		}
		if !slices.Equal(got, row.want) || stack.Untouched() != row.untouched || stack.Missing() != row.missing {
			t.Errorf("%s: %q, %d untouched, %d missing", row.why, got, stack.Untouched(), stack.Missing())
		}
	}
}

// TestChangesEnd: changes come before the error that ends the text, also those that only the
// end sums up; and a resource of the stack that cannot be read is reported, with its file.
func TestChangesEnd(t *testing.T) {
	cut := strings.TrimSuffix(previewOf("create-replacement a 1 2"), "]}") + `,{"op"`
	var ops []steps.Op
	var failed error
	for c, err := range steps.NewReader(strings.NewReader(cut), state.Options{}).Changes(nil, state.CompareOptions{}) {
		if failed = err; err == nil {
			ops = append(ops, c.Op)
		}
	}
	if failed == nil || !slices.Equal(ops, []steps.Op{steps.OpReplace}) {
		t.Errorf("%v, %v", ops, failed)
	}

	bad := strings.Replace(stackOf("a 1"), `"more":1`, `"4dabf18193072939515e22adb298388d":1`, 1)
	for isReported, want := range map[bool]int{true: 1, false: 0} {
		stack, err := steps.NewStack(strings.NewReader(bad), state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := state.CompareOptions{OldName: "stack.json"}
		if isReported {
			o.Unreadable = func(_ state.Entry, err error) { failed = err }
		}
		n := 0
		for _, err := range steps.NewReader(strings.NewReader(previewOf("update a 1 1")), state.Options{}).Changes(stack, o) {
			if err != nil {
				failed = err
			} else {
				n++
			}
		}
		if n != want || failed == nil || !strings.HasPrefix(failed.Error(), "stack.json: state: ") {
			t.Errorf("%d changes, %v", n, failed)
		}
	}
}

// TestResult: what steps lead to, in the order in which they begin.
func TestResult(t *testing.T) {
	for _, row := range []struct {
		steps, want []string
	}{
		{[]string{"create a - 1", "update b 1 1", "same c 1 1"}, []string{"a 1", "b 1", "c 1"}},
		{[]string{"delete a 1 -", "create a - 2"}, []string{"a 2"}},
		{[]string{"create-replacement a 1 2", "replace a 1 2", "delete-replaced a 1 -"}, []string{"a 2"}},
		{[]string{"delete a 1 -", "delete-replaced b 0! -", "same b 1 1"}, []string{"b 1"}},
	} {
		x, err := steps.NewReader(strings.NewReader(previewOf(row.steps...)), state.Options{}).Result()
		var got []string
		for r, s := range x.Resources() {
			got = append(got, name(r.URN)+" "+r.ID)
			if s == nil || s.URN != r.URN {
				t.Errorf("%q: the step of %s is %+v", row.steps, r.URN, s)
			}
		}
		if !slices.Equal(got, row.want) || err != nil {
			t.Errorf("%q: %q, %v", row.steps, got, err)
		}
	}
}

// TestResultOfCutText: with the error there is what the steps before it lead to.
func TestResultOfCutText(t *testing.T) {
	cut := strings.TrimSuffix(previewOf("create a - 1", "update b 1 1"), "]}") + `,{"op"`
	x, err := steps.NewReader(strings.NewReader(cut), state.Options{}).Result()
	n := 0
	for range x.Resources() {
		n++
	}
	if !errors.Is(err, steps.ErrTruncated) || n != 2 {
		t.Errorf("%d resources, %v", n, err)
	}
}

// TestSettle: what the steps do not say is no change.
func TestSettle(t *testing.T) {
	x, err := steps.NewReader(strings.NewReader(previewOf("delete gone 1 -", "update a 1 -", "create new - 1")), state.Options{}).Result()
	if err != nil {
		t.Fatal(err)
	}
	r := func(name string) *state.Resource { return &state.Resource{URN: "urn:pulumi:other::p::a:b:C::" + name} }
	for _, row := range []struct {
		old, now   *state.Resource
		from, to   *steps.Result
		isOneSided bool
	}{
		{r("gone"), nil, nil, x, true}, // deleted
		{r("idle"), nil, nil, x, false},
		{r("gone"), nil, x, nil, true},
		{nil, r("idle"), x, nil, false},
		{nil, r("new"), x, nil, true},
		{r("idle"), nil, nil, nil, true}, // of two stacks
	} {
		d := state.ResourceDiff{Old: row.old, New: row.now, LeftOut: 2}
		if steps.Settle(&d, row.from, row.to); (d.Old == nil || d.New == nil) != row.isOneSided || d.LeftOut != 0 {
			t.Errorf("%+v: %+v", row, d)
		}
	}
}

// TestErrors: why a run failed, by what it says.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"steps":[],"diagnostics":[{"severity":"error","message":"error: preview failed"},{"severity":"error","urn":"u","message":"error: no permission"},{"severity":"warning","message":"old"}]}`: "u no permission",
		`{"steps":[],"diagnostics":[{"severity":"error","message":"preview failed"},{"severity":"info#err","message":"Traceback"}]}`:                                                                 " Traceback",
		`{"steps":[],"diagnostics":[{"severity":"info#err","message":"a warning of npm"}]}`:                                                                                                          "",
		`{"policyEvent":{"resourceUrn":"u","message":"public","policyName":"acl","enforcementLevel":"mandatory"}}` + "\n" + `{"summaryEvent":{"result":"failed"}}`:                                   "u policy acl: public",
	} {
		reader := steps.NewReader(strings.NewReader(text), state.Options{})
		for _, err := range reader.Steps() {
			if err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, d := range reader.Run().Errors() {
			got = append(got, d.URN+" "+d.Message)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestChangesKeepNoText: neither the stack nor the operations keep the texts of the steps.
func TestChangesKeepNoText(t *testing.T) {
	const n, size = 200, 64 << 10
	var rows, resources []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("update r%d %d %d", i, i, i))
		resources = append(resources, fmt.Sprintf("r%d %d", i, i))
	}
	text := strings.ReplaceAll(previewOf(rows...), `"v":1`, `"v":1,"long":"`+strings.Repeat("x", size)+`"`)
	stack, err := steps.NewStack(strings.NewReader(stackOf(resources...)), state.Options{})
	if err != nil {
		t.Fatal(err)
	}

	before := heap()
	var ops []steps.Op
	for c, err := range steps.NewReader(strings.NewReader(text), state.Options{}).Changes(stack, state.CompareOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		ops = append(ops, c.Op)
	}
	if kept := int64(heap()) - int64(before); kept > n*size/4 || len(ops) != n || stack.Untouched() != 0 {
		t.Errorf("%d bytes are kept of %d, after %d steps", kept, len(text), len(ops))
	}
	runtime.KeepAlive(text)
	runtime.KeepAlive(stack)
	runtime.KeepAlive(ops)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
