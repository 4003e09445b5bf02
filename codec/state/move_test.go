package state_test

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/state"
)

// there writes records of the stack prod, as mendable does for dev. DEV is dev.
func there(rows ...string) string {
	return strings.NewReplacer("urn:pulumi:dev::", "urn:pulumi:prod::", "::shop-dev", "::shop-prod", "urn:pulumi:DEV::", "urn:pulumi:dev::",
		`"type":"pulumi:pulumi:Stack","custom":false`, `"custom":false,"type":"pulumi:pulumi:Stack"`).Replace(mendable(rows...))
}

// short is a text with the names of mendable.
func short(text string) string {
	return strings.NewReplacer(
		"urn:pulumi:dev::shop::a:b:C::", "@", stackURN, "$stack", urnOf("pulumi:providers:a", "p"), "$p",
		"urn:pulumi:prod::shop::a:b:C::", "@@", strings.NewReplacer("dev", "prod").Replace(stackURN), "$$stack",
		"urn:pulumi:prod::shop::pulumi:providers:a::p", "$$p", "state: ", "",
	).Replace(text)
}

// moved returns both files after a move, and what it says.
func moved(t testing.TB, from, to string, o state.MoveOptions) (left, there, says string) {
	t.Helper()
	m, err := state.Move(strings.NewReader(from), strings.NewReader(to), o)
	if err != nil {
		if m != nil || !errors.Is(err, state.ErrEdit) {
			t.Errorf("%v, %v", m, err)
		}
		return from, to, short(err.Error()) + "\n"
	}
	for _, r := range m.Relocations {
		says += r.String() + "\n"
	}
	for _, b := range m.Broken {
		says += b.String() + "\n"
	}
	for _, b := range m.BrokenThere {
		says += "there " + b.String() + "\n"
	}
	var source, destination bytes.Buffer
	if err := errors.Join(m.WriteDestination(&destination), m.WriteSource(&source)); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{{from, source.String()}, {to, destination.String()}} {
		if before, now := refusedOf(t, pair[0]), refusedOf(t, pair[1]); len(now) > len(before) {
			t.Errorf("after the move: %v\n%s", now, pair[1])
		}
	}
	return source.String(), destination.String(), short(says)
}

// refusedOf lists what engines refuse in a file.
func refusedOf(t testing.TB, text string) (all []state.Finding) {
	t.Helper()
	for f, err := range state.Check(strings.NewReader(text), state.CheckOptions{}) {
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if f.Severity == state.SeverityError {
			all = append(all, f)
		}
	}
	return all
}

// move is what two files become.
type move struct {
	name      string
	o         state.MoveOptions
	from, to  []string
	left, now []string // nil: both stay
	says      string
}

const dev = `urn:pulumi:dev::shop::`

func moving(names ...string) state.MoveOptions {
	for i, name := range names {
		names[i] = urnOf("a:b:C", name)
	}
	return state.MoveOptions{Resources: names}
}

// moves are rows of [TestMove], about references and parents.
func moves() []move {
	return []move{
		{
			"one", moving("a"),
			[]string{`stack`, `a "parent":"$stack","inputs":{"x":"@a"},"aliases":["@old"]`, `b "parent":"$stack"`},
			[]string{`stack`, `x "parent":"$stack"`},
			[]string{`stack`, `b "parent":"$stack"`},
			[]string{`stack`, `x "parent":"$stack"`, `a "parent":"$stack","inputs":{"x":"urn:pulumi:DEV::shop::a:b:C::a"},"aliases":["urn:pulumi:DEV::shop::a:b:C::old"]`},
			"> @a => @@a\n",
		},
		{
			"references", moving("b", "c"),
			[]string{`a`, `b "dependencies":["@a"],"propertyDependencies":{"x":["@a"]},"deletedWith":"@a"`, `c "dependencies":["@a","@b"],"replaceWith":["@b"]`, `d "dependencies":["@b","@a"],"propertyDependencies":{"x":["@c"]},"deletedWith":"@c","replaceWith":["@c"]`},
			[]string{`stack`},
			[]string{`a`, `d "dependencies":["@a"],"propertyDependencies":{"x":[]},"replaceWith":[]`},
			[]string{`stack`, `b "parent":"$stack","dependencies":[],"propertyDependencies":{"x":[]}`, `c "parent":"$stack","dependencies":["@b"],"replaceWith":["@b"]`},
			"> @b => @@b\n> @c => @@c\n" +
				"- @d: dependencies[0]: @b\n- @d: propertyDependencies.x[0]: @c\n- @d: deletedWith: @c\n- @d: replaceWith[0]: @c\n" +
				"there - @b: dependencies[0]: @a\nthere - @b: propertyDependencies.x[0]: @a\nthere - @b: deletedWith: @a\nthere - @c: dependencies[0]: @a\n",
		},
		{
			"protected, and pending deletion", moving("a"),
			[]string{`a "id":"1","custom":true,"protect":true`, `a "id":"0","custom":true,"delete":true`, `b`},
			[]string{`stack`},
			[]string{`b`},
			[]string{`stack`, `a "id":"1","parent":"$stack","custom":true,"protect":true`, `a "id":"0","parent":"$stack","custom":true,"delete":true`},
			"> @a => @@a\n> @a#2 => @@a\n",
		},
		{
			"by position",
			state.MoveOptions{Resources: []string{dev + "a:b:C::a#2"}},
			[]string{`a "id":"1","custom":true`, `a "id":"0","custom":true,"delete":true`, `b "dependencies":["@a"]`},
			[]string{`stack`},
			[]string{`a "id":"1","custom":true`, `b "dependencies":["@a"]`},
			[]string{`stack`, `a "id":"0","parent":"$stack","custom":true,"delete":true`},
			"> @a#2 => @@a\n",
		},
		{
			"an empty parent", moving("a"),
			[]string{`a "parent":""`, `b "parent":null`},
			[]string{`stack`},
			[]string{`b "parent":null`},
			[]string{`stack`, `a "parent":"$stack"`},
			"> @a => @@a\n",
		},
		{
			"all below the stack",
			state.MoveOptions{Resources: []string{stackURN}},
			[]string{`stack`, `p "parent":"$stack"`, `a "parent":"$stack","custom":true,"provider":"$p::1"`, `b`},
			[]string{`stack`},
			[]string{`stack`, `p "parent":"$stack"`, `b`},
			[]string{`stack`, `p "parent":"$stack"`, `a "parent":"$stack","custom":true,"provider":"$p::1"`},
			"+ $p => $$p\n> @a => @@a\n",
		},
		{
			"nobody is there", moving("a"),
			[]string{`a`, `b`},
			[]string{`x`},
			[]string{`b`},
			[]string{`stack "custom":false`, `x`, `a "parent":"$stack"`},
			"+ $$stack\n> @a => @@a\n",
		},
		{
			"views", moving("a", "v"),
			[]string{`a`, `v "viewOf":"@a"`},
			[]string{`stack`},
			[]string{},
			[]string{`stack`, `a "parent":"$stack"`, `v "parent":"$stack","viewOf":"@a"`},
			"> @a => @@a\n> @v => @@v\n",
		},
	}
}

// refusedMoves are rows of [TestMove] of which neither file changes.
func refusedMoves() []move {
	return []move{
		{
			"a view", moving("a"),
			[]string{`stack`, `a "parent":"$stack"`, `v "viewOf":"@a"`, `w "viewOf":"@x"`},
			[]string{`stack`},
			nil, nil,
			"@v: viewOf: cannot edit: @a is moved, and this view of it is not\n",
		},
		{
			"all reasons", moving("a", "b", "c"),
			[]string{`a`, `b "provider":"$p::9"`, `c`},
			[]string{`stack`, `a`, `c "delete":true`},
			nil, nil,
			"@b: provider: cannot edit: $p::9 is missing; repair the file first\n",
		},
		{
			"there already", moving("a", "b", "c"),
			[]string{`a`, `b`, `c`},
			[]string{`stack`, `a`, `c "delete":true`},
			nil, nil,
			"@a: urn: cannot edit: the destination has @@a\n@c: urn: cannot edit: the destination has @@c\n",
		},
		{
			"names", moving("x", "y"),
			[]string{`a`},
			[]string{`stack`},
			nil, nil,
			"cannot edit: no resource is named @x\ncannot edit: no resource is named @y\n",
		},
		{"no name", state.MoveOptions{}, []string{`a`}, []string{`stack`}, nil, nil, "cannot edit: no resource to move is named\n"},
	}
}

// ofProviders are rows of [TestMove] about providers.
func ofProviders() []move {
	user := `a "custom":true,"id":"i","provider":"$p::1"`
	userNow := `a "custom":true,"id":"i","parent":"$stack","provider":"$p::1"`
	return []move{
		{
			"copied", moving("a"),
			[]string{`x`, `q "inputs":{}`, `p "dependencies":["@x"],"inputs":{"x":1}`, user},
			[]string{`stack`},
			[]string{`x`, `q "inputs":{}`, `p "dependencies":["@x"],"inputs":{"x":1}`},
			[]string{`stack`, `p "parent":"$stack","dependencies":[],"inputs":{"x":1}`, userNow},
			"+ $p => $$p\n> @a => @@a\nthere - $p: dependencies[0]: @x\n",
		},
		{
			"there with the same ID", moving("a"),
			[]string{`p "inputs":{"x":1}`, user},
			[]string{`stack`, `p "inputs":{"x":2}`},
			[]string{`p "inputs":{"x":1}`},
			[]string{`stack`, `p "inputs":{"x":2}`, userNow},
			"= $p => $$p\n> @a => @@a\n",
		},
		{
			"is no resource",
			state.MoveOptions{Resources: []string{dev + "pulumi:providers:a::p"}},
			[]string{`p`},
			[]string{`stack`},
			nil, nil,
			"$p: cannot edit: a provider is not moved; it goes with the resources that need it\n",
		},
		{
			"missing, as it may be", moving("a"),
			[]string{`a "custom":true,"provider":"$p::1","pendingReplacement":true`, `b`},
			[]string{`stack`},
			[]string{`b`},
			[]string{`stack`, `a "parent":"$stack","custom":true,"provider":"urn:pulumi:DEV::shop::pulumi:providers:a::p::1","pendingReplacement":true`},
			"> @a => @@a\n",
		},
	}
}

// TestMove: what both files become, and what is said of it.
func TestMove(t *testing.T) {
	for _, row := range slices.Concat(moves(), refusedMoves(), ofProviders()) {
		t.Run(row.name, func(t *testing.T) {
			from, to := mendable(row.from...), there(row.to...)
			wantLeft, wantNow := from, to
			if row.now != nil {
				wantLeft, wantNow = mendable(row.left...), there(row.now...)
			}
			left, now, says := moved(t, from, to, row.o)
			if left != wantLeft || now != wantNow || says != row.says {
				t.Errorf("left\n%s\nwant\n%s\nthere\n%s\nwant\n%s\nsays\n%s\nwant\n%s", left, wantLeft, now, wantNow, says, row.says)
			}
		})
	}
}

// stackOf writes a stack of records, in which "S" is its own and T the beginning of a URN.
func stackOf(stack string, rows ...string) string {
	text := `{"version":3,"deployment":{"resources":[` + strings.Join(rows, ",") + `]}}`
	return strings.NewReplacer(`"T`, `"urn:pulumi:`+stack+`::shop::`, `"S"`, `"urn:pulumi:`+stack+`::shop::pulumi:pulumi:Stack::shop-`+stack+`"`).Replace(text)
}

// component has a child with one of its own, and a provider of that.
var component = []string{
	`{"urn":"S","type":"pulumi:pulumi:Stack"}`,
	`{"urn":"Ta:c:Top::top","type":"a:c:Top","parent":"S"}`,
	`{"urn":"Ta:c:Top$pulumi:providers:a::own","type":"pulumi:providers:a","custom":true,"id":"7","parent":"Ta:c:Top::top"}`,
	`{"urn":"Ta:c:Top$a:c:Mid::mid","type":"a:c:Mid","parent":"Ta:c:Top::top"}`,
	`{"urn":"Ta:c:Top$a:c:Mid$a:b:C::leaf","type":"a:b:C","custom":true,"id":"1","parent":"Ta:c:Top$a:c:Mid::mid","provider":"Ta:c:Top$pulumi:providers:a::own::7"}`,
}

// TestMoveOfComponents: what is below goes with it, with the types of the parents that go, and
// providers below, if nobody else needs them.
func TestMoveOfComponents(t *testing.T) {
	const other = `{"urn":"Ta:b:C::other","type":"a:b:C","custom":true,"id":"2","provider":"Ta:c:Top$pulumi:providers:a::own::7"}`
	root := component[:1]
	for _, row := range []struct {
		name, of  string
		parents   bool
		from      []string
		left, now []string
		says      string
	}{
		{"all", "a:c:Top::top", false, component, root, component, "> -top => +top\n> -own => +own\n> -mid => +mid\n> -leaf => +leaf\n"},
		{
			"a part", "a:c:Top$a:c:Mid::mid", false, component, component[:3],
			[]string{
				component[0],
				`{"urn":"Tpulumi:providers:a::own","type":"pulumi:providers:a","custom":true,"id":"7","parent":"S"}`,
				`{"urn":"Ta:c:Mid::mid","type":"a:c:Mid","parent":"S"}`,
				`{"urn":"Ta:c:Mid$a:b:C::leaf","type":"a:b:C","custom":true,"id":"1","parent":"Ta:c:Mid::mid","provider":"Tpulumi:providers:a::own::7"}`,
			},
			"+ -own => +own\n> -mid => +mid\n> -leaf => +leaf\n",
		},
		{"with its parents", "a:c:Top$a:c:Mid$a:b:C::leaf", true, component, root, component, "> -top => +top\n> -own => +own\n> -mid => +mid\n> -leaf => +leaf\n"},
		{
			"the provider is needed", "a:c:Top::top", false, append(slices.Clip(component), other), nil, nil,
			"@other: provider: cannot edit: it stays, and its provider -own is below what is moved\n",
		},
		{"all but the stack", "pulumi:pulumi:Stack::shop-dev", false, component, root, component, "> -top => +top\n> -own => +own\n> -mid => +mid\n> -leaf => +leaf\n"},
	} {
		from, to := stackOf("dev", row.from...), stackOf("prod", root...)
		wantLeft, wantNow := from, to
		if row.now != nil {
			wantLeft, wantNow = stackOf("dev", row.left...), stackOf("prod", row.now...)
		}
		left, now, says := moved(t, from, to, state.MoveOptions{Resources: []string{dev + row.of}, Parents: row.parents})
		says = regexp.MustCompile(`urn:pulumi:(dev|prod)::\S*::`).ReplaceAllStringFunc(says, func(urn string) string {
			if strings.HasPrefix(urn, dev) {
				return "-"
			}
			return "+"
		})
		if left != wantLeft || now != wantNow || says != row.says {
			t.Errorf("%s: left\n%s\nwant\n%s\nthere\n%s\nwant\n%s\nsays\n%s\nwant\n%s", row.name, left, wantLeft, now, wantNow, says, row.says)
		}
	}
}

// around is what the destination becomes, or why not.
type around struct {
	name          string
	o             state.MoveOptions
	from, to, now string
}

// aroundMoves are rows of [TestMoveAround].
func aroundMoves() []around {
	const (
		a        = `{"urn":"urn:pulumi:dev::shop::a:b:C::a","type":"a:b:C"`
		aThere   = `{"urn":"urn:pulumi:prod::shop::a:b:C::a","type":"a:b:C","parent":"urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod"`
		root     = `{"urn":"urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod","custom":false,"type":"pulumi:pulumi:Stack"}`
		manifest = `"manifest":{"time":"2026-01-02T03:04:05Z","magic":"","version":""}`
		sealed   = `,"outputs":{"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:abc"}}}`
		plain    = `,"outputs":{"pw":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"canary\""}}}`
		link     = `,"outputs":{"to":{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:dev::shop::a:b:C::a"}}}`
		salt     = `"secrets_providers":{"type":"passphrase","state":{"salt":"v1:x"}}`
		spaced   = `"secrets_providers" : { "state":{"salt":"v1:\u0078"}, "type":"passphrase"}`
		salt2    = `"secrets_providers":{"type":"passphrase","state":{"salt":"v1:y"}}`
	)
	whose := state.MoveOptions{Resources: []string{dev + "a:b:C::a"}, Stack: "prod", Project: "shop"}
	export := func(members ...string) string {
		return `{"version":3,"deployment":{` + strings.Join(members, ",") + `}}`
	}
	list := func(all ...string) string { return `"resources":[` + strings.Join(all, ",") + `]` }
	return []around{
		{"no list", whose, export(manifest, list(a+"}")), export(manifest), export(list(root+",\n"+aThere+"}"), manifest)},
		{"an empty list", whose, export(list(a + "}")), export(list(), manifest), export(list(root+",\n"+aThere+"}"), manifest)},
		{"no list at all", whose, export(list(a + "}")), export(manifest, `"resources": null`), export(manifest, `"resources": [`+root+",\n"+aThere+"}]")},
		{"no deployment", whose, export(list(a + "}")), `{"version":3,"deployment":null}`, export(list(root + ",\n" + aThere + "}"))},
		{
			"a checkpoint",
			state.MoveOptions{Resources: whose.Resources},
			export(list(a + "}")),
			`{"version":3,"checkpoint":{"stack":"organization/shop/prod","latest":{` + manifest + `}}}`,
			`{"version":3,"checkpoint":{"stack":"organization/shop/prod","latest":{` + list(root+",\n"+aThere+"}") + `,` + manifest + `}}}`,
		},
		{
			"a checkpoint without project",
			state.MoveOptions{Resources: whose.Resources},
			export(list(a + "}")),
			`{"version":3,"checkpoint":{"stack":"prod","latest":{` + manifest + `}}}`, "cannot edit: nothing in the destination says its project, which has to be given",
		},
		{"whose?", state.MoveOptions{Resources: whose.Resources}, export(list(a + "}")), export(manifest), "cannot edit: nothing in the destination says its stack, which has to be given"},
		{
			"another one",
			state.MoveOptions{Resources: whose.Resources, Stack: "test"},
			export(list(a + "}")), export(list(root)),
			"cannot edit: the stack of the destination is prod, not test",
		},
		{"the project is malformed", state.MoveOptions{Resources: whose.Resources, Stack: "prod", Project: "a::b"}, export(list(a + "}")), export(manifest), `cannot edit: urn: invalid part of a URN: project: expected no "::", found "::" at byte 1 of "a::b"`},
		{"plaintext", whose, export(salt, list(a+plain)), export(salt2, list(root)), export(salt2, list(root, aThere+plain))},
		{"sealed", whose, export(salt, list(a+sealed)), export(spaced, list(root)), export(spaced, list(root, aThere+sealed))},
		{
			"sealed otherwise", whose, export(salt, list(a+strings.Replace(sealed, "ciphertext", "\\u0063iphertext", 1))), export(salt2, list(root)),
			"@a: outputs: cannot edit: it has encrypted secrets, and the files have not the same secrets provider; pulumi stack export --show-secrets writes them in plaintext",
		},
		{
			"a reference to it",
			state.MoveOptions{Resources: []string{dev + "a:b:C::a", dev + "a:b:C::b"}},
			export(list(a+"}", strings.Replace(a, "C::a", "C::b", 1)+link)), export(list(root)),
			export(list(root, aThere+"}", strings.Replace(aThere, "C::a", "C::b", 1)+strings.Replace(link, "dev", "prod", 1))),
		},
		{"an extension", whose, export(list(a+`,"extensionRef":"x"}`), `"extensions":{"x":{}}`), export(list(root)), "@a: extensionRef: cannot edit: the destination has no such extension x"},
		{
			"its extension", whose, export(list(a+`,"extensionRef":"x"}`), `"extensions":{"x":{}}`), export(`"extensions":{"x":{}}`, list(root)),
			export(`"extensions":{"x":{}}`, list(root, aThere+`,"extensionRef":"x"}`)),
		},
		{
			"a pending operation", whose, export(list(a+"}"), `"pending_operations":[{"type":"updating","resource":`+a+`}}]`), export(list(root)),
			"@a: cannot edit: a pending operation refers to it; remove those first",
		},
		{
			"a dependent of a pending operation", whose,
			export(list(a+"}"), `"pending_operations":[{"type":"creating","resource":{"urn":"urn:pulumi:dev::shop::a:b:C::n","type":"a:b:C","dependencies":["urn:pulumi:dev::shop::a:b:C::a"]}}]`), export(list(root)),
			"@a: cannot edit: a pending operation refers to it; remove those first",
		},
	}
}

// TestMoveAround: what else of the files counts: whose they are, their secrets providers,
// extensions, pending operations, versions and features.
func TestMoveAround(t *testing.T) {
	const a = `{"urn":"` + dev + `a:b:C::a","type":"a:b:C"}`
	rows := append(aroundMoves(),
		around{"an old version", state.MoveOptions{Resources: []string{dev + "a:b:C::a"}}, `{"version":2,"deployment":{"resources":[` + a + `]}}`, there("stack"), "cannot edit: the source has version 2; 3 or 4 is needed"},
		around{
			"a feature",
			state.MoveOptions{Resources: []string{dev + "a:b:C::a"}},
			mendable("a"), `{"version":4,"features":["new"],"deployment":{"resources":[]}}`,
			"cannot edit: features of the destination: it needs new, which this package does not know",
		},
	)
	for _, row := range rows {
		_, now, says := moved(t, row.from, row.to, row.o)
		if now == row.to {
			now = strings.TrimSuffix(says, "\n")
		}
		if now != row.now {
			t.Errorf("%s:\n%s\nwant\n%s", row.name, now, row.now)
		}
	}
}

// TestMoveToAProvider: a provider of the destination is used if it has the same ID or the same
// inputs, as far as that can be known, and is not pending deletion.
func TestMoveToAProvider(t *testing.T) {
	const p, taken = "$$p", `$p: urn: cannot edit: the destination has the provider $$p`
	secret := func(member, text string) string {
		return `"s":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","` + member + `":"` + text + `"}`
	}
	provider := func(id, inputs, more string) string {
		return `{"urn":"` + dev + `pulumi:providers:a::p","type":"pulumi:providers:a","custom":true,"id":"` + id + `","inputs":{` + inputs + `}` + more + `}`
	}
	user := func(id string) string {
		return `,{"urn":"` + dev + `a:b:C::a","type":"a:b:C","custom":true,"id":"i","provider":"` + dev + `pulumi:providers:a::p::` + id + `"}`
	}
	file := func(salt, records string) string {
		return `{"version":3,"deployment":{"secrets_providers":{"type":"passphrase","state":{"salt":"` + salt + `"}},"resources":[` + records + `]}}`
	}
	const pending = `,"delete":true`
	for _, row := range []struct {
		name, from, to, id, says string // id: of the provider of what is moved; "": it is not
	}{
		{"the same ID", file("x", provider("1", `"v":1`, "")), file("x", provider("1", `"v":2`, "")), "1", ""},
		{"the same inputs", file("x", provider("1", `"v":1`, "")), file("x", provider("2", `"v":1.0`, "")), "2", ""},
		{"other inputs", file("x", provider("1", `"v":1`, "")), file("x", provider("2", `"v":2`, "")), "", taken + ` with other inputs, or with secrets of which that is not known`},
		{"the same plaintext", file("x", provider("1", secret("plaintext", `\"canary\"`), "")), file("y", provider("2", secret("plaintext", `\"canary\"`), "")), "2", ""},
		{"the same ciphertext", file("x", provider("1", secret("ciphertext", "c"), "")), file("x", provider("2", secret("ciphertext", "c"), "")), "2", ""},
		{"a ciphertext of another provider", file("x", provider("1", secret("ciphertext", "c"), "")), file("y", provider("2", secret("ciphertext", "c"), "")), "", taken + ` with other inputs, or with secrets of which that is not known`},
		{"another ciphertext", file("x", provider("1", secret("ciphertext", "c"), "")), file("x", provider("2", secret("ciphertext", "d"), "")), "", taken + ` with other inputs, or with secrets of which that is not known`},
		{"pending deletion", file("x", provider("1", `"v":1`, "")), file("x", provider("1", `"v":1`, pending)), "", taken + `, pending deletion`},
		{"replaced", file("x", provider("1", `"v":1`, "")), file("x", provider("2", `"v":1`, "")+","+provider("3", `"v":2`, pending)), "2", ""},
		{"replaced before", file("x", provider("1", `"v":1`, "")), file("x", provider("3", `"v":2`, pending)+","+provider("2", `"v":1`, "")), "2", ""},
	} {
		from := strings.Replace(row.from, "]}}", user("1")+"]}}", 1)
		to := strings.ReplaceAll(row.to, "urn:pulumi:dev", "urn:pulumi:prod")
		left, now, says := moved(t, from, to, moving("a"))
		if row.id == "" {
			if left != from || now != to || says != row.says+"\n" {
				t.Errorf("%s: %s", row.name, says)
			}
			continue
		}
		isUsed := strings.Contains(now, `"provider":"urn:pulumi:prod::shop::pulumi:providers:a::p::`+row.id+`"`)
		if left != row.from || !isUsed || strings.Count(now, `"type":"pulumi:providers:a"`) != strings.Count(to, `"type":"pulumi:providers:a"`) || !strings.Contains(says, "= $p => "+p+"\n") {
			t.Errorf("%s: %s\n%s\n%s", row.name, says, left, now)
		}
	}
}
