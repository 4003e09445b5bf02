package steps

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/veil"
	"github.com/propalg/propalg/value"
)

// NOTE: A document (a preview or a plan) is walked in the window: its steps are values of it,
// read one at a time (reader.go, plan.go). Each event of a log is a value of its own
// (events.go). In both, what is taken from the window is a chunk, a text that lasts and knows
// its place, and the rest works on chunks: each visits the members of one, and step reads a
// Step from the members that all formats have alike.

// Reader reads the steps of a preview, a plan or an event log as a stream. It holds in memory
// a window of some hundred KiB, one step, and of a log the steps that have begun and not
// ended; in the log of a preview those of all components. Its [Run] has all diagnostics and
// violations. A Reader is for one goroutine.
type Reader struct {
	inner veil.Pointer[reading]
}

type reading struct {
	jsonscan.Window
	options state.Options
	skip    jsonscan.Skipper
	run     Run
	yield   func(*Step, error) bool
	number  int    // of steps that began
	mark    string // of the masked secrets of this reader
	used    bool
	log     log
}

// readers numbers the readers, so that masked secrets of two texts are not equal.
var readers atomic.Int64 //nolint:gochecknoglobals // what it tells apart may meet anywhere

// NewReader returns a reader of r. It reads nothing yet: what is wrong is an error of the
// iteration. The options are those of resources in state files.
func NewReader(r io.Reader, o state.Options) *Reader {
	in := &reading{options: o, mark: "[secret] " + strconv.FormatInt(readers.Add(1), 10) + "."}
	in.Window = jsonscan.Window{In: r, Lines: true}
	in.skip = jsonscan.Skipper{Limit: limit(o.Codec)}
	return &Reader{veil.Hide(in)}
}

// limit returns the limit of depth for a whole event or step, in which a resource is some
// levels down.
func limit(o codec.Options) int {
	const around = 15
	if o.Depth <= 0 {
		return codec.DefaultDepth + around
	}
	return min(o.Depth, 2*value.MaxDepth) + around
}

var (
	errStopped  = errors.New("the caller has seen enough")
	errUsed     = errors.New("the stream has been read already")
	errNoReader = errors.New("nil reader")
)

// Steps iterates over the steps, in the order of the text; those of a log in the order in
// which they end. A Reader can be iterated over once, and a loop that was left cannot be
// continued. An error, with a nil Step, ends the iteration, after all steps that could be
// read.
func (r *Reader) Steps() iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		in := r.open()
		if in == nil {
			return
		}
		in.yield = yield
		if err := in.read(); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
		in.Drop()
		in.yield, in.log = nil, log{}
	}
}

// Run returns what is known of the run so far; all that the text says once the iteration
// has ended. It is the same at each call.
func (r *Reader) Run() *Run {
	if in := r.open(); in != nil {
		return &in.run
	}
	return &Run{}
}

func (r *Reader) open() *reading {
	if r == nil {
		return nil
	}
	return r.inner.Open()
}

// read reads the whole text.
func (in *reading) read() error {
	if in.used || in.In == nil {
		err := errUsed
		if !in.used {
			err = errNoReader
		}
		return in.fail(chunk{line: 1}, 0, fmt.Errorf("%w: %w", state.ErrRead, err))
	}
	in.used = true
	in.run.Counts = map[Op]int{}

	in.Space()
	if strings.HasPrefix(in.Text, "\ufeff") {
		in.Pos += len("\ufeff")
	}
	if err := in.passForeign(); err != nil {
		return err
	}
	name, err := in.firstName()
	switch {
	case err != nil:
		return err
	case name == "sequence", name == "timestamp", strings.HasSuffix(name, "Event"):
		in.run.Format = formatLog
		return in.events()
	}
	return in.document()
}

// passForeign passes lines that do not begin with an object. At the end of the text it
// returns an error if there was nothing else.
func (in *reading) passForeign() error {
	for {
		in.Space()
		switch {
		case in.Is('{'):
			return nil
		case in.Pos < len(in.Text):
			in.passLine()
		case in.Err != nil:
			return in.broken(jsonscan.Expected(in.Text, in.Pos, "value"))
		case in.run.Format == "":
			e := in.fail(in.here(), 0, ErrFormat)
			e.Want, e.Found = "object", "none"
			return e
		default:
			return nil
		}
	}
}

// here is an empty chunk at the position.
func (in *reading) here() chunk { return chunk{at: in.Offset(), line: in.Line()} }

// passLine passes the rest of a line that is no part of the format.
func (in *reading) passLine() {
	in.foreign(in.Line())
	for {
		if end := strings.IndexByte(in.Text[in.Pos:], '\n'); end >= 0 {
			in.Pos += end
			return
		}
		in.Pos = len(in.Text)
		if !in.More() {
			return
		}
	}
}

func (in *reading) foreign(line int) {
	if in.run.ForeignLines == 0 {
		in.run.FirstForeign = line
	}
	in.run.ForeignLines++
}

// firstName returns the name of the first member of the object at the position, which does
// not move; "" if there is none. It lasts until the window moves on.
func (in *reading) firstName() (string, error) {
	for {
		at := jsonscan.Space(in.Text, in.Pos+1)
		if at < len(in.Text) && in.Text[at] == '}' {
			return "", nil
		}
		_, name, fault := jsonscan.Name(in.Text, at)
		if fault == nil {
			return name, nil
		}
		if !in.Early(fault) || !in.More() {
			return "", in.broken(fault)
		}
	}
}

// document reads a preview or a plan.
func (in *reading) document() error {
	begin := in.here()
	in.run.IsPreview = true
	names := map[string]bool{}
	if err := in.members(names, in.member); err != nil {
		return err
	}

	if in.run.Format == "" && hasOnlyPreview(names) {
		in.run.Format = formatPreview // which failed early, or has nothing to do
	}
	if in.run.Format == "" {
		e := in.fail(begin, 0, ErrFormat)
		e.Want, e.Found = "one of the members steps, resourcePlans, resourcePreEvent", "none"
		return e
	}
	if err := in.passForeign(); err != nil || in.Pos == len(in.Text) {
		return err
	}
	return in.fail(in.here(), 0, ErrSecondRun)
}

// hasOnlyPreview reports whether an object without steps is a preview all the same: it has a
// summary or diagnostics, and nothing else.
func hasOnlyPreview(names map[string]bool) bool {
	known := []string{"config", "diagnostics", "duration", "changeSummary", "maybeCorrupt"}
	return (names["duration"] || names["changeSummary"] || names["diagnostics"]) && !slices.ContainsFunc(slices.Collect(maps.Keys(names)), func(name string) bool { return !slices.Contains(known, name) })
}

// member passes a member of a document.
func (in *reading) member(name string) error {
	switch {
	case name == "steps" && in.Is('['):
		in.run.Format = formatPreview
		return in.list(']', in.previewStep)
	case name == "plan" && in.Is('{') && in.run.Format == "":
		in.run.Format = formatPlan
		return in.members(map[string]bool{}, in.member)
	case name == "resourcePlans" && in.Is('{'):
		in.run.Format = formatPlan
		return in.members(map[string]bool{}, in.planned)
	case in.run.Format == "" && slices.Contains([]string{"deployment", "checkpoint", "latest", "resources"}, name):
		e := in.fail(in.here(), 0, ErrFormat)
		e.Found = "a state file"
		return e
	}

	c, err := in.value()
	if err != nil {
		return err
	}
	switch name {
	case "diagnostics":
		return in.array(name, c, func(c chunk) error { return in.diagnostic(name, c) })
	case "changeSummary":
		in.run.Changes = map[Op]int{}
		return in.decode(name, c, &in.run.Changes)
	case "duration":
		return in.lasted(time.Nanosecond)(name, c)
	case "maybeCorrupt":
		return in.decode(name, c, &in.run.MaybeCorrupt)
	}
	in.keep(name, c)
	return nil
}

// mostKept is how many members and events without a field a Run keeps.
const mostKept = 1000

func (in *reading) keep(name string, c chunk) {
	if len(in.run.Extra) < mostKept {
		in.run.Extra = append(in.run.Extra, state.Internal.Field(name, c.text, c.at))
	}
}

func (in *reading) previewStep() error {
	c, err := in.value()
	if err != nil {
		return err
	}
	s, err := in.step(c, in.number)
	if err != nil {
		return err
	}

	in.number++
	s.OutputsPartial = s.New != nil
	return in.give(s)
}

// give yields a step.
func (in *reading) give(s *Step) error {
	in.run.note(s)
	if !in.yield(s, nil) {
		return errStopped
	}
	return nil
}

// value passes a value of the window.
func (in *reading) value() (chunk, error) {
	c := in.here()
	text, fault := in.Value(&in.skip)
	if fault != nil {
		return c, in.broken(fault)
	}
	c.text = strings.Clone(text)
	return c, nil
}

// members passes the object at the position, and calls visit at each value.
func (in *reading) members(names map[string]bool, visit func(name string) error) error {
	return in.list('}', func() error {
		at := in.here()
		name, fault := in.Name()
		switch {
		case fault != nil:
			return in.broken(fault)
		case names[name]:
			return in.fail(at, 0, codec.ErrDuplicate)
		}
		names[name] = true
		return visit(name)
	})
}

// list passes the array or object at the position, and calls visit at each element or
// member.
func (in *reading) list(closer byte, visit func() error) error {
	in.Pos++
	if in.Space(); in.Is(closer) {
		in.Pos++
		return nil
	}

	for {
		if err := visit(); err != nil {
			return err
		}
		in.Space()
		switch {
		case in.Is(closer):
			in.Pos++
			return nil
		case !in.Is(','):
			return in.broken(jsonscan.Expected(in.Text, in.Pos, "',' or '"+string(rune(closer))+"'"))
		}
		in.Pos++
		in.Space()
	}
}
