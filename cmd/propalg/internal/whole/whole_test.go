package whole_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/propalg/propalg/cmd/propalg/internal/whole"
)

// put writes a file, and keeps it or not.
func put(t *testing.T, name, text string, keep bool) {
	t.Helper()

	f, err := whole.Create(name)
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

	if _, err := whole.Create(filepath.Join(dir, "none", "f")); err == nil {
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

	f, err := whole.Create(link)
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
