package asset

import (
	"errors"
	"io"
	"path"
	"strings"

	"github.com/propalg/propalg/value"
)

// literal reads a literal archive: assets as they are, archives with their names
// before those of what is in them. A name that was there is passed over.
type literal struct {
	s     *session
	stack []literalFrame
	seen  names
	last  *item
}

// literalFrame is an archive that is being read: its members, or for one that is
// not literal, inner.
type literalFrame struct {
	prefix  string
	members value.Archive
	next    int
	inner   reader
}

func (s *session) openLiteral(a value.Archive) *literal {
	return &literal{s: s, stack: []literalFrame{{members: a}}, seen: names{}}
}

func (l *literal) verify() error {
	if n := len(l.stack); n > 0 && l.stack[n-1].inner != nil {
		return l.stack[n-1].inner.verify()
	}
	return nil
}

func (l *literal) next() (*item, error) {
	l.finish()
	for len(l.stack) > 0 {
		it, err := l.step()
		if err != nil {
			return nil, err
		}
		if it != nil {
			l.last = it
			return it, nil
		}
	}
	return nil, io.EOF
}

func (l *literal) finish() {
	if l.last != nil {
		l.last.done()
		l.last = nil
	}
}

func (l *literal) close() {
	l.finish()
	for _, f := range l.stack {
		if f.inner != nil {
			f.inner.close()
		}
	}
	l.stack = nil
}

// step goes on by one: to an item, or to none yet.
func (l *literal) step() (*item, error) {
	top := &l.stack[len(l.stack)-1]
	if top.inner != nil {
		it, err := top.inner.next()
		switch {
		case errors.Is(err, io.EOF):
			top.inner.close()
			l.stack = l.stack[:len(l.stack)-1]
			return nil, nil //nolint:nilnil // none yet
		case err != nil:
			return nil, err
		}
		it.name = path.Join(top.prefix, it.name)
		if !l.seen.add(it.name) {
			it.done()
			return nil, nil //nolint:nilnil // none yet
		}
		return it, nil
	}
	name, member, ok := top.members.EntryAt(top.next)
	if !ok {
		l.stack = l.stack[:len(l.stack)-1]
		return nil, nil //nolint:nilnil // none yet
	}
	top.next++
	if err := l.s.live(""); err != nil {
		return nil, err
	}
	if bad := badName(name); bad != "" {
		return nil, l.s.inEntry(l.s.fail(ErrName, "").want(bad), name)
	}
	if a, ok := member.AsArchive(); ok {
		return nil, l.push(a, name)
	}
	a, _ := member.AsAsset()
	return l.asset(a, name)
}

// join is the name of a member of the archive on top of the stack: as it was
// given in the outermost one, cleaned further in, as Pulumi does.
func (l *literal) join(name string) string {
	if len(l.stack) == 1 {
		return name
	}
	return path.Join(l.stack[len(l.stack)-1].prefix, name)
}

func (l *literal) push(a value.Archive, name string) error {
	if len(l.stack) >= l.s.limits.Depth {
		return l.s.inEntry(l.s.limit("archives in one another", int64(l.s.limits.Depth), ""), name)
	}
	f := literalFrame{prefix: path.Join(l.stack[len(l.stack)-1].prefix, name), members: a}
	if !l.s.wantsBelow(f.prefix) {
		return nil
	}
	if a.Source() != value.SourceLiteral {
		inner, err := l.s.openArchive(a)
		if err != nil {
			return l.within(err, name)
		}
		f.inner = inner
	}
	l.stack = append(l.stack, f)
	return nil
}

// wantsBelow says whether an entry that is looked for may be below a name.
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

func (l *literal) asset(a value.Asset, name string) (*item, error) {
	full := l.join(name)
	if path.Clean(name) == "." {
		return nil, l.s.inEntry(l.s.fail(ErrName, "").want("a name"), name)
	}
	if err := l.s.count(""); err != nil {
		return nil, err
	}
	if !l.seen.add(full) || l.s.wanted != "" && path.Clean(full) != l.s.wanted {
		return nil, nil //nolint:nilnil // none yet
	}
	it, err := l.s.assetItem(a)
	if err != nil {
		return nil, l.within(err, name)
	}
	if it.size < 0 {
		if it, err = l.s.spoolItem(it); err != nil {
			return nil, err
		}
	}
	if it.size > 0 && strings.HasSuffix(full, "/") {
		it.done()
		return nil, l.s.inEntry(l.s.fail(ErrName, "").want("a name that does not end in a slash"), name)
	}
	it.name = full
	return it, nil
}
