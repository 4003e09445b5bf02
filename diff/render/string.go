package render

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func (w *writer) texts(x, y string, level int) {
	switch {
	case x == y: // a foreign diff may say that equal texts differ
		w.twoTexts(x, y)
		w.noteFirst(unseenText)
		w.end()
	case w.documents(x, y, level):

	case severalLines(x) && severalLines(y):
		w.add(StylePunctuation, "text of ")
		w.add(StyleCount, counts(countLines(x), countLines(y))+" lines")
		w.open()
		w.lines(x, y, level+1)
	default:
		w.twoTexts(x, y)
		if lookAlike(x, y) {
			w.noteFirst(unseenText)
		}
		w.end()
	}
}

// lookAlike reports whether two texts differ only in characters that do not show,
// such as variation selectors, which are letters' marks and not escaped.
func lookAlike(x, y string) bool {
	const most = 1 << 12
	if max(len(x), len(y)) > most || !utf8.ValidString(x) || !utf8.ValidString(y) {
		return false
	}

	seen := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
				return -1
			}
			return r
		}, s)
	}
	return seen(x) == seen(y)
}

// twoTexts writes two different texts on one line, so that they never look the same. Of long
// ones it shows the part around the first difference, too.
func (w *writer) twoTexts(x, y string) {
	a, b := parted(x, y, w.opts.Width)
	w.text(StyleOld, x, a)
	w.add(StylePunctuation, arrow)
	w.text(StyleNew, y, b)
}

// part says what to show of a text: from an offset on, and the part [lo, hi) that differs from
// another text.
type part struct{ from, lo, hi int }

func wholly(s string) part { return part{hi: len(s)} }

// parted finds where two texts differ, and from where on to show them.
func parted(x, y string, width int) (a, b part) {
	lo := commonPrefix(x, y)
	tail := commonSuffix(x[lo:], y[lo:])
	a, b = part{lo: lo, hi: len(x) - tail}, part{lo: lo, hi: len(y) - tail}
	if _, used := escape(x[:lo], width/3); used < lo && (!fits(x, width+noteRoom) || !fits(y, width+noteRoom)) {
		a.from = lo - escapedTail(x[:lo], width/4)
		b.from = a.from
	}

	isWithin := lo+tail == min(len(x), len(y)) // one of them is all of the other, and more
	if !isWithin && 2*(lo+tail) < max(len(x), len(y)) {
		// There is little in common: each is shown as a whole.
		a.lo, b.lo, a.hi, b.hi = 0, 0, len(x), len(y)
	}
	return a, b
}

func fits(s string, width int) bool {
	_, used := escape(s, width)
	return used == len(s)
}

// A note that something is left out takes noteRoom characters. Where leaving out saves no more
// than that, nothing is left out.
const noteRoom = 18

// text writes a text in quotes: what does not fit into the width is left out of
// its middle and counted. It reads no more than it shows.
func (w *writer) text(s Style, text string, p part) {
	if p.from > 0 {
		w.add(StyleCount, elided(p.from)+" ")
	}
	front, back := len(text), len(text)
	if !fits(text[p.from:], w.opts.Width+noteRoom) {
		_, used := escape(text[p.from:], w.opts.Width*2/3)
		front = p.from + used
		back -= escapedTail(text[front:], w.opts.Width/3)
	}
	if front >= back {
		w.quoted(s, text, p, p.from, len(text))
		return
	}

	w.quoted(s, text, p, p.from, front)
	w.add(StyleCount, " "+elided(back-front))
	if back < len(text) {
		w.add(StyleCount, " ")
		w.quoted(s, text, p, back, len(text))
	}
}

func elided(bytes int) string { return "…" + strconv.Itoa(bytes) + " bytes…" }

func (w *writer) quoted(s Style, text string, p part, from, to int) {
	quote := s
	if p.hi-p.lo < len(text) { // only a part of the text differs
		quote = StyleSame
	}
	w.add(quote, `"`)
	for style, piece := range p.pieces(s, text, from, to) {
		shown, _ := escape(piece, len(piece)*len(`\xff`))
		w.add(style, shown)
	}
	w.add(quote, `"`)
}

// pieces iterates over what text[from:to] consists of: what differs from another
// text, in a style, and what does not.
func (p part) pieces(s Style, text string, from, to int) iter.Seq2[Style, string] {
	return func(yield func(Style, string) bool) {
		lo, hi := min(max(p.lo, from), to), min(max(p.hi, from), to)
		_ = (from == lo || yield(StyleSame, text[from:lo])) &&
			(lo == hi || yield(s, text[lo:hi])) &&
			(hi == to || yield(StyleSame, text[hi:to]))
	}
}

// escape writes a text as Go would inside quotes, up to a number of characters,
// and returns how many bytes of it that are. It does not cut characters.
func escape(s string, room int) (shown string, used int) {
	var few [256]byte
	dst, count := few[:0], 0
	for used < len(s) && count < room {
		r, size := utf8.DecodeRuneInString(s[used:])
		char, n := escaped(s[used:used+size], r)
		if count+n > room {
			break
		}

		dst = append(dst, char...)
		count += n
		used += size
	}
	return string(dst), used
}

// escapedTail returns how many bytes at the end of a text can be shown in a number of
// characters.
func escapedTail(s string, room int) int {
	end := len(s)
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		_, n := escaped(s[end-size:end], r)
		if n > room {
			break
		}

		room -= n
		end -= size
	}
	return len(s) - end
}

// escaped returns a character as it is inside quotes, and how many characters that takes.
func escaped(char string, r rune) (shown string, width int) {
	isBroken := r == utf8.RuneError && len(char) == 1
	if !isBroken && r != '"' && r != '\\' && strconv.IsPrint(r) {
		return char, 1
	}
	quoted := strconv.Quote(char)
	return quoted[1 : len(quoted)-1], len(quoted) - 2
}

// commonPrefix returns the length of the longest common beginning of whole characters.
func commonPrefix(x, y string) int {
	n, most := 0, min(len(x), len(y))

	const block = 1 << 10
	for n+block <= most && x[n:n+block] == y[n:n+block] {
		n += block
	}
	for n < most && x[n] == y[n] {
		n++
	}
	return min(boundary(x, n), boundary(y, n))
}

// boundary returns n, or the index before it where the character begins that n is in.
func boundary(s string, n int) int {
	if n == len(s) || utf8.RuneStart(s[n]) {
		return n
	}
	for at := n - 1; at >= max(0, n-utf8.UTFMax+1); at-- {
		if !utf8.RuneStart(s[at]) {
			continue
		}
		if _, size := utf8.DecodeRuneInString(s[at:]); at+size > n {
			return at
		}
		break
	}

	return n
}

// commonSuffix returns the length of the longest common end of whole characters.
func commonSuffix(x, y string) int {
	n, most := 0, min(len(x), len(y))
	const block = 1 << 10
	for n+block <= most && x[len(x)-n-block:len(x)-n] == y[len(y)-n-block:len(y)-n] {
		n += block
	}
	for n < most && x[len(x)-n-1] == y[len(y)-n-1] {
		n++
	}

	// A character has at most three bytes after its first one.
	for range utf8.UTFMax - 1 {
		if n > 0 && !utf8.RuneStart(x[len(x)-n]) {
			n--
		}
	}
	return n
}
