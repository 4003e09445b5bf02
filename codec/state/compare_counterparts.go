package state

import (
	"hash/maphash"
	"maps"
	"strings"

	"github.com/propalg/propalg/urn"
	"github.com/propalg/propalg/value"
)

// NOTE: Two stacks of one program differ in what the cloud and the engine made up: IDs, ARNs,
// accounts, suffixes of names. What one stack has in place of the other's is learned from
// paired resources: from their IDs first, and then from what providers returned, that is
// from outputs of custom resources which neither they nor a resource before them had as an
// input: what a program chose is no counterpart, wherever it comes back as an output. Of
// texts that are built alike, such as ARNs, the words that differ are learned one by one, so
// that they are recognised in other texts.
//
// A text of the old stack is taken for one of the new stack only if that is exactly what the
// new resource has. Where the new resource has the ID of a resource of the old stack instead
// of its own, that is the difference.

// counterparts are what a new stack has in place of texts of an old one.
type counterparts struct {
	names *stackNames
	words map[string]counterpart // by the old ones: letters and digits, with a digit
	whole map[string]counterpart

	// While outputs are read: hashes of the texts of the inputs before.
	chosen map[uint64]bool
	seed   maphash.Seed
}

// counterpart is the text of the new stack; empty: there are several.
type counterpart struct {
	to     string
	isOfID bool // which outputs do not change
}

// newCounterparts learns from the pairs.
func (c *comparison) newCounterparts() *counterparts {
	if c.options.Times {
		return &counterparts{names: c.names}
	}
	p := &counterparts{
		names: c.names, words: map[string]counterpart{}, whole: map[string]counterpart{},
		chosen: map[uint64]bool{}, seed: maphash.MakeSeed(),
	}
	for now, old := range c.partners {
		if old >= 0 {
			p.learn(c.old.entries[old].ID, c.now.entries[now].ID, true)
		}
	}
	for now, old := range c.partners {
		if old < 0 || c.isEqual(old, now) || c.now.unreadable[now] {
			continue
		}
		x, err := c.old.resource(old)
		if err != nil {
			continue // it is reported where it is compared
		}
		y, err := c.now.resource(now)
		if err != nil {
			continue
		}
		p.learnNames(x, y)
		p.choose(x.Inputs)
		p.choose(y.Inputs)
		if x.Custom && y.Custom {
			p.learnOutputs(x.Outputs, y.Outputs, x.Inputs)
		}
	}
	p.chosen = nil
	return p
}

// choose notes the texts of inputs.
func (p *counterparts) choose(inputs value.Value) {
	for c := range inputs.Walk() {
		if s, ok := c.Value().AsString(); ok {
			p.chosen[maphash.String(p.seed, s)] = true
		}
	}
}

// learnNames learns from properties that are the name of the resource with a suffix.
func (p *counterparts) learnNames(old, now *Resource) {
	from, err := urn.Parse(old.URN)
	to, failed := urn.Parse(now.URN)
	if err != nil || failed != nil {
		return
	}
	for key, v := range old.Inputs.Members() {
		x, _ := v.AsString()
		y, _ := now.Inputs.Field(key).AsString()
		if strings.HasPrefix(x, from.Name()+"-") && strings.HasPrefix(y, to.Name()+"-") {
			p.learn(x, y, false)
		}
	}
}

// learnOutputs learns from outputs that are no inputs.
func (p *counterparts) learnOutputs(old, now, inputs value.Value) {
	x, isText := old.AsString()
	y, areTexts := now.AsString()
	isChosen := p.chosen[maphash.String(p.seed, x)] || p.chosen[maphash.String(p.seed, y)]
	if isText && areTexts && inputs.IsNull() && !isChosen {
		p.learn(x, y, false)
	}
	for key, v := range old.Members() {
		p.learnOutputs(v, now.Field(key), inputs.Field(key))
	}
	if old.Len() == now.Len() {
		for i, v := range old.Elems() {
			p.learnOutputs(v, now.Elem(i), inputs.Elem(i))
		}
	}
}

// learn learns that a text of the new stack stands in place of one of the old stack.
func (p *counterparts) learn(old, now string, isOfID bool) {
	const longest = 4096
	if old == now || len(old) > longest || len(now) > longest {
		return
	}
	if len(old) >= 8 && strings.ContainsAny(old, digits) {
		remember(p.whole, old, now, isOfID)
	}

	var olds, news []string
	var between [2]string
	for i, text := range [2]string{old, now} {
		var rest strings.Builder
		for word, isWord := range words(text) {
			switch {
			case !isWord:
				rest.WriteString(word)
			case i == 0:
				olds = append(olds, word)
			default:
				news = append(news, word)
			}
			if isWord {
				rest.WriteByte(0)
			}
		}
		between[i] = rest.String()
	}
	if between[0] != between[1] {
		return
	}
	for i, word := range olds {
		if isMadeUp(word) {
			remember(p.words, word, news[i], isOfID)
		}
	}
}

// remember keeps what is learned, and that there are several.
func remember(in map[string]counterpart, old, now string, isOfID bool) {
	known, isKnown := in[old]
	switch {
	case known.isOfID && !isOfID:
		return
	case isKnown && known.to != now:
		now = ""
	case !isKnown:
		old, now = strings.Clone(old), strings.Clone(now)
	}
	in[old] = counterpart{now, isOfID}
}

const digits = "0123456789"

// isMadeUp reports whether a word may identify something: it is a long hexadecimal number, or
// has digits, and is neither a
// short number nor very short.
func isMadeUp(word string) bool {
	isNumber := strings.Trim(word, digits) == ""
	isHex := strings.Trim(word, digits+"abcdef") == ""
	return (isHex && len(word) >= 7) || (strings.ContainsAny(word, digits) && len(word) >= 4 && !isNumber)
}

func isWordByte(c byte) bool { return (c|0x20 >= 'a' && c|0x20 <= 'z') || (c >= '0' && c <= '9') }

// words iterates over the words of a text, which are letters and digits, and over what is
// between them.
func words(text string) func(yield func(part string, isWord bool) bool) {
	return func(yield func(string, bool) bool) {
		for begin := 0; begin < len(text); {
			end := begin + 1
			for end < len(text) && isWordByte(text[end]) == isWordByte(text[begin]) {
				end++
			}
			if !yield(text[begin:end], isWordByte(text[begin])) {
				return
			}
			begin = end
		}
	}
}

// of returns what the new stack would have in place of a text, and whether that follows from
// the ID of a resource.
func (p *counterparts) of(text string) (to string, isOfID bool) {
	const sure = 7 // characters of a word that is no coincidence
	if found := p.whole[text]; found.to != "" {
		return found.to, found.isOfID
	}
	var out strings.Builder
	for part, isWord := range words(p.names.named(text)) {
		if found := p.words[part]; isWord && found.to != "" {
			isOfID = isOfID || (found.isOfID && len(part) >= sure)
			part = found.to
		}
		out.WriteString(part)
	}
	return out.String(), isOfID
}

// taken returns an old bag with the texts and references of the new one that stand in place of
// its own, and the number of those texts.
func (p *counterparts) taken(old, now value.Value) (taken value.Value, n int) {
	texts, keys, references := map[string]bool{}, map[string]bool{}, map[value.ResourceReference]bool{}
	for c := range now.Walk() {
		if s, ok := c.Value().AsString(); ok {
			texts[s] = true
		}
		if r, ok := c.Value().AsResourceReference(); ok {
			references[r] = true
		}
		if step, ok := c.Step(); ok && step.IsKey() {
			key, _ := step.AsKey()
			keys[key] = true
		}
	}

	taken, err := old.Transform(func(c *value.Cursor) (value.Value, error) {
		v := c.Value()
		if s, ok := v.AsString(); ok && p.words != nil {
			to, isOfID := p.of(s)
			switch {
			case !texts[s] && texts[to]:
				n++
				return value.String(to), nil
			case texts[s] && !texts[to] && isOfID: // the new resource has what is of the old stack
				return value.String(to), nil
			}
		}
		if r, ok := v.AsResourceReference(); ok && !references[r] {
			r.URN = p.names.moved(r.URN)
			if id, isKnown := r.ID.Known(); isKnown && p.words != nil && !references[r] {
				to, _ := p.of(id)
				r.ID = value.KnownID(to)
			}
			if references[r] {
				return r.Value(), nil
			}
		}
		if p.words != nil {
			v = p.renamed(v, keys, &n)
		}
		return v, nil
	})
	if err != nil {
		return old, 0 // cannot happen: no container grows
	}
	return taken, n
}

// renamed returns an object with keys of the new one, and adds the number of these.
func (p *counterparts) renamed(v value.Value, keys map[string]bool, n *int) value.Value {
	var members map[string]value.Value
	for key := range v.Members() {
		to := key
		if !keys[key] {
			to, _ = p.of(key)
		}
		if to == key || !keys[to] {
			continue
		}
		if members == nil {
			members = maps.Collect(v.Members())
		}
		if _, isTaken := members[to]; !isTaken {
			members[to] = members[key]
			delete(members, key)
			*n++
		}
	}
	if members == nil {
		return v
	}
	return value.ObjectFromMap(members).WithMarksOf(v)
}
