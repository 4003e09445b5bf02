package value

// MarksFrom returns v with a secret mark wherever model has one; where the two
// differ in shape, so that there is no telling which part is meant, and model's
// part holds a secret, v's part is marked as a whole. This is what engines do to
// the answers of providers that know no secrets, with the inputs for a model.
//
// Shapes differ where the kinds do, and where two arrays differ in length. Members
// that only one side has make no difference: what only v has is not marked. Marks
// that v has stay; dependencies are not looked at. What does not change shares
// memory with v.
func MarksFrom(v, model Value) Value {
	var m modelling
	m.visit(v, model)
	for len(m.stack) > 0 {
		top := &m.stack[len(m.stack)-1]
		i := top.next
		top.next++
		switch {
		case i == top.at.Len():
			m.stack = m.stack[:len(m.stack)-1]
			m.finish(top.made(), top.mark, top.elems != nil || top.members != nil)
		case top.at.kind == KindArray:
			m.visit(top.at.elems()[i], top.model.elems()[i])
		default:
			member := &top.at.members()[i]
			m.visit(member.Value, top.counterpart(member.Key))
		}
	}
	if m.changed {
		return m.result
	}
	return v
}

// modelling is a MarksFrom under way: the containers that are open, and in the end
// the result.
type modelling struct {
	stack   []modelFrame
	result  Value
	changed bool
}

type modelFrame struct {
	markFrame
	model Value
	other int  // the member of model to look at next
	mark  bool // the container itself gets a mark
}

// visit opens a container in which both sides go together, and finishes all else.
func (m *modelling) visit(v, model Value) {
	if !model.ContainsSecret() && !model.IsSecret() {
		m.finish(v, false, false)
		return
	}
	mark := model.IsSecret()
	if v.kind == model.kind && v.kind.IsContainer() && (v.kind == KindObject || v.Len() == model.Len()) {
		m.stack = append(m.stack, modelFrame{markFrame: markFrame{at: v}, model: model, mark: mark})
		return
	}
	m.finish(v, true, false)
}

// counterpart is the member of model with a key, or null; keys come in order.
func (f *modelFrame) counterpart(key string) Value {
	ms := f.model.members()
	for f.other < len(ms) && ms[f.other].Key < key {
		f.other++
	}
	if f.other < len(ms) && ms[f.other].Key == key {
		return ms[f.other].Value
	}
	return Value{}
}

// finish marks a value whose parts are done, and puts it back into its container
// if it, or something in it, has changed.
func (m *modelling) finish(v Value, mark, changed bool) {
	if mark {
		changed = changed || !v.OwnSecret()
		v = Secret(v)
	}
	if !changed {
		return
	}
	if len(m.stack) == 0 {
		m.result, m.changed = v, true
		return
	}
	m.stack[len(m.stack)-1].set(v)
}
