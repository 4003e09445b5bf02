package libfuzzer_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	libfuzzer "github.com/propalg/propalg/.clusterfuzzlite/engine"
)

// started names, in a process of its own, the target that takes the inputs of a test.
const started = "PROPALG_LIBFUZZER_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(started) == "" {
		os.Exit(m.Run())
	}

	os.Exit(inputs(map[string]func(*testing.F){"FuzzAll": FuzzAll, "FuzzInt": fuzzInt, "FuzzNone": fuzzNone, "FuzzWords": fuzzWords}))
}

// inputs is what libFuzzer's driver does, with inputs from the arguments.
func inputs(targets map[string]func(*testing.F)) int {
	t, done, err := libfuzzer.Main(os.Args, targets)

	switch {
	case err != nil:
		fmt.Println(err)

		return 1
	case done:
		return 0
	}

	for _, input := range strings.Split(os.Getenv(started), ",") {
		fmt.Printf("%q: %v\n", input, t.Run([]byte(input)))
	}

	return 0
}

func fuzzInt(f *testing.F) {
	f.Helper()
	f.Fuzz(func(*testing.T, int) {})
}

// fuzzNone is a target that skips itself, and fuzzWords skips an input: both must end as
// passed.
func fuzzNone(f *testing.F) {
	f.Helper()
	f.Skip("not today")
}

func fuzzWords(f *testing.F) {
	f.Helper()
	f.Fuzz(func(t *testing.T, text string) {
		t.Cleanup(func() { fmt.Println("cleaned up") })

		switch dir := t.TempDir(); text {
		case "panics":
			panic(dir)
		case "skips":
			t.Skip()
		case "fails":
			t.Run("inside", func(t *testing.T) { t.Fatalf("%q fails", text) })
		}
	})
}

// FuzzAll has an argument of each type.
func FuzzAll(f *testing.F) {
	f.Add([]byte("bytes\x00\xff"), "text\n", true, byte('\''), uint16(0xffff), uint32(1<<31), uint64(1<<63), "", []byte(nil))
	f.Fuzz(func(t *testing.T, a []byte, b string, c bool, d byte, e uint16, f uint32, g uint64, h string, i []byte) {
		t.Logf("%q %q %v %d %d %d %d %q %q", a, b, c, d, e, f, g, h, i)
	})
}

// command runs this program as if it had a name, in a folder.
func command(t *testing.T, folder, name, with string, args ...string) string {
	t.Helper()

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}

	c := exec.CommandContext(t.Context(), self, args...)
	c.Args[0], c.Dir, c.Env = "package_"+name, folder, os.Environ()

	if with != "" {
		c.Env = append(c.Env, started+"="+with)
	}

	out, _ := c.CombinedOutput() // what it says is compared

	return string(out)
}

func TestRun(t *testing.T) {
	out := command(t, t.TempDir(), "FuzzWords", "passes,fails,panics,skips,passes")
	for _, want := range []string{`"passes": <nil>`, `"fails": `, "\"fails\" fails\n", `"panics": `, "panic: ", `"skips": <nil>`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}

	if n := strings.Count(out, "cleaned up\n"); n != 5 {
		t.Errorf("cleaned up %d times:\n%s", n, out)
	}
}

func TestStartFails(t *testing.T) {
	for name, want := range map[string]string{
		"FuzzInt":  "argument 0 is a int: want []byte",
		"FuzzNone": "FuzzNone ended with code 0 before it called f.Fuzz",
		"FuzzNo":   `there is no target "FuzzNo" here`,
	} {
		if out := command(t, t.TempDir(), name, "x"); !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// TestConversions: the seed becomes an input of libFuzzer's, that becomes a file which
// the testing package reads as the same values; and any bytes are an input.
func TestConversions(t *testing.T) {
	dir := t.TempDir()
	raw, corpus := filepath.Join(dir, "raw"), filepath.Join(dir, "testdata", "fuzz", "FuzzAll")

	if out := command(t, dir, "FuzzAll", "x", "-import", filepath.Join(dir, "none"), raw); out != "PASS\n" {
		t.Fatal(out)
	}

	for _, input := range []string{"\x01", strings.Repeat("\xff", 15), strings.Repeat("\xff", 40), strings.Repeat("\x03", 30), "abcdefghijklmnopqrstuvwxyz"} {
		if err := os.WriteFile(filepath.Join(raw, fmt.Sprintf("%x", input)), []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	if out := command(t, dir, "FuzzAll", "x", "-export", raw, corpus); out != "PASS\n" {
		t.Fatal(out)
	}

	again := filepath.Join(dir, "again")
	if out := command(t, t.TempDir(), "FuzzAll", "x", "-import", corpus, again); out != "PASS\n" {
		t.Fatal(out)
	}

	files, err := os.ReadDir(corpus)
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}

	// Go's own reading of each file, against ours of the raw input that it was converted to.
	for _, file := range files {
		byGo := command(t, dir, "FuzzAll", "", "-test.v", "-test.run=^FuzzAll$/^"+file.Name()+"$")
		if !strings.Contains(byGo, "PASS: FuzzAll/"+file.Name()) {
			t.Errorf("%s", byGo)
		}
	}

	const seed = `"bytes\x00\xff" "text\n" true 39 65535 2147483648 9223372036854775808 "" ""` + "\n"

	all := command(t, dir, "FuzzAll", "", "-test.v", "-test.run=^FuzzAll$")
	if n := strings.Count(all, seed); n != 2 {
		t.Errorf("the seed and what it was converted to: %d of them in\n%s", n, all)
	}

	second := filepath.Join(dir, "second")
	if out := command(t, dir, "FuzzAll", "x", "-export", again, second); out != "PASS\n" {
		t.Fatal(out)
	}

	for _, file := range files {
		if _, err := os.Stat(filepath.Join(second, file.Name())); err != nil {
			t.Errorf("converted there and back: %v", err)
		}
	}
}
