package laws_test

import (
	"encoding/hex"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/propalg/propalg/internal/test/hostile"

	"github.com/propalg/propalg/internal/test/sample"

	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// digestsFile holds known digests: they must be the same on every machine, and
// in every release (law 17).
var digestsFile = filepath.Join("testdata", "digests.txt")

// digested are values of every kind and mark, and hostile ones.
func digested() []value.Value {
	const u = "urn:pulumi:s::p::t::n"

	archive := fuzz.MustLiteralArchive(value.Member{Key: "b", Value: value.TextAsset("x")}, value.Member{Key: "a", Value: value.FileArchive("dir")})

	list := []value.Value{
		value.Null(), value.Bool(false), value.Bool(true), value.Number(0), value.Number(math.Copysign(0, -1)), value.Number(math.NaN()),
		value.Number(math.Inf(1)), value.Number(1 << 53), value.Number(0.1), value.String(""), value.String("\xff"), value.String(sample.SentinelString),
		value.Array(), value.Object(), value.Array(value.Null(), value.Array()), value.Object(value.Member{Key: "", Value: value.Null()}),
		value.Object(value.Member{Key: "b", Value: value.Number(1)}, value.Member{Key: "a", Value: value.Secret(value.String("x"))}),
		value.Secret(value.Array(value.Secret(value.Null()))), value.Null().WithDependencies(u, "b", "a"), value.Unknown(), value.UnknownOf(value.KindArray),
		value.Secret(value.Unknown().WithDependencies(u)), value.TextAsset("hello"), value.FileAsset("f"), value.URIAsset("u"),
		value.TextAsset("").WithHash("00").DropContent(), archive, archive.WithHash("00"), value.FileArchive("f"), value.URIArchive("u"),
		value.ResourceReference{URN: u}.Value(), value.ResourceReference{URN: u, ID: value.KnownID("i"), PackageVersion: "1", Name: "n", Type: "t"}.Value(),
		value.ResourceReference{URN: u, ID: value.UnknownID()}.Value(), value.Sealed{Ciphertext: "c", Provider: "p"}.Value(),
		value.String(strings.Repeat("k", 1<<16)), hostile.Deep(100, value.Number(7)),
	}

	for _, s := range hostile.Strings()[:40] {
		list = append(list, value.Object(value.Member{Key: s, Value: value.String(s)}))
	}

	return list
}

func TestDigestsAreKnown(t *testing.T) {
	var b strings.Builder

	for _, v := range digested() {
		digest := v.Digest()
		b.WriteString(hex.EncodeToString(digest[:]) + " " + fuzz.GoSource(v) + "\n")
	}

	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(digestsFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	known, err := os.ReadFile(digestsFile)
	if err != nil {
		t.Fatal(err)
	}

	got, want := strings.Split(b.String(), "\n"), strings.Split(string(known), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d values, %d known digests (run with -update for new values)", len(got), len(want))
	}

	for i := range got {
		if got[i] != want[i] {
			t.Errorf("line %d is\n%s\nnot\n%s", i+1, got[i], want[i])
		}
	}
}

var _ = flag.Bool("update", false, "write the known digests anew")
