package resource

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/internal/shape"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Names says how a resource gets a name that the program does not give: the name that the user
// configured the engine to give (pulumi:autonaming), or else that of the resource in the
// program, a dash and random characters. A resource that has a name keeps it; its replacement
// gets another one, and so can be made before it is deleted. The random characters follow from
// the seed of the request, so that the preview and the update give the same.
type Names struct {
	// Property is the name of the argument that is the name, which is a string and optional.
	// If it is empty, there are no names.
	Property string
	Prefix   string // before every name that is made here
	Random   int    // number of random characters; 0 means 7
	// Alphabet has the random characters; empty means those of hexadecimal numbers. Other
	// characters of a name of the program are not changed.
	Alphabet string
	// Max is how many bytes a name has at most; 0 means any number. A name that is made here, or
	// that the engine proposes and may be changed, is cut before its random characters.
	Max int
}

func (n Names) random() int {
	if n.Random == 0 {
		return 7
	}
	return n.Random
}

func (n Names) alphabet() string {
	if n.Alphabet == "" {
		return "0123456789abcdef"
	}
	return n.Alphabet
}

func (n Names) valid(args *shape.Type) error {
	if n.Property == "" {
		return nil
	}
	i := slices.IndexFunc(args.Fields, func(f shape.Field) bool { return f.Name == n.Property })
	switch {
	case i < 0 || args.Fields[i].Type.Form != shape.String || !args.Fields[i].Optional:
		return fmt.Errorf("names: expected an optional string %s in the arguments", n.Property)
	case n.Random < 0 || n.random() > 32:
		return errors.New("names: expected at most 32 random characters")
	case n.Max != 0 && n.Max < len(n.Prefix)+1+n.random():
		return errors.New("names: expected a length that has room for the prefix, a dash and the random characters")
	case len(n.alphabet()) > 256 || strings.ContainsFunc(n.Alphabet, func(r rune) bool { return r > 127 }):
		return errors.New("names: expected an alphabet of ASCII characters")
	}
	return nil
}

// named returns inputs with a name, and what is wrong if none is to be given.
func (n Names) named(r *rpc.CheckRequest, inputs value.Value) (value.Value, *invalid) {
	if n.Property == "" || !inputs.Field(n.Property).IsNull() {
		return inputs, nil
	}
	if old, ok := r.Olds.Lookup(n.Property); ok && old.Kind() == value.KindString {
		return with(inputs, n.Property, old), nil
	}

	var name string
	switch a := r.Autonaming; {
	case a != nil && a.Mode == rpc.AutonamingDisable:
		return inputs, &invalid{n.Property, "expected a name, since automatic names are disabled"}
	case a != nil && a.Mode == rpc.AutonamingEnforce:
		if name = a.ProposedName; n.Max > 0 && len(name) > n.Max {
			return inputs, &invalid{n.Property, fmt.Sprintf("expected a name of at most %d bytes, found a longer one that automatic naming enforces", n.Max)}
		}
	case a != nil && a.ProposedName != "":
		if name = a.ProposedName; n.Max > 0 && len(name) > n.Max {
			name = n.join(name, n.characters(r))
		}
	default:
		name = n.join(n.Prefix+nameOf(r.URN, r.Name)+"-", n.characters(r))
	}
	return with(inputs, n.Property, value.String(name)), nil
}

func with(v value.Value, name string, x value.Value) value.Value {
	if v.IsNull() {
		v = value.Object()
	}
	made, _ := v.WithField(name, x)
	return made
}

// join returns a name that is short enough.
func (n Names) join(begin, random string) string {
	if room := n.Max - len(random); n.Max > 0 && len(begin) > room {
		begin = strings.ToValidUTF8(begin[:room], "")
	}
	return begin + random
}

// characters returns the random ones of a request.
func (n Names) characters(r *rpc.CheckRequest) string {
	sum := sha256.Sum256(slices.Concat(r.RandomSeed.Reveal(), []byte(r.URN)))
	made, from := make([]byte, n.random()), n.alphabet()
	for i := range made {
		made[i] = from[int(sum[i])%len(from)]
	}
	return string(made)
}

// clash reports whether a replacement would have the name of the resource that it replaces:
// the program gave it, or it is not known to have random characters.
func (n Names) clash(r *rpc.DiffRequest) bool {
	name, known := r.News.Field(n.Property).AsString()
	old, _ := r.Olds.Field(n.Property).AsString()
	return n.Property != "" && known && name == old && !n.isMade(name, nameOf(r.URN, r.Name))
}

// isMade reports whether a name has the form of those that are made here.
func (n Names) isMade(name, logical string) bool {
	if len(name) < n.random() {
		return false
	}
	begin, end := name[:len(name)-n.random()], name[len(name)-n.random():]
	return begin+end == n.join(n.Prefix+logical+"-", end) && strings.Trim(end, n.alphabet()) == ""
}

// nameOf returns the name in a URN, unless it is given.
func nameOf(text, name string) string {
	if name != "" {
		return name
	}
	u, _ := urn.Parse(text)
	return u.Name()
}
