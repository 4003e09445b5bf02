package asset_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestOpenEntryOfChangedArchive: an entry ends only if its archive file is what it was.
func TestOpenEntryOfChangedArchive(t *testing.T) {
	entries, err := value.LiteralArchive(value.Field("a", value.TextAsset("some text")))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []asset.Format{asset.TAR, asset.TGZ, asset.ZIP} {
		var packed bytes.Buffer
		if err := (asset.Contents{}).Write(t.Context(), &packed, entries, format); err != nil {
			t.Fatal(err)
		}
		dir, name := t.TempDir(), "a."+format.String()
		if err := os.WriteFile(filepath.Join(dir, name), packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		c := asset.Contents{Files: asset.Dir(dir)}
		b, err := c.OpenEntry(t.Context(), value.FileArchive(name), "a")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), append(packed.Bytes(), 0), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(b); !errors.Is(err, asset.ErrChanged) {
			t.Errorf("%s: %v", format, err)
		}
		_ = b.Close()
	}
}
