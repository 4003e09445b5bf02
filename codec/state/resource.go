package state

import (
	"slices"
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

func (r *Resource) report(name string) *codec.Report {
	for _, p := range r.properties() {
		if p.name == name {
			return p.report
		}
	}
	return nil
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
	own     *texts // short texts are to be copies, that do not keep the source in memory; nil: they are not
	members []jsonscan.Member
	marks   []jsonscan.Mark // of the source; empty: there are none
	at      jsonscan.Member // the one that is being read
	next    int             // of the fields, the one after the last that was read
	seen    uint64          // fields, as bits
	isTwice bool            // there is a field twice
	to      Resource
	err     error
}

func (r *reading) find(skip *jsonscan.Skipper) (Resource, error) {
	skip.Top = true
	if _, fault := skip.Skip(r.source, 0); fault != nil {
		e := broken(fault, r.to.Number) // cannot happen
		e.Offset += r.to.Offset
		return Resource{}, e
	}

	r.members, r.marks = skip.Members, skip.Marks
	return r.whole()
}

func (r *reading) whole() (Resource, error) {
	fields := r.to.fields()
	for _, m := range r.members {
		r.at = m
		if !r.member(unquote(r.source[m.Name:m.NameEnd]), result(r.source, m), fields[:]) {
			break
		}
	}

	if r.err == nil {
		r.err = r.conclude()
	}
	if r.err != nil {
		return Resource{}, r.err
	}
	r.migrate()
	return r.to, nil
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
	return &Error{Offset: r.to.Offset + int64(at), Resources: r.to.Number, URN: strings.Clone(r.to.URN), Field: field, err: err}
}

type name struct {
	text string
	at   int
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

func (r *reading) member(name string, v gjson.Result, fields []fieldOf) bool {
	for range fields {
		f := &fields[r.next]
		if r.next++; r.next == len(fields) {
			r.next = 0
		}
		if f.name == name && r.file.has(name) {
			r.isTwice = r.isTwice || r.seen&(1<<r.next) != 0
			r.seen |= 1 << r.next
			r.field(name, v, f.to)
			return r.err == nil
		}
	}

	r.extra(name, v)
	return r.err == nil
}

// conclude checks for duplicate members and a missing URN.
func (r *reading) conclude() error {
	if r.isTwice || len(r.to.Extra) > 1 {
		names := make([]name, len(r.members))
		for i, m := range r.members {
			names[i] = name{unquote(r.source[m.Name:m.NameEnd]), m.Name}
		}
		if double, ok := twice(names); ok {
			return r.failure(double.text, double.at, codec.ErrDuplicate)
		}
	}

	if r.to.URN == "" {
		e := r.failure("urn", 0, ErrField)
		e.Want, e.Found = "string", "none"
		return e
	}
	return nil
}

// twice returns a duplicate name.
func twice(names []name) (name, bool) {
	slices.SortStableFunc(names, func(a, b name) int { return strings.Compare(a.text, b.text) })
	for i := 1; i < len(names); i++ {
		if names[i].text == names[i-1].text {
			return names[i], true
		}
	}
	return name{}, false
}

func (r *reading) malformed(field string, v gjson.Result, want string) {
	e := r.failure(field, v.Index, ErrField)
	e.Want, e.Found = want, jsonscan.KindOf(v.Raw)
	r.err = e
}

func (r *reading) text(field string, v gjson.Result, to *string) {
	switch v.Type {
	case gjson.String:
		if *to = unquote(v.Raw); field == "id" && r.own != nil {
			*to = strings.Clone(*to) // which no other resource has
		} else {
			*to = r.lasting(*to)
		}
	case gjson.Null:

	case gjson.False, gjson.True, gjson.Number, gjson.JSON:
		r.malformed(field, v, "string")
	}
}

// lasting returns a text that may be returned to callers.
func (r *reading) lasting(text string) string {
	if r.own != nil {
		return r.own.keep(text)
	}
	return text
}

func (r *reading) flag(field string, v gjson.Result, to *bool) {
	switch v.Type {
	case gjson.False, gjson.True:
		*to = v.Type == gjson.True
	case gjson.Null:
	case gjson.String, gjson.Number, gjson.JSON:
		r.malformed(field, v, "bool")
	}
}

func (r *reading) secretList(field string, v gjson.Result, to *[]value.Value) {
	var texts []string
	r.textList(field, v, &texts)
	for _, text := range texts {
		*to = append(*to, value.Secret(value.String(text)))
	}
}

func (r *reading) textList(field string, v gjson.Result, to *[]string) {
	if bad := textList(v, to); bad != nil {
		r.malformed(field, *bad, "array of strings")
	}
	for i := range *to {
		(*to)[i] = r.lasting((*to)[i])
	}
}

func (r *reading) extra(field string, v gjson.Result) {
	names := jsonscan.Skipper{Names: true}
	if _, fault := names.Skip(r.source, v.Index); fault != nil {
		e := broken(fault, r.to.Number)
		e.Offset += r.to.Offset
		e.Field = field
		r.err = e
		return
	}

	text := v.Raw
	r.to.Extra = append(r.to.Extra, Field{field, veil.Hide(&text), r.to.Offset + int64(v.Index), r.to.Number})
}

// property reads a value that may hold secrets.
func (r *reading) property(name string, v gjson.Result, to *value.Value) {
	if v.Type == gjson.Null {
		return
	}
	read, err := r.decode(name, v.Raw, r.to.report(name))
	if err != nil {
		e := r.failure(name, v.Index, nil)
		e.adopt(err, e.Offset)
		r.err = e
		return
	}

	*to = read
}

// decode reads a value that may hold secrets, from its marks if it has some.
func (r *reading) decode(name, text string, report *codec.Report) (value.Value, error) {
	if len(r.marks) == 0 || name == trigger || r.file.answers.Open() != nil {
		return r.file.property(name, text, report)
	}
	return codec.Internal.DecodeMarked(r.source, r.at, r.marks, r.file.options(name, report))
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
