package value_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/internal/test/race"
	"github.com/propalg/propalg/value"
)

func where() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprintf("row at line %d", line)
}

func literal(t *testing.T, entries ...value.Member) value.Value {
	t.Helper()
	a, err := value.LiteralArchive(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shown is a value and what it is shown as.
type shown struct {
	where              string
	v                  value.Value
	text, goText, json string
}

// displayMatrix has every kind, with and without marks.
func displayMatrix(t *testing.T) []shown {
	t.Helper()
	nan, inf := math.NaN(), math.Inf(1)
	ref := value.ResourceReference{URN: "urn:x", ID: value.KnownID("i\n1"), Name: "n"}
	object := value.Object(value.Member{Key: "b c", Value: value.Null()}, value.Member{Key: "a", Value: value.Bool(true)})
	secret := value.Secret(value.Object(value.Member{Key: "hidden", Value: value.String("x")}))
	return []shown{
		{where(), value.Null(), `null`, `value.Null()`, `null`},
		{where(), value.Bool(true), `true`, `value.Bool(true)`, `true`},
		{where(), value.Number(1.5), `1.5`, `value.Number(1.5)`, `1.5`},
		{where(), value.Number(1e6), `1000000`, `value.Number(1000000)`, `1000000`},
		{where(), value.Number(1 << 53), `9007199254740992`, `value.Number(9007199254740992)`, `9007199254740992`},
		{where(), value.Number(1e21), `1e+21`, `value.Number(1e+21)`, `1e+21`},
		{where(), value.Number(1e-7), `1e-07`, `value.Number(1e-07)`, `1e-07`},
		{where(), value.Number(math.Copysign(0, -1)), `-0`, `value.Number(-0)`, `-0`},
		{where(), value.Number(nan), `NaN`, `value.Number(NaN)`, `"NaN"`},
		{where(), value.Number(inf), `Infinity`, `value.Number(Infinity)`, `"Infinity"`},
		{where(), value.Number(-inf), `-Infinity`, `value.Number(-Infinity)`, `"-Infinity"`},
		{where(), value.Number(math.MaxFloat64), `1.7976931348623157e+308`, `value.Number(1.7976931348623157e+308)`, `1.7976931348623157e+308`},
		{where(), value.String(""), `""`, `value.String("")`, `""`},
		{
			where(), value.String("é\"\\\x1b\x00\xff\u202e\U000e0001\u0085\n"), `"é\"\\\x1b\x00\xff\u202e\U000e0001\u0085\n"`,
			`value.String("é\"\\\x1b\x00\xff\u202e\U000e0001\u0085\n")`, `"é\"\\\u001b\u0000�\u202e\udb40\udc01\u0085\n"`,
		},
		{where(), value.Array(), `[]`, `value.Array{}`, `[]`},
		{
			where(), value.Array(value.Number(1), value.Array(object)), `[1, [{a: true, "b c": null}]]`,
			`value.Array{value.Number(1), value.Array{value.Object{"a": value.Bool(true), "b c": value.Null()}}}`, `[1,[{"a":true,"b c":null}]]`,
		},
		{where(), value.Object(), `{}`, `value.Object{}`, `{}`},
		{where(), value.TextAsset("hello"), `asset(text:2cf24db)`, `value.Asset(text:2cf24db)`, `"asset(text:2cf24db)"`},
		{where(), value.FileAsset("/etc"), `asset(file)`, `value.Asset(file)`, `"asset(file)"`},
		{where(), value.TextAsset("").WithHash("\x1béß9").DropContent(), `asset(elided:?????9)`, `value.Asset(elided:?????9)`, `"asset(elided:?????9)"`},
		{where(), literal(t), `archive(literal)`, `value.Archive(literal)`, `"archive(literal)"`},
		{where(), value.URIArchive("u").WithHash("0123456789"), `archive(uri:0123456)`, `value.Archive(uri:0123456)`, `"archive(uri:0123456)"`},
		{where(), ref.Value(), `reference("urn:x", id: "i\n1")`, `value.ResourceReference("urn:x", id: "i\n1")`, `"reference(\"urn:x\", id: \"i\\n1\")"`},
		{
			where(), value.ResourceReference{URN: "u", ID: value.UnknownID()}.Value(), `reference("u", id: [unknown])`,
			`value.ResourceReference("u", id: [unknown])`, `"reference(\"u\", id: [unknown])"`,
		},
		{where(), value.ResourceReference{URN: "u"}.Value(), `reference("u")`, `value.ResourceReference("u")`, `"reference(\"u\")"`},
		{where(), value.Unknown(), `[unknown]`, `value.Unknown()`, `"[unknown]"`},
		{where(), value.UnknownOf(value.KindArray), `[unknown]`, `value.UnknownOf(array)`, `"[unknown]"`},
		{where(), value.Sealed{Ciphertext: "c", Provider: "p"}.Value(), `[secret]`, `value.Secret([secret])`, `"[secret]"`},
		{where(), secret, `[secret]`, `value.Secret([secret])`, `"[secret]"`},
		{where(), secret.Field("hidden"), `[secret]`, `value.Secret([secret])`, `"[secret]"`},
		{where(), value.Array(secret, value.Null()), `[[secret], null]`, `value.Array{value.Secret([secret]), value.Null()}`, `["[secret]",null]`},
		{where(), value.Secret(value.Unknown()), `[secret]`, `value.Secret([secret])`, `"[secret]"`},
		{where(), value.Number(1).WithDependencies("urn:b", "urn:a"), `1`, `value.Number(1).WithDependencies("urn:a", "urn:b")`, `1`},
		{where(), value.Array(value.Null()).WithDependencies("u"), `[null]`, `value.Array{value.Null()}.WithDependencies("u")`, `[null]`},
		{where(), value.Secret(value.Number(1)).WithDependencies("u"), `[secret]`, `value.Secret([secret])`, `"[secret]"`},
	}
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	kinds := map[value.Kind]bool{}
	for _, row := range displayMatrix(t) {
		kinds[row.v.Kind()] = true
		if got := row.v.String(); got != row.text {
			t.Errorf("%s: String\n got %s\nwant %s", row.where, got, row.text)
		}
		if got := row.v.GoString(); got != row.goText {
			t.Errorf("%s: GoString\n got %s\nwant %s", row.where, got, row.goText)
		}
		got, err := row.v.MarshalJSON()
		if err != nil || string(got) != row.json {
			t.Errorf("%s: MarshalJSON\n got %s, %v\nwant %s", row.where, got, err, row.json)
		}
	}
	for k := value.KindNull; k <= value.KindSealed; k++ {
		if !kinds[k] {
			t.Errorf("no row shows a %v", k)
		}
	}
}

func TestDisplayOfParts(t *testing.T) {
	t.Parallel()
	secret := value.Secret(value.Object(value.Member{Key: "hidden", Value: value.Number(1)}))
	handedOut := value.Member{Key: "hidden", Value: secret.Field("hidden")}
	asset, archive := assetOf(value.TextAsset("hello")), archiveOf(value.FileArchive("/p"))
	for i, row := range []struct{ got, want string }{
		{value.Member{Key: "a b", Value: value.Array()}.String(), `"a b": []`},
		{fmt.Sprint(value.Member{Key: "a", Value: secret}), `a: [secret]`},
		{fmt.Sprintf("%#v", value.Member{Key: "a", Value: secret}), `value.Member{"a": value.Secret([secret])}`},
		{fmt.Sprintf("%+v|%d", handedOut, handedOut), `[secret]|%!d(value.Member=[secret])`},
		{fmt.Sprintf("%#v", handedOut), `value.Member{[secret]}`},
		{
			fmt.Sprintf("%v|%+v|%#v|%q", asset, asset, asset, asset),
			`asset(text:2cf24db)|asset(text:2cf24db)|value.Asset(text:2cf24db)|"asset(text:2cf24db)"`,
		},
		{
			fmt.Sprintf("%v|%d|%#v|%x", archive, archive, archive, archive),
			`archive(file)|%!d(value.Archive=archive(file))|value.Archive(file)|617263686976652866696c6529`,
		},
		{fmt.Sprint(value.ID{}, value.UnknownID(), value.KnownID("a\x1b")), `[none] [unknown] "a\x1b"`},
	} {
		if row.got != row.want {
			t.Errorf("row %d:\n got %s\nwant %s", i, row.got, row.want)
		}
	}
}

func TestFormatVerbs(t *testing.T) {
	t.Parallel()
	v := value.Array(value.Number(1), value.String("é"))
	for _, row := range []struct{ verb, want string }{
		{"%v", `[1, "é"]`},
		{"%+v", `[1, "é"]`},
		{"%#v", `value.Array{value.Number(1), value.String("é")}`},
		{"%#+v", `value.Array{value.Number(1), value.String("é")}`},
		{"%s", `[1, "é"]`},
		{"%12v|", `    [1, "é"]|`},
		{"%-12s|", `[1, "é"]    |`},
		{"%.3s", `[1,`},
		{"%-6.3v|", `[1,   |`},
		{"%q", `"[1, \"é\"]"`},
		{"%+q", `"[1, \"\u00e9\"]"`},
		{"%#q", "`[1, \"é\"]`"},
		{"%x", `5b312c2022c3a9225d`},
		{"%X", `5B312C2022C3A9225D`},
		{"% x", `5b 31 2c 20 22 c3 a9 22 5d`},
		{"%#x", `0x5b312c2022c3a9225d`},
		{"%T", `value.Value`},
		{"%d", `%!d(value.Value=[1, "é"])`},
		{"%t", `%!t(value.Value=[1, "é"])`},
		{"%5.2f", `%!f(value.Value=[1, "é"])`},
		{"%é", `%!é(value.Value=[1, "é"])`},
	} {
		if got := fmt.Sprintf(row.verb, v); got != row.want {
			t.Errorf("%s: got %s, want %s", row.verb, got, row.want)
		}
	}
	for _, verb := range "cUebOoEfFgGtd" {
		format := "%" + string(verb)
		want := "%!" + string(verb) + "(value.Value=[secret])"
		if got := fmt.Sprintf(format, value.Secret(v)); got != want {
			t.Errorf("%s: got %s, want %s", format, got, want)
		}
	}
	if got := fmt.Sprint((*value.Value)(nil), &v); got != `<nil> [1, "é"]` {
		t.Errorf("pointers: %s", got)
	}
}

// bomb is a tree of 2^levels leaves in little memory.
func bomb(levels int) value.Value {
	v := value.Number(7)
	for i := range levels {
		if i%2 == 0 {
			v = value.Array(v, v)
		} else {
			v = value.Object(value.Member{Key: "a", Value: v}, value.Member{Key: "b", Value: v})
		}
	}
	return v
}

func nested(levels int, leaf value.Value) value.Value {
	for range levels {
		leaf = value.Array(leaf)
	}
	return leaf
}

func wide(n int, v value.Value) value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = v
	}
	return value.Array(elems...)
}

// hostileDisplay is what display text must stay small and well-formed for.
func hostileDisplay() map[string]value.Value {
	long := strings.Repeat("a", 100_000_000)
	key := strings.Repeat("k", 1<<20)
	deps := make([]string, 100_000)
	for i := range deps {
		deps[i] = fmt.Sprintf("urn:%d", i)
	}
	return map[string]value.Value{
		"long string":       value.String(long),
		"long runes":        value.String(strings.Repeat("日本語é", 50_000)),
		"long escapes":      value.String(strings.Repeat("\U000e0001\xff\x00", 50_000)),
		"long key":          value.Object(value.Member{Key: key, Value: value.Null()}, value.Member{Key: "z", Value: value.Null()}),
		"long bad key":      value.Object(value.Member{Key: key + "\xff", Value: value.String(long)}),
		"long last":         value.Array(value.Number(1), value.String(long), value.Number(2)),
		"keys within keys":  value.Object(value.Member{Key: key, Value: value.Object(value.Member{Key: key, Value: value.String(long)})}),
		"wide":              wide(300_000, value.Null()),
		"wide of empties":   wide(300_000, value.Array()),
		"bomb":              bomb(90),
		"deep bomb":         bomb(value.MaxDepth),
		"deep":              nested(value.MaxDepth, value.String("leaf")),
		"deep and wide":     nested(99, wide(300_000, value.Number(-1.25))),
		"reference":         value.ResourceReference{URN: long, ID: value.KnownID(long)}.Value(),
		"references":        wide(300_000, value.ResourceReference{URN: "u\x00", ID: value.KnownID("\x00")}.Value()),
		"many dependencies": nested(80, wide(20_000, value.Null()).WithDependencies(deps...)).WithDependencies(deps...),
		"a long dependency": value.Number(1).WithDependencies(long),
	}
}

func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func TestDisplayIsBounded(t *testing.T) {
	t.Parallel()
	for name, v := range hostileDisplay() {
		for form, text := range map[string]string{
			"String":   v.String(),
			"GoString": v.GoString(),
			"LogValue": v.LogValue().String(),
			"Member":   value.Member{Key: "\n", Value: v}.String(),
		} {
			if len(text) > 64<<10 {
				t.Errorf("%s: %s has %d bytes", name, form, len(text))
			}
			if !printable(text) {
				t.Errorf("%s: %s is not printable UTF-8", name, form)
			}
			if name == "a long dependency" && form != "GoString" {
				continue // not shown at all
			}
			if !strings.Contains(text, "… ") || !strings.Contains(text, " more") {
				t.Errorf("%s: %s does not say what it left out: %s", name, form, text[max(0, len(text)-200):])
			}
		}
		if race.Enabled && name != "deep" && name != "long key" {
			continue // slow there
		}
		text, err := v.MarshalJSON()
		if err != nil || len(text) > 4<<20 || !json.Valid(text) {
			t.Errorf("%s: MarshalJSON: %v, %d bytes, valid %v", name, err, len(text), json.Valid(text))
		}
	}
}

// leftOut is the part of a text that says what was left out.
func leftOut(text string) string {
	_, count, _ := strings.Cut(text, "… ")
	return "… " + count
}

func TestElision(t *testing.T) {
	t.Parallel()
	long := value.String(strings.Repeat("é", 1<<20)).String()
	if want := `" … `; !strings.Contains(long[:len(long)/2*2], want) || !strings.HasSuffix(long, " more bytes") {
		t.Errorf("a long string ends in %s", long[len(long)-40:])
	}
	var shownRunes, left int
	shownRunes = strings.Count(long, "é")
	if _, err := fmt.Sscanf(leftOut(long), "… %d more bytes", &left); err != nil || 2*shownRunes+left != 2<<20 {
		t.Errorf("%d runes shown, %d bytes left out, %v", shownRunes, left, err)
	}
	if shownRunes < 20_000 {
		t.Errorf("only %d runes shown", shownRunes)
	}

	const elems = 1_000_000
	text := wide(elems, value.Null()).String()
	if _, err := fmt.Sscanf(leftOut(text), "… %d more]", &left); err != nil || strings.Count(text, "null")+left != elems {
		t.Errorf("%d elements shown, %d left out, %v", strings.Count(text, "null"), left, err)
	}

	for _, row := range []struct {
		where    string
		v        value.Value
		contains string
	}{
		{where(), nested(100, value.Null()), "[[null]]"},
		{where(), nested(101, value.Null()), "[[… 1 more]]"},
		{where(), nested(100, value.Array()), "[[]]"},
		{where(), nested(100, wide(12, value.Null())), "[[… 12 more]]"},
		{where(), nested(100, value.Object(value.Member{Key: "a"}, value.Member{Key: "b"})), "[{… 2 more}]"},
		{where(), nested(101, value.Secret(value.Null())), "[[… 1 more]]"},
	} {
		if got := row.v.String(); !strings.Contains(got, row.contains) {
			t.Errorf("%s: %s has no %s", row.where, got, row.contains)
		}
	}

	if text := wide(2000, value.Array(value.Object())).String(); strings.Contains(text, "…") || len(text) < 2000*len("[{}], ")-2 {
		t.Errorf("containers side by side count as nested: %s", text[len(text)-100:])
	}

	for _, row := range []struct {
		where    string
		v        value.Value
		contains string
	}{
		{where(), nested(1000, value.Null()), "[[null]]"},
		{where(), value.String("\U000e0001\x1b\x00"), `"\udb40\udc01\u001b\u0000"`},
		{where(), nested(1001, value.Null()), `[["… 1 more"]]`},
		{where(), nested(1000, value.Object(value.Member{Key: "a"}, value.Member{Key: "b"})), `[{"…":"2 more"}]`},
		{where(), value.String(strings.Repeat("a", 5<<20)), ` more bytes"`},
		{where(), value.Object(value.Member{Key: strings.Repeat("k", 5<<20)}), `{"…":"1 more"}`},
		{where(), value.Object(value.Member{Key: strings.Repeat("\xff", 2<<20)}, value.Member{Key: "a"}), `{"a":null,"…":"1 more"}`},
	} {
		got, err := json.Marshal(row.v)
		if err != nil {
			t.Errorf("%s: %v", row.where, err)
		}
		if !strings.Contains(string(got), row.contains) {
			t.Errorf("%s: no %s at the end of …%s", row.where, row.contains, got[max(0, len(got)-100):])
		}
	}
}

func TestMarshalJSONHasNoDoubles(t *testing.T) {
	t.Parallel()
	keys := []string{
		"", "\xff", "\xfe", "\ufffd", `"\xff"`, `"`, `""`, "…", `"…"`, "… 3", `\xff`, "\x00", `\u0000`, "A", "a",
		"[secret]", "\ud7ff", "\xed\xa0\x80", `"\xed\xa0\x80"`, "\u2028", "<", `\u003c`,
	}
	members := make([]value.Member, len(keys))
	for i, k := range keys {
		members[i] = value.Member{Key: k, Value: value.Number(float64(i))}
	}
	text, err := json.Marshal(value.Object(members...))
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]float64
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != len(keys) {
		t.Errorf("%d keys out of %d: %s", len(back), len(keys), text)
	}
	for i, k := range keys {
		if utf8.ValidString(k) && !strings.HasPrefix(k, `"`) && !strings.HasPrefix(k, "…") && back[k] != float64(i) {
			t.Errorf("key %q reads as %v", k, back[k])
		}
	}
}

func TestMarshalJSONCountsUnderAKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	long := value.String(strings.Repeat("a", 5<<20))
	text, err := json.Marshal(value.Object(
		value.Member{Key: "…", Value: value.Null()},
		value.Member{Key: "日", Value: long},
		value.Member{Key: "月", Value: long},
	))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), `{"\"…\"":null,"日":"aaa`) || !strings.HasSuffix(string(text), ` more bytes","…":"1 more"}`) {
		t.Errorf("%s … %s", text[:30], text[len(text)-60:])
	}
}
