package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/value"
)

// Drift is how the outputs of a resource differ from its inputs.
type Drift struct {
	// Old has what was compared of the inputs, New what the outputs have there.
	PartDiff
	// Missing is the number of inputs that the outputs do not have.
	Missing int
	// Unknown is the number of values that could not be compared: unknown ones, encrypted
	// secrets, and assets that come back as something else.
	Unknown int
}

// Drift compares the inputs of a resource with its outputs: what the program set with what the
// provider returned when the resource was last created, updated, read or refreshed. They differ
// if somebody changed the resource before a refresh, or if the provider wrote a value in another
// way; a state does not say which. Only what the inputs set is compared:
//
//   - An output without an input is no difference, nor is a member of an object that the input
//     does not have, since it may be a default.
//   - Inputs that the outputs do not have are counted in Missing, since providers do not return
//     all of them. Below an input that the outputs have, a missing value is a difference.
//   - Null is missing, and inputs whose names begin with two underscores are not compared.
//   - The order of an array whose elements are equal does not count, nor do marks, nor whether a
//     number is a string, nor how a JSON document in a string is written.
//
// Secrets in either are secret in the result. The options say how arrays are matched that differ.
// A resource that is no custom one is not compared: its outputs are what its program registered.
func (r *Resource) Drift(o diff.Options) Drift {
	var d Drift
	o.Relation = drifting
	d.Old, d.New = value.Object(), value.Object()
	if r.Custom && r.Inputs.Kind() == value.KindObject && r.Outputs.Kind() == value.KindObject {
		outputs := r.SecretOutputs()
		d.Old, d.New = d.bags(r.Inputs, outputs)
		if r.Inputs.IsSecret() || outputs.IsSecret() { // then names are secret too
			d.Old, d.New = value.Secret(d.Old), value.Secret(d.New)
		}
	}
	d.Diff = diff.Between(d.Old, d.New, o)
	return d
}

// drifting is how inputs and outputs are compared.
const drifting = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies

// bags returns the parts of inputs and outputs that are compared.
func (d *Drift) bags(inputs, outputs value.Value) (old, now value.Value) {
	var olds, news []value.Member
	for key, in := range inputs.Members() {
		out, has := outputs.Lookup(key)
		switch {
		case in.IsNull() || strings.HasPrefix(key, "__"):
		case !has || out.IsNull():
			d.Missing++
		default:
			if in, out, isKnown := d.values(in, out); isKnown {
				olds, news = append(olds, value.Member{Key: key, Value: in}), append(news, value.Member{Key: key, Value: out})
			}
		}
	}
	return value.Object(olds...), value.Object(news...)
}

// values returns an input and an output as they are compared, with the marks of both, unless one
// of them is not known.
func (d *Drift) values(in, out value.Value) (old, now value.Value, isKnown bool) {
	old, now = in, out
	switch kind := in.Kind(); {
	case isOpaque(in) || isOpaque(out) || isFile(in) != isFile(out):
		d.Unknown++
		return old, now, false
	case kind == value.KindObject && out.Kind() == kind:
		old, now = d.objects(in, out)
	case kind == value.KindArray && out.Kind() == kind:
		old, now, isKnown = d.arrays(in, out)
		if !isKnown {
			return old, now, false
		}
	}
	if isSameText(old, now) {
		now = old
	}
	if in.IsSecret() || out.IsSecret() {
		old, now = value.Secret(old), value.Secret(now)
	}
	return old, now, true
}

func isOpaque(v value.Value) bool {
	return v.Kind() == value.KindUnknown || v.Kind() == value.KindSealed
}

// isFile reports whether a value is an asset or an archive, of which providers return a path or
// nothing.
func isFile(v value.Value) bool { return v.Kind() == value.KindAsset || v.Kind() == value.KindArchive }

func (d *Drift) objects(in, out value.Value) (old, now value.Value) {
	var olds, news []value.Member
	for key, member := range in.Members() {
		other, has := out.Lookup(key)
		switch {
		case member.IsNull() || strings.HasPrefix(key, "__"):
		case !has && isOpaque(member):
			d.Unknown++
		case !has:
			olds = append(olds, value.Member{Key: key, Value: member})
		default:
			if a, b, isKnown := d.values(member, other); isKnown {
				olds, news = append(olds, value.Member{Key: key, Value: a}), append(news, value.Member{Key: key, Value: b})
			}
		}
	}
	return value.Object(olds...), value.Object(news...)
}

// arrays compares elements by index, as far as both have them. Of an array with an element that
// is not known nothing is, since it may be any of the other.
func (d *Drift) arrays(in, out value.Value) (old, now value.Value, isKnown bool) {
	olds, news := elems(in), elems(out)
	if slices.ContainsFunc(olds, isOpaque) || slices.ContainsFunc(news, isOpaque) {
		d.Unknown++
		return in, out, false
	}
	for i := range min(len(olds), len(news)) {
		var isKnown bool
		if olds[i], news[i], isKnown = d.values(olds[i], news[i]); !isKnown {
			return in, out, false
		}
	}

	inOrder := func(list []value.Value) []value.Value {
		return slices.SortedStableFunc(slices.Values(list), drifting.Compare)
	}
	if slices.EqualFunc(inOrder(olds), inOrder(news), drifting.Equal) {
		news = olds
	}
	return value.Array(olds...), value.Array(news...), true
}

func elems(array value.Value) (all []value.Value) {
	for _, v := range array.Elems() {
		all = append(all, v)
	}
	return all
}

// isSameText reports whether one is the text of the other, or both are texts of one JSON document.
func isSameText(a, b value.Value) bool {
	x, isText := a.AsString()
	y, isTextToo := b.AsString()
	switch {
	case isText && isTextToo:
		v, isDocument := documentOf(x)
		w, isDocumentToo := documentOf(y)
		return isDocument && isDocumentToo && value.Engine.Equal(v, w)
	case isText:
		y = scalarText(b)
		return y != "" && x == y
	case isTextToo:
		x = scalarText(a)
		return x != "" && x == y
	}
	return false
}

// documentOf decodes a text that is a JSON object or array.
func documentOf(text string) (v value.Value, isDocument bool) {
	if start := strings.TrimLeft(text, " \t\r\n"); start == "" || (start[0] != '{' && start[0] != '[') {
		return v, false
	}
	v, err := codec.DecodeJSONValue(text, codec.Options{})
	return v, err == nil
}

// scalarText returns the text of a number or a bool, empty for other values.
func scalarText(v value.Value) string {
	if on, isBool := v.AsBool(); isBool {
		return strconv.FormatBool(on)
	}
	if v.Kind() == value.KindNumber {
		return v.DropSecret().DropDependencies().String()
	}
	return ""
}
