package patch

import (
	"unicode/utf8"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

const opMergePatch = "write merge patch"

// MergePatch returns the JSON Merge Patch (RFC 7396) that makes the JSON of now from that
// of old: the members that change, with null for those that are removed, at any depth of
// objects. Everything else that changes is written as a whole, arrays too, which is why
// it takes values and no diff. An asset or archive of equal hash from another file or URI
// does not change.
//
// Marks are left out as by [JSONPatch], with the same errors for unknowns and secrets. A
// null that would become a member of an object is an error that wraps [codec.ErrPolicy],
// since a null in a merge patch removes the member. With [Options].NullAsMissing the
// member is removed instead. A change of or to an asset, archive, resource reference or
// byte string is an error if both sides are objects in JSON, since their members would be
// mixed. The error is an [*Error].
func MergePatch(old, now value.Value, o Options) ([]byte, error) {
	if err := o.check(opMergePatch); err != nil {
		return nil, err
	}
	m := merging{opts: o, outermostSecret: -1}
	changed, err := m.change(old, now)
	switch {
	case err != nil:
		return nil, err
	case changed:
		return m.out, nil
	case now.Kind() == value.KindObject:
		return []byte("{}"), nil
	}

	_ = m.enter(old) || m.enter(now)
	if err := m.whole(now); err != nil {
		return nil, err
	}
	return m.out, nil
}

type merging struct {
	out  []byte
	opts Options
	at   []path.Step

	outermostSecret int // how many steps lead to it, or -1
}

// change appends what makes now of old, and reports whether they differ. What is written
// of two that do not is for the caller to take back: that objects are equal is known when
// all in them has been compared.
func (m *merging) change(old, now value.Value) (changed bool, err error) {
	if m.enter(old) || m.enter(now) {
		defer func() { m.outermostSecret = -1 }()
	}
	isHidden := m.outermostSecret >= 0 && m.opts.Secrets != value.RevealSecrets
	switch {
	case value.Internal.SharesMemory(old, now):
		return false, nil
	case old.Kind() == value.KindObject && now.Kind() == value.KindObject && !isHidden:
		return m.object(old, now)
	case sameJSON(old, now):
		return false, nil
	case (old.Kind() == value.KindString && now.Kind() == value.KindString) || !isJSONObject(now) || !isJSONObject(old):
		return true, m.whole(now)
	case isHidden:
		return true, m.fail("a change in a secret", codec.ErrPolicy)
	}

	return true, m.fail("a change that mixes an object with an asset, archive, reference, byte string or unknown", codec.ErrPolicy)
}

func (m *merging) object(old, now value.Value) (changed bool, err error) {
	m.out = append(m.out, '{')
	begin := len(m.out)
	for i, j := 0, 0; i < old.Len() || j < now.Len(); {
		was, before, isOld := old.MemberAt(i)
		key, after, isNew := now.MemberAt(j)
		switch {
		case !isNew || (isOld && was < key):
			err = m.member(begin, was, func() (bool, error) { m.out = append(m.out, "null"...); return true, nil })
			i++
		case !isOld || key < was:
			err = m.member(begin, key, func() (bool, error) { return true, m.whole(after) })
			j++
		case (!utf8.ValidString(key) || key == codec.SignatureKey) && sameJSON(before, after):
			i, j = i+1, j+1
		default:
			err = m.member(begin, key, func() (bool, error) { return m.change(before, after) })
			i, j = i+1, j+1
		}
		if err != nil {
			return true, err
		}
	}

	changed = len(m.out) > begin
	m.out = append(m.out, '}')

	return changed, nil
}

// enter notes that a value at the present place is secret, and returns whether it is the
// outermost that is.
func (m *merging) enter(v value.Value) bool {
	if m.outermostSecret >= 0 || !v.IsSecret() {
		return false
	}
	m.outermostSecret = len(m.at)
	return true
}

// member appends a member to the object that begins at an offset, unless write reports that
// there is no change.
func (m *merging) member(begin int, key string, write func() (changed bool, err error)) error {
	before := len(m.out)
	m.at = append(m.at, path.Key(key))
	defer func() { m.at = m.at[:len(m.at)-1] }()

	if !utf8.ValidString(key) {
		return m.fail("", codec.ErrUTF8)
	}
	if key == codec.SignatureKey {
		return m.fail("", codec.ErrSignature)
	}
	if len(m.out) > begin {
		m.out = append(m.out, ',')
	}
	m.out = append(appendQuoted(m.out, key), ':')
	changed, err := write()
	if !changed {
		m.out = m.out[:before]
	}
	return err
}

func (m *merging) whole(v value.Value) error {
	if err := m.noNulls(v); err != nil {
		return err
	}
	var err error
	if m.out, err = appendPlain(m.out, v, &m.opts); err != nil {
		return inValue(opMergePatch, err, path.Of(m.at...), m.outermostSecret, -1)
	}

	return nil
}

// noNulls refuses nulls that are members of objects that are not in arrays.
func (m *merging) noNulls(v value.Value) error {
	if m.opts.NullAsMissing || (v.IsSecret() && m.opts.Secrets != value.RevealSecrets) {
		return nil // a secret is refused as a whole
	}
	if m.enter(v) {
		defer func() { m.outermostSecret = -1 }()
	}
	if v.IsNull() && len(m.at) > 0 {
		return m.fail("a null, which means removal (see Options.NullAsMissing)", codec.ErrPolicy)
	}
	for key, member := range v.Members() {
		m.at = append(m.at, path.Key(key))
		err := m.noNulls(member)
		m.at = m.at[:len(m.at)-1]
		if err != nil {
			return err
		}
	}

	return nil
}

func (m *merging) fail(found string, cause error) error {
	return &Error{Op: opMergePatch, At: path.Show(path.Of(m.at...), m.outermostSecret), Offset: -1, Found: found, err: cause}
}

// isJSONObject reports whether a value is an object in JSON, as a string is that is not
// UTF-8, or may be one.
func isJSONObject(v value.Value) bool {
	switch v.Kind() {
	case value.KindString:
		text, err := codec.AppendJSONValue(nil, v, codec.Options{Secrets: codec.Lower, Outputs: codec.Lower})
		return err == nil && text[0] == '{'
	case value.KindObject, value.KindAsset, value.KindArchive, value.KindResourceReference, value.KindSealed, value.KindUnknown:
		return true
	case value.KindNull, value.KindBool, value.KindNumber, value.KindArray:
	}

	return false
}

// sameJSON reports whether values differ in marks at most.
func sameJSON(v, w value.Value) bool {
	return (value.IgnoreSecrets | value.IgnoreDependencies).Equal(v, w)
}
