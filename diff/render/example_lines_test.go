package render_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/propalg/propalg/diff"
	"github.com/propalg/propalg/diff/render"
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// Lines are what HTML, or any other form, is made of: no second look at the
// values is needed, and what is secret is not in them.
func ExampleLines() {
	before := value.Object(
		value.Member{Key: "password", Value: value.Secret(value.String("hunter2"))},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String("<dev>")})},
	)
	after := value.Object(
		value.Member{Key: "password", Value: value.Secret(value.String("correct horse"))},
		value.Member{Key: "tags", Value: value.Object(value.Member{Key: "env", Value: value.String("<prod>")})},
	)
	for line := range render.Lines(diff.Between(before, after, diff.Options{}), render.Options{}) {
		var row strings.Builder
		for _, span := range line.Spans {
			fmt.Fprintf(&row, "<i class=%s>%s</i>", span.Style, html.EscapeString(span.Text))
		}
		fmt.Printf("<div data-level=%d data-fold=%s>%s</div>\n", line.Level, line.Fold, row.String())
	}
	// Output:
	// <div data-level=0 data-fold=none><i class=key>password</i><i class=punctuation>: </i><i class=secret>[secret]</i><i class=punctuation> =&gt; </i><i class=secret>[secret]</i></div>
	// <div data-level=0 data-fold=open><i class=key>tags</i><i class=punctuation>    : {</i></div>
	// <div data-level=1 data-fold=none><i class=key>env</i><i class=punctuation>: </i><i class=old>&#34;&lt;dev&gt;&#34;</i><i class=punctuation> =&gt; </i><i class=new>&#34;&lt;prod&gt;&#34;</i></div>
	// <div data-level=0 data-fold=close><i class=punctuation>}</i></div>
}

// A tool adds lines of its own in the same form.
func ExampleLine() {
	header := render.Line{Mark: render.MarkUpdate, Fold: render.FoldOpen, Spans: []render.Span{{Text: "aws:s3/bucket:Bucket", Style: render.StyleKey}}}
	d := diff.Between(value.Number(1), value.Number(2), diff.Options{})
	fmt.Println(header)
	fmt.Print(render.Text(d, render.Options{Indent: 1}))
	// Output:
	// ~ aws:s3/bucket:Bucket
	//     ~ 1 => 2
}

func ExampleSpan() {
	line := render.Line{Mark: render.MarkAdd, Spans: []render.Span{
		{Text: "name", Style: render.StyleKey}, {Text: ": "}, {Text: `"web"`, Style: render.StyleNew},
	}}
	fmt.Println(line)
	// Output: + name: "web"
}

func ExampleMark() {
	fmt.Printf("%q %q\n", render.MarkAdd, render.MarkReplace)
	// Output: "+" "+-"
}

func ExampleStyle() {
	fmt.Println(render.StyleKey, render.StyleOld, render.StyleNote)
	// Output: key old note
}

func ExampleFold() {
	depth := 0
	d := diff.Between(value.Object(), value.Object(value.Member{Key: "tags", Value: value.Object(value.Member{Key: "a", Value: value.Number(1)})}), diff.Options{})
	for line := range render.Lines(d, render.Options{}) {
		switch line.Fold {
		case render.FoldOpen:
			depth++
		case render.FoldClose:
			depth--
		case render.FoldNone:
		}
		fmt.Println(depth, line)
	}
	// Output:
	// 1 + tags: {
	// 1     + a: 1
	// 0   }
}

func Example_colours() {
	o := render.Options{}
	if os.Getenv("COLOUR") != "" {
		o.ANSI = true
	}
	fmt.Print(render.Text(diff.Between(value.Number(1), value.Number(2), diff.Options{}), o))
	fmt.Printf("%q\n", render.Text(diff.Between(value.Number(1), value.Number(2), diff.Options{}), render.Options{ANSI: true}))
	// Output:
	// ~ 1 => 2
	// "\x1b[33m~ \x1b[0m\x1b[31m1\x1b[0m => \x1b[32m2\x1b[0m\n"
}

// Texts that hold JSON are compared as what they mean, too. The parser is handed
// in, and decides what it takes.
func ExampleOptions_documents() {
	parse := func(text string) (string, value.Value, bool) {
		var x any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber() // a number that does not fit is refused, not rounded
		if d.Decode(&x) != nil || d.More() {
			return "", value.Value{}, false
		}
		v, err := value.FromGo(x)
		return "json", v, err == nil
	}
	d := diff.Between(value.String(`{"Effect":"Allow","Action":"*"}`), value.String(`{"Action":"s3:*","Effect":"Allow"}`), diff.Options{})
	fmt.Print(render.Text(d, render.Options{Documents: parse}))
	// Output:
	// ~ "{\"Effect\":\"Allow\",\"Action\":\"*\"}" => "{\"Action\":\"s3:*\",\"Effect\":\"Allow\"}"
	//     ~ (json): {
	//         ~ Action: "*" => "s3:*"
	//       }
}

func ExampleOptions_hideDiffs() {
	tags := func(env, stamp string) value.Value {
		return value.Object(value.Member{Key: "tags", Value: value.Object(
			value.Member{Key: "env", Value: value.String(env)}, value.Member{Key: "stamp", Value: value.String(stamp)},
		)})
	}
	d := diff.Between(tags("dev", "1"), tags("dev", "2"), diff.Options{})
	fmt.Print(render.Text(d, render.Options{HideDiffs: path.NewSet(path.MustParsePattern("tags.stamp"))}))
	// Output:
	// ~ tags.stamp: (hidden)
}
