package render

// The escape sequences in use. Every line ends with none in force.
const (
	sgrReset   = "\x1b[0m"
	sgrFaint   = "\x1b[2m"
	sgrRed     = "\x1b[31m"
	sgrGreen   = "\x1b[32m"
	sgrYellow  = "\x1b[33m"
	sgrMagenta = "\x1b[35m"
	sgrCyan    = "\x1b[36m"
)

func (m Mark) sgr() string {
	switch m {
	case MarkAdd:
		return sgrGreen
	case MarkDelete:
		return sgrRed
	case MarkUpdate:
		return sgrYellow
	case MarkMove:
		return sgrCyan
	case MarkReplace:
		return sgrMagenta
	case MarkNone:
	}

	return ""
}

// paint returns the colour of a span on a line with the mark. All that was added or removed
// has one colour; of an update only the parts that differ do.
func (m Mark) paint(s Style) string {
	switch s {
	case StyleNote:
		if m == MarkReplace {
			return sgrMagenta
		}
		return sgrFaint
	case StyleCount, StyleHidden:
		return sgrFaint
	case StyleOld:
		return sgrRed
	case StyleNew:
		return sgrGreen
	case StyleKey, StyleIndex:
		return m.sgr()
	case StylePunctuation, StyleSecret, StyleUnknown:
		if m == MarkAdd || m == MarkDelete {
			return m.sgr()
		}
	case StyleSame:
	}

	return ""
}

// painter appends text, and escape sequences where the colour changes.
type painter struct {
	dst  []byte
	ansi bool
	now  string
}

func (p *painter) write(sgr, text string) {
	if text == "" {
		return
	}

	if p.ansi && sgr != p.now {
		if p.now != "" {
			p.dst = append(p.dst, sgrReset...)
		}
		p.dst = append(p.dst, sgr...)
		p.now = sgr
	}
	p.dst = append(p.dst, text...)
}

func (p *painter) end() []byte {
	if p.now != "" {
		p.dst = append(p.dst, sgrReset...)
	}
	return p.dst
}
