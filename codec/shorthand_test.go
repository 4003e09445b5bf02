package codec_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

const (
	urnA = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::a"
	urnB = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::b"
	hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

	sigKey       = "4dabf18193072939515e22adb298388d"
	asSecret     = `"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270"`
	asAsset      = `"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17"`
	asArchive    = `"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7"`
	asReference  = `"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e"`
	asOutput     = `"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4"`
	asByteString = `"4dabf18193072939515e22adb298388d":"803fd3297a5875dc03ca845dda5d2a98"`
	anyString    = `04da6b54-80e4-46f7-96ec-b56ff0331ba9` // the unknown string
	anyBool      = `1c4a061d-8072-4f0a-a4cb-0ff528b18fe7`
)

// here names the line of a row.
func here() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprintf("line %d", line)
}

func member(key string, v value.Value) value.Member { return value.Member{Key: key, Value: v} }

func object(ms ...value.Member) value.Value { return value.Object(ms...) }

func str(s string) value.Value { return value.String(s) }

func num(f float64) value.Value { return value.Number(f) }

func literal(t testing.TB, entries ...value.Member) value.Value {
	t.Helper()
	a, err := value.LiteralArchive(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func decode(t testing.TB, text string, o codec.Options) value.Value {
	t.Helper()
	v, err := codec.DecodeJSONValue([]byte(text), o)
	if err != nil {
		t.Fatalf("DecodeJSON(%.200s): %v", text, err)
	}
	return v
}

func encode(t testing.TB, v value.Value, o codec.Options) string {
	t.Helper()
	text, err := codec.AppendJSONValue(nil, v, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// failure is the error as its own type; it has to be one line, and of that type.
func failure(t testing.TB, err error) *codec.Error {
	t.Helper()
	var e *codec.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *codec.Error", err)
	}
	if text := err.Error(); strings.ContainsAny(text, "\r\n") || len(text) > 500 {
		t.Errorf("error is not one short line: %.600q", text)
	}
	return e
}

// row is one of the real property bags.
type row struct {
	Form   string
	Bag    json.RawMessage
	Source string
}

// bags reads the real property bags, or skips.
func bags(t testing.TB) []row {
	t.Helper()
	f, err := os.Open("../../shared/data/bags.jsonl")
	if err != nil {
		t.Skip("no real property bags here: ", err)
	}
	defer func() { _ = f.Close() }()
	var rows []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// unwritable says, slowly, whether a value holds anything for which writing in
// FormSealed fails, depth aside.
func unwritable(v value.Value, o codec.Options) bool {
	bad := false
	for urn := range v.Dependencies() {
		bad = bad || !fit(urn)
	}
	switch v.Kind() {
	case value.KindNumber:
		f, _ := v.AsNumber()
		bad = bad || math.IsNaN(f) || math.IsInf(f, 0)
	case value.KindString:
		s, _ := v.AsString()
		bad = bad || (o.ByteStrings != codec.Keep && !fit(s))
	case value.KindArray:
		for _, e := range v.Elems() {
			bad = bad || unwritable(e, o)
		}
	case value.KindObject:
		for k, e := range v.Members() {
			bad = bad || k == sigKey || !utf8.ValidString(k) || unwritable(e, o)
		}
	case value.KindAsset:
		a, _ := v.AsAsset()
		text, _ := a.Text()
		path, _ := a.Path()
		uri, _ := a.URI()
		bad = bad || !fit(text) || !fit(path) || !fit(uri)
	case value.KindArchive:
		a, _ := v.AsArchive()
		path, _ := a.Path()
		uri, _ := a.URI()
		bad = bad || !fit(path) || !fit(uri)
		for k, e := range a.Entries() {
			bad = bad || k == sigKey || !utf8.ValidString(k) || unwritable(e, o)
		}
	case value.KindResourceReference:
		r, _ := v.AsResourceReference()
		id, _ := r.ID.Known()
		bad = bad || !fit(r.URN) || !fit(id) || !fit(r.Name) || !fit(r.Type)
	case value.KindSealed:
		s, _ := v.AsSealed()
		bad = bad || !fit(s.Ciphertext)
	case value.KindNull, value.KindBool, value.KindUnknown:
	}
	return bad
}

// fit says whether a text can stand where no byte string can.
func fit(s string) bool {
	switch s {
	case anyString, anyBool:
		return false
	}
	return utf8.ValidString(s)
}
