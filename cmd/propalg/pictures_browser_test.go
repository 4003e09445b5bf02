//go:build page && unix

package main_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const pictures = "../../docs/pictures"

func pictured() []string {
	return []string{"--replace-on", "engineVersion", "--replace-on", "ingress", "testdata/samples/before.json", "testdata/samples/after.json"}
}

// TestBrowserPictures makes the pictures of README.md where PROPALG_PICTURES is set.
func TestBrowserPictures(t *testing.T) {
	if os.Getenv("PROPALG_PICTURES") == "" {
		t.Skip("bash .ci/page pictures makes them again")
	}

	args := append([]string{"diff", "--op", "replace", "--color", "always", "--width", "100"}, pictured()...)
	drawn := terminal("propalg diff --op replace …", propalg(t, "../..", "", args...).stdout)
	if err := os.WriteFile(filepath.Join(pictures, "terminal.svg"), drawn, 0o600); err != nil {
		t.Fatal(err)
	}

	b := openBrowser(t)
	b.window(1100, 760, "light")
	b.open(pageFile(t, pictured()...))
	b.want(`document.querySelectorAll("td").length > 0`, "true")
	t.Setenv("PROPALG_SHOTS", pictures)
	b.shoot("page")
}

// terminal draws what a command prints as a picture of a dark terminal.
func terminal(command, printed string) []byte {
	const left, line, char = 14, 18, 7.83
	lines := strings.Split("$ "+command+"\n"+strings.TrimRight(printed, "\n"), "\n")
	colours := map[string]string{"31": "#f47067", "32": "#57ab5a", "33": "#daaa3f", "35": "#b083f0"}
	escape := regexp.MustCompile("\x1b\\[(\\d+)m")
	height := line*len(lines) + 2*left
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#adbac7">`+"\n", 100*char+2*left, height)
	fmt.Fprintf(&svg, `<rect width="100%%" height="100%%" rx="8" fill="#22272e"/>`+"\n")
	for i, text := range lines {
		fmt.Fprintf(&svg, `<text x="%d" y="%d" xml:space="preserve">`, left, left+line*i+13)
		colour := ""
		for text != "" {
			span, next := text, []string{"", ""}
			if at := escape.FindStringSubmatchIndex(text); at != nil {
				span, next = text[:at[0]], []string{text[at[1]:], colours[text[at[2]:at[3]]]}
			}
			if colour == "" {
				svg.WriteString(html.EscapeString(span))
			} else {
				fmt.Fprintf(&svg, `<tspan fill="%s">%s</tspan>`, colour, html.EscapeString(span))
			}
			text, colour = next[0], next[1]
		}
		svg.WriteString("</text>\n")
	}
	svg.WriteString("</svg>\n")
	return []byte(svg.String())
}
