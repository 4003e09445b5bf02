package state

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Decrypter decrypts secrets, for example with a passphrase or through a key service. It
// gets many ciphertexts in one call, each once, and returns as many plaintexts in the
// same order: JSON texts, as they were encrypted. The text of its error becomes part of
// the error of this package, so it must not contain a plaintext. A Decrypter that needs a
// context has to hold it, and is then made for a single use.
type Decrypter interface {
	Decrypt(ciphertexts []string) (plaintexts []string, err error)
}

// DecryptBags decrypts the secrets of many values in one call of the [Decrypter], and
// returns the values with a secret in place of each [value.Sealed]. If nothing is sealed, it
// does not call the Decrypter. Then it applies the policies of the options, which may lower
// secrets, to each value as a whole.
//
// The limit on depth counts a plaintext as nested in its place. Nothing inside a plaintext
// is encrypted: engines write a secret there in clear, even in a member `ciphertext`.
//
// The error is an [*Error], and no values are returned with it. A secret that cannot be
// decrypted is an error and never becomes null.
func DecryptBags(bags []value.Value, d Decrypter, o codec.Options) ([]value.Value, error) {
	if err := (&Options{Codec: o}).check(); err != nil {
		return nil, err
	}
	ask := answers{}
	for _, bag := range bags {
		ask.collect(bag)
	}
	if err := ask.ask(d); err != nil {
		return nil, err
	}
	opened := make([]value.Value, len(bags))
	for i, bag := range bags {
		var err error
		if opened[i], err = open(bag, ask, o); err != nil {
			return nil, inBag(err, i)
		}
	}

	return opened, nil
}

// answers are plaintexts by ciphertext, and what is still to be asked.
type answers struct {
	known map[string]string
	next  []string // without doubles
	seen  map[string]bool

	occurrences int // of ciphertexts, doubles included
}

func (a *answers) collect(v value.Value) {
	if !v.ContainsSecret() {
		return
	}

	for c := range v.Walk() {
		s, ok := c.Value().AsSealed()
		if !ok {
			continue
		}
		if a.occurrences++; a.seen[s.Ciphertext] {
			continue
		}
		if a.seen == nil {
			a.seen = map[string]bool{}
		}
		a.seen[s.Ciphertext] = true
		a.next = append(a.next, s.Ciphertext)
	}
}

func (a *answers) ask(d Decrypter) error {
	asked := a.next
	a.next, a.seen = nil, nil
	a.known = make(map[string]string, len(asked))

	switch {
	case len(asked) == 0:
		return nil
	case d == nil:
		return &Error{Offset: -1, Want: "a decrypter", Found: "none", err: ErrDecrypt}
	}

	// A Decrypter that keeps ciphertexts, in a cache for example, must not keep the
	// documents in memory.
	handed := make([]string, len(asked))
	for i, text := range asked {
		handed[i] = strings.Clone(text)
	}
	plain, err := d.Decrypt(handed)
	if err != nil {
		return &Error{Offset: -1, err: &outside{ErrDecrypt, err}}
	}
	if len(plain) != len(asked) {
		return wrongNumber(ErrDecrypt, len(asked), len(plain))
	}
	for i, text := range plain {
		a.known[asked[i]] = text
	}
	return nil
}

func wrongNumber(cause error, want, found int) *Error {
	return &Error{Offset: -1, Want: strconv.Itoa(want) + " results", Found: strconv.Itoa(found), err: cause}
}

// keepSealed is the policy for reading what is still to be opened.
func keepSealed(p codec.Policy) codec.Policy {
	if p == codec.Lower {
		return codec.Keep
	}
	return p
}

// open puts the plaintexts in the places of the sealed secrets in a value, and then
// applies the policies to all of it. The error is one of package codec.
func open(v value.Value, a answers, o codec.Options) (value.Value, error) {
	if v.ContainsSecret() {
		if v.IsSecret() {
			v = value.Secret(v)
		}
		op := opener{answers: a, opts: o}
		opened, err := value.Transformer{Before: op.open}.Apply(v)
		if err != nil {
			return value.Value{}, errors.Unwrap(err) // which has the place too
		}

		v = opened
	}
	return codec.ApplyPolicies(v, o)
}

type opener struct {
	*value.Cursor // where it is

	answers answers
	opts    codec.Options
	used    []int // messages around what is in each of the containers around it
	weight  int   // bytes of paths reported
}

func (op *opener) open(c *value.Cursor) (value.Value, error) {
	op.Cursor = c
	v, used := c.Value(), 0
	if c.Depth() > 0 {
		used = op.used[c.Depth()-1]
	}
	used += wrapping(v)
	if s, ok := v.AsSealed(); ok {
		c.SkipBelow()
		return op.content(op.answers.known[s.Ciphertext], used)
	}
	if !v.DropSecret().ContainsSecret() {
		c.SkipBelow()
	}

	op.used = append(op.used[:c.Depth()], used+jsonscan.Cost(v.Kind() == value.KindObject))
	return v, nil
}

// wrapping counts the messages of what is written around a value for its marks.
func wrapping(v value.Value) int {
	if v.HasDependencies() || (v.OwnSecret() && v.Kind() != value.KindSealed) {
		return 3
	}
	return 0
}

// hide returns the place of something below the secret that is being opened.
func (op *opener) hide(below path.Shown) path.Shown {
	return path.Show(op.Path().Join(below.RevealPath()), op.Shown().Path().Len())
}

// content reads a plaintext in its place, with so many messages around it.
func (op *opener) content(plain string, used int) (value.Value, error) {
	text, err := codec.AppendJSONValue([]byte(clearSecret), value.String(plain), codec.Options{Form: codec.FormState, ByteStrings: codec.Reject})
	if err != nil {
		return value.Value{}, op.hidden(err)
	}

	// The policies are for the whole, which is not there yet; the rest is as in jsonSettings
	// of package codec.
	o := codec.Options{
		ByteStrings: op.opts.ByteStrings, RoundNumbers: op.opts.RoundNumbers, Provider: op.opts.Provider, Form: codec.FormState,
		Depth: max(1, limit(op.opts)-used), // with 1 the secret does not fit
	}
	var report codec.Report
	if op.opts.Report != nil {
		o.Report = &report
	}
	v, err := codec.DecodeJSONValue(append(text, '}'), o)
	if err != nil {
		return v, op.hidden(err)
	}
	op.note(&report)
	return v, nil
}

// hidden makes an error about the contents of a secret one about the secret.
func (op *opener) hidden(err error) error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return err
	}
	e.At, e.Offset, e.Found = op.hide(e.At), -1, ""
	return e
}

// mostRounded bounds how many numbers a report gets from the contents of secrets,
// and [path.MaxListed] the bytes of their paths; package codec has the same bounds for
// the text itself.
const mostRounded = 1 << 16

// note adds what was rounded in the contents of a secret to the report.
func (op *opener) note(report *codec.Report) {
	to := op.opts.Report
	if to == nil {
		return
	}
	to.More += report.More
	for _, r := range report.Rounded {
		if len(to.Rounded) >= mostRounded || op.weight >= path.MaxListed {
			to.More++
			continue
		}

		r.At, r.Secret = op.hide(r.At), true
		op.weight += r.At.RevealPath().Size()
		to.Rounded = append(to.Rounded, r)
	}
}

// Decrypt decrypts the secrets of all resources in one call of the [Decrypter], and
// returns the file with secrets in their places; see [DecryptBags]. The file itself does
// not change. Each ciphertext is decrypted once, however often it occurs; without any,
// the Decrypter is not called. It also decrypts pending operations, but not the members
// that [File.Fields] and [Resource.Extra] hold as text.
//
// It reads all resources, and those with sealed secrets twice, so that an error in any
// of them is returned here.
func (f *File) Decrypt(d Decrypter) (*File, error) {
	f = f.self()
	if f.answers.Open() != nil {
		return f, nil
	}

	sealed := *f
	sealed.opts.Secrets = keepSealed(f.opts.Secrets)
	var ask answers
	var check []int
	for i := range f.resources {
		r, err := sealed.resource(i, new(jsonscan.Skipper))
		if err != nil {
			return nil, err
		}
		before := ask.occurrences
		ask.gather(&r)
		if ask.occurrences > before {
			check = append(check, i)
		}
	}
	if err := sealed.pending(ask.gather); err != nil {
		return nil, err
	}
	if err := ask.ask(d); err != nil {
		return nil, err
	}

	opened := *f
	opened.answers = veil.Hide(&ask)
	for _, i := range check {
		if _, err := opened.resource(i, new(jsonscan.Skipper)); err != nil {
			return nil, err
		}
	}
	if err := opened.pending(func(*Resource) {}); err != nil {
		return nil, err
	}
	return &opened, nil
}

// gather notes the ciphertexts in a resource.
func (a *answers) gather(r *Resource) {
	for _, p := range r.properties() {
		a.collect(*p.value)
	}
}

// pending calls visit for the resources of pending operations.
func (f *File) pending(visit func(*Resource)) error {
	for op, err := range f.PendingOperations() {
		if err != nil {
			return err
		}
		visit(&op.Resource)
	}
	return nil
}

// openBatch decrypts the secrets of resources in one call.
func openBatch(batch []Resource, d Decrypter, o codec.Options) ([]Resource, error) {
	var ask answers
	for i := range batch {
		ask.gather(&batch[i])
	}
	if err := ask.ask(d); err != nil {
		return nil, err
	}
	opened := slices.Clone(batch)
	for i := range opened {
		for _, p := range opened[i].properties() {
			var err error
			own := optionsOf(p.name, o)
			own.Report = copied(p.report)
			if *p.value, err = open(*p.value, ask, own); err != nil {
				e := &Error{Offset: opened[i].Offset, Resources: opened[i].Number, Field: p.name}
				e.adopt(err, opened[i].Offset)
				return nil, e
			}
		}
	}

	return opened, nil
}

// copied makes a report independent of the one that it was copied from.
func copied(r *codec.Report) *codec.Report {
	r.Rounded = slices.Clone(r.Rounded)
	return r
}
