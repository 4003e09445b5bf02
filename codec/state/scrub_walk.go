package state

import (
	"strconv"
	"strings"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/path"
)

// scrubbing is how a value is scrubbed. Secrets are replaced in all ways.
type scrubbing uint8

const (
	scrubFree    scrubbing = iota // texts of secrets are replaced, in keys too
	scrubKept                     // they are reported
	scrubGone                     // each text and number is replaced
	scrubBag                      // an object whose keys are names; its members are free
	scrubOutputs                  // likewise, and some members are hidden
	scrubHidden                   // it is replaced as a whole
	scrubConfig                   // what is secure is gone
)

// The signatures of values with contents.
const (
	assetSignature   = "c44067f5952c0a294b673a41bacd8c17"
	archiveSignature = "0def7320c3a5731c473e5ecbe6d01bc7"
)

// scrubWalk walks through the text of a record, or of what is around them.
type scrubWalk struct {
	*scrubber
	collects bool            // it finds secrets, and changes nothing
	hidden   map[string]bool // names of outputs
	urn      string
	listed   []Scrubbed
	out      []splice

	in   span
	at   path.Path // of in
	d    jsonscan.Decoder
	open []scrubbed
}

func (s *scrubber) walk(collects bool) *scrubWalk { return &scrubWalk{scrubber: s, collects: collects} }

// scrubbed is an open container.
type scrubbed struct {
	from, before, listed int // where it begins, and what was noted before
	last                 int
	how                  scrubbing
	isArray              bool
	index                int
	key                  string
	isVeiled             bool // the key is or has a secret
	isSecret, isSealed   bool
	signature            string
	hash, text           jsonscan.Token // of what may be an asset or an archive
	isChanged            bool           // the contents of an asset in it are
}

// value walks through a value.
func (w *scrubWalk) value(in span, how scrubbing, at path.Path) {
	w.in, w.at, w.d = in, at, jsonscan.Decoder{Text: in.text}
	w.open = append(w.open[:0], scrubbed{how: how})
	for {
		t, fault := w.d.Next()
		if fault != nil || t.Kind == jsonscan.KindEnd { // it was read before, and is well formed
			return
		}

		top := &w.open[len(w.open)-1]
		switch t.Kind {
		case jsonscan.KindName:
			w.key(top, t)
		case jsonscan.KindObject, jsonscan.KindArray:
			top.index++
			w.open = append(w.open, scrubbed{
				from: t.From, before: len(w.out), listed: len(w.listed), last: w.last, how: w.below(top),
				isArray: t.Kind == jsonscan.KindArray, index: -1,
			})
		case '}', ']':
			w.closed(top, t.To)
		case jsonscan.KindString:
			top.index++
			w.string(top, t)
		case jsonscan.KindNumber, jsonscan.KindLiteral:
			top.index++
			w.scalar(top, t)
		case jsonscan.KindEnd:
		}
	}
}

// below returns how what is in a container is scrubbed.
func (w *scrubWalk) below(top *scrubbed) scrubbing {
	if len(w.open) == 1 { // the value itself
		return top.how
	}
	switch top.how {
	case scrubBag:
		return scrubFree
	case scrubOutputs:
		if w.hidden[top.key] {
			return scrubHidden
		}
		return scrubFree
	case scrubConfig:
		if top.key == "secure" {
			return scrubGone
		}
	case scrubHidden:
		return scrubGone
	case scrubFree, scrubKept, scrubGone:
	}
	return top.how
}

// place returns the place that the walk is at.
func (w *scrubWalk) place() path.Shown {
	visible := -1
	steps := make([]path.Step, 0, len(w.open))
	for i := range w.open[1:] {
		c := &w.open[i+1]
		if c.isVeiled && visible < 0 {
			visible = w.at.Len() + i
		}
		if c.isArray {
			steps = append(steps, path.Index(c.index))
		} else {
			steps = append(steps, path.Key(c.key))
		}
	}
	return path.Show(w.at.Append(steps...), visible)
}

func (w *scrubWalk) list(n int) {
	w.listed = append(w.listed, Scrubbed{URN: w.urn, At: w.place(), Placeholder: n, Left: n == 0})
}

// splice puts a text in the place of a token.
func (w *scrubWalk) splice(t jsonscan.Token, text string, n int) {
	w.out = append(w.out, w.in.sub(t.From, t.To).with(text))
	w.list(n)
}

// whole puts a placeholder in the place of a token.
func (w *scrubWalk) whole(t jsonscan.Token) {
	text, n := w.next()
	w.splice(t, `"`+text+`"`, n)
}

// member returns the path of a member whose name stays. One with the text of a secret is not
// shown.
func (w *scrubWalk) member(at path.Path, name string) path.Path {
	if w.collects {
		w.known(name)
	} else if len(w.sought.find(name, true)) > 0 {
		name = "[secret]"
		w.listed = append(w.listed, Scrubbed{URN: w.urn, At: path.Show(at.Member(name), -1), Left: true})
	}
	return at.Member(name)
}

// known makes the numbers of placeholders that are there those before the first new one.
func (w *scrubWalk) known(text string) {
	for strings.Contains(text, placeholderBegin) {
		var n int
		n, text = placeholderIn(text)
		w.last = max(w.last, n)
	}
}

func (w *scrubWalk) key(top *scrubbed, t jsonscan.Token) {
	top.key, top.isVeiled = w.d.Unquoted(t), false
	if w.collects {
		w.known(top.key)
		return
	}
	all := w.sought.find(top.key, true)
	if len(all) == 0 || top.key == codec.SignatureKey {
		return
	}

	top.isVeiled = true
	switch top.how {
	case scrubBag, scrubOutputs, scrubKept:
		w.list(0)
	case scrubFree, scrubGone, scrubHidden, scrubConfig:
		text, n := w.replaced(top.key, all)
		w.splice(t, quotedKey(text), n)
	}
}

func (w *scrubWalk) string(top *scrubbed, t jsonscan.Token) {
	text := w.d.Unquoted(t)
	isMember := len(w.open) > 1 && !top.isArray
	top.isSealed = top.isSealed || (isMember && top.key == "ciphertext")
	switch {
	case isMember && top.key == codec.SignatureKey && isSignature(text):
		top.isSecret = top.isSecret || text == secretSignature
		top.signature = text
	case w.collects:
		w.known(text)
		if w.below(top) == scrubHidden {
			w.sought.add(text, false)
		} else if strings.Contains(text, secretSignature) {
			w.walk(true).value(span{text: text}, scrubFree, path.Path{})
		}
	case isMember && top.key == "hash":
		w.contents(top, top.hash)
		top.hash = t
	case isMember && top.key == "text":
		w.contents(top, top.text)
		top.text = t
	default:
		w.text(w.below(top), t, text)
	}
}

// isSignature reports whether a text may be what says how an object is read.
func isSignature(text string) bool {
	return len(text) == len(secretSignature) && strings.Trim(text, "0123456789abcdef") == ""
}

// contents scrubs a text that turned out to be no contents of an asset, or none that changed.
func (w *scrubWalk) contents(top *scrubbed, t jsonscan.Token) {
	if t.To > 0 {
		w.text(w.below(top), t, w.d.Unquoted(t))
	}
}

func (w *scrubWalk) text(how scrubbing, t jsonscan.Token, text string) {
	all, hasSecret := w.sought.find(text, how == scrubKept), strings.Contains(text, secretSignature)
	to, isReference := w.follow[text]
	switch how {
	case scrubKept:
		if len(all) > 0 || hasSecret {
			w.list(0)
		}
	case scrubGone, scrubHidden:
		if !isPlaceholder(text) && (text != "" || how == scrubHidden) {
			w.whole(t)
		}
	case scrubFree, scrubBag, scrubOutputs, scrubConfig:
		switch {
		case isReference && to.placeholder == 0:
			w.list(0)
		case isReference:
			w.splice(t, quotedKey(to.text), to.placeholder)
		case hasSecret:
			w.whole(t)
		case len(all) > 0:
			text, n := w.replaced(text, all)
			w.splice(t, quotedKey(text), n)
		}
	}
}

func (w *scrubWalk) scalar(top *scrubbed, t jsonscan.Token) {
	text, how := w.d.Text[t.From:t.To], w.below(top)
	isNumber := t.Kind == jsonscan.KindNumber
	switch {
	case w.collects:
		if isNumber && how == scrubHidden {
			w.sought.add(text, true)
		}
	case how == scrubHidden && text != "null", how == scrubGone && isNumber:
		w.whole(t)
	case isNumber && how != scrubKept && len(text) >= leastPart:
		if all := w.sought.find(text, true); len(all) > 0 {
			_, n := w.next()
			w.splice(t, strconv.Itoa(n), n)
		}
	}
}

// closed visits a container that ends.
func (w *scrubWalk) closed(top *scrubbed, end int) {
	raw := jsonscan.Token{From: top.from, To: end}
	text := w.d.Text[top.from:end]
	if w.collects {
		if top.isSecret || top.how == scrubHidden {
			w.sought.json(text)
		}
		w.open = w.open[:len(w.open)-1]
		return
	}

	isChanged := w.endContents(top)
	f := *top
	w.open = w.open[:len(w.open)-1]
	parent := &w.open[len(w.open)-1]
	parent.isChanged = parent.isChanged || isChanged
	if !f.isSecret && f.how != scrubHidden {
		return
	}

	w.out, w.listed, w.last = w.out[:f.before], w.listed[:f.listed], f.last
	switch {
	case !f.isSecret:
		w.whole(raw)
	case !isScrubbedSecret(text):
		each, n := w.next()
		w.splice(raw, scrubbedSecret(each), n)
		w.listed[len(w.listed)-1].Sealed = f.isSealed
	}
}

// endContents scrubs what was left of an object that may be an asset or an archive, and
// reports whether its contents or those of an asset in it changed.
func (w *scrubWalk) endContents(top *scrubbed) bool {
	if top.text.To == 0 && top.hash.To == 0 {
		return top.isChanged
	}
	if top.key = "text"; top.text.To > 0 {
		text := w.d.Unquoted(top.text)
		if top.signature == assetSignature && text != "" && !isPlaceholder(text) {
			top.isChanged = true
			w.whole(top.text)
		} else {
			w.contents(top, top.text)
		}
	}
	if top.key = "hash"; top.isChanged && (top.signature == assetSignature || top.signature == archiveSignature) && top.hash.To > 0 {
		w.whole(top.hash)
	} else {
		w.contents(top, top.hash)
	}
	return top.isChanged
}

func scrubbedSecret(text string) string { return clearSecret + `"\"` + text + `\""}` }

func isScrubbedSecret(text string) bool {
	n, _ := placeholderIn(text)
	return n > 0 && text == scrubbedSecret(placeholder(n))
}
