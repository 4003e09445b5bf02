package state

import (
	"strings"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
	"github.com/tidwall/gjson"
)

// Resource is one resource of a state file. A field that is missing or null is the zero
// value of its type.
type Resource struct {
	URN      string
	Type     string
	ID       string
	Custom   bool // managed by a provider; else a component
	Delete   bool // replaced and pending deletion: another resource may have the same URN
	External bool // read only, not managed
	Protect  bool
	Parent   string // a URN
	Provider string // a URN, two colons and an ID

	Taint               bool // the next update replaces it
	PendingReplacement  bool // deleted, and not created again yet
	RetainOnDelete      bool // deletion keeps what the provider manages
	RefreshBeforeUpdate bool

	ImportID     string // of the import that created it
	DeletedWith  string // URN of the resource whose deletion deletes this one too
	ViewOf       string // URN of the resource of which this one is a view
	ExtensionRef string // name of one of the extensions of the deployment
	SnippetID    string // UUID of the snippet that declared it

	Dependencies         []string            // URNs, in the order of the file
	PropertyDependencies map[string][]string // URNs by property; the list of a property may be empty
	InitErrors           []value.Value       // strings; those of a file are secrets, since providers quote in them what they were sent
	Aliases              []string            // URNs
	ReplaceWith          []string            // URNs of resources whose replacement replaces this one too

	IgnoreChanges           []string            // patterns, in Pulumi's dialect
	ReplaceOnChanges        []string            // patterns, in Pulumi's dialect
	HideDiff                []string            // paths, in Pulumi's dialect
	AdditionalSecretOutputs []string            // names of outputs
	ResourceHooks           map[string][]string // names of hooks by type, such as "BeforeCreate"
	CustomTimeouts          CustomTimeouts

	Inputs             value.Value // an object, or Null: absent
	Outputs            value.Value // an object, or Null: absent
	ReplacementTrigger value.Value // of any kind; a change of it replaces the resource

	InputsReport             codec.Report // numbers in Inputs that were rounded
	OutputsReport            codec.Report // numbers in Outputs that were rounded
	ReplacementTriggerReport codec.Report // numbers in ReplacementTrigger that were rounded

	Created        time.Time
	Modified       time.Time
	SourcePosition string   // where the program declares it
	StackTrace     []string // source positions of the frames around that

	Extra  []Field // the other members, as they are
	Offset int64   // of the resource in the text, in bytes
	Number int     // index of the resource in the document, from 0
}

// CustomTimeouts are the longest durations of operations on a resource, in seconds; 0
// is the provider's default.
type CustomTimeouts struct{ Create, Update, Delete, Read float64 }

// property is a value of a resource that may hold secrets, by the name of its
// member.
type property struct {
	name   string
	value  *value.Value
	report *codec.Report
}

func (r *Resource) properties() [3]property {
	return [...]property{
		{"inputs", &r.Inputs, &r.InputsReport},
		{"outputs", &r.Outputs, &r.OutputsReport},
		{trigger, &r.ReplacementTrigger, &r.ReplacementTriggerReport},
	}
}

func (f *File) resource(i int, skip *jsonscan.Skipper) (Resource, error) {
	at := f.resources[i]
	r := reading{file: f, source: (*f.text.Open())[at.at:at.end], to: Resource{Offset: int64(at.at), Number: i}}
	return r.find(skip)
}

// reading is a resource that is being read, member by member.
type reading struct {
	file    *File  // for its options, provider and answers
	source  string // the text of the resource
	own     *texts // the source does not last: what is kept of it are copies; nil: it lasts
	members []jsonscan.Member
	marks   []jsonscan.Mark  // of the source; empty: there are none
	at      *jsonscan.Member // the one that is being read
	next    int              // of the fields, the one after the last that was read
	seen    uint64           // fields, as bits
	isTwice bool             // there is a field twice

	hasExtra  bool // members that are no fields are kept
	isOutline bool // dependencies are checked, and not kept
	isBagless bool // so are inputs and outputs

	to  Resource
	err error
}

func (r *reading) find(skip *jsonscan.Skipper) (Resource, error) {
	skip.Top = true
	if _, fault := skip.Skip(r.source, 0); fault != nil {
		return Resource{}, broken(fault, r.to.Offset, r.to.Number) // cannot happen
	}

	r.members, r.marks = skip.Members, skip.Marks
	return r.whole()
}

func (r *reading) whole() (Resource, error) {
	fields := r.to.fields()
	r.hasExtra = true
	if err := r.read(fields[:]); err != nil {
		return Resource{}, err
	}
	r.migrate()
	return r.to, nil
}

// read reads the members that are fields, and checks for duplicates and a missing URN.
func (r *reading) read(fields []fieldOf) error {
	r.next, r.seen = 0, 0
	for i := range r.members {
		r.at = &r.members[i]
		if r.member(fields); r.err != nil {
			return r.err
		}
	}

	if r.isTwice || len(r.to.Extra) > 1 {
		names := map[string]bool{}
		for _, m := range r.members {
			if names[r.name(m)] {
				return r.failure(r.name(m), m.Name, codec.ErrDuplicate)
			}
			names[r.name(m)] = true
		}
	}
	if r.to.URN == "" {
		e := r.failure("urn", 0, ErrField)
		e.Want, e.Found = "string", "none"
		return e
	}
	return nil
}

func result(source string, m jsonscan.Member) gjson.Result {
	v := gjson.Result{Raw: source[m.At:m.End], Index: m.At}
	switch v.Raw[0] {
	case '"':
		v.Type = gjson.String
	case '{', '[':
		v.Type = gjson.JSON
	case 't':
		v.Type = gjson.True
	case 'f':
		v.Type = gjson.False
	case 'n':
		v.Type = gjson.Null
	default:
		v.Type = gjson.Number
	}

	return v
}

func (r *reading) failure(field string, at int, err error) *Error {
	return &Error{Offset: r.to.Offset + int64(at), Resources: r.to.Number, URN: strings.Clone(r.to.URN), Field: strings.Clone(field), err: err}
}

// fields returns the members of a resource that are read one by one, with where each is
// kept, in the order in which engines write them.
func (r *Resource) fields() [36]fieldOf {
	return [...]fieldOf{
		{"urn", &r.URN},
		{"custom", &r.Custom},
		{"delete", &r.Delete},
		{"id", &r.ID},
		{"type", &r.Type},
		{"inputs", &r.Inputs},
		{"outputs", &r.Outputs},
		{"parent", &r.Parent},
		{"protect", &r.Protect},
		{"taint", &r.Taint},
		{"external", &r.External},
		{"dependencies", &r.Dependencies},
		{"initErrors", &r.InitErrors},
		{"provider", &r.Provider},
		{"propertyDependencies", &r.PropertyDependencies},
		{"pendingReplacement", &r.PendingReplacement},
		{"additionalSecretOutputs", &r.AdditionalSecretOutputs},
		{"aliases", &r.Aliases},
		{"customTimeouts", &r.CustomTimeouts},
		{"importID", &r.ImportID},
		{"retainOnDelete", &r.RetainOnDelete},
		{"deletedWith", &r.DeletedWith},
		{"created", &r.Created},
		{"modified", &r.Modified},
		{"sourcePosition", &r.SourcePosition},
		{"stackTrace", &r.StackTrace},
		{"ignoreChanges", &r.IgnoreChanges},
		{"replaceOnChanges", &r.ReplaceOnChanges},
		{"refreshBeforeUpdate", &r.RefreshBeforeUpdate},
		{"viewOf", &r.ViewOf},
		{"resourceHooks", &r.ResourceHooks},
		{"hideDiff", &r.HideDiff},
		{"replaceWith", &r.ReplaceWith},
		{"extensionRef", &r.ExtensionRef},
		{"snippetID", &r.SnippetID},
		{trigger, &r.ReplacementTrigger},
	}
}

type fieldOf struct {
	name string
	to   any
}

func (r *reading) member(fields []fieldOf) {
	name, next := jsonscan.Text(r.source, r.at.Name, r.at.NameEnd, r.at.Plain), r.next
	for range fields {
		f := &fields[next]
		if next++; next == len(fields) {
			next = 0
		}
		if f.name == name && r.file.has(name) {
			r.isTwice = r.isTwice || r.seen&(1<<next) != 0
			r.seen |= 1 << next
			r.next = next
			r.field(f.name, result(r.source, *r.at), f.to)
			return
		}
	}

	if r.hasExtra {
		r.extra(name)
	}
}

// malformed notes that the value at an offset is not what it should be.
func (r *reading) malformed(field string, at int, want string) {
	e := r.failure(field, at, ErrField)
	e.Want, e.Found = want, jsonscan.KindOf(r.source[at:])
	r.err = e
}

func (r *reading) text(field string, v gjson.Result, to *string) {
	switch {
	case v.Type == gjson.Null:
	case v.Type != gjson.String:
		r.malformed(field, v.Index, "string")
	case field == "id" && r.own != nil:
		*to = strings.Clone(unquote(v.Raw)) // which no other resource has
	default:
		*to = r.lasting(unquote(v.Raw))
	}
}

// lasting returns a text that may be returned to callers.
func (r *reading) lasting(text string) string {
	if r.own != nil {
		return r.own.keep(text)
	}
	return text
}

func (r *reading) extra(field string) {
	names := jsonscan.Skipper{Names: true}
	if _, fault := names.Skip(r.source, r.at.At); fault != nil {
		e := broken(fault, r.to.Offset, r.to.Number)
		e.Field = strings.Clone(field)
		r.err = e
		return
	}

	text := r.lasting(r.source[r.at.At:r.at.End])
	r.to.Extra = append(r.to.Extra, Field{r.lasting(field), veil.Hide(&text), r.to.Offset + int64(r.at.At), r.to.Number})
}

// property reads a value that may hold secrets.
func (r *reading) property(name string, v gjson.Result, to *value.Value) {
	isBag := name != trigger
	if isBag && r.isBagless && r.isSound() {
		return
	}
	if isBag && len(r.marks) > 0 && r.file.answers.Open() == nil {
		var ok bool
		if *to, ok = codec.Internal.DecodeMarked(r.source, *r.at, r.marks, r.own != nil, r.file.options(name, nil)); ok {
			return
		}
	}

	if r.own != nil {
		v.Raw = strings.Clone(v.Raw)
	}
	var report codec.Report
	read, err := r.file.property(name, v.Raw, &report)
	*to = read
	for _, p := range r.to.properties() {
		if p.value == to {
			*p.report = report
		}
	}
	if err != nil {
		e := r.failure(name, v.Index, nil)
		e.adopt(err, e.Offset)
		r.err = e
	}
}

// isSound reports whether the bag that is being read can be read for certain, by what the pass
// has noted of it: names in ascending order are all different, short numbers are not rounded,
// and without a signature there is no secret, asset or reference that could be malformed.
func (r *reading) isSound() bool {
	o := &r.file.opts
	keepsAll := o.Unknowns|o.Secrets|o.Outputs|o.Assets|o.References|o.Nulls|o.Internal == codec.Keep
	return keepsAll && isObject(r.source, r.at.At) && r.at.Facts&(jsonscan.Unordered|jsonscan.Keyed|jsonscan.Inexact) == 0
}

// trigger is the member that is not a bag: names in it have no special meaning.
const trigger = "replacementTrigger"

// optionsOf returns the options for a member of a resource. Only inputs and outputs have
// internal properties.
func optionsOf(name string, o codec.Options) codec.Options {
	if name == trigger {
		o.Internal = codec.Keep
	}
	return o
}

// options returns the options for a member of a resource of the file.
func (f *File) options(name string, report *codec.Report) codec.Options {
	o := optionsOf(name, f.opts)
	o.Report = report
	if f.provider != "" {
		o.Provider = f.provider
	}
	return o
}

// property reads a value, and decrypts the secrets whose plaintexts are known.
func (f *File) property(name, text string, report *codec.Report) (value.Value, error) {
	decode := codec.DecodeJSON[string]
	if name == trigger {
		decode = codec.DecodeJSONValue[string]
	}
	o := f.options(name, report)
	answers := f.answers.Open()
	if answers == nil {
		return decode(text, o)
	}
	o.Secrets = keepSealed(o.Secrets)
	read, err := decode(text, o)
	if err != nil {
		return read, err
	}

	o.Secrets = f.opts.Secrets
	return open(read, *answers, o)
}
