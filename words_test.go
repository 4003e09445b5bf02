package propalg_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wordsOf names a room or a page whose findings TestWords prints:
//
//	go test . -run TestWords -v              # counts, room by room
//	go test . -run TestWords -v -words diff  # and each finding in diff
var wordsOf = flag.String("words", "", "print the banned words in this room or page")

// enforced lists the rooms and pages in which a banned word fails the test; those
// below "docs/..." too. A room is added when it has been rewritten; when all are
// here the table goes, and with it the question.
var enforced = []string{
	".",
	"CONTRIBUTING.md",
	"README.md",
	"bench",
	"bench/gate",
	"bench/kernels",
	"bench/work",
	"cmd/...",
	"codec",
	"codec/patch",
	"codec/rpc",
	"codec/state",
	"diff",
	"diff/ignore",
	"diff/render",
	"docs/bench.md",
	"docs/cli.md",
	"docs/design.md",
	"docs/differences.md",
	"docs/glossary.md",
	"docs/guides/...",
	"docs/laws.md",
	"docs/map.md",
	"docs/notes/...",
	"e2e",
	"e2e/twin",
	"engine",
	"examples/engine",
	"examples/provider/...",
	"fuzz/...",
	"internal/align",
	"internal/difftree",
	"internal/jsonscan",
	"internal/keysort",
	"internal/laws",
	"internal/marks",
	"internal/protocol",
	"internal/refuse",
	"internal/rpcgen",
	"internal/sample",
	"internal/scan",
	"internal/subjects",
	"internal/testkit",
	"internal/testkit/golden",
	"internal/trees",
	"internal/veil",
	"interop/bridge",
	"interop/grpc",
	"interop/peers",
	"interop/printers",
	"interop/pulumi",
	"interop/pulumi/...",
	"path",
	"provider",
	"provider/check",
	"tools/...",
	"urn",
	"value",
	"value/asset",
}

// banned are words of a private dialect, and what to write instead.
var banned = []struct{ words, instead string }{
	{`came|went|gone`, "added, removed, returned"},
	{`told|tell|tells|telling`, "reported, passed, distinguished"},
	{`who|whoever|somebody|anybody|nobody`, "the caller, the user"},
	{`beside|behind`, "next to, after, besides"},
	{`stands`, "is, lies"},
	{`anew`, "again"},
	{`likewise`, "also"},
	{`(is|are|was|were) no`, "is not a"},
	{`what there is`, "the contents"},
	{`limbs?|crowns?|scions?|crumbs?|seats?|spots?|hops?|trails?`, "branch, node, place, step"},
}

// allowed are uses of banned words that are standard English, or names that are
// fixed elsewhere. The whole phrase is taken out of a text before it is searched.
var allowed = []struct{ phrase, reason string }{
	{`stands for`, "means: an abbreviation"},
	{`there (is|are|was|were) no`, "says that something does not exist"},
	{`(is|are|was|were) no (longer|more|less|larger|smaller|deeper|longer|shorter)`, "a comparison"},
	{`adding-behind-an-array`, "the name of an entry in docs/differences.md"},
}

// wordRule is a pattern of banned words, and the advice.
type wordRule struct {
	pattern *regexp.Regexp
	instead string
}

// vocabulary finds banned words in texts.
type vocabulary struct {
	rules   []wordRule
	allowed *regexp.Regexp
}

func newVocabulary() vocabulary {
	var v vocabulary
	for _, b := range banned {
		v.rules = append(v.rules, wordRule{regexp.MustCompile(`(?i)\b(` + b.words + `)\b`), b.instead})
	}

	var phrases []string
	for _, a := range allowed {
		phrases = append(phrases, a.phrase)
	}

	v.allowed = regexp.MustCompile(`(?i)\b(` + strings.Join(phrases, "|") + `)\b`)

	return v
}

// find returns a finding for each banned word in text. Line breaks and what begins
// a line of a comment count as one space.
func (v vocabulary) find(text string) []string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\n//", "\n")), " ")
	text = v.allowed.ReplaceAllString(text, "…")

	var found []string
	for _, r := range v.rules {
		for _, at := range r.pattern.FindAllStringIndex(text, -1) {
			from := max(0, at[0]-30)
			context := strings.ToValidUTF8(text[from:min(len(text), at[1]+30)], "")
			found = append(found, fmt.Sprintf("%q (%s): …%s…", text[at[0]:at[1]], r.instead, context))
		}
	}

	return found
}

// passage is a text that users read, and where it is.
type passage struct {
	room, at, text string
}

// passages are the exported doc comments and the prose in string literals, such as
// error texts and help, of a Go file. A literal of one word is a name.
func (s *source) passages() []passage {
	var all []passage

	add := func(at token.Pos, text string) {
		all = append(all, passage{s.room, fmt.Sprintf("%s:%d", s.name, s.fset.Position(at).Line), text})
	}
	addDoc := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if g != nil {
				add(g.Pos(), g.Text())
			}
		}
	}

	addDoc(s.tree.Doc)

	for _, decl := range s.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				addDoc(d.Doc)
			}
		case *ast.GenDecl:
			addDoc(genDocs(d)...)
		}
	}

	ast.Inspect(s.tree, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}

		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}

		text, err := strconv.Unquote(literal.Value)
		if err == nil && len(strings.Fields(text)) > 1 {
			add(literal.Pos(), text)
		}

		return true
	})

	return all
}

// genDocs are the comments on the exported names that d declares, and on the
// exported fields and methods in it.
func genDocs(d *ast.GenDecl) []*ast.CommentGroup {
	var docs []*ast.CommentGroup

	exported := false

	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if !spec.Name.IsExported() {
				continue
			}

			exported = true
			docs = append(docs, spec.Doc, spec.Comment)
			docs = append(docs, fieldDocs(spec.Type)...)
		case *ast.ValueSpec:
			if slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
				exported = true
				docs = append(docs, spec.Doc, spec.Comment)
			}
		}
	}

	if exported {
		docs = append(docs, d.Doc)
	}

	return docs
}

func fieldDocs(t ast.Expr) []*ast.CommentGroup {
	var fields *ast.FieldList

	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return nil
	}

	var docs []*ast.CommentGroup

	for _, f := range fields.List {
		if len(f.Names) == 0 || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
			docs = append(docs, f.Doc, f.Comment)
		}
	}

	return docs
}

// code is what a page of Markdown quotes: blocks and spans of code, comments, and
// the targets of links.
var code = regexp.MustCompile("(?s)```.*?```|`[^`]*`|<!--.*?-->|\\]\\([^)]*\\)")

// pagePassages is the prose of a page, line by line with the next, so that a phrase
// is found over a line break.
func pagePassages(name, text string) []passage {
	text = code.ReplaceAllStringFunc(text, func(quoted string) string {
		return "`" + strings.Repeat("\n", strings.Count(quoted, "\n")) + "`"
	})

	var all []passage

	line := 1

	for block := range strings.SplitSeq(text, "\n\n") {
		all = append(all, passage{name, fmt.Sprintf("%s:%d", name, line), block})
		line += strings.Count(block, "\n") + 2
	}

	return all
}

// readPassages are all texts of the repository that users read: of the root module,
// of the modules nested in it, and its pages.
func readPassages() ([]passage, error) {
	var all []passage

	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		name := entry.Name()
		if entry.IsDir() {
			if name == "testdata" || (len(name) > 1 && name[0] == '.') {
				return filepath.SkipDir
			}

			return nil
		}

		switch {
		case name == "go.mod":
			found, err := modulePassages(filepath.ToSlash(filepath.Dir(file)))
			all = append(all, found...)

			return err
		case filepath.Ext(name) == ".md":
			text, err := os.ReadFile(file)
			all = append(all, pagePassages(filepath.ToSlash(file), string(text))...)

			return err
		}

		return nil
	})

	return all, err
}

func modulePassages(folder string) ([]passage, error) {
	sources, err := readTree(folder)
	if err != nil {
		return nil, err
	}

	var all []passage

	for _, s := range sources {
		if s.isTest {
			continue
		}

		s.name, s.room = path.Join(folder, s.name), path.Join(folder, s.room)
		all = append(all, s.passages()...)
	}

	return all, nil
}

// TestWords searches exported doc comments, error texts, help and pages for words
// that CONTRIBUTING.md bans.
func TestWords(t *testing.T) {
	t.Parallel()

	all, err := readPassages()
	if err != nil {
		t.Fatal(err)
	}

	words := newVocabulary()
	counts := map[string]int{}

	for _, p := range all {
		found := words.find(p.text)
		counts[p.room] += len(found)

		for _, f := range found {
			if isEnforced(p.room) {
				t.Errorf("%s: %s", p.at, f)
			} else if p.room == *wordsOf {
				t.Logf("%s: %s", p.at, f)
			}
		}
	}

	for _, room := range []string{"value", "diff", "interop/grpc", "README.md", "docs/design.md"} {
		if _, seen := counts[room]; !seen {
			t.Errorf("no text seen in %s", room)
		}
	}

	for _, room := range slices.Sorted(maps.Keys(counts)) {
		if !isEnforced(room) {
			t.Logf("%4d in %s", counts[room], room)
		}
	}
}

func isEnforced(room string) bool {
	return slices.ContainsFunc(enforced, func(name string) bool {
		folder, below := strings.CutSuffix(name, "...")

		return room == name || (below && strings.HasPrefix(room, folder))
	})
}

// TestWordsCanFail plants banned words, and what comes close to them.
func TestWordsCanFail(t *testing.T) {
	t.Parallel()

	words := newVocabulary()

	for _, row := range []struct {
		at, text string
		want     []string
	}{
		{"doc", "package p\n\n// F reports who\n// came.\nfunc F() {}", []string{"came", "who"}},
		{"over a line break", "package p\n\n// F returns what\n// there is.\nfunc F() {}", []string{"what there is"}},
		{"package", "// Package p stands here.\npackage p", []string{"stands"}},
		{"field", "package p\n\ntype T struct {\n\tX int // Behind it.\n\ty int // behind\n}", []string{"Behind"}},
		{"method of an interface", "package p\n\ntype T interface {\n\t// Anew it runs.\n\tX()\n}", []string{"Anew"}},
		{"constant", "package p\n\nconst (\n\t// X is a seat.\n\tX = 1\n\t// y is a spot.\n\ty = 2\n)", []string{"seat"}},
		{"not exported", "package p\n\n// f tells nobody.\nfunc f() {}", nil},
		{"error", "package p\n\nvar err = errors.New(\"a secret is no array\")", []string{"is no"}},
		{"raw literal", "package p\n\nconst help = `\n  tells how\n`", []string{"tells"}},
		{"name", "package p\n\nconst name = \"behind\"", nil},
		{"import", "package p\n\nimport _ \"a behind\"", nil},
		{"part of a word", "package p\n\n// X has trailing zeros, a whole and a twenty-hopper.\nconst X = 1", nil},
		{"allowed", "package p\n\n// X stands for 1. There is no other, it is no longer 2.\nconst X = 1", nil},
	} {
		s, err := parse("p/p.go", row.text)
		if err != nil {
			t.Fatalf("%s: %v", row.at, err)
		}

		checkWords(t, words, row.at, s.passages(), row.want)
	}

	for _, row := range []struct {
		at, text string
		want     []string
	}{
		{"prose", "It went\nwell.", []string{"went"}},
		{"code", "A `trail` is:\n\n```\nbehind\n```\n\n[x](behind.md) <!-- who -->", nil},
		{"after code", "```\nbehind\n```\nLikewise.", []string{"Likewise"}},
	} {
		checkWords(t, words, row.at, pagePassages("page.md", row.text), row.want)
	}
}

func checkWords(t *testing.T, words vocabulary, at string, texts []passage, want []string) {
	t.Helper()

	var got []string

	for _, p := range texts {
		for _, f := range words.find(p.text) {
			word, err := strconv.QuotedPrefix(f)
			if err != nil {
				t.Fatal(err)
			}

			got = append(got, strings.Trim(word, `"`))
		}
	}

	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", at, got, want)
	}
}
