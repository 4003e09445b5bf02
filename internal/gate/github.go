package gate

import (
	"fmt"
	"strings"
)

// Annotation returns a finding as a command of GitHub's workflows, which makes it an annotation.
// The severity is note, warning or error. A file is where it is shown, at a line; none if it is empty.
func Annotation(severity, file string, line int, title, text string) string {
	if severity == "note" {
		severity = "notice"
	}
	place := ""
	if file != "" {
		place = fmt.Sprintf("file=%s,line=%d,", property(file), line)
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", severity, place, property(title), data(text))
}

// data escapes the text of a workflow command, of which a line is one.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a value before the text, which a comma or a colon would end.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}
