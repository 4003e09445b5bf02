package propalg_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

const (
	maxFileLines = 1_100
	maxFuncLines = 70
)

// rule is one rule of the house: what in the tree breaks it.
type rule struct {
	name  string
	check func(sources []*source) []string
}

var rules = []rule{
	{"rooms", each(checkRoom)},
	{"layers", eachImport(checkLayer)},
	{"standard", eachImport(checkStandard)},
	{"modules", eachImport(checkModule)},
	{"examples", eachImport(checkExample)},
	{"any", each(checkAny)},
	{"names", each(checkNames)},
	{"variables", checkVariables},
	{"init", each(checkInit)},
	{"limits", each(checkLimits)},
	{"external", each(checkExternal)},
}

// layers lists what each room may import of the module: rooms, or with a final
// "/..." a room and all below it. A room is looked up by its own name first, then
// by that of the rooms above it, with "/...". Tests may import upwards.
var layers = map[string][]string{
	".":            {},
	"internal/...": {"internal/..."},
	"docs/guides":  {},

	"internal/subjects":        {"internal/...", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "schema"},
	"internal/protocol":        {"internal/...", "path", "value", "codec/rpc"},
	"internal/difftree":        {"internal/...", "path", "value"},
	"internal/walk":            {"internal/...", "path", "value"},
	"internal/testkit":         {"internal/...", "path", "value", "codec"},
	"internal/testkit/answers": {"internal/...", "path", "value", "provider"},
	"internal/cloud":           {"path", "value", "codec/rpc", "provider"},
	"internal/listing":         {"path"},
	"internal/trees":           {"path", "value"},
	"internal/semver":          {},
	"internal/sample":          {},
	"internal/laws":            {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "fuzz", "schema"},

	"urn":           {"internal/..."},
	"path":          {"internal/..."},
	"value":         {"internal/...", "urn", "path"},
	"value/asset":   {"internal/...", "urn", "path", "value"},
	"value/bind":    {"internal/...", "path", "value"},
	"diff":          {"internal/...", "path", "value"},
	"diff/render":   {"internal/...", "path", "value", "diff"},
	"diff/ignore":   {"internal/...", "path", "value"},
	"diff/equality": {"internal/...", "path", "value", "diff"},
	"codec":         {"internal/...", "urn", "path", "value"},
	"codec/state":   {"internal/...", "urn", "path", "value", "codec", "diff"},
	"codec/rpc":     {"internal/...", "urn", "path", "value", "value/bind", "codec"},
	"codec/patch":   {"internal/...", "urn", "path", "value", "codec", "diff"},

	"schema": {"internal/...", "urn", "path", "value/...", "codec"},

	"provider":       {"internal/...", "path", "value", "diff", "diff/ignore", "diff/equality", "codec", "codec/rpc", "schema"},
	"provider/check": {"internal/...", "urn", "path", "value", "diff", "codec", "codec/rpc", "provider", "schema", "value/bind"},
	"engine":         {"internal/...", "urn", "path", "value", "codec/...", "diff", "diff/ignore", "provider/..."},

	"fuzz/...":     {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "fuzz/...", "schema"},
	"bench/...":    {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "fuzz/...", "bench/...", "schema"},
	"cmd/...":      {"internal/...", "urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "cmd/...", "schema"},
	"examples/...": {"urn", "path", "value/...", "codec/...", "diff/...", "provider/...", "engine", "schema"},
}

// testOnly lists the packages that only tests import.
var testOnly = []string{"internal/laws", "internal/libfuzzer", "internal/subjects", "internal/testkit", "internal/testkit/answers", "internal/testkit/golden", "internal/testkit/messages"}

// standard lists packages of the standard library that are not for everyone:
// where each (and what is below it) may be imported outside tests, as rooms or
// files. io itself holds interfaces, and is for everyone.
var standard = map[string][]string{
	"C":             {},
	"reflect":       {"value/godata.go", "value/bind", "internal/laws/structs.go", "internal/libfuzzer"},
	"unsafe":        {"internal/given", "internal/veil", "value/rep.go", "cmd/propalg/internal/terminal"}, // which asks the kernel
	"log/slog":      {"value"},
	"log":           {},
	"testing":       append([]string{"fuzz/...", "bench/..."}, testOnly...),
	"io/fs":         ioRooms,
	"net":           ioRooms,
	"net/url":       append([]string{"schema"}, ioRooms...),         // which it only parses
	"os":            append([]string{"fuzz/native.go"}, ioRooms...), // which counts for a campaign, in other processes
	"path/filepath": ioRooms,
	"syscall":       ioRooms,
}

// ioRooms are the rooms that reach files, processes and networks.
var ioRooms = append([]string{"value/asset", "cmd/...", "fuzz/campaign", "bench/kernels", "bench/work", "examples/..."}, testOnly...)

// modules lists the other modules there may be, and which rooms may use each
// outside tests.
var modules = map[string][]string{
	"github.com/google/go-cmp":   {"internal/laws"},
	"pgregory.net/rapid":         {"fuzz", "internal/laws", "internal/testkit", "internal/testkit/messages"},
	"github.com/tidwall/gjson":   {"codec/..."},
	"google.golang.org/protobuf": {"codec/...", "fuzz", "internal/laws", "internal/testkit/messages"},
}

// covers says whether a room or file is among those listed.
func covers(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		above, deep := strings.CutSuffix(entry, "/...")

		return name == above || deep && strings.HasPrefix(name, above+"/")
	})
}

// each makes a rule of a check on one file.
func each(check func(s *source) []string) func([]*source) []string {
	return func(sources []*source) []string {
		var found []string
		for _, s := range sources {
			found = append(found, check(s)...)
		}

		return found
	}
}

// eachImport makes a rule of a check on one import. What the check returns is
// empty for an import that may stand.
func eachImport(check func(s *source, imported string) string) func([]*source) []string {
	return each(func(s *source) []string {
		var found []string

		for _, spec := range s.tree.Imports {
			if why := check(s, strings.Trim(spec.Path.Value, "`\"")); why != "" {
				found = append(found, s.finding(spec.Pos(), "%s", why))
			}
		}

		return found
	})
}

func checkRoom(s *source) []string {
	if allowedFor(s.room) == nil {
		return []string{s.finding(s.tree.Package, "%s is in no layer: give it one in layers_rules_test.go", s.room)}
	}

	return nil
}

func checkLayer(s *source, imported string) string {
	room, inside := strings.CutPrefix(imported+"/", module+"/")
	if !inside || s.isTest {
		return ""
	}

	room = path.Clean(room)
	if !slices.Contains(testOnly, room) && covers(allowedFor(s.room), room) {
		return ""
	}

	return s.room + " may not import " + room
}

// allowedFor is the row of a room in layers, nil where it has none.
func allowedFor(room string) []string {
	if row, ok := layers[room]; ok {
		return row
	}

	for above := room; above != "."; above = path.Dir(above) {
		if row, ok := layers[above+"/..."]; ok {
			return row
		}
	}

	return nil
}

func checkStandard(s *source, imported string) string {
	if s.isTest {
		return ""
	}

	for above := imported; above != "."; above = path.Dir(above) {
		allowed, listed := standard[above]
		if !listed {
			continue
		}

		if covers(allowed, s.room) || covers(allowed, s.name) {
			return ""
		}

		return s.name + " may not import " + imported
	}

	return ""
}

func checkModule(s *source, imported string) string {
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") || imported == module || strings.HasPrefix(imported, module+"/") {
		return ""
	}

	for name, allowed := range modules {
		if covers([]string{name + "/..."}, imported) && (s.isTest || covers(allowed, s.room)) {
			return ""
		}
	}

	return s.room + " may not import " + imported
}

// checkExample keeps examples to what their readers can import.
func checkExample(s *source, imported string) string {
	name := strings.TrimSuffix(path.Base(s.name), "_test.go")
	room, inside := strings.CutPrefix(imported, module+"/")

	if !s.isTest || name != "example" && !strings.HasPrefix(name, "example_") || !inside ||
		!covers([]string{"internal/..."}, room) || covers([]string{"internal/..."}, s.room) {
		return ""
	}

	return "examples may not import " + room
}

func checkNames(s *source) []string {
	var found []string

	for _, word := range strings.FieldsFunc(s.name+"/"+s.tree.Name.Name, func(r rune) bool { return strings.ContainsRune("/._", r) }) {
		if regexp.MustCompile(`^(util|helper)s?$`).MatchString(word) {
			found = append(found, s.finding(s.tree.Package, "no file, package or folder is called %s", word))

			break
		}
	}

	for _, decl := range s.tree.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if ok && !s.isTest && s.room != "codec/rpc" && regexp.MustCompile(`^Get($|[^a-z])`).MatchString(f.Name.Name) {
			found = append(found, s.finding(f.Pos(), "%s: no name begins with Get", f.Name.Name))
		}
	}

	return found
}

// checkVariables allows blank assertions, error sentinels, embedded files, one pool of
// scratch in a package, and what package bind knows of types.
func checkVariables(sources []*source) []string {
	var found []string

	pools := map[string]int{}

	for _, s := range sources {
		for name, value := range packageVariables(s) {
			switch {
			case name.Name == "_" || isSentinel(name.Name, value) || s.room == "value/bind" && name.Name == "plans":
			case isPool(value):
				if pools[s.room]++; pools[s.room] > 1 {
					found = append(found, s.finding(name.Pos(), "a second sync.Pool, a package has one"))
				}
			default:
				found = append(found, s.finding(name.Pos(), "package variable %s", name.Name))
			}
		}
	}

	return found
}

// packageVariables yields each package variable outside tests with its value, or
// with its type where it has no value, but for embedded files.
func packageVariables(s *source) func(yield func(*ast.Ident, ast.Expr) bool) {
	return func(yield func(*ast.Ident, ast.Expr) bool) {
		for _, decl := range s.tree.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR || s.isTest {
				continue
			}

			for _, spec := range group.Specs {
				if isEmbedded(group.Doc) || isEmbedded(spec.(*ast.ValueSpec).Doc) {
					continue
				}

				for i, name := range spec.(*ast.ValueSpec).Names {
					value := spec.(*ast.ValueSpec).Type
					if i < len(spec.(*ast.ValueSpec).Values) {
						value = spec.(*ast.ValueSpec).Values[i]
					}

					if !yield(name, value) {
						return
					}
				}
			}
		}
	}
}

// isEmbedded says whether a declaration has the directive go:embed.
func isEmbedded(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// isSentinel reports whether a variable is the sentinel of an error, of this package or
// of another.
func isSentinel(name string, value ast.Expr) bool {
	if other, ok := value.(*ast.SelectorExpr); ok {
		return strings.HasPrefix(name, "Err") && other.Sel.Name == name
	}

	call, ok := value.(*ast.CallExpr)

	return ok && selects(call.Fun, "errors", "New") && strings.HasPrefix(strings.ToLower(name), "err")
}

func isPool(value ast.Expr) bool {
	if pointer, ok := value.(*ast.UnaryExpr); ok {
		value = pointer.X
	}

	if literal, ok := value.(*ast.CompositeLit); ok {
		value = literal.Type
	}

	return selects(value, "sync", "Pool")
}

// selects says whether an expression is pkg.name.
func selects(x ast.Expr, pkg, name string) bool {
	selector, ok := x.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}

	left, ok := selector.X.(*ast.Ident)

	return ok && left.Name == pkg
}

func checkInit(s *source) []string {
	var found []string

	for _, decl := range s.tree.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && !s.isTest {
			found = append(found, s.finding(f.Pos(), "func init"))
		}
	}

	return found
}

func checkLimits(s *source) []string {
	if ast.IsGenerated(s.tree) {
		return nil
	}

	var found []string

	if n := strings.Count(s.text, "\n"); n > maxFileLines {
		found = append(found, s.finding(s.tree.Package, "%d lines, the house has at most %d", n, maxFileLines))
	}

	for _, decl := range s.tree.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}

		n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
		if n > maxFuncLines {
			found = append(found, s.finding(f.Pos(), "%s has %d lines, the house has at most %d", f.Name.Name, n, maxFuncLines))
		}
	}

	return found
}

// checkExternal keeps tests outside the packages they test, but for the tool's
// own, which nothing can import, and for files that only lend internals to tests.
func checkExternal(s *source) []string {
	name := s.tree.Name.Name
	if !s.isTest || name == "main" || strings.HasSuffix(name, "_test") || path.Base(s.name) == "export_test.go" {
		return nil
	}

	return []string{s.finding(s.tree.Package, "test in package %s, not %s_test", name, name)}
}
