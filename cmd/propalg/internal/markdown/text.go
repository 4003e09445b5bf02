package markdown

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// code returns a text as code, for a line or a cell of a table. Renderers disagree
// about pipes, backslashes and backticks in code spans: texts with these, and those
// that a code span would trim, are HTML in which all but letters and digits are
// character references, which cannot be markup.
func code(text string) string {
	if text != "" && !strings.ContainsAny(text, "`|\\\n\r") && strings.Trim(text, " ") == text {
		return "`" + text + "`"
	}
	return "<code>" + escaped(text, "") + "</code>"
}

// prose returns a text that is no markup, no link and mentions nobody.
func prose(text string) string {
	text = escaped(text, " ,:;?()-.")
	return strings.ReplaceAll(text, "www.", "www&#46;")
}

// escaped returns a text with character references for all but letters, digits and some
// characters.
func escaped(text, but string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf && !isWord(r) && !strings.ContainsRune(but, r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}

	return b.String()
}

func isWord(r rune) bool {
	return (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9')
}

// markupCode returns a text as code, for a line of HTML.
func markupCode(text string) string { return "<code>" + html.EscapeString(text) + "</code>" }

// fence returns backticks that end no block but their own.
func fence(body string) string {
	longest, run := 2, 0
	for _, r := range body {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}

	return strings.Repeat("`", longest+1)
}
