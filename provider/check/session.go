package check

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/internal/protocol"
	"github.com/propalg/propalg/provider"
	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// Session checks each call of a provider against those before it, in the order in which
// the calls end. Problems within a single call are reported by [Violations]; [Session.Check]
// does both. The zero Session is ready to use. It is not safe for concurrent use.
//
// A Session stores hashes, whose size does not depend on the length of IDs and values. It
// needs a few hundred bytes for each resource, at most four thousand, and records at most
// 100,000 resources. What a preview returned is kept until the operation has ended, up to
// 64 MiB of it for all resources; previews beyond that are not compared.
//
// These are the rules:
//
//   - Configure is called before any call for resources, components and functions.
//     Otherwise that is an error, once Configure comes, and a note at the first of these
//     calls after a handshake. Findings on most other rules are notes, since the
//     provider's data may have changed, a user may have edited the state, and a replaced
//     resource may be deleted later.
//   - After a handshake, Configure is called once for each instance, with all that engines
//     accept today; it answers as the handshake did, and supports previews.
//   - Responses, and in a log requests too, hold secrets, references, dependencies and byte strings
//     only if their reader accepts these, and calls use views, refreshes before updates and previews only if the
//     other side announced them. If the handshakes of a session differ, this is not checked.
//   - GetMapping has a mapping of each provider that GetMappings named.
//   - Check returns what Read returned as inputs unchanged. Otherwise that is a note.
//   - Create and Update return what the preview of the same request returned, at any
//     depth and with its secret marks ([diff.Within]), except for unknowns and for
//     properties that the preview left out.
//   - The ID of a resource was returned by an earlier call, if a call created or read
//     the resource.
//   - Check answers the same request in the same way. Otherwise that is a warning.
//   - The new inputs of a resource are what Check returned, if a call checked it, and its
//     old inputs, those of Check too, are those of an earlier call, if one created it or
//     read it by its ID alone. Inputs are compared like states, see below.
//   - The old state of a resource was returned by Create, Update or Read. Secret marks
//     and dependencies are not compared, since engines add some; neither are states
//     with assets or archives, since engines leave out their contents.
type Session struct {
	configured bool
	agreed     agreed
	early      int // calls before the first Configure
	seed       maphash.Seed
	lives      map[uint64]*life // by the hash of the URN
	promises   int              // weight of what previews returned
	mappings   map[uint64]bool  // hashes of keys and providers that GetMappings named
}

// What a Session keeps, at most.
const (
	mostLives     = 100_000 // resources
	mostIDs       = 8       // of one resource, those that wait for deletion included
	mostStates    = 4       // of one ID
	mostInputs    = 8       // of one resource
	mostPromises  = 64 << 20
	mostBroken    = 64 // findings about one preview
	valueWeight   = 48 // of a value without its text
	sessionEquals = value.Engine | value.IgnoreSecrets | value.IgnoreDependencies
)

// life holds what is known of a resource.
type life struct {
	made     bool // a call created or read it
	ids      []known
	promised value.Value // by a preview; null: nothing
	request  uint64      // of that preview

	asked, answered uint64 // the last Check, and what it returned
	checked         uint64 // what the last Check returned, if it is known and the resource was not read since
	isChecked       bool
	inputs          []uint64 // of earlier calls; none: not known

	read   uint64 // the inputs that the last Read returned, if it is known
	isRead bool
}

// known is the hash of an ID, and those of the states that it was returned with;
// none: not known.
type known struct {
	id     uint64
	states []uint64
}

// Add records a call and returns findings about the rules that it breaks, given the calls
// added before. The response is nil if the call failed without one.
func (s *Session) Add(request, response rpc.Message) []Finding {
	if s.lives == nil {
		s.lives, s.seed = map[uint64]*life{}, maphash.MakeSeed()
	}

	var found findings
	r := valid(response)
	switch m := valid(request).(type) {
	case *rpc.ConfigureRequest:
		if !s.configured && s.early > 0 {
			found.say("configured-late", m, "args")
		}
		s.configured = true
		s.agreed.configure(&found, m, r)
	case *rpc.ProviderHandshakeRequest:
		s.agreed.handshake(m, r)
	case *rpc.CheckRequest:
		if !isProvider(m.URN) {
			s.call(&found, m, "urn")
			s.oldInputs(&found, m, m.URN, "olds", m.Olds)
		}

		s.check(&found, m, r)
	case *rpc.DiffRequest:
		if !isProvider(m.URN) {
			s.call(&found, m, "urn")
			s.old(&found, m, m.URN, m.ID, "olds", m.Olds)
			s.oldInputs(&found, m, m.URN, "old_inputs", m.OldInputs)
			s.newInputs(&found, m, m.URN, "news", m.News)
		}
	case *rpc.CreateRequest:
		s.call(&found, m, "urn")
		s.create(&found, m, r)
	case *rpc.ReadRequest:
		s.call(&found, m, "urn")
		s.oldInputs(&found, m, m.URN, "inputs", m.Inputs)
		s.read(m, r)
	case *rpc.UpdateRequest:
		s.call(&found, m, "urn")
		s.update(&found, m, r)
	case *rpc.DeleteRequest:
		s.call(&found, m, "urn")
		s.delete(&found, m, r)
	case *rpc.InvokeRequest, *rpc.CallRequest:
		s.call(&found, m, "tok")
	case *rpc.ConstructRequest:
		s.call(&found, m, "type")
	case *rpc.GetMappingsRequest:
		s.mappingsOf(m, r)
	case *rpc.GetMappingRequest:
		answer, ok := r.(*rpc.GetMappingResponse)
		if ok && len(answer.Data.Reveal()) == 0 && s.mappings[s.mapping(m.Key, m.Provider)] {
			found.say("mapping-missing", answer, "data")
		}
	}
	s.agreed.call(&found, valid(request), r)

	return found
}

// Check records a call as Add does, and returns all that is wrong with it: the findings of
// [Violations], those of [Validate] if it is a Diff, for which o has the provider's rules, and
// those of Add. Changes that the request says to ignore are ignored besides those of o.
func (s *Session) Check(request, response rpc.Message, o provider.Differ) []Finding {
	found := Violations(request, response)
	m, isDiff := valid(request).(*rpc.DiffRequest)
	r, answered := valid(response).(*rpc.DiffResponse)
	if isDiff && answered {
		if sides, err := provider.SidesOf(m); err == nil { // a side that is no object is another finding
			o.Ignored = slices.Concat(o.Ignored, provider.IgnoredOf(m))
			found = append(found, Validate(provider.ResponseOf(r), sides, o)...)
		}
	}
	return append(found, s.Add(request, response)...)
}

// isProvider reports whether a URN is that of a provider, whose calls are those of
// its configuration.
func isProvider(text string) bool {
	u, err := urn.Parse(text)
	return err == nil && strings.HasPrefix(u.Type(), "pulumi:providers:")
}

// call counts a call before Configure, and adds a finding about the first one, unless
// Configure may have been called before the session.
func (s *Session) call(found *findings, m rpc.Message, field string) {
	if s.configured {
		return
	}
	if s.early++; s.agreed.greeted && s.early == 1 {
		found.say("not-configured", m, field)
	}
}

// At most mostMappings names of providers are remembered.
const mostMappings = 1 << 16

func (s *Session) mappingsOf(m *rpc.GetMappingsRequest, response rpc.Message) {
	r, ok := response.(*rpc.GetMappingsResponse)
	if !ok {
		return
	}
	if s.mappings == nil {
		s.mappings = map[uint64]bool{}
	}
	for _, name := range r.Providers {
		if len(s.mappings) < mostMappings {
			s.mappings[s.mapping(m.Key, name)] = true
		}
	}
}

// mapping is the hash of a key of conversions and a provider.
func (s *Session) mapping(key, name string) uint64 { return s.text(key) + 3*s.text(name) }

// of returns the record of a resource, and makes one for a new resource. It returns nil if
// the session keeps too many already.
func (s *Session) of(urn string) *life {
	name := s.text(urn)
	l := s.lives[name]
	if l == nil && len(s.lives) < mostLives {
		l = new(life)
		s.lives[name] = l
	}

	return l
}

func (s *Session) old(found *findings, m rpc.Message, urn, id, field string, state value.Value) {
	l := s.of(urn)
	if l == nil || id == "" {
		return
	}
	sum := s.text(id)
	if !l.made {
		l.add(sum) // made before this session; it may be deleted after a replacement is created
		return
	}

	i := slices.IndexFunc(l.ids, func(k known) bool { return k.id == sum })
	if i < 0 {
		found.say("unrecorded-id", m, "id")
		l.add(sum)
		return
	}

	k := &l.ids[i]
	if h, ok := s.hash(state); ok && len(k.states) > 0 && !slices.Contains(k.states, h) {
		found.say("unrecorded-state", m, field)
		k.states = nil
	}
}

func (s *Session) check(found *findings, m *rpc.CheckRequest, response rpc.Message) {
	r, ok := response.(*rpc.CheckResponse)
	l := s.of(m.URN)
	if l == nil || !ok || len(r.Failures) > 0 {
		return
	}

	asked := s.digest(m.Olds) + 3*s.digest(m.News) + 5*s.text(string(m.RandomSeed.Reveal()))
	if a := m.Autonaming; a != nil {
		asked += 7*s.text(a.ProposedName) + 11*uint64(a.Mode)
	}
	answered := s.digest(r.Inputs)
	if news, ok := s.hash(m.News); ok && l.isRead && l.read == news {
		if back, ok := s.hash(r.Inputs); ok && back != news {
			found.say("read-differs", r, "inputs")
		}
	}
	if l.asked == asked && l.answered != answered {
		found.say("check-differs", r, "inputs")
	}
	l.asked, l.answered = asked, answered
	l.checked, l.isChecked = s.hash(r.Inputs)
	if l.isChecked && len(l.inputs) > 0 {
		l.inputs = remember(l.inputs, l.checked)
	}
}

func (s *Session) newInputs(found *findings, m rpc.Message, urn, field string, inputs value.Value) {
	l := s.of(urn)
	if l == nil {
		return
	}
	h, ok := s.hash(inputs)
	if !ok {
		return
	}

	if l.isChecked && l.checked != h {
		found.say("unchecked-inputs", m, field)
		l.isChecked = false
	}
	l.inputs = remember(l.inputs, h)
}

func (s *Session) oldInputs(found *findings, m rpc.Message, urn, field string, inputs value.Value) {
	l := s.of(urn)
	if l == nil || protocol.Nothing(inputs) {
		return
	}
	h, ok := s.hash(inputs)
	if !ok {
		l.inputs = nil
		return
	}

	if l.made && len(l.inputs) > 0 && !slices.Contains(l.inputs, h) {
		found.say("unrecorded-inputs", m, field)
	}
	l.inputs = remember(l.inputs, h)
}

func remember(hashes []uint64, h uint64) []uint64 {
	hashes = slices.DeleteFunc(hashes, func(known uint64) bool { return known == h })
	if len(hashes) == mostInputs {
		hashes = slices.Delete(hashes, 0, 1)
	}
	return append(hashes, h)
}

func (s *Session) create(found *findings, m *rpc.CreateRequest, response rpc.Message) {
	s.newInputs(found, m, m.URN, "properties", m.Properties)
	l := s.of(m.URN)
	if l == nil {
		return
	}

	var id string
	var state value.Value
	switch r := response.(type) {
	case *rpc.CreateResponse:
		id, state = r.ID, r.Properties
		s.preview(found, l, r, m.Preview, s.digest(m.Properties), value.Object(), state)
	case *rpc.ErrorResourceInitFailed:
		id, state = r.ID, r.Properties
	}
	if !m.Preview && id != "" {
		l.made = true
		s.returned(l, id, state, true)
	}
}

func (s *Session) update(found *findings, m *rpc.UpdateRequest, response rpc.Message) {
	s.old(found, m, m.URN, m.ID, "olds", m.Olds)
	s.oldInputs(found, m, m.URN, "old_inputs", m.OldInputs)
	s.newInputs(found, m, m.URN, "news", m.News)
	l := s.of(m.URN)
	if l == nil {
		return
	}

	state := value.Null() // of a call that failed: it may have changed something, or not
	switch r := response.(type) {
	case *rpc.UpdateResponse:
		state = r.Properties
		s.preview(found, l, r, m.Preview, s.digest(m.Olds)+3*s.digest(m.News), m.Olds, state)
	case *rpc.ErrorResourceInitFailed:
		state = r.Properties
	}
	if !m.Preview {
		s.returned(l, m.ID, state, true)
	}
}

// read adds the state that was read, which becomes the state unless a user declines.
func (s *Session) read(m *rpc.ReadRequest, response rpc.Message) {
	r, ok := response.(*rpc.ReadResponse)
	if !ok || r.ID == "" {
		return
	}

	l := s.of(m.URN)
	if l == nil {
		return
	}
	l.isChecked = false
	l.read, l.isRead = s.hash(r.Inputs)
	isImport := protocol.Nothing(m.Inputs) && protocol.Nothing(m.Properties) && len(l.ids) == 0
	l.made = l.made || isImport
	if h, ok := s.hash(r.Inputs); ok && ((isImport && !protocol.Nothing(r.Inputs)) || len(l.inputs) > 0) {
		l.inputs = remember(l.inputs, h)
	} else {
		l.inputs = nil
	}

	id := s.text(r.ID)
	if slices.ContainsFunc(l.ids, func(k known) bool { return k.id == id && len(k.states) > 0 }) {
		s.returned(l, r.ID, r.Properties, false)
	} else {
		l.add(id) // the state before is not known
	}
}

func (s *Session) delete(found *findings, m *rpc.DeleteRequest, response rpc.Message) {
	s.old(found, m, m.URN, m.ID, "properties", m.Properties)
	s.oldInputs(found, m, m.URN, "old_inputs", m.OldInputs)
	if l := s.lives[s.text(m.URN)]; l != nil && response != nil {
		id := s.text(m.ID)
		l.ids = slices.DeleteFunc(l.ids, func(k known) bool { return k.id == id })
	}
}

func (l *life) add(id uint64) *known {
	i := slices.IndexFunc(l.ids, func(k known) bool { return k.id == id })
	if i >= 0 {
		return &l.ids[i]
	}
	if len(l.ids) == mostIDs {
		l.ids = slices.Delete(l.ids, 0, 1)
	}

	l.ids = append(l.ids, known{id: id})
	return &l.ids[len(l.ids)-1]
}

// returned records the state that a call returned, instead of all before it or in
// addition to them.
func (s *Session) returned(l *life, id string, state value.Value, instead bool) {
	k := l.add(s.text(id))
	if instead {
		k.states = nil
	}

	h, ok := s.hash(state)
	if !ok || state.IsNull() || len(k.states) == mostStates {
		k.states = nil // not known
	} else {
		k.states = append(k.states, h)
	}
}

// preview records what a preview returned, or compares a result with that.
func (s *Session) preview(found *findings, l *life, m rpc.Message, isPreview bool, request uint64, old, state value.Value) {
	promised, isSame := l.promised, l.request == request
	s.promises -= weight(promised)
	l.promised = value.Null()
	if !isPreview {
		if isSame && !promised.IsNull() {
			found.broken(m, old, state, promised)
		}
		return
	}

	if n := weight(state); s.promises+n <= mostPromises {
		s.promises += n
		l.request, l.promised = request, state.Compact()
	}
}

// broken compares what a call returned with what its preview did. Properties that the preview
// left out are as unknown.
func (c *findings) broken(m rpc.Message, old, state, promised value.Value) {
	last, listed := "", 0
	for _, b := range diff.Within(old, state, promised, diff.Options{Relation: value.Engine | value.IgnoreDependencies}) {
		_, isPromised := b.Promised()
		at := b.Shown()
		if text := at.String(); listed < mostBroken && (isPromised || b.Path().Len() > 1) && (listed == 0 || text != last) {
			c.at("preview-differs", m, "properties", at)
			last = text
			listed++
		}
	}
}

// weight is about how much memory a value takes.
func weight(v value.Value) (n int) {
	for c := range v.Walk() {
		step, _ := c.Step()
		key, _ := step.AsKey()
		text, _ := c.Value().AsString()
		n += valueWeight + len(key) + len(text)
	}
	return n
}

func (s *Session) text(t string) uint64 { return maphash.String(s.seed, t) }

func (s *Session) digest(v value.Value) uint64 { return value.Engine.Hash(s.seed, v) }

// hash returns the hash of a state, or false if engines send such a state in another
// form than it was returned in.
func (s *Session) hash(v value.Value) (uint64, bool) {
	if v.ContainsUnknown() {
		return 0, false
	}

	for at := range v.Walk() {
		switch at.Value().Kind() {
		case value.KindAsset, value.KindArchive, value.KindSealed, value.KindResourceReference:
			return 0, false
		case value.KindNull, value.KindBool, value.KindNumber, value.KindString, value.KindArray, value.KindObject, value.KindUnknown:
		}
	}
	return sessionEquals.Hash(s.seed, v), true
}
