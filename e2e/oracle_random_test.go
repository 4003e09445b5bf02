package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// randomStory is a story of records that depend on each other at random, in which
// properties, options and faults come and go. Each record depends on the one before, so
// that the CLI has one order to make and to delete them in.
func randomStory(seed uint64) story {
	r := random{rand.New(rand.NewPCG(seed, 0)), map[string]string{}}
	s := story{name: fmt.Sprint("random ", seed)}
	for range 5 {
		s.edits = append(s.edits, r.edit(len(s.edits) == 0))
	}
	return s
}

// random makes programs, with the properties of their records as they are now.
type random struct {
	*rand.Rand

	now map[string]string
}

// one is one of some texts.
func (r *random) one(of ...string) string { return of[r.IntN(len(of))] }

func (r *random) edit(first bool) edit {
	var declared []string
	before := ""
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if r.now[name] == "" || r.IntN(3) == 0 {
			r.now[name] = r.record(name, before)
		}
		if !first && r.IntN(6) == 0 {
			delete(r.now, name) // of which the others may have outputs: they are made anew
			continue
		}
		if before != "" && !strings.Contains(r.now[name], "{"+before+"}") {
			r.now[name] = r.record(name, before)
		}
		declared = append(declared, r.now[name])
		before = name
	}
	e := edit{program: resources(declared...)}
	who := r.one("a", "b", "c", "d", "e")
	switch r.IntN(8) {
	case 0, 1:
		e.fail = r.one("create ", "update ", "delete ") + who
	case 2:
		if !first {
			e = edit{command: "refresh", cloud: drift("x-"+who, "drifted")}
		}
	case 3:
		if !first {
			e = edit{state: []tampering{{name: before, member: "pendingReplacement", value: "true"}}}
		}
	}
	return e
}

// record declares a record that depends on the one before it in one way or another.
func (r *random) record(name, before string) string {
	properties := []string{"name: " + r.one("x", "y") + "-" + name}
	options := []string{r.one("", "", "", "deleteBeforeReplace: true", "deleteBeforeReplace: false", "replaceOnChanges: [title]", "ignoreChanges: [title, size]")}
	if before != "" {
		properties[0] = r.one(properties[0], properties[0], `name: "${`+before+`.zone}-`+name+`"`)
		options = append(options, `dependsOn: ["${`+before+`}"]`)
		properties = append(properties, r.one("title: one", "title: two", `title: "${`+before+`.url}"`, `size: "${`+before+`.revision}"`))
		if r.IntN(5) == 0 {
			options = append(options, `parent: "${`+before+`}"`)
		}
	} else {
		properties = append(properties, r.one("title: one", "title: two"))
	}
	properties = append(properties, "zone: "+r.one("a", "b"), "enabled: "+r.one("true", "false"))
	text := strings.Join(options, ", ")
	return record(name, strings.Join(properties, ", "), strings.TrimPrefix(text, ", "))
}
