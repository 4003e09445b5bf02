package patch

import (
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/path"
)

const opFieldMask = "write field mask"

// MaskOptions are the options of [FieldMask].
type MaskOptions struct {
	// Maps are the places of objects that are maps in the API, such as labels. A field mask
	// cannot name a key of a map, so the map itself is listed if anything in it changes.
	Maps *path.Set
	// SnakeCase writes names in snake case, as .proto files do: cidr_block for cidrBlock. By
	// default names are as in the diff, which is also how protobuf spells them in JSON.
	SnakeCase bool
}

// FieldMask returns the paths of a google.protobuf.FieldMask that covers every change of d,
// except for changes of marks alone. The paths are sorted, and none is below another.
//
// A path ends at the first array or map, or at the outermost secret, whose keys are secret
// too. The path of the root is "*". If a key cannot be the name of a field, the error is an
// [*Error] that wraps [codec.ErrPolicy]; its object may be a map that is missing from Maps.
func FieldMask(d diff.Diff, o MaskOptions) ([]string, error) {
	var all []string

	for c := range d.Changes() {
		if !c.ValueChanged() && !c.OrderChanged() && c.Op() != diff.OpMove {
			continue // marks alone
		}

		text, err := maskPath(c, &o)
		if err != nil {
			return nil, err
		}

		all = append(all, text)
	}

	slices.Sort(all)

	kept := all[:0]
	for _, text := range all {
		if n := len(kept); n == 0 || text != kept[n-1] && !strings.HasPrefix(text, kept[n-1]+".") {
			kept = append(kept, text)
		}
	}

	return kept, nil
}

func maskPath(c diff.Change, o *MaskOptions) (string, error) {
	var (
		b strings.Builder
		n int
	)

	place := c.Shown().Path()
	for step := range place.Steps() {
		key, isKey := step.Key()
		if !isKey || o.Maps.Covers(place.Prefix(n)) {
			break
		}

		n++

		if !isFieldName(key) {
			return "", &Error{Op: opFieldMask, At: path.Show(place.Prefix(n), -1), Offset: -1, Want: "the name of a field", err: codec.ErrPolicy}
		}

		if n > 1 {
			b.WriteByte('.')
		}

		if o.SnakeCase {
			key = snakeCase(key)
		}

		b.WriteString(key)
	}

	if n == 0 {
		return "*", nil
	}

	return b.String(), nil
}

// isFieldName reports whether protobuf has such names in JSON: letters and digits, a
// small letter first.
func isFieldName(key string) bool {
	for i := range len(key) {
		c := key[i]
		if isLetter := c >= 'a' && c <= 'z'; !isLetter && (i == 0 || (c < 'A' || c > 'Z') && (c < '0' || c > '9')) {
			return false
		}
	}

	return key != ""
}

// snakeCase returns lowerCamel as lower_camel.
func snakeCase(name string) string {
	var b strings.Builder

	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			b.WriteByte(c + 'a' - 'A')
		} else {
			b.WriteByte(c)
		}
	}

	return b.String()
}
