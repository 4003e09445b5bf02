package steps

import (
	"slices"
	"strings"
	"time"

	"github.com/propalg/propalg/codec/state"
)

// Run is what a text says of the update as a whole.
type Run struct {
	Format    string // "preview", "plan" or "event log"; empty before the first step
	IsPreview bool   // nothing was done: a preview, a plan, or the event log of a preview
	// Kind is what the steps show of the command: "refresh" or "destroy" if they consist of
	// that, "update" for others, and empty without steps.
	Kind string

	Result       string            // "succeeded", "failed" or "canceled"; empty if the text does not say, as in previews
	Changes      map[Op]int        // the engine's own counts; nil: no summary
	Duration     time.Duration     // by the summary
	MaybeCorrupt bool              // by the summary: what a failed operation did is not known
	PolicyPacks  map[string]string // versions of policy packs by name, by the summary

	Diagnostics []Diagnostic
	Violations  []Violation

	Counts     map[Op]int // counts made from the steps, see [Step.Counted]
	Failures   int        // steps that failed
	Unfinished int        // steps that did not end
	Truncated  bool       // the text does not go to the end of the run

	Events       map[string]int // numbers of the events of a log, by name
	ForeignLines int            // lines of other text
	FirstForeign int            // the number of the first of these, from 1

	Extra []state.Field // members of the document and events that have no field here, as they are; of a log the first thousand

	hasErrors                               bool
	isOver                                  bool
	refreshes, deletions, refreshed, others int
}

// Diagnostic is a message of the engine, a provider or the program. Engines mask the
// secrets that they know of in it.
type Diagnostic struct {
	URN       string // of the resource that it is about, or empty
	Severity  string // "debug", "info", "info#err", "warning", "error"
	Message   string // without colors
	Ephemeral bool   // it was shown only until the next one came
}

// Violation is a policy's finding about a resource.
type Violation struct {
	URN         string // or empty: about the stack
	Policy      string
	Pack        string
	PackVersion string
	Level       string // of enforcement: "warning", "mandatory", "remediate"
	Severity    string // "low", "medium", "high", "critical", or empty
	Message     string // without colors
}

// Failed reports whether the run did not succeed. If the text has no result, it reports
// whether there is an error among the diagnostics, a step that failed, or a violation of a
// mandatory policy, or whether a log ended without a summary. A truncated text may be of a
// run that has not failed.
func (r *Run) Failed() bool {
	if r.Result != "" {
		return r.Result != "succeeded"
	}
	return r.hasErrors || r.Failures > 0 || (r.isOver && r.Changes == nil) ||
		slices.ContainsFunc(r.Violations, func(v Violation) bool { return v.Level == "mandatory" })
}

// Errors returns the messages that say why the run failed: its errors, but for those that
// repeat that it failed, and then violations of mandatory policies. If there are none, it
// returns what the program printed, of which engines make no error.
func (r *Run) Errors() (all []Diagnostic) {
	for _, d := range r.Diagnostics {
		d.Message = strings.TrimPrefix(d.Message, "error: ")
		what, isFailed := strings.CutSuffix(d.Message, " failed")
		isTitle := isFailed && slices.Contains([]string{"update", "preview", "refresh", "destroy", "import"}, what)
		if d.Severity == "error" && !isTitle {
			all = append(all, d)
		}
	}
	for _, v := range r.Violations {
		if v.Level == "mandatory" {
			all = append(all, Diagnostic{URN: v.URN, Severity: "error", Message: "policy " + v.Policy + ": " + v.Message})
		}
	}
	if len(all) > 0 || !r.Failed() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d Diagnostic) bool { return d.Severity != "info#err" })
}

// Lacks reports whether resources in the format have no such field, named as in a state
// file, so that it is unknown in both states of a step.
func (r *Run) Lacks(field string) bool {
	switch r.Format {
	case formatPlan:
		return slices.Contains([]string{"id", "external", "initErrors", "taint", "delete", "created", "modified"}, field)
	case formatLog:
		return !slices.Contains([]string{
			"urn", "type", "custom", "delete", "id", "parent", "protect", "taint", "external", "retainOnDelete",
			"inputs", "outputs", "provider", "initErrors", "hideDiff",
		}, field)
	}
	return false
}

// The formats.
const (
	formatPreview = "preview"
	formatPlan    = "plan"
	formatLog     = "event log"
)

// note adds a step to what is known of the run.
func (r *Run) note(s *Step) {
	switch s.Status {
	case Failed:
		r.Failures++
	case Unfinished:
		r.Unfinished++
	case Planned, Done:
	}
	if op, ok := s.Counted(); ok {
		r.Counts[op]++
	}

	switch {
	case s.Op == OpRefresh && s.Found != "":
		r.refreshed++
	case s.Op == OpRefresh:
		r.refreshes++
	case s.Op.does().deletes():
		r.deletions++
	default:
		r.others++
	}
	switch {
	case r.refreshed > 0 || (r.others == 0 && r.deletions == 0):
		r.Kind = "refresh"
	case r.others == 0:
		r.Kind = "destroy"
	default:
		r.Kind = "update"
	}
}

func (r *Run) diagnose(d Diagnostic) {
	r.hasErrors = r.hasErrors || d.Severity == "error"
	r.Diagnostics = append(r.Diagnostics, d)
}

// plain removes the directives of colors from a message, and white space at its end.
func plain(text string) string {
	if !strings.Contains(text, "<{%") {
		return strings.TrimRight(text, " \r\n")
	}

	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "<{%")
		out.WriteString(before)
		if !found {
			break
		}
		if _, text, found = strings.Cut(after, "%}>"); !found {
			out.WriteString("<{%" + after)
			break
		}
	}
	return strings.TrimRight(out.String(), " \r\n")
}
