package bench

import (
	"io"
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

// Spread returns n of all, evenly spread, or all where there are fewer.
func Spread[T any](all []T, n int) []T {
	if n >= len(all) {
		return all
	}

	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// Must returns nil if ok is true, and [ErrWrong] otherwise. It does not panic.
func Must(ok bool) error {
	if ok {
		return nil
	}
	return ErrWrong
}

// RealRows returns the rows of a file of real data in shared/data, a folder next to the
// repository. If the file cannot be opened, it logs that and returns nil. If a row is
// malformed, the test fails. The argument open is [os.Open] or a function like it.
func RealRows[F io.ReadCloser](t testing.TB, open func(name string) (F, error), file string) []Row {
	t.Helper()
	f, err := open("../../shared/data/" + file) // from a package of this module
	if err != nil {
		f, err = open("../../../shared/data/" + file) // or of one in it
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

// RealTexts returns the JSON texts of the real bags of a form, or of all real bags if form
// is empty. If there are none, it returns the texts of 5,000 generated bags.
func RealTexts[F io.ReadCloser](t testing.TB, open func(name string) (F, error), form string) [][]byte {
	t.Helper()
	var all [][]byte
	for _, row := range RealRows(t, open, "bags.jsonl") {
		if form == "" || row.Text("form") == form {
			all = append(all, row["bag"])
		}
	}
	if all != nil {
		return all
	}

	const generated = 5000
	for _, v := range Bags(generated) {
		text, err := codec.AppendJSONValue(nil, v, codec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// Read returns the value of a JSON text. It rounds numbers that no float64 holds. If the
// text is malformed, the test fails.
func Read(t testing.TB, text []byte) value.Value {
	t.Helper()
	v, err := codec.DecodeJSONValue(text, codec.Options{RoundNumbers: true})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
