package steps

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
)

// log is what is known of an event log while it is read.
type log struct {
	begun   map[stepKey][]*begun // and not ended, the first one first
	again   map[stepKey][]*begun // components of a preview that ended once, and may do it again
	failed  map[string]bool      // URNs with errors
	isOver  bool                 // the event that ends every log was seen
	hasSeen map[string]bool      // preludeEvent, summaryEvent
}

// stepKey is what the events of a step have in common.
type stepKey struct {
	urn string
	op  Op
	id  string // of the old state
}

// begun is a step that has begun. It is read when it has ended, from the last of its events.
type begun struct {
	stepKey
	metadata    chunk
	op          Op // with which it began
	found       Op // with which it ended
	status      Status
	number      int
	isPlanned   bool
	isComponent bool
	isEnded     bool
	isTwice     bool // its outputs came a second time
	isPartial   bool // it failed, and has changed something
}

// events reads an event log.
func (in *reading) events() error {
	in.log = log{begun: map[stepKey][]*begun{}, again: map[stepKey][]*begun{}, failed: map[string]bool{}, hasSeen: map[string]bool{}}
	in.run.Events = map[string]int{}
	err := in.eachEvent()
	if err == errStopped { //nolint:errorlint // it was made here
		return err
	}
	if err == nil || errors.Is(err, ErrSecondRun) {
		in.run.Truncated = !in.log.isOver && !in.log.hasSeen["summaryEvent"]
	}
	in.run.isOver = in.log.isOver

	rest := slices.Concat(slices.Concat(slices.Collect(maps.Values(in.log.begun))...), slices.Concat(slices.Collect(maps.Values(in.log.again))...))
	slices.SortFunc(rest, func(a, b *begun) int { return cmp.Compare(a.number, b.number) })
	for _, b := range rest {
		if !b.isEnded {
			b.status = in.withoutEnd(b)
		}
		if failed := in.release(b); failed != nil {
			return failed
		}
	}
	return err
}

// eachEvent reads the events, and passes what is none.
func (in *reading) eachEvent() error {
	for {
		if err := in.passForeign(); err != nil || in.Pos == len(in.Text) {
			return err
		}
		c, err := in.value()
		if err != nil {
			return err
		}

		isEvent := false
		err = in.each("event", c, func(name string, c chunk) error {
			if !strings.HasSuffix(name, "Event") || c.isNull() {
				return nil
			}
			isEvent = true
			return in.event(name, c)
		})
		if err != nil {
			return err
		}
		if !isEvent {
			in.foreign(c.line)
		}
	}
}

func (in *reading) event(name string, c chunk) error {
	again := in.log.hasSeen[name] && (name == "preludeEvent" || name == "summaryEvent")
	if again || in.log.isOver {
		e := in.fail(c, 0, ErrSecondRun)
		e.Found = name
		return e
	}
	in.log.hasSeen[name] = true
	in.run.Events[name]++

	switch name {
	case "resourcePreEvent":
		return in.begin(c)
	case "resOutputsEvent":
		return in.end(c, false)
	case "resOpFailedEvent":
		return in.end(c, true)
	case "diagnosticEvent", "stdoutEvent":
		return in.diagnostic(name, c)
	case "errorEvent": // of the engine itself
		d := Diagnostic{Severity: "debug"}
		err := in.record(name, c, member{"error", &d.Message})
		in.run.diagnose(d)
		return err
	case "policyEvent":
		return in.violation(name, c)
	case "summaryEvent":
		return in.summary(name, c)
	case "cancelEvent":
		in.log.isOver = true
	case "progressEvent", "policyLoadEvent", "policyAnalyzeSummaryEvent", "policyRemediateSummaryEvent", "policyAnalyzeStackSummaryEvent":
		// There may be many, and they say nothing of the result.
	default:
		in.keep(name, c)
	}
	return nil
}

// parts finds the metadata of an event of a step, and of these what it is matched by.
func (in *reading) parts(c chunk) (*begun, error) {
	b := &begun{}
	var status float64
	var old, now chunk
	err := in.record("event", c, member{"metadata", &b.metadata}, member{"planning", &b.isPlanned}, member{"status", &status})
	if err == nil && b.metadata.isNull() {
		err = in.lacks(c, "metadata", "object")
	}
	if err == nil {
		err = in.record("metadata", b.metadata, member{"op", (*string)(&b.op)}, member{"urn", &b.urn}, member{"old", &old}, member{"new", &now})
	}

	var isCustom, isNewCustom bool
	if err == nil {
		err = in.record("old", old, member{"id", &b.id}, member{"custom", &isCustom})
	}
	if err == nil {
		err = in.record("new", now, member{"custom", &isNewCustom})
	}
	if now.isNull() {
		isNewCustom = isCustom
	}
	b.isComponent, b.isPartial, b.stepKey.op = !isNewCustom, status == 1, b.op
	if b.op == OpImport || b.op == OpImportReplacement {
		b.id = "" // the old state comes with the end
	}
	return b, err
}

func (in *reading) begin(c chunk) error {
	b, err := in.parts(c)
	if err != nil {
		return err
	}
	in.run.IsPreview = in.run.IsPreview || b.isPlanned
	b.number = in.number
	in.number++
	in.log.begun[b.stepKey] = append(in.log.begun[b.stepKey], b)
	return nil
}

// end ends the step that an event is about.
func (in *reading) end(c chunk, isFailed bool) error {
	now, err := in.parts(c)
	if err != nil {
		return err
	}

	b := take(in.log.begun, now.stepKey)
	if b == nil && (now.op == OpSame || now.op == OpUpdate || now.op == OpDelete) {
		if b = take(in.log.begun, stepKey{now.urn, OpRefresh, now.id}); b != nil {
			b.found = now.op
		}
	}
	if b == nil {
		if b = take(in.log.again, now.stepKey); b != nil {
			b.isTwice = true
		}
	}
	if b == nil && in.log.hasSeen["preludeEvent"] {
		return nil // outputs that a program registers for a resource that ended before, which SDKs do for components alone
	}
	if b == nil { // it began before the log does
		b = now
		b.number = in.number
		in.number++
	}

	b.metadata, b.isEnded, b.isPartial = now.metadata, true, now.isPartial
	switch {
	case isFailed:
		b.status = Failed
	case !b.isPlanned:
		b.status = Done
	case b.isComponent && !b.op.does().deletes() && !b.isTwice:
		in.log.again[b.stepKey] = append(in.log.again[b.stepKey], b)
		return nil
	}
	return in.release(b)
}

// take takes the first step out of those that have a key.
func take(from map[stepKey][]*begun, key stepKey) *begun {
	all := from[key]
	if len(all) == 0 {
		return nil
	}
	if len(all) == 1 {
		delete(from, key)
	} else {
		from[key] = all[1:]
	}
	return all[0]
}

// withoutEnd says how far a step got of which the log has no end.
func (in *reading) withoutEnd(b *begun) Status {
	switch {
	case b.isPlanned && in.log.failed[b.urn]:
		return Failed
	case !b.isComponent || b.op == OpDelete:
		return Unfinished
	case b.isPlanned:
		return Planned
	}
	return Done
}

// release reads and yields a step.
func (in *reading) release(b *begun) error {
	s, err := in.step(b.metadata, b.number)
	if err != nil {
		return err
	}
	s.Op, s.Found, s.Status, s.PartialFailure = b.op, b.found, b.status, b.isPartial
	isRead := b.op == OpSame || b.op == OpRead || b.op == OpRefresh
	switch {
	case s.New == nil:
	case b.status > Done || !b.isEnded || (b.op == OpReplace && s.New.ID == ""):
		s.OutputsPartial = true
	case b.isPlanned:
		s.OutputsPartial = !isRead && !b.isTwice
	}
	return in.give(s)
}

func (in *reading) diagnostic(name string, c chunk) error {
	d := Diagnostic{Severity: "info"}
	prefix := ""
	err := in.record(name, c, member{"urn", &d.URN}, member{"severity", &d.Severity}, member{"prefix", &prefix},
		member{"message", &d.Message}, member{"ephemeral", &d.Ephemeral})
	if d.Severity == "error" && in.run.Format == formatLog {
		in.log.failed[d.URN] = true
	}
	d.Message = plain(prefix + d.Message)
	in.run.diagnose(d)
	return err
}

func (in *reading) violation(name string, c chunk) error {
	var v Violation
	err := in.record(name, c, member{"resourceUrn", &v.URN}, member{"policyName", &v.Policy}, member{"policyPackName", &v.Pack},
		member{"policyPackVersion", &v.PackVersion}, member{"enforcementLevel", &v.Level}, member{"severity", &v.Severity}, member{"message", &v.Message})
	v.Message = plain(v.Message)
	in.run.Violations = append(in.run.Violations, v)
	return err
}

func (in *reading) summary(name string, c chunk) error {
	r := &in.run
	r.Changes, r.PolicyPacks = map[Op]int{}, map[string]string{}
	packs := func(name string, c chunk) error {
		return in.each(name, c, func(pack string, c chunk) error {
			var version string
			err := in.decode(name, c, &version)
			r.PolicyPacks[pack] = version
			return err
		})
	}
	return in.record(name, c, member{"maybeCorrupt", &r.MaybeCorrupt}, member{"durationSeconds", in.lasted(time.Second)},
		member{"resourceChanges", &r.Changes}, member{"isPreview", &r.IsPreview}, member{"result", &r.Result}, member{"PolicyPacks", packs})
}
