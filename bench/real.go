package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Each makes a side that goes through all inputs, up to the first error.
func Each[T any](name string, all []T, do func(in T) error) Side {
	return Side{Name: name, Do: func() error {
		for _, in := range all {
			if err := do(in); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Must is [ErrWrong] unless ok.
func Must(ok bool) error {
	if ok {
		return nil
	}
	return ErrWrong
}

// RealRows are the lines of a file of real data, which stands beside the repository
// (shared/data); where it is not there it says so, and there are none.
func RealRows(t testing.TB, file string) []Row {
	t.Helper()
	var f *os.File
	err := os.ErrNotExist
	for up, n := "..", 0; err != nil && n < 4; n++ { // from a package of this module, or of one in it
		f, err = os.Open(filepath.Join(up, "shared", "data", file)) //nolint:gosec // as the caller says
		up = filepath.Join(up, "..")
	}
	if err != nil {
		t.Log("generated data, since there is none that is real: ", err)
		return nil
	}
	defer func() { _ = f.Close() }()
	rows, err := ReadRows(f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// RealTexts is the JSON of the real bags of a form, or of all where that is empty;
// of generated ones where there are none.
func RealTexts(t testing.TB, form string) [][]byte {
	t.Helper()
	var all [][]byte
	for _, row := range RealRows(t, "bags.jsonl") {
		if form == "" || row.Text("form") == form {
			all = append(all, row["bag"])
		}
	}
	if all != nil {
		return all
	}
	const generated = 5000
	for _, v := range Bags(generated) {
		text, err := codec.EncodeJSON(v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// Read reads a text as a value; numbers that a float64 does not hold are rounded.
func Read(t testing.TB, text []byte) value.Value {
	t.Helper()
	v, err := codec.DecodeJSON(text, codec.Options{Numbers: codec.RoundInexact})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
