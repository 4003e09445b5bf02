// Package getter takes the place of the package with which the bridge downloads Terraform's
// modules when it converts programs, which no provider does: it downloads nothing, and spares the
// SDKs of two clouds.
package getter

import "errors"

// Detectors is empty.
var Detectors []struct{}

// FolderStorage stores nothing.
type FolderStorage struct{ StorageDir string }

// Dir fails.
func (*FolderStorage) Dir(string) (string, bool, error) { return "", false, errors.ErrUnsupported }

// Get fails.
func (*FolderStorage) Get(string, string, bool) error { return errors.ErrUnsupported }

// Get fails.
func Get(string, string) error { return errors.ErrUnsupported }

// Detect fails.
func Detect(string, string, []struct{}) (string, error) { return "", errors.ErrUnsupported }

// SourceDirSubdir returns a source.
func SourceDirSubdir(source string) (from, below string) { return source, "" }

// SubdirGlob fails.
func SubdirGlob(string, string) (string, error) { return "", errors.ErrUnsupported }
