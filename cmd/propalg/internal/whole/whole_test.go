package whole_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/whole"
)

// put writes a file, and keeps it or not.
func put(t *testing.T, name, text string, keep bool) {
	t.Helper()

	f, err := whole.Create(name, 0o666)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}

	if !keep {
		f.Drop()
		return
	}

	if err := f.Keep(); err != nil {
		t.Fatal(err)
	}
}

// want checks the only file of a folder; an empty text means none.
func want(t *testing.T, dir, text string) {
	t.Helper()

	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}

	if text == "" {
		if len(all) > 0 {
			t.Errorf("there is %s", all[0].Name())
		}

		return
	}

	got, err := os.ReadFile(filepath.Join(dir, "f"))
	if err != nil || string(got) != text || len(all) != 1 {
		t.Errorf("got %q in %d files, %v, want %q", got, len(all), err, text)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")

	put(t, name, "dropped", false)
	want(t, dir, "")
	put(t, name, "first", true)
	want(t, dir, "first")
	put(t, name, "dropped", false)
	want(t, dir, "first")
	put(t, name, "second", true)
	want(t, dir, "second")

	if _, err := whole.Create(filepath.Join(dir, "none", "f"), 0o666); err == nil {
		t.Error("there is no such folder")
	}
}

// The file is not there before it is kept, and has the permissions of the one before.
func TestKeepsWhatWas(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other permissions, and links that few may make")
	}

	dir, links := t.TempDir(), t.TempDir()
	name, link := filepath.Join(dir, "f"), filepath.Join(links, "link")

	put(t, name, "first", true)

	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}

	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}

	f, err := whole.Create(link, 0o666)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := f.Write([]byte("second")); err != nil {
		t.Fatal(err)
	}

	if got, err := os.ReadFile(name); err != nil || string(got) != "first" {
		t.Errorf("before it is kept: %q, %v", got, err)
	}

	if err := f.Keep(); err != nil {
		t.Fatal(err)
	}

	want(t, dir, "second")

	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v, %v", info.Mode(), err)
	}

	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
}

// A device is written to, and stays one.
func TestDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skip("no device")
	}

	put(t, os.DevNull, "x", true)

	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Errorf("it is %v, %v", after.Mode(), err)
	}
}

// TestEdit: a file that is edited is replaced if it is what it was, and stays as it is if
// anybody has changed it.
func TestEdit(t *testing.T) {
	rename := func(name, text string) error {
		if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
			return err
		}

		return os.Rename(name+".new", name)
	}
	sameTime := func(write func(name, text string) error) func(string) error {
		return func(name string) error {
			info, err := os.Stat(name)
			if err == nil {
				err = write(name, "FIRST")
			}

			if err != nil {
				return err
			}

			return os.Chtimes(name, info.ModTime(), info.ModTime())
		}
	}
	write := func(name, text string) error { return os.WriteFile(name, []byte(text), 0o600) }

	for what, row := range map[string]struct {
		change func(name string) error
		want   string
	}{
		"nothing":                         {func(string) error { return nil }, "edited"},
		"read":                            {func(name string) error { _, err := os.ReadFile(name); return err }, "edited"},
		"written":                         {func(name string) error { return write(name, "other text") }, "other text"},
		"written, same size":              {func(name string) error { return write(name, "FIRST") }, "FIRST"},
		"written, same size and time":     {sameTime(write), "FIRST"},
		"replaced":                        {func(name string) error { return rename(name, "other") }, "other"},
		"replaced, same size and time":    {sameTime(rename), "FIRST"},
		"replaced by what it was, a copy": {func(name string) error { return rename(name, "first") }, "first"},
		"removed":                         {os.Remove, ""},
		"appended":                        {func(name string) error { return write(name, "first ") }, "first "},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "f")
		put(t, name, "first", true)

		f, err := whole.Edit(name)
		if err != nil {
			t.Fatal(err)
		}

		if err := row.change(name); err != nil {
			t.Fatal(err)
		}

		if _, err := f.Write([]byte("edited")); err != nil {
			t.Fatal(err)
		}

		if err := f.Keep(); errors.Is(err, whole.ErrChanged) != (row.want != "edited") || (err != nil && row.want == "edited") {
			t.Errorf("%s: %v", what, err)
		}

		want(t, dir, row.want)
	}
}

// TestEditsOneByOne: a file is edited by one at a time, and what is being written is not
// taken for what was left behind.
func TestEditsOneByOne(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	put(t, name, "first", true)

	f, err := whole.Edit(name)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := whole.EditAtOnce(name); !errors.Is(err, whole.ErrBusy) {
		t.Errorf("twice: %v", err)
	}

	put(t, filepath.Join(dir, "other"), "x", true) // removes what was left behind

	done := make(chan string)

	go func() {
		second, err := whole.Edit(name) // waits
		if err != nil {
			done <- err.Error()
			return
		}

		text, _ := os.ReadFile(name)
		_, _ = second.Write(append(text, " and second"...))

		done <- fmt.Sprint(second.Keep())
	}()

	if _, err := f.Write([]byte("edited")); err != nil {
		t.Fatal(err)
	}

	if err := f.Keep(); err != nil {
		t.Error(err)
	}

	if got := <-done; got != "<nil>" {
		t.Errorf("the second one: %s", got)
	}

	_ = os.Remove(filepath.Join(dir, "other"))
	want(t, dir, "edited and second")
}

// TestSpool: the file for a pipe is gone when it is closed.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)

	left := filepath.Join(dir, ".propalg-LY56SWDZMF5YM7AKA5BTGRQIUO")
	if err := os.WriteFile(left, []byte("of a killed process"), 0o600); err != nil {
		t.Fatal(err)
	}

	f, end, err := whole.Spool()
	if err != nil {
		t.Fatal(err)
	}

	if _, err := f.WriteString("text"); err != nil {
		t.Error(err)
	}

	end()
	want(t, dir, "")
}
