package urn_test

import (
	"maps"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/propalg/propalg/urn"
)

// rule is a rule of a grammar: all offsets at which what it derives from an offset of a text may end. Combined, rules recognise a language as its EBNF
// says it, without a choice of any reading.
type rule func(text string, from int) map[int]bool

func lit(s string) rule {
	return func(text string, from int) map[int]bool {
		if !strings.HasPrefix(text[from:], s) {
			return nil
		}
		return map[int]bool{from + len(s): true}
	}
}

func oneOf(is ...func(rune) bool) rule {
	return func(text string, from int) map[int]bool {
		r, size := utf8.DecodeRuneInString(text[from:])
		for _, ok := range is {
			if ok(r) && (r != utf8.RuneError || size > 1) {
				return map[int]bool{from + size: true}
			}
		}
		return nil
	}
}

func seq(rules ...rule) rule {
	return func(text string, from int) map[int]bool {
		ends := map[int]bool{from: true}
		for _, r := range rules {
			next := map[int]bool{}
			for end := range ends {
				maps.Copy(next, r(text, end))
			}
			if ends = next; len(ends) == 0 {
				return nil
			}
		}
		return ends
	}
}

func opt(r rule) rule {
	return func(text string, from int) map[int]bool {
		ends := map[int]bool{from: true}
		maps.Copy(ends, r(text, from))
		return ends
	}
}

func repeat(r rule) rule {
	return func(text string, from int) map[int]bool {
		ends, fresh := map[int]bool{from: true}, []int{from}
		for len(fresh) > 0 {
			at := fresh[0]
			fresh = fresh[1:]
			for end := range r(text, at) {
				if !ends[end] {
					ends[end], fresh = true, append(fresh, end)
				}
			}
		}
		return ends
	}
}

// anyString is a sequence of code points that does not contain "::".
func anyString(text string, from int) map[int]bool {
	ends := map[int]bool{from: true}
	for at := from; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
		if strings.Contains(text[from:at], "::") {
			break
		}
		ends[at] = true
	}
	return ends
}

// published is the grammar of URNs as the guide for implementers of providers has it; nested is the same with any number of parent types.
func published() (letter, nested rule) {
	identifier := seq(oneOf(unicode.IsLetter), repeat(oneOf(unicode.IsLetter, unicode.IsDigit, func(r rune) bool { return r == '_' })))
	typ := seq(identifier, lit(":"), opt(seq(identifier, lit(":"))), identifier) //nolint:gocritic // a rule may occur twice
	parent := seq(typ, lit("$"))
	of := func(qualified rule) rule {
		return seq(lit("urn:pulumi:"), anyString, lit("::"), anyString, lit("::"), qualified, lit("::"), anyString) //nolint:gocritic // as above
	}
	return of(seq(opt(parent), typ)), of(seq(repeat(parent), typ))
}

// TestCheckSpecIsTheGrammar compares CheckSpec with the grammar on all texts of few pieces.
func TestCheckSpecIsTheGrammar(t *testing.T) {
	letter, nested := published()
	inLetter, inNested := 0, 0
	check := func(text string) {
		u, err := urn.Parse(text)
		if err != nil {
			if letter(text, 0)[len(text)] || nested(text, 0)[len(text)] {
				t.Fatalf("%q is of the grammar: %v", text, err)
			}
			return
		}
		checkSpecs(t, u)
		if u.CheckSpec() == nil {
			inLetter++
		}
		if u.CheckSpecNested() == nil {
			inNested++
		}
	}
	var all func(text string, pieces []string, n int)
	all = func(text string, pieces []string, n int) {
		if strings.Count(text, "::") >= 3 {
			check(text)
		}
		if n == 0 {
			return
		}
		for _, p := range pieces {
			all(text+p, pieces, n-1)
		}
	}
	all("urn:pulumi:", []string{"::", "a:b", "$", ":", "\xff"}, 5)
	all("urn:pulumi:s::", []string{"::", "a:b", "$", ":"}, 6)
	all("urn:pulumi:s::p::", []string{"::", "a:b", "$"}, 7)
	all("urn:pulumi:s::p:", []string{":", "a", "_", "1", "$"}, 6)
	if inLetter == 0 || inNested <= inLetter {
		t.Errorf("%d texts are of the grammar, %d of the wider one", inLetter, inNested)
	}
	t.Logf("%d texts are of the grammar, %d of the wider one", inLetter, inNested)
}
