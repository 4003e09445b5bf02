package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/patch"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// drawn is a resource that is drawn at random, with what it takes to write it in
// more ways than one.
type drawn struct {
	name, id        string
	delete, protect bool
	inputs          map[string]string // JSON texts
}

func draw(r *rand.Rand, unique int) drawn {
	d := drawn{name: "n" + string(rune('a'+r.IntN(6))), id: fmt.Sprint("id-", r.IntN(3)), inputs: map[string]string{}}
	if r.IntN(3) == 0 {
		d.delete = true
	} else if unique >= 0 {
		d.name = fmt.Sprint("n", unique) // live ones are most often alone with their URN
	}
	for _, key := range []string{"a", "b", "c", "s", "big"} {
		if r.IntN(2) == 0 {
			d.inputs[key] = d.property(r, key)
		}
	}
	return d
}

func (d *drawn) property(r *rand.Rand, key string) string {
	const secret = `"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270",`
	switch key {
	case "s":
		return fmt.Sprintf(`{%s"ciphertext":"c%d"}`, secret, r.IntN(2))
	case "b":
		return fmt.Sprintf(`{%s"plaintext":"\"p%d\""}`, secret, r.IntN(2))
	case "big":
		return fmt.Sprint("900719925474099", 2+r.IntN(3)) // of which some are rounded
	}
	return fmt.Sprint(r.IntN(3))
}

// text writes a resource with its members in some order, and with some spaces.
func (d *drawn) text(r *rand.Rand) string {
	bag := func() string {
		var members []string
		keys := slices.Sorted(maps.Keys(d.inputs))
		for _, i := range r.Perm(len(keys)) {
			members = append(members, fmt.Sprintf("%q:%s", keys[i], d.inputs[keys[i]]))
		}
		return "{" + strings.Join(members, []string{",", ", "}[r.IntN(2)]) + "}"
	}
	members := []string{
		fmt.Sprintf(`"urn":"urn:pulumi:s::p::a:b:C::%s"`, d.name), `"type":"a:b:C"`, fmt.Sprintf(`"id":%q`, d.name+d.id), // no other has it: renames are tested elsewhere
		fmt.Sprintf(`"delete":%v`, d.delete), fmt.Sprintf(`"protect":%v`, d.protect), `"inputs":` + bag(), `"outputs":` + bag(),
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return "{" + strings.Join(members, ",") + "}"
}

// twoStacks draws two stacks that have much in common, as texts.
func twoStacks(r *rand.Rand) (old, now string) {
	var olds, news []string
	for i := range r.IntN(12) {
		d := draw(r, i-r.IntN(4))
		text := d.text(r)
		if r.IntN(6) > 0 {
			olds = append(olds, text)
		}
		switch r.IntN(4) {
		case 0:
			text = d.text(r) // the same in other words
		case 1:
			d.inputs["a"] = d.property(r, "a")
			d.protect = r.IntN(3) == 0
			d.id = fmt.Sprint("id-", r.IntN(3))
			text = d.text(r)
		}
		if r.IntN(6) > 0 {
			news = append(news, text)
		}
	}
	r.Shuffle(len(news), func(i, j int) {
		if r.IntN(3) == 0 {
			news[i], news[j] = news[j], news[i]
		}
	})
	provider := func() string { return []string{"", `"secrets_providers":{"type":"passphrase"},`}[min(r.IntN(5), 1)] }
	stack := func(resources []string) string {
		return `{"version":3,"deployment":{` + provider() + `"manifest":{"time":"2026-01-01T00:00:00Z"},"resources":[` + strings.Join(resources, ",\n") + `]}}`
	}
	return stack(olds), stack(news)
}

// slowStacks is the comparison as the specification has it, of all resources as
// values: "change urn" for each that differs, then how many are the same.
func slowStacks(t *testing.T, old, now string) (rows []string, same int) {
	t.Helper()
	all := func(text string) (rs []state.Resource) {
		f, err := state.Parse(text, state.Options{Codec: codec.Options{RoundNumbers: true}})
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range f.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			rs = append(rs, r)
		}
		return rs
	}
	olds, news := all(old), all(now)
	used, partners := make([]bool, len(olds)), make([]int, len(news))
	pair := func(i int, isLike func(o *state.Resource) bool) {
		n := &news[i]
		found := slices.IndexFunc(olds, func(o state.Resource) bool {
			return !used[o.Number] && o.URN == n.URN && o.Delete == n.Delete && isLike(&o)
		})
		if partners[i] = found; found >= 0 {
			used[found] = true
		}
	}
	for i := range news {
		pair(i, func(o *state.Resource) bool { return o.ID == news[i].ID })
	}
	for i := range news {
		if partners[i] < 0 {
			pair(i, func(o *state.Resource) bool { return !o.Delete })
		}
	}

	for i := range news {
		n, found := &news[i], partners[i]
		if found < 0 {
			rows = append(rows, "create "+n.URN+" "+patchText(t, value.Object(), n.Inputs))
			continue
		}
		o := &olds[found]
		if fmt.Sprint(o.ID, o.Type, o.Protect, o.Parent) == fmt.Sprint(n.ID, n.Type, n.Protect, n.Parent) && o.Inputs.Equal(n.Inputs) && o.Outputs.Equal(n.Outputs) &&
			digits(o) == digits(n) {
			same++
			continue
		}
		rows = append(rows, "update "+n.URN+" "+patchText(t, o.Inputs, n.Inputs))
	}
	for i := range olds {
		if !used[i] {
			rows = append(rows, "delete "+olds[i].URN+" "+patchText(t, olds[i].Inputs, value.Object()))
		}
	}
	return rows, same
}

// digits are those of the number that may have been rounded.
func digits(r *state.Resource) string {
	for _, each := range r.InputsReport.Rounded {
		return each.RevealText()
	}
	return fmt.Sprint(r.Inputs.Lookup("big"))
}

func patchText(t *testing.T, old, now value.Value) string {
	t.Helper()
	text, err := patch.Marshal(diff.Between(old, now, diff.Options{}), patch.Options{Secrets: value.KeepSealed, Base: patch.Fingerprint(old)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStacksAgree holds the diff of stacks, which reads what differs in its text
// only, to the slow way, on stacks of all sorts.
func TestStacksAgree(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(60) {
		old, now := twoStacks(rand.New(rand.NewPCG(seed, 1)))
		for name, text := range map[string]string{"old.json": old, "new.json": now} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, same := slowStacks(t, old, now)
		got := propalg(t, dir, "", "diff", "-o", "json", "--sealed", "old.json", "new.json")
		sealed := strings.Contains(old, "secrets_providers") != strings.Contains(now, "secrets_providers") // by others
		var doc struct {
			Resources []struct {
				URN, Change string
				Inputs      json.RawMessage
			}
			Summary struct{ Create, Delete, Update, Same int }
		}
		if err := json.Unmarshal([]byte(got.stdout), &doc); err != nil {
			t.Fatalf("seed %d: %v: %s", seed, err, got.stderr)
		}
		var rows []string
		for _, r := range doc.Resources {
			rows = append(rows, r.Change+" "+r.URN+" "+string(r.Inputs))
		}
		if !slices.Equal(rows, want) || doc.Summary.Same != same || doc.Summary.Create+doc.Summary.Delete+doc.Summary.Update != len(want) || (got.code == 0) != (len(want) == 0 && !sealed) {
			t.Errorf("seed %d: exit %d, %+v, got\n%s\nwant %d the same and\n%s\nold %s\nnew %s", seed, got.code, doc.Summary,
				strings.Join(rows, "\n"), same, strings.Join(want, "\n"), old, now)
			return
		}
	}
}

// large is a stack of more than what is read into memory as a whole.
func large(value string) string {
	var b strings.Builder
	b.WriteString(`{"version":3,"deployment":{"manifest":{"time":"2026-01-01T00:00:00Z"},"resources":[`)
	for i := range 9 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"urn":"urn:pulumi:s::p::a:b:C::n%d","type":"a:b:C","inputs":{"x":"%s","v":"%s"}}`, i, strings.Repeat("x", 1<<20), value)
	}
	b.WriteString(`]}}`)
	return b.String()
}

// TestStacksLarge: large stacks are the same from a file, from standard input, and
// from a pipe with a name; and nothing is left.
func TestStacksLarge(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	old, now := filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json")
	for name, text := range map[string]string{old: large("1"), now: large("2"), filepath.Join(dir, "bag.json"): `{"version":3,"deployment":{"x":"` + strings.Repeat("x", 9<<20) + `"},"name":1}`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TEMP", temporary)
	const want = "Resources: 0 created, 0 deleted, 9 updated, 0 the same\n"
	check := func(how string, got result) {
		t.Helper()
		if got.code != 1 || !strings.HasSuffix(got.stdout, want) || got.stderr != "" {
			t.Errorf("%s: exit %d, %.100q, %q", how, got.code, got.stdout[max(0, len(got.stdout)-100):], got.stderr)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", how, left, err)
		}
	}
	check("files", propalg(t, dir, "", "diff", "old.json", "new.json"))
	check("standard input", propalg(t, dir, large("2"), "diff", "old.json", "-"))
	check("standard input first", propalg(t, dir, large("1"), "diff", "-", "new.json"))
	if runtime.GOOS == "linux" {
		c := exec.Command("bash", "-c", binary(t)+` diff <(cat old.json) <(cat new.json)`)
		c.Dir = dir
		out, err := c.Output()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("pipes with names: %v", err)
		}
		check("pipes with names", result{string(out), "", 1})
	}
	if got := propalg(t, dir, "", "diff", "old.json", "bag.json"); got.code != 2 || !strings.Contains(got.stderr, "old.json: stack; bag.json: property bag") {
		t.Errorf("a bag that begins like a stack: exit %d, %.200q", got.code, got.stderr)
	}
	if err := os.WriteFile(now, []byte(large("2")[:9<<20]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := propalg(t, dir, "", "diff", "old.json", "new.json"); got.code != 2 || !strings.Contains(got.stderr, "new.json: line 1, column 9437185: offset 9437184") || got.stdout != "" {
		t.Errorf("cut off: exit %d, %q", got.code, got.stderr)
	}
}

// TestStacksDamaged: what is wrong in a resource is an error, whether the two
// files have it alike or not. It does not hide what is right.
func TestStacksDamaged(t *testing.T) {
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","masked":true}`
	stack := func(inputs, id string) string {
		return `{"version":3,"deployment":{"resources":[{"urn":"urn:pulumi:s::p::a:b:C::a","type":"a:b:C","id":"` + id + `"},{"urn":"urn:pulumi:s::p::a:b:C::n","type":"a:b:C","inputs":` + inputs + `}]}}`
	}
	dir := t.TempDir()
	for _, c := range []struct{ old, now, want string }{
		{`{"a":` + secret + `}`, `{"a":` + secret + `}`, "masked"},
		{`{"a":` + secret + `}`, `{"a":1}`, "old.json: "},
		{`{"a":1}`, `{"a":` + secret + `}`, "new.json: "},
		{`{"a":1,"a":1}`, `{"a":1,"a":1}`, "duplicate member name"},
		{`7`, `7`, "after 1 resource"},
	} {
		for name, text := range map[string]string{"old.json": stack(c.old, "1"), "new.json": stack(c.now, "2")} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, form := range []string{"text", "json", "html"} {
			got := propalg(t, dir, "", "diff", "-o", form, "old.json", "new.json")
			if got.code != 2 || !strings.Contains(got.stderr, c.want) || !strings.Contains(got.stderr, ": urn:pulumi:s::p::a:b:C::n: inputs: ") || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stdout, "C::a") {
				t.Errorf("%s, %s: exit %d, %q, want %q", c.old, c.now, got.code, got.stderr, c.want)
			}
		}
	}
}
