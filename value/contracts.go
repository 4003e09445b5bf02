package value

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

// Contract is what one side of the provider protocol may expect of a bag of
// properties that the other side sent (section 1 of the specification). The
// contracts of whole calls, made of these, are in package codec/rpc. The zero
// Contract asks for nothing; neither does one that has no name.
type Contract uint8

// The contracts.
const (
	AnyContents      Contract = iota // arguments and results of methods: they may carry anything
	StoredContents                   // old inputs and old state, their views too: no unknowns
	SettledContents                  // what Create and Update get and return outside preview, and what Check returns for that: no unknowns
	ArgumentContents                 // arguments of a function outside preview: no unknowns; the guide forbids secrets and references
	PreviewArguments                 // arguments of a function in preview: the guide forbids secrets and references
	ResultContents                   // results of a function, in preview too: no unknowns; the guide forbids secrets and references
)

// String returns the name of a contract in words, such as "stored contents".
func (c Contract) String() string {
	switch c {
	case AnyContents:
		return "any contents"
	case StoredContents:
		return "stored contents"
	case SettledContents:
		return "settled contents"
	case ArgumentContents:
		return "argument contents"
	case PreviewArguments:
		return "preview arguments"
	case ResultContents:
		return "result contents"
	}

	return "invalid contract"
}

// Severity says how bad it is that a contract is not kept.
type Severity uint8

// The severities.
const (
	Note   Severity = iota // the guide for providers forbids it, and engines send it
	Breach                 // a side breaks the protocol
)

// String returns "note" or "breach".
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Breach:
		return "breach"
	}

	return "invalid severity"
}

// Violation is a place where a contract is not kept. It holds no payload, and
// its path is cut at the outermost secret.
type Violation struct {
	Severity Severity
	At       path.Shown
	What     string // "unknown", "secret" or "resource reference"
	Why      string // the rule, in a few words
}

// String returns one line, such as "breach: tags.env: unknown: none in what is old".
func (v Violation) String() string {
	text := v.Severity.String() + ": "
	if at := v.At.String(); at != "" {
		text += at + ": "
	}

	return text + v.What + ": " + v.Why
}

// Violations iterates over every place where a value does not keep a contract,
// in the order of [Value.Walk]. An unknown counts
// below secrets too; the unknown ID of a reference does not, here and nowhere
// else. Of secrets the outermost counts, not what is secret because of it.
// Past [path.MaxListed] bytes of paths, it names the top-level property that what
// it finds is in, once for each thing that is wrong.
func (c Contract) Violations(v Value) iter.Seq[Violation] {
	return func(yield func(Violation) bool) {
		unknowns, notes := c.forbids()
		if unknowns == "" && !notes || !notes && !v.ContainsUnknown() {
			return
		}

		const (
			none      = -1
			forbidden = "the guide forbids it"
		)

		var l listing

		report := func(at *Cursor, found Violation) (goOn bool) {
			return l.place(at, &found) || yield(found)
		}

		secret := none // depth of the secret that the walk is in
		for at := range v.Walk() {
			part := at.Value()
			if at.Depth() <= secret {
				secret = none
			}

			isOutermost := part.IsSecret() && secret == none
			if isOutermost {
				secret = at.Depth()
			}

			goOn := true
			if notes && isOutermost {
				goOn = report(at, Violation{Severity: Note, What: "secret", Why: forbidden})
			}

			switch kind := part.Kind(); {
			case !goOn:
			case kind == KindUnknown && unknowns != "":
				goOn = report(at, Violation{Severity: Breach, What: "unknown", Why: unknowns})
			case kind == KindResourceReference && notes:
				goOn = report(at, Violation{Severity: Note, What: "resource reference", Why: forbidden})
			}

			if !goOn {
				return
			}
		}
	}
}

// listing is how much of the paths that may be listed is used up.
type listing struct {
	size  int
	top   path.Step // the property named last
	named []string  // and for what
}

// place says where a violation is, and reports whether that was said already.
func (l *listing) place(at *Cursor, v *Violation) (said bool) {
	if l.size <= path.MaxListed || at.Depth() == 0 {
		v.At = at.Shown()
		l.size += v.At.RevealPath().Size()

		return false
	}

	top := at.above[0].step()
	if top != l.top {
		l.top, l.named = top, l.named[:0]
	}

	if slices.Contains(l.named, v.What) {
		return true
	}

	l.named = append(l.named, v.What)
	v.At = path.Show(path.Of(top), at.outermost())

	return false
}

// forbids says why a contract allows no unknowns, if it does not, and whether
// secrets and references are notes.
func (c Contract) forbids() (unknowns string, notes bool) {
	switch c {
	case StoredContents:
		return "none in what is old", false
	case SettledContents:
		return "not allowed outside preview", false
	case ArgumentContents:
		return "not allowed outside preview", true
	case PreviewArguments:
		return "", true
	case ResultContents:
		return "none in results", true
	case AnyContents:
	}

	return "", false
}
