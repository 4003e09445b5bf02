package fuzz_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/fuzz"
	"github.com/propalg/propalg/value"
)

// planted is set in the process in which TestPlantedBug is to fail.
const planted = "PROPALG_PLANTED_BUG"

// TestPlantedBug fails when asked to: it is a law with a bug in it, a diff that
// forgets secret elements of arrays, and secret members named b.
func TestPlantedBug(t *testing.T) {
	if os.Getenv(planted) == "" {
		t.Skip("TestShrinking runs this")
	}

	rapid.Check(t, func(t *rapid.T) {
		pair := fuzz.Pairs(fuzz.Options{}).Draw(t, "pair")

		for c := range diff.Between(pair.Old, pair.New, diff.Options{}).Changes() {
			last, _ := c.Path().Last()
			key, _ := last.AsKey()

			if c.Secret() && (!last.IsKey() || key == "b") {
				t.Logf("%d nodes:\n%s\n%s", nodes(pair.Old)+nodes(pair.New), fuzz.GoSource(pair.Old), fuzz.GoSource(pair.New))
				t.Fatalf("a planted bug")
			}
		}
	})
}

func nodes(v value.Value) int {
	n := 0
	for range v.Walk() {
		n++
	}

	return n
}

// TestShrinking: a bug that takes two small values to show is shown by two small
// values.
func TestShrinking(t *testing.T) {
	const most = 8 // nodes of both sides; 4 would do

	command := exec.Command(os.Args[0], "-test.run=^TestPlantedBug$", "-rapid.nofailfile", "-rapid.seed=7", "-rapid.checks=5000", "-rapid.shrinktime=24h")
	command.Env = append(os.Environ(), planted+"=1")

	out, err := command.CombinedOutput()
	if err == nil {
		t.Fatalf("the planted bug was not found:\n%s", out)
	}

	found := regexp.MustCompile(`(\d+) nodes:`).FindAllStringSubmatch(string(out), -1)
	if len(found) == 0 {
		t.Fatalf("no reproduction:\n%s", out)
	}

	n := 0
	if _, err := fmt.Sscan(found[len(found)-1][1], &n); err != nil || n > most {
		t.Errorf("%d nodes are left:\n%s", n, out)
	}

	if !strings.Contains(string(out), "value.Secret(") {
		t.Errorf("the reproduction does not say what to write:\n%s", out)
	}
}
