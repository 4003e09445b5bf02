//go:build !unix

package whole

import "os"

// keep gives a file the permissions of the one that it replaces.
func keep(to *os.File, old os.FileInfo) (lost []string, err error) {
	return nil, to.Chmod(old.Mode().Perm())
}

// syncFolder does nothing, where folders cannot be synced.
func syncFolder(string) error { return nil }
