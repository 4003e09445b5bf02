package state

// NOTE: Check reads a file once, record by record, and keeps of each its URN, and of
// providers and of references to what is not there (yet) a little more. What engines refuse
// is in check_links.go and check_document.go, what hurts later in check_later.go and
// check_secrets.go, and what the codes mean in check_rules.go. Only if secrets are in the
// file as plaintext is it read again, to look for their texts elsewhere.

import (
	"hash/maphash"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/path"
)

// CheckOptions are the options of [Check].
type CheckOptions struct {
	// Protects reports whether resources of a type have to be protected; nil: none has to.
	Protects func(typ string) bool
}

// Finding is one place where a state is broken or will make trouble. It holds no property
// values.
type Finding struct {
	Rule
	URN    string     // of the record or the pending operation; or empty: it is about the deployment
	Type   string     // of that
	Record int        // which of the records with this URN it is, from 1, in the order of the file; 0: none
	Offset int64      // of the record, or of the member of the deployment, in bytes
	At     path.Shown // the place in that, such as dependencies[1]
	Detail string     // what is meant there: a URN, a reference to a provider, another record, a version, an error; or empty
}

// Resource returns the URN, with "#2" for the second record that has it, in the order of the
// file, and so on.
func (f Finding) Resource() string { return numbered(f.URN, f.Record) }

func numbered(urn string, record int) string {
	if record > 1 {
		return urn + "#" + strconv.Itoa(record)
	}
	return urn
}

// String returns one line, such as
// "error: urn:pulumi:…::a: parent: parent-missing: urn:pulumi:…::b: no record has this URN; …".
func (f Finding) String() string {
	text := f.Severity.String() + ": "
	for _, part := range []string{f.Resource(), f.At.String()} {
		if part != "" {
			text += scan.Line(part) + ": "
		}
	}
	text += f.Code + ": "
	if f.Detail != "" {
		text += scan.Line(f.Detail) + ": "
	}
	return text + f.Advice
}

// Check finds what is wrong with a state file of any size: as errors what engines of
// v3.259.0 refuse to load, and as warnings and notes what makes trouble later. [Rules]
// returns the kinds of findings.
//
// Findings about a record come in the order of the file, those that need the rest of the file
// after them. A record that cannot be read is a finding. A file that cannot be read to its
// end is an error, an [*Error], with which the iteration ends; some findings may have come
// before it, and are not all then.
//
// It reads one resource at a time, and keeps the URNs of all. A file with secrets in clear,
// as `pulumi stack export --show-secrets` writes it, is read twice. Of the texts of secrets
// digests are kept.
func Check(file io.ReaderAt, o CheckOptions) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		c := checker{
			options: o, yield: yield,
			records: map[string]*record{}, again: map[int]int{}, providers: map[reference]*usedProvider{}, remote: map[string]bool{},
			identities: map[physical]string{}, secrets: map[uint64]secretPlace{}, seed: maphash.MakeSeed(),
		}
		if err := c.file(file); err != nil && !c.stopped {
			yield(Finding{}, err)
		}
	}
}

type checker struct {
	options CheckOptions
	yield   func(Finding, error) bool
	stopped bool

	records    map[string]*record // by URN
	again      map[int]int        // which of the records with its URN one is, by index, from the second on
	providers  map[reference]*usedProvider
	ordered    []*usedProvider        // in the order of the file
	dangling   []dangling             // references to what was not there yet
	remote     map[string]bool        // packages of live records without a provider
	identities map[physical]string    // the first record with each
	secrets    map[uint64]secretPlace // by digests of their texts, where each is first
	seed       maphash.Seed           // of the digests
	places     []extent               // of the records
	isSealed   bool                   // there are encrypted secrets
}

// extent is where a record is in the file.
type extent struct {
	at     int64
	length int
}

// record is what is kept of the records with one URN.
type record struct {
	last  int    // index of the last of them
	count int    // of all
	live  string // the first that is not pending deletion
}

// checked is the record that is being checked.
type checked struct {
	*Resource
	record int // which of those with its URN
}

func (k checked) finding(at path.Path, detail string) Finding {
	return Finding{URN: k.URN, Type: k.Type, Record: k.record, Offset: k.Offset, At: path.Show(at, -1), Detail: detail}
}

// found yields a finding.
func (c *checker) found(code string, f Finding) {
	f.Rule = ruleOf(code)
	c.report(f)
}

func (c *checker) report(f Finding) {
	c.stopped = c.stopped || !c.yield(f, nil)
}

func (c *checker) file(file io.ReaderAt) error {
	var in io.Reader
	if file != nil {
		in = io.NewSectionReader(file, 0, math.MaxInt64)
	}
	r := NewReader(in, Options{Codec: codec.Options{RoundNumbers: true}}) // as engines do
	s := r.streaming()
	err := s.run(func(text string, at int64) (bool, error) {
		c.places = append(c.places, extent{at, len(text)})
		own := s.reading(text, at)
		if resource, err := own.whole(); err != nil {
			c.unreadable(&own.to, err)
		} else {
			c.resource(&resource)
		}
		return !c.stopped, nil
	})
	if err != nil || c.stopped {
		return err
	}

	document := r.Document()
	c.document(document)
	c.links()
	c.usedProviders()
	if len(c.secrets) == 0 || c.stopped {
		return nil
	}
	return c.clear(file, document)
}

// unreadable reports a record that cannot be read. If its URN could be, others may refer to
// it.
func (c *checker) unreadable(r *Resource, err error) {
	k := checked{r, 0}
	if r.URN != "" {
		k = c.enter(r)
	}
	f := k.finding(path.Path{}, reasonOf(err))
	if e := (*Error)(nil); asError(err, &e) {
		f.Offset = e.Offset
		if e.Field != "" {
			f.At = path.Show(path.Path{}.Member(e.Field), -1)
		}
	}
	c.found("unreadable", f)
}

// enter makes a record known.
func (c *checker) enter(r *Resource) checked {
	known := c.records[r.URN]
	if known == nil {
		known = &record{}
		c.records[r.URN] = known
	}
	if known.count++; known.count > 1 {
		c.again[r.Number] = known.count
	}
	known.last = r.Number
	return checked{r, known.count}
}

// resource checks a record, and then makes it known to those after it.
func (c *checker) resource(r *Resource) {
	k := checked{r, 1}
	if known := c.records[r.URN]; known != nil {
		k.record = known.count + 1
	}

	c.names(k)
	c.register(k)
	c.references(k)
	c.later(k)
	c.collect(k, path.Path{})

	c.enter(r)
	c.twice(k)
}
