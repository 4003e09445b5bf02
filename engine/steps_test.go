package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/codec/state"
	"github.com/propalg/propalg/engine"
	"github.com/propalg/propalg/internal/test/cloud"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// lab is a stack with the cloud that it is in.
type lab struct {
	t     *testing.T
	cloud *cloud.Cloud
	engine.Stack
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t: t, cloud: &cloud.Cloud{}}
	l.Launch = func(context.Context, engine.Plugin) (rpc.Provider, error) { return l.cloud.New(), nil }
	return l
}

// thingNamed returns a goal with inputs: pairs of a name and a constant, a number or text. A
// text "r.p" in angle brackets is the output p of the resource r.
func thingNamed(name string, inputs ...string) engine.Goal {
	g := engine.Goal{Type: "demo:index:Thing", Name: name}
	g.Compute = func(output func(resource, property string) value.Value) value.Value {
		var members []value.Member
		for i := 0; i < len(inputs); i += 2 {
			v := value.String(inputs[i+1])
			if text, ok := strings.CutPrefix(inputs[i+1], "<"); ok {
				resource, property, _ := strings.Cut(strings.TrimSuffix(text, ">"), ".")
				v = output(resource, property)
			}
			members = append(members, value.Field(inputs[i], v))
		}
		return value.Object(members...)
	}
	return g
}

func of(goals ...engine.Goal) engine.Program {
	return engine.Program{Stack: "dev", Project: "shop", Resources: goals}
}

// shows returns the actions of a run but those that do nothing, one a line: the operation,
// the name, the reason, the keys and the causes, and the calls that change something.
func (l *lab) shows(run iter.Seq2[engine.Action, error]) string {
	l.t.Helper()
	var lines []string
	for a, err := range run {
		line := fmt.Sprintf("%s %s: %v", a.Op, a.URN[strings.LastIndex(a.URN, ":")+1:], a.Why)
		if len(a.Keys) > 0 {
			line += fmt.Sprintf(" %v", a.Keys)
		}
		for _, cause := range a.Causes {
			line += " <- " + cause[strings.LastIndex(cause, ":")+1:]
		}
		for _, c := range a.Calls {
			if slices.Contains([]string{"Create", "Update", "Delete", "Configure"}, c.Method) {
				line += " | " + c.Method
			}
		}
		if err != nil {
			line += " | " + err.Error()
		}
		if (a.Op != engine.OpSame && !strings.Contains(a.URN, "default")) || err != nil {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// update updates to a program, and holds what it does against what is wanted.
func (l *lab) update(want string, goals ...engine.Goal) {
	l.t.Helper()
	l.does(want, l.Update(context.Background(), of(goals...)))
}

func (l *lab) does(want string, run iter.Seq2[engine.Action, error]) {
	l.t.Helper()
	want = strings.ReplaceAll(strings.TrimSpace(want), "\t", "")
	if got := l.shows(run); got != want {
		l.t.Errorf("done\n%s\nnot\n%s", got, want)
	}
}

// made brings the stack to a program, without looking.
func (l *lab) made(goals ...engine.Goal) {
	l.t.Helper()
	for a, err := range l.Update(context.Background(), of(goals...)) {
		if err != nil {
			l.t.Fatal(a, err)
		}
	}
}

// resource returns the resource of a name in the state.
func (l *lab) resource(name string) *state.Resource {
	l.t.Helper()
	for i := range l.Resources {
		if strings.HasSuffix(l.Resources[i].URN, "::"+name) {
			return &l.Resources[i]
		}
	}
	l.t.Fatalf("no resource %s", name)
	return nil
}

func (l *lab) id(name string) string { return l.resource(name).ID }

// fails has the call of a method for a resource fail, once.
func (l *lab) fails(method, name string) {
	l.cloud.Fail = func(m, u string) error {
		if m == method && strings.HasSuffix(u, "::"+name) {
			l.cloud.Fail = nil
			return errors.New("no")
		}
		return nil
	}
}

// TestCreateFirst replaces a resource whose dependents are updated before the old one is
// deleted.
func TestCreateFirst(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "name", "x"), thingNamed("b", "size", "<a.arn>"), thingNamed("c", "name", "<a.arn>"))
	l.update(`create-replacement a: something changed that replaces [name] | Create
	update b: something changed [size] <- a | Update
	create-replacement c: something changed that replaces [name] <- a | Create
	delete-replaced c: it was replaced, and waits for its deletion <- c | Delete
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`,
		thingNamed("a", "name", "y"), thingNamed("b", "size", "<a.arn>"), thingNamed("c", "name", "<a.arn>"))
}

// TestDeleteFirst replaces a resource that is deleted first, and with it what its deletion
// forces to be replaced.
func TestDeleteFirst(t *testing.T) {
	l := newLab(t)
	goals := func(zone string) []engine.Goal {
		d := thingNamed("d")
		d.DependsOn = []string{"a"}
		return []engine.Goal{
			thingNamed("a", "zone", zone), thingNamed("b", "name", "<a.arn>"), thingNamed("c", "size", "<a.arn>"), d, thingNamed("e", "zone", "<b.arn>"),
		}
	}
	l.made(goals("1")...)
	const want = `delete-replaced e: a resource that it depends on is replaced, and deleted first [zone] <- b | Delete
	delete-replaced b: a resource that it depends on is replaced, and deleted first [name] <- a | Delete
	delete-replaced a: something changed that replaces [zone] | Delete
	create-replacement a: something changed that replaces [zone] | Create
	create-replacement b: a resource that it depends on is replaced, and deleted first [name] <- a | Create
	update c: something changed [size] <- a | Update
	create-replacement e: a resource that it depends on is replaced, and deleted first [zone] <- b | Create`
	l.does(strings.ReplaceAll(want, " | Delete", ""), l.Preview(context.Background(), of(goals("2")...)))
	l.update(want, goals("2")...)

	first := goals("3")
	first[0].DeleteBeforeReplace = &no
	l.update(`create-replacement a: something changed that replaces [zone] | Create
	create-replacement b: something changed that replaces [name] <- a | Create
	update c: something changed [size] <- a | Update
	delete-replaced e: something changed that replaces [zone] <- b | Delete
	create-replacement e: something changed that replaces [zone] <- b | Create
	delete-replaced b: it was replaced, and waits for its deletion <- b | Delete
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, first...)
}

// TestUndeclaredDependent deletes a resource first, and with it one that the program no
// longer declares.
func TestUndeclaredDependent(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "zone", "1"), thingNamed("b", "name", "<a.arn>"))
	l.update(`delete-replaced b: a resource that it depends on is replaced, and deleted first [name] <- a | Delete
	delete-replaced a: something changed that replaces [zone] | Delete
	create-replacement a: something changed that replaces [zone] | Create
	remove-pending-replace b: the program does not declare it`, thingNamed("a", "zone", "2"))
}

// TestWaitsBesideDependent leaves what waits for its deletion to the end where what replaced it is
// deleted, since it is replaced with another.
func TestWaitsBesideDependent(t *testing.T) {
	l := newLab(t)
	b := thingNamed("b")
	b.ReplaceWith = []string{"a"}
	l.made(thingNamed("a", "zone", "1"), b)
	waiting := *l.resource("b")
	waiting.ID, waiting.Delete = "old", true
	l.cloud.Records["old"] = l.cloud.Records[l.id("b")]
	l.Resources = append(l.Resources, waiting)
	l.update(`delete-replaced b: a resource that it depends on is replaced, and deleted first [replaceWith] <- a | Delete
	delete-replaced a: something changed that replaces [zone] | Delete
	create-replacement a: something changed that replaces [zone] | Create
	create-replacement b: a resource that it depends on is replaced, and deleted first [replaceWith] <- a | Create
	delete-replaced b: it was replaced, and waits for its deletion <- b | Delete`, thingNamed("a", "zone", "2"), b)
}

// TestWaitsBefore does not ask what is before a resource in the state, though it refers to one of
// that URN, whether it is replaced with it.
func TestWaitsBefore(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "zone", "1"), thingNamed("b", "name", "<a.arn>"))
	a, b := *l.resource("a"), *l.resource("b")
	a.ID, a.Delete, b.ID, b.Delete = "old a", true, "old b", true
	l.cloud.Records[a.ID], l.cloud.Records[b.ID] = l.cloud.Records[l.id("a")], l.cloud.Records[l.id("b")]
	l.Resources = slices.Insert(l.Resources, 1, a, b)
	l.update(`delete-replaced b: a resource that it depends on is replaced, and deleted first [name] <- a | Delete
	delete-replaced a: something changed that replaces [zone] | Delete
	create-replacement a: something changed that replaces [zone] | Create
	create-replacement b: a resource that it depends on is replaced, and deleted first [name] <- a | Create
	delete-replaced b: it was replaced, and waits for its deletion <- b | Delete
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, thingNamed("a", "zone", "2"), thingNamed("b", "name", "<a.arn>"))
}

// TestInterruptedReplacement goes on with replacements that were interrupted.
func TestInterruptedReplacement(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "zone", "1"))
	l.fails("Create", "a")
	l.update(`delete-replaced a: something changed that replaces [zone] | Delete
	create-replacement a: something changed that replaces [zone] | Create | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: no`,
		thingNamed("a", "zone", "2"))
	if !l.resource("a").PendingReplacement {
		t.Error("the replacement is forgotten")
	}
	l.does("", l.Refresh(context.Background())) // there is nothing to read
	l.update(`create-replacement a: a replacement is pending | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a`, thingNamed("a", "zone", "1")) // it is deleted already: no call

	l.fails("Delete", "a")
	l.update(`create-replacement a: something changed that replaces [name] | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Delete: no`,
		thingNamed("a", "zone", "1", "name", "x"))
	l.update("delete-replaced a: it was replaced, and waits for its deletion <- a | Delete", thingNamed("a", "zone", "1", "name", "x"))
	if len(l.cloud.Records) != 1 {
		t.Error("not one record")
	}
}

// TestInterruptedProvider replaces a resource on which one depends that was deleted, as was
// its provider, by a run that then failed. The provider was made again since.
func TestInterruptedProvider(t *testing.T) {
	goals := func(a, c string) []engine.Goal {
		p, b := thingNamed("p", "region", "<a.arn>"), thingNamed("b", "zone", "<a.arn>", "name", "<c.arn>")
		p.Type, b.Provider = "pulumi:providers:demo", "p"
		return []engine.Goal{thingNamed("a", "zone", a), thingNamed("c", "zone", c), p, b}
	}
	l := newLab(t)
	l.made(goals("1", "1")...)
	l.fails("Create", "b")
	for range l.Update(context.Background(), of(goals("2", "1")...)) {
	}
	if b := l.resource("b"); !b.PendingReplacement || strings.HasSuffix(b.Provider, l.id("p")) {
		t.Fatalf("the state has %+v", b)
	}
	l.update(`delete-replaced c: something changed that replaces [zone] | Delete
	create-replacement c: something changed that replaces [zone] | Create
	create-replacement b: something changed that replaces [name zone] <- c | Create`, goals("2", "2")...)
}

// TestReplace replaces what the program names, without asking.
func TestReplace(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"), thingNamed("b"))
	p := of(thingNamed("a"), thingNamed("b"))
	p.Replace = []string{l.resource("a").URN}
	l.does("create-replacement a: something changed that replaces [id] | Create\ndelete-replaced a: it was replaced, and waits for its deletion <- a | Delete", l.Update(context.Background(), p))
	p.Replace = []string{"urn:x"}
	l.does("fail : the run asks for it | engine: urn:x: there is nothing to replace in the state", l.Update(context.Background(), p))
}

// TestTaint replaces what is marked for that, without asking.
func TestTaint(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"))
	l.resource("a").Taint = true
	l.update(`create-replacement a: something changed that replaces [id] | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, thingNamed("a"))
}

// TestInitErrors updates what is there but does not work.
func TestInitErrors(t *testing.T) {
	l := newLab(t)
	l.fails("Create+", "a")
	l.update("create a: it is not managed yet | Create | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Create: no", thingNamed("a"))
	if a := l.resource("a"); a.ID == "" || len(a.InitErrors) != 1 || a.Outputs.Field("arn").IsNull() {
		t.Errorf("the state is %+v", a)
	}
	l.fails("Update+", "a")
	l.update("update a: the last operation failed | Update | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Update: no", thingNamed("a"))
	l.update("update a: the last operation failed | Update", thingNamed("a"))
	l.update("", thingNamed("a"))
	again := thingNamed("a")
	again.ReplaceOnChanges = []string{"#initerror"}
	l.fails("Update+", "a")
	l.update("update a: something changed [size] | Update | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Update: no", thingNamed("a", "size", "2"))
	again.Compute = thingNamed("a", "size", "2").Compute
	l.update(`create-replacement a: something changed that replaces [#initerror] | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, again)
}

// TestOptions holds the resource options.
func TestOptions(t *testing.T) {
	l := newLab(t)
	goal := func(size string, change func(*engine.Goal)) engine.Goal {
		g := thingNamed("a", "size", size)
		change(&g)
		return g
	}
	protected := func(g *engine.Goal) { g.Protect = true }
	l.made(goal("1", protected))
	l.update("", goal("2", func(g *engine.Goal) { g.IgnoreChanges, g.Protect = []string{"size"}, true }))
	l.update("update a: something changed [size] | Update", goal("2", protected))
	replaces := func(g *engine.Goal) { g.ReplaceOnChanges, g.Protect = []string{"size"}, true }
	l.update("fail a: something changed that replaces [size] | engine: urn:pulumi:dev::shop::demo:index:Thing::a: the resource is protected and cannot be replaced", goal("3", replaces))
	l.made(goal("2", protected), thingNamed("c")) // c would be deleted before a, and stays too
	l.update("delete a: the program does not declare it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: the resource is protected and cannot be deleted")
	l.does("delete a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: the resource is protected and cannot be deleted", l.Destroy(context.Background()))
	l.update("delete c: the program does not declare it | Delete", goal("2", protected))
	l.update(`delete-replaced a: something changed that replaces [size] | Delete
	create-replacement a: something changed that replaces [size] | Create`,
		goal("3", func(g *engine.Goal) { g.ReplaceOnChanges, g.DeleteBeforeReplace = []string{"size"}, &yes }))

	dependent := thingNamed("b", "name", "<a.arn>")
	dependent.Protect = true
	l.made(goal("3", func(*engine.Goal) {}), dependent)
	l.update("fail a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: urn:pulumi:dev::shop::demo:index:Thing::b is protected and cannot be replaced",
		thingNamed("a", "size", "3", "zone", "2"), dependent)
	l.update("fail a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Check: size: is negative", engine.Goal{
		Type: "demo:index:Thing", Name: "a", Inputs: value.Object(value.Field("size", value.Number(-1))),
	})
}

// bagsOf returns the properties of requests and responses that a test looks at.
func bagsOf(t *testing.T, c engine.Call) (bags []value.Value) {
	t.Helper()
	switch r := c.Request.(type) {
	case *rpc.CheckRequest:
		return []value.Value{r.Olds, r.News}
	case *rpc.DiffRequest:
		return []value.Value{value.String(r.ID), r.OldInputs, r.Olds, r.News}
	case *rpc.UpdateRequest:
		return []value.Value{value.String(r.ID), r.OldInputs, r.Olds, r.News}
	case *rpc.CreateRequest:
		return []value.Value{r.Properties}
	case *rpc.DeleteRequest:
		return []value.Value{value.String(r.ID), r.OldInputs, r.Properties}
	case *rpc.ReadRequest:
		return []value.Value{value.String(r.ID), r.Inputs, r.Properties}
	}
	return nil
}

// callsOf returns the calls of the actions of a resource that have properties.
func callsOf(t *testing.T, run iter.Seq2[engine.Action, error], name string) (methods []string, bags [][]value.Value) {
	t.Helper()
	for a, err := range run {
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range a.Calls {
			if strings.HasSuffix(a.URN, "::"+name) && bagsOf(t, c) != nil {
				methods, bags = append(methods, c.Method), append(bags, bagsOf(t, c))
			}
		}
	}
	return methods, bags
}

// TestArguments holds what providers get: old inputs and state as they returned them, the
// program's inputs with what ignoreChanges sets back, and to replace a resource the program's
// inputs alone.
func TestArguments(t *testing.T) {
	l := newLab(t)
	g := thingNamed("a", "name", "x", "size", "1")
	l.made(g)
	old := *l.resource("a")
	g = thingNamed("a", "name", "y", "size", "2")
	g.IgnoreChanges = []string{"size"}
	methods, bags := callsOf(t, l.Update(context.Background(), of(g)), "a")
	if got := strings.Join(methods, " "); got != "Check Diff Check Create Delete" {
		t.Fatal(got)
	}
	text := func(name string, v value.Value) value.Value {
		w, _ := v.WithField("name", value.String(name))
		return w
	}
	program, now := value.Object(value.Field("name", value.String("y")), value.Field("size", value.String("2"))), *l.resource("a")
	without, _ := text("y", old.Inputs).Without(path.MustParse("tier"))
	for i, want := range [][]value.Value{
		{old.Inputs, without},
		{value.String(old.ID), old.Inputs, old.Outputs, text("y", old.Inputs)},
		{value.Null(), program},
		{now.Inputs},
		{value.String(old.ID), old.Inputs, old.Outputs},
	} {
		if !slices.EqualFunc(bags[i], want, value.Value.Equal) {
			t.Errorf("%s gets %v, not %v", methods[i], bags[i], want)
		}
	}
	if !now.Inputs.Field("size").Equal(value.String("2")) || !now.Inputs.Field("tier").Equal(value.String("free")) {
		t.Errorf("made of %v", now.Inputs)
	}
}

// same fails if a call gets other properties than these.
func same(t *testing.T, method string, got []value.Value, want ...value.Value) {
	t.Helper()
	if !slices.EqualFunc(got, want, value.Value.Equal) {
		t.Errorf("%s gets %v, not %v", method, got, want)
	}
}

// TestArgumentsOfUpdate holds what an update sends, and what a deletion does.
func TestArgumentsOfUpdate(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "size", "1"))
	old := *l.resource("a")
	methods, bags := callsOf(t, l.Update(context.Background(), of(thingNamed("a", "size", "2"))), "a")
	if got := strings.Join(methods, " "); got != "Check Diff Update" {
		t.Fatal(got)
	}
	now := *l.resource("a")
	same(t, "Update", bags[2], value.String(old.ID), old.Inputs, old.Outputs, now.Inputs)
	if now.Inputs.Equal(old.Inputs) || now.Outputs.Equal(old.Outputs) {
		t.Error("nothing changed")
	}
	methods, bags = callsOf(t, l.Update(context.Background(), of()), "a")
	if got := strings.Join(methods, " "); got != "Delete" {
		t.Fatal(got)
	}
	same(t, "Delete", bags[0], value.String(old.ID), now.Inputs, now.Outputs)
}

// TestArgumentsOfOptions holds that timeouts and ignoreChanges are sent.
func TestArgumentsOfOptions(t *testing.T) {
	l := newLab(t)
	goal := func(size string) engine.Program {
		g := thingNamed("a", "size", size)
		g.IgnoreChanges = []string{"note"}
		g.Timeouts.Create, g.Timeouts.Update, g.Timeouts.Delete = 60, 120, 180
		return of(g)
	}
	var sent []string
	for _, run := range []iter.Seq2[engine.Action, error]{
		l.Update(context.Background(), goal("1")), l.Update(context.Background(), goal("2")), l.Destroy(context.Background()),
	} {
		for a, err := range run {
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range a.Calls {
				switch r := c.Request.(type) {
				case *rpc.CreateRequest:
					sent = append(sent, fmt.Sprint(c.Method, r.Timeout))
				case *rpc.DiffRequest:
					sent = append(sent, fmt.Sprint(c.Method, r.IgnoreChanges))
				case *rpc.UpdateRequest:
					sent = append(sent, fmt.Sprint(c.Method, r.Timeout, r.IgnoreChanges))
				case *rpc.DeleteRequest:
					sent = append(sent, fmt.Sprint(c.Method, r.Timeout))
				}
			}
		}
	}
	if got := strings.Join(sent, " "); !strings.HasSuffix(got, "Diff[note] Update120 [note] Delete180") || !strings.Contains(got, "Create60") {
		t.Error(got)
	}
}

// TestSecondCheck holds that a failure of the Check of a replacement ends it.
func TestSecondCheck(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "name", "x"))
	checks := 0
	l.cloud.Fail = func(m, u string) error {
		if m == "Check" && strings.HasSuffix(u, "::a") {
			if checks++; checks == 2 {
				return errors.New("no")
			}
		}
		return nil
	}
	l.update("fail a: the run asks for it | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Check: no", thingNamed("a", "name", "y"))
	if got := l.cloud.Records[l.id("a")].Inputs.Field("name"); len(l.cloud.Records) != 1 || !got.Equal(value.String("x")) {
		t.Errorf("there are %d records, the first of %v", len(l.cloud.Records), got)
	}
}

// TestFailedUpdate deletes nothing that is undeclared if the run fails before.
func TestFailedUpdate(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a", "size", "1"), thingNamed("b"))
	l.fails("Update", "a")
	l.update("update a: something changed [size] | Update | engine: urn:pulumi:dev::shop::demo:index:Thing::a: Update: no", thingNamed("a", "size", "2"))
	if l.id("b") == "" || len(l.cloud.Records) != 2 {
		t.Error("b is deleted")
	}
}

// TestArgumentsOfImport holds what an import sends: the ID alone, then what was read.
func TestArgumentsOfImport(t *testing.T) {
	l, id := owned(t, "size", "1")
	g := thingNamed("a", "size", "2")
	g.ImportID = id
	methods, bags := callsOf(t, l.Update(context.Background(), of(g)), "a")
	if got := strings.Join(methods, " "); got != "Read Check Diff Update" {
		t.Fatal(got)
	}
	inputs := value.Object(value.Field("size", value.String("1")), value.Field("tier", value.String("free")))
	if !slices.EqualFunc(bags[0], []value.Value{value.String(id), value.Null(), value.Null()}, value.Value.Equal) {
		t.Errorf("Read gets %v", bags[0])
	}
	if !bags[1][0].Equal(inputs) || !bags[1][1].Equal(value.Object(value.Field("size", value.String("2")))) {
		t.Errorf("Check gets %v", bags[1])
	}
	if !bags[2][1].Equal(inputs) || bags[2][2].Field("arn").IsNull() {
		t.Errorf("Diff gets %v", bags[2])
	}
}

// TestWrittenOptions holds that the state has what the program says of a resource.
func TestWrittenOptions(t *testing.T) {
	l := newLab(t)
	g := thingNamed("c", "size", "<a.arn>", "note", "1")
	g.Parent, g.DependsOn, g.Protect, g.IgnoreChanges, g.ReplaceOnChanges = "group", []string{"b", "a"}, true, []string{"note"}, []string{"name"}
	g.Timeouts.Create = 60
	group := engine.Goal{Type: "demo:index:Group", Name: "group", Component: true}
	l.made(thingNamed("a"), thingNamed("b"), group, g)
	c := l.resource("c")
	got := fmt.Sprint(c.Dependencies, c.PropertyDependencies, c.Parent, c.Provider, c.Protect, c.IgnoreChanges, c.ReplaceOnChanges, c.CustomTimeouts.Create, c.Custom)
	const at = "urn:pulumi:dev::shop::demo:index:"
	want := fmt.Sprint([]string{at + "Thing::a", at + "Thing::b"}, map[string][]string{"size": {at + "Thing::a"}}, at+"Group::group",
		"urn:pulumi:dev::shop::pulumi:providers:demo::default::"+l.id("default"), true, []string{"note"}, []string{"name"}, 60, true)
	if got != want {
		t.Errorf("written\n%s\nnot\n%s", got, want)
	}
}

// TestWaitsForDeletion makes a resource anew of which one waits for its deletion, and
// deletes both.
func TestWaitsForDeletion(t *testing.T) {
	l := newLab(t)
	l.made(thingNamed("a"))
	l.resource("a").Delete = true
	l.resource("a").Protect = true // which no longer matters
	l.update(`create a: it is not managed yet | Create
	delete-replaced a: it was replaced, and waits for its deletion <- a | Delete`, thingNamed("a"))
	l.fails("Delete", "a")
	for range l.Update(context.Background(), of(thingNamed("a", "name", "x"))) {
	}
	l.update(`delete-replaced a: it was replaced, and waits for its deletion <- a | Configure | Delete
	delete a: the program does not declare it | Delete`)
	if len(l.cloud.Records) != 0 {
		t.Error("something is left")
	}
}
