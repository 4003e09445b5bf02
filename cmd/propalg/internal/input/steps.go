package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/codec/steps"
	urns "github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Steps is what an update does, or would do: a preview (preview --json), a plan
// (--save-plan), or a log of events (--event-log).
type Steps struct {
	What  string     // such as "preview"
	Run   *steps.Run // how the update went
	ByURN map[string]*Step

	old, now string // the stacks before and after, of the resources that it has
	urns     []string
}

// Step is what happens to one resource.
type Step struct {
	Deleted, Replaced bool
	Changed           bool            // it is updated or replaced, whatever the states show
	Reasons           []string        // properties that replace it, in Pulumi's dialect
	Partial           bool            // the inputs are only those that change
	Removed           []string        // inputs that are removed, with Partial
	Lacks             map[string]bool // metadata that are not known

	old, now resourceText
	ops      []string // each once
	has      map[string]bool
}

// resourceText is a resource, as its members.
type resourceText map[string]json.RawMessage

// The formats that are steps.
const (
	preview = "preview"
	plan    = "plan"
	events  = "event log"
)

// readSteps reads a text of a format. The mark distinguishes the masked secrets of one
// file from those of another, and those of changed resources before and after are
// distinguished too, since they may differ.
func readSteps(format, text, mark string) (*Steps, error) {
	s := &Steps{What: format, ByURN: map[string]*Step{}}
	err := map[string]func(string) error{preview: s.readPreview, plan: s.readPlan, events: s.readEvents}[format](text)
	if err == nil {
		err = s.readRun(text)
	}
	if err == nil {
		err = s.write(mark)
	}
	if isCut(text, err) {
		return nil, fmt.Errorf("%s: %w: %w", format, atPlace(text, &state.Error{Offset: int64(len(text)), Want: "more", Found: "end of input"}), ErrCutOff)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, atPlace(text, jsonError(err)))
	}

	return s, nil
}

// readRun reads how the update went.
func (s *Steps) readRun(text string) error {
	r := steps.NewReader(strings.NewReader(text), state.Options{Codec: options(nil)})
	for _, err := range r.Steps() {
		if err != nil {
			return err
		}
	}
	s.Run = r.Run()
	return nil
}

// isCut reports whether encoding/json found that a text ends too early.
func isCut(text string, err error) bool {
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		return e.Offset >= int64(len(text))
	}
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// step returns the step of a resource. Operations on it come one after the other.
func (s *Steps) step(urn, op string) *Step {
	st := s.ByURN[urn]
	if st == nil {
		st = &Step{Lacks: map[string]bool{}, has: map[string]bool{}}
		s.ByURN[urn] = st
		s.urns = append(s.urns, urn)
	}
	if op != "" && !st.has[op] {
		st.has[op] = true
		st.ops = append(st.ops, op)
	}

	st.Changed = st.Changed || op == "update" || strings.Contains(op, "replace")
	st.Replaced = st.Replaced || strings.Contains(op, "replace")
	st.Deleted = op == "delete" || (st.Deleted && op == "")
	return st
}

func (st *Step) add(old, now resourceText) {
	if st.old == nil {
		st.old = old
	}
	if now != nil {
		st.now = now
	}
}

func (s *Steps) readPreview(text string) error {
	var doc struct {
		Steps []struct {
			Op, URN            string
			OldState, NewState resourceText
			ReplaceReasons     []string
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}

	for _, each := range doc.Steps {
		st := s.step(each.URN, each.Op)
		st.Reasons = append(st.Reasons, each.ReplaceReasons...)
		st.add(each.OldState, each.NewState)
	}
	return nil
}

func (s *Steps) readEvents(text string) error {
	type pre struct {
		Metadata struct {
			Op, URN  string
			Old, New resourceText
			Keys     []string
		}
	}

	in := json.NewDecoder(strings.NewReader(text))
	for {
		var line struct{ ResourcePreEvent, ResOutputsEvent *pre }
		if err := in.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}

		for _, e := range []*pre{line.ResourcePreEvent, line.ResOutputsEvent} {
			if e == nil {
				continue
			}
			m := &e.Metadata
			st := s.step(m.URN, m.Op)
			st.Reasons = append(st.Reasons, m.Keys...)
			st.add(m.Old, m.New)
			for _, name := range []string{"dependencies", "propertyDependencies", "additionalSecretOutputs", "aliases", "ignoreChanges", "customTimeouts", "deletedWith", "replaceOnChanges", "retainOnDelete", "hideDiff"} {
				st.Lacks[name] = true
			}
		}
	}
}

func (s *Steps) readPlan(text string) error {
	type resources map[string]struct {
		Goal  resourceText
		Steps []string
		State json.RawMessage
	}
	var doc struct {
		ResourcePlans resources
		Plan          struct{ ResourcePlans resources }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}

	all := doc.ResourcePlans
	if all == nil {
		all = doc.Plan.ResourcePlans
	}
	for _, urn := range slices.Sorted(maps.Keys(all)) {
		r := all[urn]
		for _, op := range r.Steps {
			s.step(urn, op)
		}
		if err := s.step(urn, "").plan(urn, r.Goal, r.State, slices.Equal(r.Steps, []string{"same"})); err != nil {
			return err
		}
	}

	return nil
}

// plan makes a resource of its goal, which has the inputs that change only. What was
// before is not in a plan: members that change are unknown there.
func (st *Step) plan(urn string, goal resourceText, outputs json.RawMessage, isSame bool) error {
	st.Partial = true
	st.now, st.old = resourceText{}, resourceText{}
	var change struct {
		Adds, Updates map[string]json.RawMessage
		Deletes       []string
	}
	if text := goal["inputDiff"]; text != nil {
		if err := json.Unmarshal(text, &change); err != nil {
			return err
		}
	}

	st.Removed = change.Deletes
	before, after := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	maps.Copy(after, change.Adds)
	for name, v := range change.Updates {
		after[name], before[name] = v, encoded(value.Unknown())
	}
	for _, name := range change.Deletes {
		before[name] = encoded(value.Unknown())
	}

	for _, name := range []string{
		"custom", "protect", "parent", "provider", "dependencies", "propertyDependencies", "additionalSecretOutputs", "ignoreChanges",
		"replaceOnChanges", "customTimeouts", "deletedWith", "retainOnDelete",
	} {
		if v := goal[name]; v != nil {
			st.now[name], st.old[name] = v, v
		}
	}

	st.now["urn"], st.old["urn"] = quoted(urn), quoted(urn)
	u, err := urns.Parse(urn)
	if err == nil {
		st.now["type"], st.old["type"] = quoted(u.Type()), quoted(u.Type())
	}
	if st.now["inputs"], err = json.Marshal(after); err != nil {
		return err
	}
	if st.old["inputs"], err = json.Marshal(before); err != nil {
		return err
	}
	if !isSame {
		st.now["outputs"] = outputs
	}
	switch {
	case st.Deleted:
		st.now = nil
	case st.has["create"]:
		st.old = nil
	}

	for _, name := range []string{"aliases", "initErrors", "external"} {
		st.Lacks[name] = true
	}
	return nil
}

func quoted(text string) json.RawMessage { return encoded(value.String(text)) }

// encoded returns the JSON of a text, an unknown or a sealed secret.
func encoded(v value.Value) json.RawMessage {
	data, _ := codec.AppendJSONValue(nil, v, codec.Options{Form: codec.FormSealed})
	return data
}

// write makes stacks of the steps.
func (s *Steps) write(mark string) error {
	var olds, news []resourceText
	for _, urn := range s.urns {
		st := s.ByURN[urn]
		for i, r := range []resourceText{st.old, st.now} {
			if r == nil {
				continue
			}
			delete(r, "delete") // an old state that is replaced
			own := mark
			if i == 1 && st.Changed {
				own += " now"
			}
			r["inputs"], r["outputs"] = masked(r["inputs"], own), masked(r["outputs"], own)
		}

		if st.old != nil {
			olds = append(olds, st.old)
		}

		if st.now != nil && !st.Deleted {
			ops, err := json.Marshal(st.ops)
			if err != nil {
				return err
			}

			st.now["steps"] = ops // which no resource has
			news = append(news, st.now)
			st.Lacks["id"] = isEmptyText(st.now["id"])
			st.Lacks["outputs"] = isEmptyText(st.now["outputs"])
		}
	}
	var err error
	if s.old, err = stackText(olds); err != nil {
		return err
	}
	s.now, err = stackText(news)
	return err
}

func isEmptyText(v json.RawMessage) bool {
	return slices.Contains([]string{"", "null", `""`, "{}"}, string(v))
}

func stackText(resources []resourceText) (string, error) {
	if resources == nil {
		resources = []resourceText{}
	}
	data, err := json.Marshal(map[string]any{"version": 3, "deployment": map[string]any{"resources": resources}})
	return string(data), err
}

// masked returns a bag in which masked secrets are sealed ones: a text "[secret]", or
// that as the ciphertext of a secret.
func masked(bag json.RawMessage, mark string) json.RawMessage {
	const secret = `"[secret]"`
	text := string(bag)
	if !strings.Contains(text, secret) {
		return bag
	}

	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, secret)
		out.WriteString(before)
		if !found {
			break
		}
		trimmed := strings.TrimRight(before, " \t\r\n")
		cipher := quoted("[secret] " + mark)
		switch {
		case strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":"): // the name of a member
			cipher = json.RawMessage(secret)
		case !strings.HasSuffix(strings.TrimRight(strings.TrimSuffix(trimmed, ":"), " \t\r\n"), `"ciphertext"`):
			cipher = encoded(value.Sealed{Ciphertext: "[secret] " + mark}.Value())
		}
		out.Write(cipher)
		text = after
	}

	return json.RawMessage(out.String())
}
