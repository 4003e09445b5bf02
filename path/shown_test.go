package path_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/propalg/propalg/path"
)

func TestShownTable(t *testing.T) {
	for i, c := range []struct {
		path    string
		visible int
		want    string
		cut     bool
	}{
		{"o.k.x", 1, "o[secret]", true},
		{"o.k.x", 2, "o.k[secret]", true},
		{"o.k.x", 3, "o.k.x", false},
		{"o.k.x", 4, "o.k.x", false},
		{"o.k.x", -1, "o.k.x", false},
		{"o.k.x", 0, "[secret]", true},
		{"", 0, "", false},
		{"", 1, "", false},
		{`["a b"][0]`, 1, `["a b"][secret]`, true},
	} {
		p := path.MustParse(c.path)
		s := path.Show(p, c.visible)
		text, err := s.MarshalText()
		if s.String() != c.want || s.Redacted() != c.cut || s.RevealPath() != p || !p.HasPrefix(s.Path()) || string(text) != c.want || err != nil {
			t.Errorf("row %d: %s, cut %v, whole %v, visible %v", i, s, s.Redacted(), s.RevealPath(), s.Path())
		}
		if !s.Equal(path.Show(p, c.visible)) || (c.cut && s.Equal(path.Show(p, -1))) || s.Equal(path.Show(p.Member("x"), c.visible)) {
			t.Errorf("row %d: equality", i)
		}
	}
	if zero := (path.Shown{}); zero.String() != "" || zero.Redacted() || !zero.RevealPath().IsRoot() {
		t.Errorf("the zero Shown is %v", zero)
	}
}

// verbs are all letters, with the flags that change what fmt prints.
func verbs() []string {
	var all []string
	for c := 'A'; c <= 'z'; c++ {
		if c > 'Z' && c < 'a' {
			continue
		}
		for _, flags := range []string{"", "+", "#", "-", " ", "0", "30", ".200", "+#", "#10.3"} {
			all = append(all, "%"+flags+string(c))
		}
	}
	return all
}

// hidden holds a Shown where its methods are not called.
type hidden struct {
	s  path.Shown
	p  *path.Shown
	l  []path.Shown
	m  map[string]path.Shown
	i  any
	pi *any
	e  error
}

const canary = "CANARYkey"

// leaks reports whether a text holds the canary, plainly or as hex or a list
// of bytes.
func leaks(text string) bool {
	plain := strings.ToLower(text)
	for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("% x", canary), fmt.Sprintf("%# x", canary), strings.Trim(fmt.Sprintf("%d", []byte(canary)), "[]")} {
		if strings.Contains(plain, strings.ToLower(form)) {
			return true
		}
	}
	return false
}

func TestShownHidesKeys(t *testing.T) {
	s := path.Show(path.MustParse("outer").Member(canary).Member("x"), 1)
	var boxed any = s
	holder := hidden{s, &s, []path.Shown{s}, map[string]path.Shown{"k": s}, s, &boxed, errors.New(s.String())}
	for _, verb := range verbs() {
		for i, v := range []any{s, &s, holder, &holder, []hidden{holder}, map[string]*path.Shown{"k": &s}, struct{ path.Shown }{s}, struct{ S any }{s}} {
			text := fmt.Sprintf(verb, v)
			if leaks(text) {
				t.Errorf("%s of row %d: %s", verb, i, text)
			}
		}
		if !leaks(fmt.Sprintf("%v %v", verb, s.RevealPath())) {
			t.Fatal("the canary checker sees nothing")
		}
	}
	for i, text := range []string{s.String(), fmt.Sprint(s), fmt.Sprintf("%v", s)} {
		if leaks(text) || !strings.Contains(text, "outer[secret]") {
			t.Errorf("row %d: %s", i, text)
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "path", s, "holder", holder)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "path", s, "holder", holder)
	js, err := json.Marshal(map[string]any{"s": s, "p": &s})
	if err != nil || leaks(log.String()) || leaks(string(js)) || string(js) != `{"p":"outer[secret]","s":"outer[secret]"}` {
		t.Errorf("%s, %v, %s", js, err, log.String())
	}
}

func TestShownFormat(t *testing.T) {
	s := path.Show(path.MustParse("o.k"), 1)
	for i, c := range []struct{ verb, want string }{
		{"%v", "o[secret]"}, {"%s", "o[secret]"}, {"%q", `"o[secret]"`}, {"%#v", `"o[secret]"`}, {"%12s|", "   o[secret]|"}, {"%-12v|", "o[secret]   |"}, {"%d", "%!d(string=o[secret])"},
	} {
		if got := fmt.Sprintf(c.verb, s); got != c.want {
			t.Errorf("row %d %s: %s", i, c.verb, got)
		}
	}
}

// The text of an error of ours that a path below a secret can cause shows no
// key, under no verb.
func TestUnwritableShowsNoKey(t *testing.T) {
	for i, key := range []string{canary + "\xff", canary + `.\`, canary + `[\`} {
		p := path.MustParse("a").Member(key)
		_, err := p.Pulumi()
		_, err2 := p.Pattern().Pulumi()
		_, err3 := p.Pulumi()
		for _, verb := range verbs() {
			for j, err := range []error{err, err2, err3} {
				if err == nil || leaks(fmt.Sprintf(verb, err)) || leaks(fmt.Sprintf(verb, struct{ e error }{err})) {
					t.Errorf("row %d, error %d: "+verb, i, j, err)
				}
			}
		}
	}
}

func TestShownIsAPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := genPath().Draw(t, "path")
		n := rapid.IntRange(-1, p.Len()+1).Draw(t, "visible")
		s := path.Show(p, n)
		want := p.String()
		if n >= 0 && n < p.Len() {
			want = p.Prefix(n).String() + "[secret]"
		}
		if s.String() != want || s.RevealPath() != p || s.Redacted() != (n >= 0 && n < p.Len()) {
			t.Fatalf("%v cut at %d: %v", p, n, s)
		}
	})
}
