package state_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/test/kit"
)

const stackURN = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"

// mendable writes records of a stack: each row is a name, a type or nothing, which is that of
// a resource, and members.
func mendable(rows ...string) string {
	all := make([]string, len(rows))
	for i, row := range rows {
		name, members, _ := strings.Cut(row, " ")
		typ := "a:b:C"
		if name == "stack" {
			typ, name = "pulumi:pulumi:Stack", "shop-dev"
		}
		if strings.HasPrefix(name, "p") {
			typ = "pulumi:providers:a"
			members = `"custom":true,"id":"1",` + members
		}
		all[i] = strings.TrimSuffix(`{"urn":"`+urnOf(typ, name)+`","type":"`+typ+`",`+members, ",") + `}`
	}
	text := `{"version":3,"deployment":{"resources":[` + "\n " + strings.Join(all, ",\n ") + "\n]}}\n"
	return strings.NewReplacer("@", "urn:pulumi:dev::shop::a:b:C::", "$stack", stackURN, "$p", urnOf("pulumi:providers:a", "p")).Replace(text)
}

// repaired returns a file after its repair, and what the repair says.
func repaired(t testing.TB, text string, o state.RepairOptions) (now, says string) {
	t.Helper()
	r, err := state.Repair(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Mends {
		says += m.String() + "\n"
	}
	for _, f := range r.Unmended {
		says += f.Code + " " + f.Resource() + " " + f.Detail + "\n"
	}
	var out strings.Builder
	n, err := r.WriteTo(&out)
	if len(r.Unmended) > 0 {
		if !errors.Is(err, state.ErrEdit) || n != 0 || out.Len() > 0 {
			t.Errorf("unmended, and written are %d bytes, %v", n, err)
		}
		return text, says
	}
	if err != nil || n != int64(out.Len()) {
		t.Errorf("%d bytes, not %d: %v", n, out.Len(), err)
	}
	for f, err := range state.Check(strings.NewReader(out.String()), state.CheckOptions{}) {
		if err != nil || f.Severity == state.SeverityError {
			t.Errorf("after repair: %v %v\n%s", f, err, out.String())
		}
	}
	again, err := state.Repair(strings.NewReader(out.String()), state.RepairOptions{})
	if err != nil || len(again.Mends) > 0 {
		t.Errorf("again: %v, %v", again.Mends, err)
	}
	return out.String(), says
}

// repair is what a file becomes.
type repair struct {
	name string
	o    state.RepairOptions
	old  []string
	now  []string // nil: the same
	says string
}

// repairs are rows of [TestRepair], about order, references and parents.
func repairs() []repair {
	return []repair{
		{"sound", state.RepairOptions{}, []string{`stack`, `a "parent":"$stack"`}, []string{`stack`, `a "parent":"$stack"`}, ""},
		{
			"order",
			state.RepairOptions{},
			[]string{`a "dependencies":["@b"]`, `x`, `b "parent":"$stack"`, `stack`},
			[]string{`stack`, `b "parent":"$stack"`, `a "dependencies":["@b"]`, `x`},
			"~ @b: before @a\n~ $stack: before @a\n",
		},
		{
			"dangling",
			state.RepairOptions{},
			[]string{`a "dependencies":["@x", "@b" , "@x"],"propertyDependencies":{"p":["@x"],"q":["@b","@x"]},"deletedWith":"@x","replaceWith":[ "@x" ],"viewOf":"@x"`, `b`},
			[]string{`b`, `a "dependencies":["@b"],"propertyDependencies":{"p":[],"q":["@b"]},"replaceWith":[],"viewOf":"@x"`},
			"- @a: dependencies[0]: @x\n- @a: dependencies[2]: @x\n- @a: propertyDependencies.p[0]: @x\n- @a: propertyDependencies.q[1]: @x\n- @a: deletedWith: @x\n- @a: replaceWith[0]: @x\n~ @b: before @a\n",
		},
		{"empty", state.RepairOptions{}, []string{`a "dependencies":["",""]`}, []string{`a "dependencies":[]`}, "- @a: dependencies[0]: \"\"\n- @a: dependencies[1]: \"\"\n"},
		{"itself", state.RepairOptions{}, []string{`a "deletedWith":"@a","dependencies":["@a"]`}, []string{`a "dependencies":[]`}, "- @a: dependencies[0]: @a\n- @a: deletedWith: @a\n"},
		{"parent", state.RepairOptions{}, []string{`stack`, `a "parent":"@x"`}, []string{`stack`, `a "parent":"$stack"`}, "~ @a: parent: @x => $stack\n"},
		{"parent, no stack", state.RepairOptions{}, []string{`a "parent":"@x","deletedWith":"@x"`}, []string{`a `}, "- @a: parent: @x\n- @a: deletedWith: @x\n"},
		{"cycle", state.RepairOptions{}, []string{`a "dependencies":["@c"]`, `b "dependencies":["@a"]`, `c "dependencies":["@b"]`}, []string{`a "dependencies":[]`, `b "dependencies":["@a"]`, `c "dependencies":["@b"]`}, "- @a: dependencies[0]: @c\n"},
		{
			"cycle with a parent",
			state.RepairOptions{},
			[]string{`a "parent":"@b"`, `b "dependencies":["@a"]`},
			[]string{`b "dependencies":[]`, `a "parent":"@b"`},
			"~ @b: before @a\n- @b: dependencies[0]: @a\n",
		},
		{
			"cycle of parents",
			state.RepairOptions{},
			[]string{`stack`, `a "parent":"@b"`, `b "parent":"@a"`},
			[]string{`stack`, `a "parent":"$stack"`, `b "parent":"@a"`},
			"~ @a: parent: @b => $stack\n",
		},
	}
}

// others are rows about providers and duplicates.
func others() []repair {
	keep := func(name string) state.RepairOptions {
		return state.RepairOptions{Keep: []string{urnOf("a:b:C", name)}}
	}
	return []repair{
		{
			"cycle with a provider",
			state.RepairOptions{},
			[]string{`p "dependencies":["@a"]`, `a "provider":"$p::1"`},
			[]string{`p "dependencies":[]`, `a "provider":"$p::1"`},
			"- $p: dependencies[0]: @a\n",
		},
		{
			"cycle of providers",
			state.RepairOptions{},
			[]string{`p "provider":"$p2::1"`, `p2 "provider":"$p::1"`},
			nil,
			"~ $p2: before $p\nprovider-order $p $p2::1\nprovider-order $p2 $p::1\n",
		},
		{"provider", state.RepairOptions{}, []string{`p`, `a "provider":"$p::2"`}, nil, "provider-missing @a $p::2\n"},
		{"no reference", state.RepairOptions{}, []string{`p`, `a "provider":"x"`}, nil, "provider-malformed @a x\n"},
		{
			"provider given",
			state.RepairOptions{Providers: map[string]string{urnOf("pulumi:providers:a", "p") + "::2": urnOf("pulumi:providers:a", "p") + "::1"}},
			[]string{`a "provider":"$p::2"`, `p`},
			[]string{`p`, `a "provider":"$p::1"`},
			"~ @a: provider: $p::2 => $p::1\n~ $p: before @a\n",
		},
		{"twins", state.RepairOptions{}, []string{`a "custom":true,"id":"1"`, `a "custom":true,"id":"1"`}, nil, "urn-twice @a#2 @a\n"},
		{"twins without ID", state.RepairOptions{}, []string{`a`, `b "parent":"@a"`, `a`, `a`}, []string{`a`, `b "parent":"@a"`}, "- @a#2: the record\n- @a#3: the record\n"},
		{"keep a twin", keep("a#2"), []string{`a`, `b`, `a`}, []string{`b`, `a`}, "- @a#1: the record\n"},
		{"others without ID", state.RepairOptions{}, []string{`a`, `a `, `a "protect":true`}, nil, "urn-twice @a#2 @a\nurn-twice @a#3 @a\n"},
		{
			"keep", keep("a#2"),
			[]string{`a "custom":true,"id":"1"`, `b "parent":"@a"`, `a "custom":true,"id":"2"`, `a "custom":true,"id":"3","delete":true`},
			[]string{`a "custom":true,"id":"2"`, `b "parent":"@a"`, `a "custom":true,"id":"3","delete":true`},
			"- @a#1: the record\n~ @a#2: before @b\n",
		},
		{
			"pending deletion",
			state.RepairOptions{},
			[]string{`b "parent":"@a"`, `a "custom":true,"id":"1","delete":true`, `a "custom":true,"id":"2"`},
			[]string{`a "custom":true,"id":"2"`, `b "parent":"@a"`, `a "custom":true,"id":"1","delete":true`},
			"~ @a#2: before @b\n",
		},
		{
			"refers to what is pending deletion",
			state.RepairOptions{},
			[]string{`a "custom":true,"id":"1","delete":true`, `b "parent":"@a"`, `a "custom":true,"id":"2"`, `c "deletedWith":"@x"`},
			[]string{`a "custom":true,"id":"1","delete":true`, `b "parent":"@a"`, `a "custom":true,"id":"2"`, `c `},
			"- @c: deletedWith: @x\n",
		},
		{
			"rename",
			state.RepairOptions{Rename: true},
			[]string{`stack`, `a "parent":"@gone"`, `b "dependencies":["@a","@gone"]`},
			[]string{`stack`, `a "parent":"$stack"`, `b "dependencies":["@a"]`},
			"~ @a: parent: @gone => $stack\n- @b: dependencies[1]: @gone\n",
		},
	}
}

// TestRepair: each fault is mended, or named, and no more is changed.
func TestRepair(t *testing.T) {
	for _, row := range append(repairs(), others()...) {
		old := mendable(row.old...)
		now, says := repaired(t, old, row.o)
		want := old
		if row.now != nil {
			want = mendable(row.now...)
		}
		says = strings.NewReplacer("urn:pulumi:dev::shop::a:b:C::", "@", stackURN, "$stack", urnOf("pulumi:providers:a", "p"), "$p").Replace(says)
		if now != want || says != row.says {
			t.Errorf("%s: it says\n%snot\n%sand writes\n%snot\n%s", row.name, says, row.says, now, want)
		}
	}
}

// TestRepairRename: without the type of a parent that is gone, a URN is another one, and all
// that refers to it follows.
func TestRepairRename(t *testing.T) {
	typ := "x:y:Group$a:b:C"
	text := export(
		`{"urn":"`+stackURN+`","type":"pulumi:pulumi:Stack"}`,
		fmt.Sprintf(`{"urn":%q,"type":"a:b:C","parent":%q}`, urnOf(typ, "db"), urnOf("x:y:Group", "gone")),
		fmt.Sprintf(`{"urn":%q,"type":"d:e:F","parent":%q,"dependencies":[%q, %q],"inputs":{"a":{%s,"urn":%q}}}`,
			urnOf(typ+"$d:e:F", "below"), urnOf(typ, "db"), urnOf("x:y:Group", "gone"), urnOf(typ, "db"), asReference, urnOf(typ, "db")),
	)
	if now, _ := repaired(t, text, state.RepairOptions{}); now != strings.NewReplacer(`"parent":"`+urnOf("x:y:Group", "gone"), `"parent":"`+stackURN, `"`+urnOf("x:y:Group", "gone")+`", `, "").Replace(text) {
		t.Errorf("kept: %s", now)
	}
	now, says := repaired(t, text, state.RepairOptions{Rename: true})
	want := strings.NewReplacer(`"parent":"`+urnOf("x:y:Group", "gone"), `"parent":"`+stackURN, `"`+urnOf("x:y:Group", "gone")+`", `, "", "x:y:Group$", "").Replace(text)
	if now != want || strings.Count(says, " renamed to ") != 2 {
		t.Errorf("renamed: %s%s", says, now)
	}
}

// TestRepairCost: time and memory grow as the number of records does.
func TestRepairCost(t *testing.T) {
	for name, row := range map[string]func(i, n int) string{
		"reversed": func(i, n int) string { return fmt.Sprintf(`r%d "dependencies":["@r%d"]`, i, (i+1)%n) }, // which is a cycle too
		"one URN":  func(int, int) string { return `a "delete":true,"dependencies":["@a","@b"]` },
		"cycles":   func(i, _ int) string { return fmt.Sprintf(`r%d "parent":"@r%d"`, i, i^1) },
		"twins":    func(int, int) string { return `a "dependencies":["@b"]` },
	} {
		kit.Grows(t, name, 1000, func(n int) func() {
			rows := make([]string, n)
			for i := range rows {
				rows[i] = row(i, n)
			}
			text := mendable(rows...)
			return func() {
				if r, err := state.Repair(strings.NewReader(text), state.RepairOptions{}); err != nil || len(r.Unmended) > 0 {
					t.Errorf("%s: %v, %v", name, r, err)
				}
			}
		})
	}
}
