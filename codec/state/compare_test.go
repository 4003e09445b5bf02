package state_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/path"
)

// exportWith is a stack export with some resources, and other members of the deployment.
func exportWith(members string, resources ...string) string {
	return `{"version":3,"deployment":{` + members + `"resources":[` + strings.Join(resources, ",") + `]}}`
}

// named is a resource with a name and other members.
func named(name, members string) string {
	return `{"urn":"urn:pulumi:s::p::a:b:C::` + name + `","type":"a:b:C"` + members + `}`
}

func sealed(cipher string) string {
	return `{"` + codec.SignatureKey + `":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"` + cipher + `"}`
}

// compared lists what Compare finds, with the number of resources that it passes over.
func compared(t *testing.T, old, now string, o state.CompareOptions) (rows []string) {
	t.Helper()

	c, err := state.Compare(strings.NewReader(old), strings.NewReader(now), o)
	if err != nil {
		t.Fatal(err)
	}

	around, err := c.Deployment()
	if err != nil {
		t.Fatal(err)
	}

	rows = append(rows, fmt.Sprint(c.NumEqual(), " equal, deployment ", around.Outcome()))

	for d, err := range c.Resources() {
		if err != nil {
			t.Fatal(err)
		}

		r := d.New
		if r == nil {
			r = d.Old
		}

		rows = append(rows, fmt.Sprint(r.URN[strings.LastIndexByte(r.URN, ':')+1:], " ", d.Outcome, " ", d.Metadata.Diff.Len(), d.Inputs.Diff.Len(), d.Outputs.Diff.Len(), " ", d.LeftOut))
	}

	return rows
}

// compareRow is two stacks, and what Compare finds.
type compareRow struct {
	old, now string
	options  state.CompareOptions
	want     []string
}

func TestCompare(t *testing.T) {
	rows := compareRows()
	maps.Copy(rows, twinRows())
	for name, c := range rows {
		if got := compared(t, c.old, c.now, c.options); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

// twinRows are of states with several live resources of one URN, which engines refuse.
func twinRows() map[string]compareRow {
	return map[string]compareRow{
		"several of one URN, with IDs": {
			exportWith("", named("a", `,"id":"1"`), named("a", `,"id":"2"`), named("b", `,"id":"3"`)),
			exportWith("", named("a", `,"id":"2"`), named("b", `,"id":"4"`)),
			state.CompareOptions{},
			[]string{"1 equal, deployment unchanged", "b updated 1 0 0 0", "a deleted 0 0 0 0"},
		},
		"one of a URN, and several": {
			exportWith("", named("a", `,"id":"2"`)), exportWith("", named("a", `,"id":"1"`), named("a", `,"id":"2"`)),
			state.CompareOptions{},
			[]string{"1 equal, deployment unchanged", "a created 0 0 0 0"},
		},
	}
}

func compareRows() map[string]compareRow {
	return map[string]compareRow{
		"nothing": {exportWith(""), exportWith(""), state.CompareOptions{}, []string{"0 equal, deployment unchanged"}},
		"equal":   {exportWith("", named("a", "")), exportWith("", named("a", "")), state.CompareOptions{}, []string{"1 equal, deployment unchanged"}},
		"other text": {
			exportWith("", named("a", `,"id":"i"`)), exportWith("", named("a", `, "id":"i"`)),
			state.CompareOptions{},
			[]string{"0 equal, deployment unchanged", "a unchanged 0 0 0 0"},
		},
		"all outcomes, in the order of the new stack": {
			exportWith("", named("gone", ""), named("b", `,"inputs":{"x":`+sealed("1")+`}`), named("a", `,"inputs":{"n":1}`)),
			exportWith("", named("a", `,"inputs":{"n":2}`), named("new", `,"outputs":{"n":1}`), named("b", `,"inputs":{"x":`+sealed("2")+`}`)),
			state.CompareOptions{},
			[]string{"0 equal, deployment unchanged", "a updated 0 1 0 0", "new created 0 0 1 0", "b resealed 0 1 0 0", "gone deleted 0 0 0 0"},
		},
		"resealed and changed": {
			exportWith("", named("a", `,"inputs":{"x":`+sealed("1")+`}`)), exportWith("", named("a", `,"inputs":{"x":`+sealed("2")+`},"protect":true`)),
			state.CompareOptions{},
			[]string{"0 equal, deployment unchanged", "a updated 1 1 0 0"},
		},
		"another provider": {
			exportWith(`"secrets_providers":{"type":"p"},`, named("a", `,"inputs":{"x":`+sealed("1")+`}`)),
			exportWith(`"secrets_providers":{"type":"q"},`, named("a", `,"inputs":{"x":`+sealed("1")+`}`)),
			state.CompareOptions{},
			[]string{"0 equal, deployment updated", "a resealed 0 1 0 0"},
		},
		"waiting for deletion": {
			exportWith("", named("a", `,"id":"1"`), named("a", `,"id":"2","delete":true`), named("a", `,"id":"3","delete":true`)),
			exportWith("", named("a", `,"id":"3","delete":true`), named("a", `,"id":"4"`)),
			state.CompareOptions{},
			[]string{"1 equal, deployment unchanged", "a updated 1 0 0 0", "a deleted 0 0 0 0"},
		},
		"several of one URN": {
			exportWith("", named("a", `,"inputs":{"n":1}`), named("a", `,"inputs":{"n":2}`)),
			exportWith("", named("a", `,"inputs":{"n":1}`), named("a", `,"inputs":{"n":3}`), named("a", "")),
			state.CompareOptions{},
			[]string{"1 equal, deployment unchanged", "a updated 0 1 0 0", "a created 0 0 0 0"},
		},
		"times": {
			exportWith("", named("a", `,"created":"2026-01-01T00:00:00Z","sourcePosition":"x:1"`)), exportWith("", named("a", `,"sourcePosition":"x:2"`)),
			state.CompareOptions{},
			[]string{"0 equal, deployment unchanged", "a unchanged 0 0 0 2"},
		},
		"times compared": {
			exportWith(`"manifest":{"time":"2026-01-01T00:00:00Z"},`, named("a", `,"created":"2026-01-01T00:00:00Z","sourcePosition":"x:1"`)),
			exportWith(`"manifest":{"time":"2026-01-02T00:00:00Z"},`, named("a", `,"sourcePosition":"x:2"`)),
			state.CompareOptions{Times: true},
			[]string{"0 equal, deployment updated", "a updated 2 0 0 0"},
		},
		"ignored": {
			exportWith("", named("a", `,"inputs":{"n":1,"m":1}`)), exportWith("", named("a", `,"inputs":{"n":2,"m":1}`)),
			state.CompareOptions{Ignore: path.NewSet(path.MustParsePattern("n"))},
			[]string{"0 equal, deployment unchanged", "a unchanged 0 0 0 0"},
		},
		"rounded": {
			exportWith("", named("a", `,"inputs":{"n":12345678901234567891}`)), exportWith("", named("a", `,"inputs":{"n":12345678901234567891}`)),
			state.CompareOptions{Codec: codec.Options{RoundNumbers: true}},
			[]string{"0 equal, deployment unchanged", "a unchanged 0 0 0 0"},
		},
		"pending operations": {
			exportWith(`"pending_operations":[{"type":"creating","resource":` + named("a", `,"inputs":{"x":`+sealed("1")+`}`) + `}],`),
			exportWith(`"pending_operations":[{"type":"creating","resource":` + named("a", `,"inputs":{"x":`+sealed("2")+`}`) + `}],`),
			state.CompareOptions{},
			[]string{"0 equal, deployment resealed"},
		},
	}
}

// changing is a file that has another text after it was read once.
type changing struct{ first, later string }

func (c *changing) ReadAt(p []byte, at int64) (int, error) {
	n, err := strings.NewReader(c.first).ReadAt(p, at)
	if err != nil {
		c.first = c.later
	}

	return n, err
}

func TestCompareErrors(t *testing.T) {
	good, bad := exportWith("", named("a", "")), exportWith("", named("a", `,"inputs":7`))

	for _, c := range []struct {
		old, now, want string
		cause          error
	}{
		{good[:60], good, "old: state: offset 60", codec.ErrSyntax},
		{good, bad, "new: state: offset ", state.ErrField},
		{good[:60], bad, "old: state: offset 60", codec.ErrSyntax},
	} {
		_, err := state.Compare(strings.NewReader(c.old), strings.NewReader(c.now), state.CompareOptions{})
		if e := (*state.Error)(nil); err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, &e) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}

	if _, err := state.Compare(nil, strings.NewReader(good), state.CompareOptions{OldName: "a.json"}); !errors.Is(err, state.ErrRead) || !strings.HasPrefix(err.Error(), "a.json: ") {
		t.Error(err)
	}

	late := func(old *changing) (err error) {
		c, err := state.Compare(old, strings.NewReader(good), state.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}

		for _, err = range c.Resources() {
		}

		return err
	}
	if err := late(&changing{bad, bad}); err == nil || !strings.HasPrefix(err.Error(), "old: state: offset ") {
		t.Error(err)
	}

	other := exportWith("", named("b", ""))
	if err := late(&changing{exportWith("", named("a", `,"protect":true`)), other + strings.Repeat(" ", 99)}); !errors.Is(err, state.ErrRead) {
		t.Error(err)
	}
}

// The zero Comparison has nothing.
func TestCompareZero(t *testing.T) {
	for _, c := range []*state.Comparison{nil, {}} {
		for d, err := range c.Resources() {
			t.Error(d, err)
		}

		for e := range c.Entries() {
			t.Error(e)
		}

		if p, err := c.Deployment(); err != nil || p.Outcome() != state.Unchanged || c.NumEqual() != 0 {
			t.Error(p, err)
		}
	}
}

// TestMetadata: every field of a resource is a member, whether it is set or not.
func TestMetadata(t *testing.T) {
	file, err := state.Parse(exportWith("", named("a", `,"initErrors":["x"],"newer":[1],"dependencies":["d"]`)), state.Options{})
	if err != nil {
		t.Fatal(err)
	}

	r, _, err := file.Find("urn:pulumi:s::p::a:b:C::a")
	if err != nil {
		t.Fatal(err)
	}

	got := r.Metadata()
	if got.Len() != (&state.Resource{}).Metadata().Len()+1 || got.Field("initErrors").String() != "[[secret]]" ||
		got.Field("newer").String() != "[1]" || got.Field("dependencies").String() != `["d"]` || got.Field("parent").String() != `""` {
		t.Error(got)
	}
}

// TestCompareUnreadable: one malformed resource does not hide the others, on either side.
func TestCompareUnreadable(t *testing.T) {
	good, bad := exportWith("", named("a", `,"inputs":{"x":1}`), named("b", "")), exportWith("", named("a", `,"inputs":{"x":[`+`{"`+codec.SignatureKey+`":"?"}]}`), named("b", `,"id":"i"`))
	for _, files := range [][2]string{{good, bad}, {bad, good}} {
		var said []string
		o := state.CompareOptions{Unreadable: func(e state.Entry, err error) {
			var at *state.Error
			said = append(said, fmt.Sprint(e.Number, errors.As(err, &at) && at.URN == e.URN, strings.Contains(err.Error(), e.URN)))
		}}
		want := []string{"0 equal, deployment unchanged", "b updated 1 0 0 0"}
		if got := compared(t, files[0], files[1], o); !slices.Equal(got, want) || fmt.Sprint(said) != "[0 true true]" {
			t.Errorf("%q %q", got, said)
		}
	}

	file, err := state.Parse(bad, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for r, err := range file.Resources() {
		seen = append(seen, fmt.Sprint(r.URN != "", err == nil))
	}
	if fmt.Sprint(seen) != "[false false true true]" {
		t.Error(seen)
	}
}

// TestCompareSecretOutputs: outputs that a resource lists as secret are compared as secrets,
// and so that one which the state has in clear on one side only is found.
func TestCompareSecretOutputs(t *testing.T) {
	listed := func(outputs string) string { return `,"additionalSecretOutputs":["pw","none"],"outputs":` + outputs }
	const secret = `{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"xCANARYx\""}`
	clear1, clear2 := `{"pw":"xCANARYx","z":1}`, `{"pw":"xCANARY2x","z":1}`
	for name, row := range map[string]struct {
		old, now string
		want     string // the changes of outputs
	}{
		"changed":       {listed(clear1), listed(clear2), "~ pw: [secret] => [secret]"},
		"equal":         {listed(clear1), listed(strings.Replace(clear1, "1}", "1 }", 1)), ""},
		"container":     {listed(`{"pw":{"xCANARYx":1}}`), listed(`{"pw":{"xCANARYx":2}}`), "~ pw: [secret] => [secret]"},
		"became secret": {listed(clear1), listed(`{"pw":` + secret + `,"z":1}`), "~ pw: [secret]  # becomes secret"},
		"lost":          {listed(`{"pw":` + secret + `,"z":1}`), listed(clear1), "~ pw: [secret]  # no longer secret"},
		"listed first":  {`,"outputs":` + clear1, listed(clear2), "~ pw: [secret] => [secret]  # becomes secret"},
	} {
		c, err := state.Compare(strings.NewReader(exportWith("", named("a", row.old))), strings.NewReader(exportWith("", named("a", row.now))), state.CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for d, err := range c.Resources() {
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Outputs.Diff.String(); got != row.want {
				t.Errorf("%s: %q", name, got)
			}
			if text := fmt.Sprint(d.Outputs.Diff, d.Metadata.Diff); strings.Contains(text, "CANARY") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}

	pending := func(outputs string) string {
		return exportWith(`"pending_operations":[{"type":"creating","resource":` + named("a", listed(outputs)) + `}],`)
	}
	c, err := state.Compare(strings.NewReader(pending(clear1)), strings.NewReader(pending(clear2)), state.CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := c.Deployment(); err != nil || p.Diff.Len() != 1 || strings.Contains(p.Diff.String(), "CANARY") {
		t.Error(p.Diff, err)
	}
}
