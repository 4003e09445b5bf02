//go:build unix

package asset_test

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/propalg/propalg/value"
	"github.com/propalg/propalg/value/asset"
)

// TestPipe tests that a pipe without a writer does not block.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p", "d/p", "p.tar"} {
		writeFile(t, filepath.Join(dir, filepath.Dir(name), "a"), nil)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	c := asset.Contents{Files: asset.Dir(dir)}
	for _, v := range []value.Value{value.FileAsset("p"), value.FileArchive("d"), value.FileArchive("p.tar")} {
		if _, err := c.Hash(context.Background(), v); !errors.Is(err, asset.ErrKind) {
			t.Errorf("%v: %v", v, err)
		}
	}
}
