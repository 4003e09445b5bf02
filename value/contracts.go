package value

import (
	"iter"
	"slices"

	"github.com/propalg/propalg/path"
)

// Contract is a rule for the contents of a bag that a peer sent: whether it may hold
// unknowns, secrets and resource references. Package provider/check applies contracts to
// whole calls. The zero Contract, and any undefined one, allows everything.
type Contract uint8

// The contracts.
const (
	AnyContents      Contract = iota // arguments and results of methods: anything is allowed
	StoredContents                   // old inputs and old state, also of views: no unknowns
	SettledContents                  // what Create and Update receive and return outside preview, and inputs checked for them: no unknowns
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

// Severity is how serious a violation of a contract is.
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

// Violation is a place where a value violates a contract. It holds no content, and its
// path is redacted at the outermost secret.
type Violation struct {
	Severity Severity
	At       path.Shown
	What     string // "unknown", "secret" or "resource reference"
	Why      string // the rule, in a few words
}

// String returns one line, such as "breach: tags.env: unknown: not allowed in old
// values".
func (v Violation) String() string {
	text := v.Severity.String() + ": "
	if at := v.At.String(); at != "" {
		text += at + ": "
	}

	return text + v.What + ": " + v.Why
}

// Violations iterates over the places where v violates the contract, in the order of
// [Value.Walk].
//
// Unknowns below secrets count; the unknown ID of a reference does not. Of nested
// secrets only the outermost counts. Beyond [path.MaxListed] bytes of paths, the place
// of a violation is its top-level property, reported once for each kind of violation.
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
		return "not allowed in old values", false
	case SettledContents:
		return "not allowed outside preview", false
	case ArgumentContents:
		return "not allowed outside preview", true
	case PreviewArguments:
		return "", true
	case ResultContents:
		return "not allowed in results", true
	case AnyContents:
	}

	return "", false
}
