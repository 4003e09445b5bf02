package asset

import (
	"errors"
	"path"
	"strings"

	"github.com/propalg/propalg/value"
)

// literal reads a literal archive: assets as they are, archives with their names
// before those of what is in them. A name that was there is passed over.
type literal struct {
	s    *session
	do   visitor
	seen names
}

// members reads the members of an archive whose name is prefix, at a depth that is 1 for
// the outermost one.
func (l *literal) members(a value.Archive, prefix string, depth int) error {
	for name, member := range a.Entries() {
		if err := l.s.live(""); err != nil {
			return err
		}
		if bad := badName(name); bad != "" {
			return l.s.inEntry(l.s.fail(errName, "").want(bad), name)
		}
		full := path.Join(prefix, name)
		if inner, ok := member.AsArchive(); ok {
			if err := l.archive(inner, name, full, depth); err != nil {
				return err
			}
			continue
		}
		if depth == 1 {
			full = name // not cleaned, as Pulumi does it
		}
		a, _ := member.AsAsset()
		if err := l.asset(a, name, full); err != nil {
			return err
		}
	}

	return nil
}

// archive reads a member that is an archive.
func (l *literal) archive(a value.Archive, name, full string, depth int) error {
	if depth >= l.s.limits.Depth {
		return l.s.inEntry(l.s.limit("archives in one another", int64(l.s.limits.Depth), ""), name)
	}
	switch {
	case !l.s.wantsBelow(full):
		return nil
	case a.Source() == value.SourceLiteral:
		return l.members(a, full, depth+1)
	}

	err := l.s.eachFile(a, func(it *item) error {
		it.name = path.Join(full, it.name)
		if !l.seen.add(it.name) {
			return nil
		}
		return l.do(it)
	})
	return l.within(err, name)
}

// wantsBelow reports whether an entry that is looked for may be below a name.
func (s *session) wantsBelow(prefix string) bool {
	return s.wanted == "" || prefix == "" || prefix == "." || strings.HasPrefix(s.wanted, prefix+"/")
}

// within adds to an error which member it is about, if it names none.
func (l *literal) within(err error, name string) error {
	var e *Error
	if errors.As(err, &e) && e.Entry == "" && e.File == "" {
		return l.s.inEntry(e, name)
	}
	return err
}

// asset reads a member that is an asset. Its name in the whole archive is full.
func (l *literal) asset(a value.Asset, name, full string) error {
	if path.Clean(name) == "." {
		return l.s.inEntry(l.s.fail(errName, "").want("a name"), name)
	}
	if err := l.s.count(""); err != nil {
		return err
	}
	if !l.seen.add(full) || (l.s.wanted != "" && path.Clean(full) != l.s.wanted) {
		return nil
	}
	it, err := l.s.assetItem(a)
	if err != nil {
		return l.within(err, name)
	}
	if it.size < 0 {
		if it, err = l.s.spoolItem(it); err != nil {
			return err
		}
	}
	if it.size > 0 && strings.HasSuffix(full, "/") {
		it.close()
		return l.s.inEntry(l.s.fail(errName, "").want("a name that does not end in a slash"), name)
	}

	it.name = full
	return l.do.visit(it)
}
