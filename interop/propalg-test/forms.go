package main

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/propalg/propalg/internal/gate"
)

// forms are those of reports.
func forms() []string { return []string{"text", "json", "github", "junit"} }

// write writes a report in a form.
func (doc reportJSON) write(out io.Writer, form string) error {
	var text []byte
	var err error
	switch form {
	case "json":
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		return e.Encode(doc)
	case "github":
		text = doc.annotations()
	case "junit":
		text, err = doc.junit()
	default:
		text = []byte(doc.text())
	}
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// annotations returns the findings as commands of GitHub's workflows.
func (doc reportJSON) annotations() []byte {
	var b strings.Builder
	for _, s := range doc.Subjects {
		for _, f := range s.Findings {
			b.WriteString(gate.Annotation(f.Severity, "", 0, line(s.Type), f.title()+"\n"+line(f.Advice)))
		}
	}
	return []byte(b.String())
}

// The XML that CI systems read as results of tests.
type (
	junitXML struct {
		XMLName  xml.Name     `xml:"testsuite"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Cases    []junitCases `xml:"testcase"`
	}
	junitCases struct {
		Name     string         `xml:"name,attr"`
		Class    string         `xml:"classname,attr"`
		Skipped  *junitMessage  `xml:"skipped"`
		Failures []junitMessage `xml:"failure"`
		Out      string         `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// junit returns the report as results of tests: one for each resource, function and provider.
func (doc reportJSON) junit() ([]byte, error) {
	suite := junitXML{Name: "propalg-test " + doc.Provider.Name}
	for _, s := range doc.Subjects {
		c := junitCases{Name: s.Type, Class: s.Kind, Out: strings.Join(slices.Concat(s.Reached, s.Missed), "\n")}
		for _, f := range s.Findings {
			c.Failures = append(c.Failures, junitMessage{Message: f.title(), Type: f.Severity, Text: line(f.Advice)})
		}
		if len(s.Reached) == 0 && len(s.Missed) > 0 {
			c.Skipped = &junitMessage{Message: s.Missed[0]}
			suite.Skipped++
		}
		if len(c.Failures) > 0 {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)

	text, err := xml.MarshalIndent(suite, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
