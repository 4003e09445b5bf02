package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// statement is one statement of a function and the mutants it offers.
type statement struct {
	pos, end token.Pos
	node     ast.Stmt
	mutants  []mutant
}

func draw(args []string) {
	flags := flag.NewFlagSet("draw", flag.ExitOnError)
	root := flags.String("root", ".", "repository")
	lists := flags.String("lists", ".", "folder with list-PACKAGE.txt, what gremlins' dry run printed")
	seed := flags.Uint64("seed", 6, "seed")
	n := flags.Int("n", 230, "mutants")
	flags.Parse(args)

	all := map[string][]*statement{}
	total, kinds := 0, map[string]int{}
	for _, pkg := range packages() {
		found, trivial := statements(*root, pkg, listed(filepath.Join(*lists, "list-"+pkg+".txt")), kinds)
		all[pkg] = found
		total += len(found)
		fmt.Fprintf(os.Stderr, "%s: %d statements that can be mutated, %d that cannot\n", pkg, len(found), trivial)
	}
	for _, pkg := range packages() {
		random := rand.New(rand.NewPCG(*seed, uint64(len(pkg))<<8|uint64(pkg[0])))
		of := all[pkg]
		want := (*n*len(of) + total/2) / total
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		for i, s := range of {
			if i >= 2*want {
				break
			}
			m := s.mutants[random.IntN(len(s.mutants))]
			m.id = fmt.Sprintf("%s%03d", pkg, i)
			m.reserve = i >= want
			fmt.Println(m)
		}
	}
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		fmt.Fprintf(os.Stderr, "%7d %s\n", kinds[k], k)
	}
}

type place struct {
	file      string
	line, col int
}

// listed reads kinds by position from gremlins' output.
func listed(name string) map[place][]string {
	text, err := os.ReadFile(name)
	if err != nil {
		fail("%v", err)
	}
	row := regexp.MustCompile(`(?m)^\s*(?:RUNNABLE|NOT COVERED) (\w+) at (\S+\.go):(\d+):(\d+)$`)
	out := map[place][]string{}
	for _, f := range row.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(f[2], "/") { // a package below
			continue
		}
		at := place{f[2], number(f[3]), number(f[4])}
		out[at] = append(out[at], f[1])
	}
	return out
}

func statements(root, pkg string, list map[place][]string, kinds map[string]int) ([]*statement, int) {
	files, _ := filepath.Glob(filepath.Join(root, pkg, "*.go"))
	var all []*statement
	trivial := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			fail("%v", err)
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, source, 0)
		if err != nil {
			fail("%v", err)
		}
		f := &file{set: set, source: source, pkg: pkg, name: filepath.Base(name), list: list}
		f.collect(tree)
		for _, s := range f.all {
			if len(s.mutants) == 0 {
				trivial++
				continue
			}
			for _, m := range s.mutants {
				kinds[m.kind]++
			}
			all = append(all, s)
		}
	}
	return all, trivial
}

type file struct {
	set       *token.FileSet
	source    []byte
	pkg, name string
	list      map[place][]string
	all       []*statement
}

// collect lists the statements of every function, then hands every mutation to
// the innermost statement it lies in.
func (f *file) collect(tree *ast.File) {
	var open []*statement
	var stack []ast.Node
	ast.Inspect(tree, func(n ast.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(open) > 0 && open[len(open)-1].node == last {
				open = open[:len(open)-1]
			}
			return true
		}
		stack = append(stack, n)
		if s, is := n.(ast.Stmt); is && counts(s) {
			st := &statement{pos: s.Pos(), end: s.End(), node: s}
			f.all = append(f.all, st)
			open = append(open, st)
		}
		if len(open) > 0 {
			f.offer(open[len(open)-1], n)
		}
		return true
	})
}

func counts(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause, *ast.DeclStmt, *ast.BadStmt:
		return false
	}
	return true
}

// offer adds what node n itself can become.
func (f *file) offer(s *statement, n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.token(s, n.OpPos, n.Op)
	case *ast.UnaryExpr:
		f.token(s, n.OpPos, n.Op)
		if n.Op == token.NOT {
			f.add(s, n.OpPos, 1, "", "NOT_REMOVED")
		}
	case *ast.IncDecStmt:
		f.token(s, n.TokPos, n.Tok)
		f.remove(s, n)
	case *ast.AssignStmt:
		f.token(s, n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			f.remove(s, n)
		}
	case *ast.BranchStmt:
		f.token(s, n.TokPos, n.Tok)
	case *ast.ExprStmt:
		f.remove(s, n)
	case *ast.IfStmt:
		f.negate(s, n.Cond)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			if v, err := strconv.ParseUint(n.Value, 0, 32); err == nil {
				f.add(s, n.Pos(), len(n.Value), strconv.FormatUint(v+1, 10), "INT_PLUS_ONE")
			}
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.add(s, n.Pos(), 4, "false", "BOOL_FLIPPED")
		case "false":
			f.add(s, n.Pos(), 5, "true", "BOOL_FLIPPED")
		}
	}
}

// negate offers the other branch where a condition has no operator of its own.
func (f *file) negate(s *statement, cond ast.Expr) {
	switch cond.(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		length := int(cond.End() - cond.Pos())
		from := f.set.Position(cond.Pos()).Offset
		f.add(s, cond.Pos(), length, "!("+string(f.source[from:from+length])+")", "CONDITION_NEGATED")
	}
}

func (f *file) remove(s *statement, n ast.Stmt) {
	f.add(s, n.Pos(), int(n.End()-n.Pos()), "", "STATEMENT_REMOVED")
}

// token offers what gremlins listed at that position.
func (f *file) token(s *statement, at token.Pos, tok token.Token) {
	p := f.set.Position(at)
	for _, kind := range f.list[place{f.name, p.Line, p.Column}] {
		to, known := becomes(kind, tok)
		if !known {
			fail("%s:%d:%d: %s of %s is not known", f.name, p.Line, p.Column, kind, tok)
		}
		f.add(s, at, len(tok.String()), to.String(), kind)
	}
}

func (f *file) add(s *statement, at token.Pos, length int, text, kind string) {
	p := f.set.Position(at)
	s.mutants = append(s.mutants, mutant{
		pkg: f.pkg, file: f.name, line: p.Line, col: p.Column, kind: kind,
		offset: p.Offset, length: length, text: text, before: string(f.source[p.Offset : p.Offset+length]),
	})
}
