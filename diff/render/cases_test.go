package render_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/value"
)

// textCase is a situation that the renderer must show well; its text is in
// testdata/text/NAME.txtar.
type textCase struct {
	name     string
	old, now value.Value
	opts     render.Options
	how      diff.Options
}

func textCases() []textCase {
	var all []textCase
	for _, group := range [][]textCase{
		plainCases(), markCases(), secretCases(), blobCases(), oddCases(), longCases(),
		lineCases(), documentCases(), hiddenCases(), replaceCases(), deepCases(), arrayCases(),
	} {
		all = append(all, group...)
	}
	return all
}

const dependency = "urn:pulumi:a::b::c::d"

func plainCases() []textCase {
	return []textCase{
		{name: "scalars", old: obj("b", value.Bool(true), "n", num(1), "s", str("old"), "same", num(7)), now: obj("b", value.Bool(false), "n", num(1.5), "s", str("new"), "same", num(7))},
		{name: "numbers", old: obj("a", num(9007199254740991), "b", num(1e21), "c", num(0.1), "d", num(1)), now: obj("a", num(9007199254740992), "b", num(math.Inf(1)), "c", num(math.NaN()), "d", str("1"))},
		{name: "nested", old: obj("a", obj("b", obj("c", num(1), "d", num(2)))), now: obj("a", obj("b", obj("c", num(3), "e", num(4))))},
		{name: "subtrees", old: obj("gone", obj("x", arr(num(1), obj()), "longer name", value.Null())), now: obj("came", arr(obj("k", str("v")), arr()))},
		{name: "array", old: arr(num(1), num(2), num(3)), now: arr(num(1), num(4))},
		{name: "kinds", old: obj("a", str(""), "b", arr(), "c", obj("k", num(1)), "d", value.Null(), "e", str("")), now: obj("a", arr(), "b", obj(), "c", arr(num(1)), "d", str(""), "e", str("x"))},
		{name: "root", old: num(1), now: arr(num(1))},
		{name: "null", old: obj("a", value.Null(), "b", num(1), "c", value.Null()), now: obj("a", num(1), "b", value.Null())},
		{name: "null-is-missing", old: obj("a", value.Null(), "b", num(1), "c", value.Null()), now: obj("a", num(1), "b", value.Null()), how: diff.Options{Relation: value.Engine}},
		{name: "indented", old: obj("a", obj("b", num(1))), now: obj("a", obj("b", num(2))), opts: render.Options{Indent: 2}},
		{name: "refresh-guide", old: obj("tags", obj("tagName", str("a"))), now: obj("tags", obj("tagName", str("b")))},
		{name: "references", old: obj("r", value.ResourceReference{URN: dependency, ID: value.KnownID("i")}.Value()), now: obj("r", value.ResourceReference{URN: dependency, ID: value.UnknownID()}.Value())},
	}
}

func markCases() []textCase {
	return []textCase{
		{name: "dependencies", old: obj("a", num(1).WithDependencies(dependency), "o", obj("x", num(1)), "l", arr()), now: obj("a", num(1), "o", obj("x", num(2)).WithDependencies(dependency), "l", arr().WithDependencies(dependency))},
		{name: "unknown", old: obj("a", num(1), "b", value.Unknown(), "d", num(2)), now: obj("a", value.Unknown(), "b", num(1), "c", value.Unknown(), "d", sec(value.Unknown()))},
		{name: "becomes-unknown", old: obj("o", obj("a", num(1)), "s", str("x")), now: obj("o", value.Unknown(), "s", value.Unknown())},
		{name: "unknown-counts", old: obj("o", obj("a", num(1)), "s", value.Unknown()), now: obj("o", value.Unknown(), "s", arr(num(1))), how: diff.Options{MaybeIsChanged: true}},
	}
}

func secretCases() []textCase {
	hidden := obj("hidden key", num(1), "other", num(2))
	return []textCase{
		{name: "secret-leaf", old: obj("p", sec(str("one"))), now: obj("p", sec(str("two")))},
		{name: "secret-container", old: obj("o", sec(hidden)), now: obj("o", sec(obj("hidden key", num(3), "third", num(2))))},
		{name: "secret-container-loses", old: obj("o", sec(hidden)), now: obj("o", sec(obj("other", num(2))))},
		{name: "secret-added", old: obj("x", obj()), now: obj("x", obj("y", sec(obj("k", num(1))), "z", arr(sec(str("s")), str("open"))))},
		{name: "secret-deleted", old: obj("x", obj("y", sec(obj("k", num(1))), "z", sec(str("s")))), now: obj("x", obj())},
		{name: "secret-on-one-side", old: obj("a", sec(str("x")), "b", obj("k", num(1)), "c", sec(obj("k", num(1)))), now: obj("a", arr(num(1)), "b", sec(num(1)), "c", value.Null())},
		{name: "secret-in-array", old: arr(sec(str("a")), str("b")), now: arr(sec(str("c")), str("d"), sec(str("e")))},
		{name: "secret-text-lines", old: obj("s", sec(str("a\nb\nc"))), now: obj("s", sec(str("a\nx\nc")))},
		{name: "becomes-secret", old: obj("a", str("x"), "b", sec(str("y"))), now: obj("a", sec(str("x")), "b", str("y"))},
		{name: "becomes-secret-and-changes", old: obj("a", str("x"), "b", obj("k", num(1))), now: obj("a", sec(str("z")), "b", sec(obj("k", num(2))))},
		{name: "revealed", old: obj("p", sec(str("one")), "o", sec(obj("k", num(1), "l", sec(num(2)))), "b", obj("k", num(1))), now: obj("p", sec(str("two")), "o", sec(obj("k", num(2), "m", sec(arr(num(2))))), "b", sec(obj("k", num(2)))), opts: render.Options{Secrets: value.RevealSecrets}},
		{name: "sealed", old: obj("s", value.Sealed{Ciphertext: "v1:abc", Provider: "passphrase"}.Value()), now: obj("s", value.Sealed{Ciphertext: "v1:def", Provider: "passphrase"}.Value()), opts: render.Options{Secrets: value.RevealSecrets}},
		{name: "secret-dependencies", old: obj("s", sec(obj("k", num(1)))), now: obj("s", sec(obj("k", num(2))).WithDependencies(dependency))},
	}
}

func literal(pairs ...any) value.Value {
	var ms []value.Member
	for i := 0; i < len(pairs); i += 2 {
		ms = append(ms, value.Member{Key: pairs[i].(string), Value: pairs[i+1].(value.Value)})
	}
	a, err := value.LiteralArchive(ms...)
	if err != nil {
		panic(err)
	}
	return a
}

func blobCases() []textCase {
	text := value.TextAsset
	file := value.FileAsset
	return []textCase{
		{
			name: "assets",
			old:  obj("a", file("x").WithHash("0123456789abcdef"), "b", text("one"), "c", file("f"), "d", file("old.zip"), "e", value.URIAsset("https://a/x"), "f", value.TextAsset("").WithHash("0123456789").DropContent()),
			now:  obj("a", file("x").WithHash("fedcba9876543210"), "b", text("two"), "c", file("f").WithHash("0123456789"), "d", file("new.zip"), "e", value.URIAsset("https://b/x"), "f", value.TextAsset("").WithHash("0123456000").DropContent()),
		},
		{
			name: "asset-lines",
			old:  obj("code", text("import os\n\ndef handler(e, c):\n    return 200\n")),
			now:  obj("code", text("import os\nimport sys\n\ndef handler(e, c):\n    return 204\n")),
		},
		{name: "asset-kinds", old: obj("a", text("one"), "b", file("x"), "c", str("x"), "gone", text("one")), now: obj("a", file("one"), "b", value.FileArchive("x"), "c", file("x"), "came", literal("f", text("1"), "g", file("x\x1b")))},
		{
			name: "archives",
			old:  obj("a", value.FileArchive("x.zip").WithHash("0123456789abcdef"), "b", literal("f", text("1"))),
			now:  obj("a", value.FileArchive("x.zip"), "b", literal()),
		},
		{
			name: "archive-entries",
			old:  obj("site", literal("index.html", text("<h1>old</h1>\n"), "gone.css", file("gone.css"), "lib", literal("a.js", text("a"), "b.js", text("b")), "same", text("same"), "kind", text("x"))),
			now:  obj("site", literal("index.html", text("<h1>new</h1>\n"), "lib", literal("a.js", text("a2"), "c.js", text("c"), "b.js", text("b")), "new dir", literal("x", text("x")), "same", text("same"), "kind", literal())),
		},
		{name: "archive-hash-only", old: obj("a", rehashed("aaaaaaa1")), now: obj("a", rehashed("aaaaaaa2"))},
	}
}

// rehashed returns a literal archive with a given hash.
func rehashed(hash string) value.Value {
	v, ok := value.Internal.LiteralArchiveOf(obj("f", value.TextAsset("x")), hash)
	if !ok {
		panic("no archive")
	}
	return v
}

func oddCases() []textCase {
	return []textCase{
		{name: "odd-keys", old: obj("a b", num(1), "", num(1), "new\nline", num(1), "\x1b[31m", num(1), "kl\xff", num(1), "ünï", num(1), `q"`, num(1), "\u202eevil", num(1), "zero\u200bwidth", num(1), "[0]", num(1), "a.b", num(1)), now: obj()},
		{name: "odd-strings", old: obj("a", str("\x1b[31mred\x1b[0m"), "b", str("line\nline"), "c", str("\xff\xfe"), "d", str("tab\tü"), "e", str("\u0085\u2028"), "f", str("\xe2"), "g", str("aaaaaaaa\xe2"), "h", str("\xa9bbbbbbbb")), now: obj("a", str("x"), "b", str("line"), "c", str("ok"), "d", str("\u202eevil"), "e", str("\U000e0001\a"), "f", str("\xe2\x82\xac"), "g", str("aaaaaaaa\xe2\x82\xac"), "h", str("ébbbbbbbb"))},
		{name: "odd-lines", old: obj("s", str("a\r\nb \n\"quoted\"\n\x1b[2Jgone\n  ~ admin: true\n\xffbad\nlast")), now: obj("s", str("a\nb\n'quoted'\n\\x1b[2Jgone\n  ~ admin: false\n\xfebad\nlast"))},
	}
}

func longCases() []textCase {
	long := strings.Repeat("0123456789", 40)
	many := make([]value.Value, 1000)
	for i := range many {
		many[i] = num(float64(i))
	}
	var few []any
	for i := range 12 {
		few = append(few, "k"+strconv.Itoa(i), num(float64(i)))
	}
	return []textCase{
		{name: "long", old: obj("s", str("a"+long), strings.Repeat("key", 100), num(1)), now: obj("s", str("b"+long), strings.Repeat("key", 100), num(2))},
		{name: "long-middle", old: obj("s", str(long+"a"+long)), now: obj("s", str(long+"ä"+long))},
		{name: "long-end", old: obj("s", str(long+long)), now: obj("s", str(long+long+"x"))},
		{name: "long-added", old: obj(), now: obj("s", str(long+"the middle"+long), "t", str(strings.Repeat("\x1b", 1000)), "u", str(strings.Repeat("ü", 200)))},
		{name: "long-escapes", old: obj("s", str(strings.Repeat("\U000e0001", 100)+"a")), now: obj("s", str(strings.Repeat("\U000e0001", 100)+"b"))},
		{name: "wide", old: obj("s", str("a"+long)), now: obj("s", str("b"+long)), opts: render.Options{Width: 1000}},
		{name: "long-saves-nothing", old: obj("s", str("client.authentication.k8s.io/v1beta1")), now: obj("s", str("client.authentication.k8s.io/v1")), opts: render.Options{Width: 32}},
		{name: "narrow-bytes", old: str("\x82\xac\x82\xac\x82\xac\x82\xac€\x82\xac\x82\xac\xe2"), now: str("\x82\xac\x82\xac\x82\xac\xe2\x82€\x82\xac\x82\xac\xe2"), opts: render.Options{Width: 1}},
		{name: "narrow", old: obj("s", str("aäöüaäöüaäöüaäöüaäöü")), now: obj("s", str("b"+long)), opts: render.Options{Width: 1}},
		{name: "many", old: obj(), now: obj("list", arr(many...))},
		{name: "few-lines", old: obj(), now: obj(few...), opts: render.Options{MaxLines: 5}},
		{name: "few-lines-nested", old: obj("a", obj(), "b", obj(), "c", num(1)), now: obj("a", obj(few...), "b", obj(few...), "c", num(2)), opts: render.Options{MaxLines: 5}},
	}
}

// numbered is a text of numbered lines, with some of them replaced.
func numbered(n int, replaced map[int]string) string {
	var b strings.Builder
	for i := range n {
		line, ok := replaced[i]
		if !ok {
			line = "line " + strconv.Itoa(i)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func lineCases() []textCase {
	s := func(x, y string) (old, now value.Value) { return obj("script", str(x)), obj("script", str(y)) }
	row := func(name, x, y string, o render.Options) textCase {
		old, now := s(x, y)
		return textCase{name: name, old: old, now: now, opts: o}
	}
	long := strings.Repeat("0123456789", 40)
	return []textCase{
		row("lines", numbered(20, nil), numbered(20, map[int]string{9: "another"}), render.Options{}),
		row("lines-far", numbered(40, nil), numbered(40, map[int]string{3: "x", 30: "y", 32: "z"}), render.Options{}),
		row("lines-context", numbered(20, nil), numbered(20, map[int]string{9: "another", 11: "one more"}), render.Options{Context: 1}),
		row("lines-no-context", numbered(20, nil), numbered(20, map[int]string{9: "another"}), render.Options{Context: -1}),
		row("lines-blank", "a\nb\nc\n", "a\n\nb\n\n\nc\n", render.Options{}),
		row("lines-end", "a\nb", "a\nb\n", render.Options{}),
		row("lines-inserted", "#!/bin/sh\nset -e\nexit 0\n", "#!/bin/sh\nset -eu\necho begin\necho end\nexit 0\n", render.Options{}),
		row("lines-swapped", "a\nb\nc\nd\n", "a\nc\nb\nd\n", render.Options{}),
		row("lines-long", "first\n"+long+"a"+long+"\nlast", "first\n"+long+"b"+long+"\nlast", render.Options{}),
		row("lines-many", numbered(5000, nil), strings.ReplaceAll(numbered(5000, nil), "line", "row"), render.Options{}),
		row("lines-beyond", numbered(5000, nil), "new\n"+numbered(5000, map[int]string{4000: "x"}), render.Options{}),
		row("lines-last", "first\nabc", "first\nzabc", render.Options{}),
		row("lines-one-sided", "one line", "one line\nand another", render.Options{}),
		row("lines-end-only", "one line\n", "one line", render.Options{}),
	}
}

// jsonDocument reads JSON as the option Documents wants it: without rounding.
func jsonDocument(text string) (format string, document value.Value, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil || d.More() {
		return "", value.Value{}, false
	}
	v, err := value.FromGo(x)
	return "json", v, err == nil
}

func documentCases() []textCase {
	row := func(name, x, y string) textCase {
		return textCase{name: name, old: obj("policy", str(x)), now: obj("policy", str(y)), opts: render.Options{Documents: jsonDocument}}
	}
	return []textCase{
		row("json", `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}`, `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["s3:GetObject","s3:PutObject"],"Resource":"*"}]}`),
		row("json-reformatted", `{"a":1,"b":[1,2]}`, "{\n  \"b\": [1, 2],\n  \"a\": 1\n}"),
		row("json-lines", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 3\n}\n"),
		row("json-on-one-side", `{"a":1}`, `{"a":1`),
		row("json-roots", `{"a":1}`, `[1]`),
		row("json-scalars", `"a"`, `"b"`),
		row("json-digits", `{"id":9007199254740993,"x":1}`, `{"id":9007199254740992,"x":2}`),
		row("json-null", `{"a":null}`, `{}`),
	}
}

func hiddenCases() []textCase {
	old := obj("a", num(1), "tags", obj("env", str("dev"), "owner", str("x"), "a.b", num(1)), "spec", obj("deep", obj("er", arr(num(1), num(2))), "x", num(1)))
	now := obj("a", num(2), "tags", obj("env", str("prod"), "owner", str("y"), "a.b", num(2)), "spec", obj("deep", obj("er", arr(num(3), num(4))), "x", num(1)), "new", obj("password", str("p"), "user", str("u")))
	row := func(name string, o render.Options) textCase {
		return textCase{name: name, old: old, now: now, opts: o}
	}
	return []textCase{
		row("hide", render.Options{HideDiffs: patterns("a", "tags")}),
		row("hide-nested", render.Options{HideDiffs: patterns(`tags["a.b"]`, "tags.env", "spec.deep.er[*]", "new.password", "nowhere")}),
		row("hide-replace", render.Options{HideDiffs: patterns("a", "spec", "new.user"), ReplaceOn: patterns("a", "spec.deep.er[1]", "new.user")}),
		row("hide-all", render.Options{HideDiffs: patterns("")}),
	}
}

func replaceCases() []textCase {
	many := make([]value.Value, 1000)
	for i := range many {
		many[i] = num(float64(i))
	}
	row := func(name string, old, now value.Value, on ...string) textCase {
		return textCase{name: name, old: old, now: now, opts: render.Options{ReplaceOn: patterns(on...)}}
	}
	return []textCase{
		row("replace", obj("a", num(1), "b", obj("c", num(1)), "d", num(1)), obj("a", num(2), "b", obj("c", num(2)), "e", obj("f", num(1))), "a", "b", "e.f"),
		row("replace-came-and-went", obj("a", num(1), "l", arr(num(1), num(2))), obj("b", arr(num(2)), "l", arr(num(1))), "a", "b", "l[*]"),
		row("replace-inside", obj("gone", obj("x", arr(obj("k", num(1)), num(2)))), obj("s", obj("k", sec(obj("x", num(1))))), "gone.x[*].k", "s.k.x"),
		row("replace-hidden", obj("s", sec(obj("k", obj("x", num(1)), "l", num(1)))), obj("s", sec(obj("k", obj("x", num(2)), "l", num(2)))), "s.k.x"),
		row("replace-not-shown", obj(), obj("l", arr(many...)), "l[900]"),
		row("replace-unknown", obj("o", obj("k", num(1)), "p", obj("k", num(1))), obj("o", value.Unknown(), "p", value.Unknown()), "o.k"),
		row("replace-text", obj("userData", str("a\nb\nc\n")), obj("userData", str("a\nx\nc\n")), "userData"),
		row("replace-kinds", obj("o", obj("k", num(1))), obj("o", arr(num(1))), "o.k"),
	}
}

func deepCases() []textCase {
	return []textCase{
		{name: "deep", old: deep(40, num(1)), now: deep(40, num(2))},
		{name: "deep-added", old: obj(), now: deep(20, num(2))},
		{name: "deep-many", old: deep(12, onEveryLevel(300, 1)), now: deep(12, onEveryLevel(300, 2))},
		{name: "deep-secret", old: deep(14, sec(obj("hidden", num(1)))), now: deep(14, sec(obj("hidden", num(2))))},
		{name: "deep-hidden", old: deep(14, num(1)), now: deep(14, num(2)), opts: render.Options{HideDiffs: patterns(strings.TrimPrefix(strings.Repeat(".a[0]", 14), "."))}},
		{name: "deep-text", old: deep(14, str("a\nb\n")), now: deep(14, str("a\nc\n"))},
		{name: "deep-json", old: deep(11, str(`{"a":{"b":{"c":{"d":1}}}}`)), now: deep(11, str(`{"a":{"b":{"c":{"d":2}}}}`)), opts: render.Options{Documents: jsonDocument}},
	}
}

func deep(levels int, v value.Value) value.Value {
	for range levels {
		v = obj("a", arr(v))
	}
	return v
}

// onEveryLevel is a value with a number on each of many levels.
func onEveryLevel(levels int, f float64) value.Value {
	v := num(f)
	for range levels {
		v = obj("k", v, "v", num(f))
	}
	return v
}
