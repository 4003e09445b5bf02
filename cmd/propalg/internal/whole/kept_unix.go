//go:build unix

package whole

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// keep gives a file owner and permissions of the one that it replaces, and returns what
// does not stay. Without the old group its members get what others have: they may not have
// been meant.
func keep(to *os.File, old os.FileInfo) (lost []string, err error) {
	perm := old.Mode().Perm()
	was, isKnown := old.Sys().(*syscall.Stat_t)
	if isKnown && was.Nlink > 1 {
		lost = append(lost, "other hard links to the file still have what it was")
	}

	info, err := to.Stat()
	if err != nil {
		return nil, err
	}
	if now, _ := info.Sys().(*syscall.Stat_t); isKnown && (now.Uid != was.Uid || now.Gid != was.Gid) {
		if to.Chown(int(was.Uid), int(was.Gid)) != nil {
			isGroup := to.Chown(-1, int(was.Gid)) == nil
			if !isGroup {
				perm = perm&^0o070 | perm&0o007<<3
			}
			lost = append(lost, lostOwner(was, now, isGroup))
		}
	}
	return lost, to.Chmod(perm)
}

func lostOwner(was, now *syscall.Stat_t, isGroup bool) string {
	switch {
	case isGroup:
		return fmt.Sprintf("the owner of the file is user %d now, and was %d", now.Uid, was.Uid)
	case now.Uid == was.Uid:
		return fmt.Sprintf("the group of the file is %d now, and was %d", now.Gid, was.Gid)
	}
	return fmt.Sprintf("the owner of the file is user %d of group %d now, and was %d of %d", now.Uid, now.Gid, was.Uid, was.Gid)
}

// syncFolder waits until the names in the folder of a file are on the disk, where that can
// be asked for.
func syncFolder(name string) error {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // only read
	if err := dir.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
