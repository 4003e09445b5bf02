package state

import (
	"errors"
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/value"
)

// Decrypter decrypts secrets, for example with a passphrase or through a key
// service. It gets many ciphertexts in one call, each once, and returns as many
// plaintexts in the same order: JSON texts, as they were encrypted. An error
// fails the whole call, and so do more or fewer texts. There is no context: what
// needs one holds it, for it is made for one use. The text of an error becomes
// part of the error of this package, so it must not hold a plaintext.
type Decrypter interface {
	Decrypt(ciphertexts []string) (plaintexts []string, err error)
}

// OpenBags decrypts the secrets of many values in one call of the [Decrypter]:
// what takes the place of each [value.Sealed] is a secret of what the plaintext
// says, read with the given options, which may lower secrets. Its depth counts
// on from the place of the secret. With nothing sealed there is no call. Only
// ciphertext that comes out of ciphertext needs one more call for each such
// layer; this module and Pulumi's newer engines write none.
//
// The values stay as they are. The error is an [*Error]; no value is returned
// with it, least of all a null for what could not be decrypted.
func OpenBags(bags []value.Value, d Decrypter, o codec.Options) ([]value.Value, error) {
	if err := (&Options{Codec: o}).check(); err != nil {
		return nil, err
	}
	ask := answers{}
	for _, bag := range bags {
		ask.collect(bag)
	}
	if err := ask.ask(d, o); err != nil {
		return nil, err
	}
	opened := make([]value.Value, len(bags))
	for i, bag := range bags {
		var err error
		if opened[i], err = open(bag, ask, o); err != nil {
			e := &Error{Offset: -1, Field: "bag " + strconv.Itoa(i)}
			e.adopt(err, 0)
			e.Offset = -1
			return nil, e
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

// collect notes the ciphertexts in a value.
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

// ask decrypts what was collected, and then what came to light by that, as often
// as the limit on depth allows layers.
func (a *answers) ask(d Decrypter, o codec.Options) error {
	a.known = make(map[string]string, len(a.next))
	for layers := limit(o) / 3; len(a.next) > 0 && layers >= 0; layers-- {
		asked := a.next
		a.next = nil
		if d == nil {
			return &Error{Offset: -1, Want: "a decrypter", Found: "none", err: ErrDecrypt}
		}
		// Who keeps what was handed over, in a cache for example, does not keep the
		// documents in memory by that.
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
			a.collectText(text, o)
		}
	}
	return nil
}

// wrongNumber makes the error for too many or too few results.
func wrongNumber(cause error, want, found int) *Error {
	return &Error{Offset: -1, Want: strconv.Itoa(want) + " results", Found: strconv.Itoa(found), err: cause}
}

// collectText notes the ciphertexts in a plaintext. One that is malformed is
// found out later, when its place is known.
func (a *answers) collectText(text string, o codec.Options) {
	if !strings.Contains(text, codec.SignatureKey) && !strings.Contains(text, `\u`) {
		return
	}
	if v, err := codec.DecodeJSONText(text, codec.Options{Numbers: codec.RoundInexact, Depth: o.Depth}); err == nil {
		a.collect(v)
	}
}

// keepSealed is the policy for reading what is still to be opened.
func keepSealed(p codec.Policy) codec.Policy {
	if p == codec.Lower {
		return codec.Keep
	}
	return p
}

// open puts the plaintexts in the places of the sealed secrets in a value. The
// error is one of package codec.
func open(v value.Value, a answers, o codec.Options) (value.Value, error) {
	if !v.ContainsSecret() {
		return v, nil
	}
	op := opening{answers: a, opts: o, lower: o.Secrets == codec.Lower}
	op.opts.Internal = codec.Keep // these are members of the outermost object only
	op.rebuild.visit = op.visit
	return op.run(v)
}

// opening is a rebuild that opens sealed secrets.
type opening struct {
	rebuild
	answers answers
	opts    codec.Options
	lower   bool // take the marks off
	inner   int  // bytes of plaintexts inside plaintexts
	weight  int  // bytes of paths reported
}

// mostInner bounds the plaintexts inside plaintexts of one bag, in bytes: a
// ciphertext that stands twice in what stands twice, and so on, is worth more
// than its length.
const mostInner = 64 << 20

func (op *opening) visit(v value.Value, used int) (visited, error) {
	opened := false
	for v.Kind() == value.KindSealed {
		s, _ := v.AsSealed()
		plain, known := op.answers.known[s.Ciphertext]
		if !known { // below more layers than there may be
			return visited{}, ErrDecrypt
		}
		if used += wrapping(v) + 3; opened || op.inOpened() {
			op.inner += len(plain)
		}
		if op.inner > mostInner {
			return visited{}, ErrDecrypt
		}
		content, err := op.content(plain, used)
		if err != nil {
			return visited{}, err
		}
		v, opened = remark(content, v), true
	}
	if op.lower {
		v = v.DropSecret()
	}
	k := v.Kind()
	container := k == value.KindArray || k == value.KindObject
	return visited{v, used, container && v.DropSecret().ContainsSecret(), opened}, nil
}

// content reads a plaintext with so many messages around it.
func (op *opening) content(plain string, used int) (value.Value, error) {
	o := op.opts
	o.Secrets = keepSealed(o.Secrets)
	var report codec.Report
	if o.Report != nil {
		o.Report = &report
	}
	left := limit(op.opts) - used
	o.Depth = max(1, left)
	v, err := codec.DecodeJSONText(plain, o)
	if err == nil && left <= 0 && nests(plain) {
		o.Depth = 1 // at which one message still fits, so two do not
		_, err = codec.DecodeJSONText("[["+plain+"]]", o)
	}
	if err != nil {
		return v, op.hidden(err)
	}
	op.note(&report)
	return v, nil
}

// nests reports whether a JSON text is an array or object.
func nests(text string) bool {
	text = strings.TrimLeft(text, " \n\t\r")
	return text != "" && (text[0] == '[' || text[0] == '{')
}

// hidden makes an error about the contents of a secret one about the secret.
func (b *rebuild) hidden(err error) error {
	var e *codec.Error
	if !errors.As(err, &e) {
		return err
	}
	e.At, e.Offset, e.Found = b.hide(e.At), -1, ""
	if errors.Is(e, codec.ErrSyntax) {
		e.Want = "JSON text" // which letter of a word was missed would tell of the contents
	}
	return e
}

// mostRounded and mostWeight bound how many numbers a report gets from the
// contents of secrets, and the bytes of their paths; package codec has such
// bounds for the text itself.
const (
	mostRounded = 1 << 16
	mostWeight  = 16 << 20
)

// note adds what was rounded in the contents of a secret to the report.
func (op *opening) note(report *codec.Report) {
	to := op.opts.Report
	if to == nil {
		return
	}
	to.More += report.More
	for _, r := range report.Rounded {
		if len(to.Rounded) >= mostRounded || op.weight >= mostWeight {
			to.More++
			continue
		}
		r.At, r.Secret = op.hide(r.At), true
		op.weight += len(r.At.RevealPath().String())
		to.Rounded = append(to.Rounded, r)
	}
}
