package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/propalg/propalg/codec"
	"github.com/propalg/propalg/internal/jsonscan"
	"github.com/propalg/propalg/internal/refuse"
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
)

// What can be wrong with a log, beside what can be wrong with JSON text.
var (
	ErrLog       = errors.New("no log of calls")
	ErrTruncated = errors.New("the last line is cut off")
)

const opLog = "read log"

// errNoReader is what is wrong with a reader that is nil.
var errNoReader = errors.New("there is no reader")

// Progress says what a line of a log is about. The set is closed.
type Progress uint8

const (
	// CallEnded says that the call is over: the line has its request with the
	// response or the errors. Engines before there were lines of calls that begin write no
	// others; of methods that stream there is such a line for each message.
	CallEnded Progress = iota
	// CallStarted says that the call begins. The line has the request, which comes
	// again when the call has ended.
	CallStarted
	// CallUnknown stands for what this package does not know.
	CallUnknown
)

// String returns "ended", "started" or "unknown".
func (p Progress) String() string {
	switch p {
	case CallEnded:
		return "ended"
	case CallStarted:
		return "started"
	case CallUnknown:
		return "unknown"
	}
	return "invalid progress"
}

// LoggedCall is one line of a log. Nothing that prints it shows what was sent; a
// zero LoggedCall has no messages.
type LoggedCall struct {
	Method   string // as grpc names it, such as "/pulumirpc.ResourceProvider/Diff"
	Progress Progress
	Line     int   // counted from 1
	Offset   int64 // where the line begins, in bytes

	text veil.Pointer[loggedText]
}

// loggedText is what a line holds, as it stands there.
type loggedText struct {
	request, response string // empty: none
	errors            []string
}

// ReadLog reads the log that an engine writes of its calls when PULUMI_DEBUG_GRPC
// names a file: JSON, one line for each call that begins, and one for each that
// ends. It holds one line in memory at a time; lines of calls that nobody asks
// the messages of are looked over, not decoded. Empty lines are passed over, and
// so are members that this package does not know.
//
// An error is yielded with a zero call, and ends the iteration: an [*Error] that
// names the line, and wraps [ErrLog] for a line that is JSON of another kind,
// [ErrTruncated] for a last line that ends in the middle (an engine is still writing it,
// or was killed), a sentinel of package codec for what is no JSON, or the error of
// the reader. What a message of a call holds is not looked at before
// [LoggedCall.Request] or [LoggedCall.Response] is called.
//
// A line may have 512 MiB, white space before it aside: one that is longer is an
// error that wraps ErrLog.
func ReadLog(r io.Reader) iter.Seq2[LoggedCall, error] {
	const longestLine = 512 << 20
	return readLog(r, longestLine)
}

// readLog is ReadLog with another limit on the bytes of a line.
func readLog(r io.Reader, longest int) iter.Seq2[LoggedCall, error] {
	return func(yield func(LoggedCall, error) bool) {
		if r == nil {
			yield(LoggedCall{}, finish(fail(errNoReader, -1), opLog, nil))
			return
		}
		const window = 1 << 16
		l := logLines{from: bufio.NewReaderSize(r, window), longest: longest}
		for {
			line, whole, err := l.next()
			if err == nil && len(bytes.TrimLeft(line, " \t\r\n")) > 0 {
				var c LoggedCall
				if c, err = readLogged(string(line), whole); err == nil {
					c.Line, c.Offset = l.number, l.begin
					if !yield(c, nil) {
						return
					}
				}
			}
			switch {
			case err != nil:
				yield(LoggedCall{}, finish(inField(err, "line "+strconv.Itoa(l.number)), opLog, nil))
				return
			case !whole:
				return
			}
		}
	}
}

// logLines cuts a stream into lines.
type logLines struct {
	from    *bufio.Reader
	long    []byte // of a line that is longer than the window
	longest int    // bytes of a line
	number  int
	begin   int64 // where the line begins
	end     int64
}

// next returns the next line, which is good until the call after, and whether
// there is the end of a line behind it.
func (l *logLines) next() (line []byte, whole bool, err error) {
	l.number++
	l.begin = l.end
	l.long = l.long[:0]
	for {
		part, err := l.from.ReadSlice('\n')
		l.end += int64(len(part))
		switch {
		case err == nil && len(l.long) == 0:
			return part, true, nil
		case err == nil:
			return append(l.long, part...), true, nil
		}
		if len(l.long) == 0 {
			part = bytes.TrimLeft(part, " \t\r") // of which there may be no end
		}
		l.long = append(l.long, part...)
		switch {
		case len(l.long) > l.longest:
			e := fail(ErrLog, -1)
			e.Want, e.Found = "at most "+strconv.Itoa(l.longest)+" bytes in a line", "more"
			return nil, false, e
		case errors.Is(err, io.EOF):
			return l.long, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, fail(err, -1)
		}
	}
}

// readLogged reads a line; one that is not whole may end in the middle.
func readLogged(line string, whole bool) (LoggedCall, error) {
	var c LoggedCall
	var text loggedText
	r := &reader{text: line}
	r.space()
	named, err := r.logged(&c, &text)
	if r.space(); err == nil && named && r.pos < len(r.text) {
		err = r.unexpected("end of line")
	}
	switch e := (*Error)(nil); {
	case err != nil && !whole && errors.As(err, &e) && e.Offset >= len(line) && line[jsonscan.Space(line, 0)] == '{':
		return c, fail(ErrTruncated, e.Offset)
	case err != nil:
		return c, err
	case !named:
		e := fail(ErrLog, -1)
		e.Want = "object with a method"
		return c, e
	}
	c.text = veil.Hide(&text)
	return c, nil
}

// logged reads the object of a line, and reports whether it names a method.
func (r *reader) logged(c *LoggedCall, text *loggedText) (named bool, err error) {
	if !r.at('{') {
		// JSON of another kind is no log; what is no JSON at all is told as that.
		if _, fault := new(jsonscan.Skipper).Skip(r.text, r.pos); fault == nil {
			return false, nil
		}
	}
	seen := map[string]bool{}
	err = r.object(func(name string, at int) (err error) {
		if seen[name] {
			return fail(codec.ErrDuplicate, at)
		}
		switch name {
		case "method":
			c.Method, err = r.str()
			named = true
		case "progress":
			var progress string
			progress, err = r.str()
			c.Progress = progressOf(progress)
		case "request":
			text.request, err = r.skipped()
		case "response":
			text.response, err = r.skipped()
		case "errors":
			text.errors, err = r.texts()
		default:
			_, err = r.skipped()
			return err
		}
		seen[name] = true
		return err
	})
	return named, err
}

func progressOf(text string) Progress {
	switch text {
	case "", "response_completed":
		return CallEnded
	case "request_started":
		return CallStarted
	}
	return CallUnknown
}

// skipped passes over a value and returns its text, or nothing for null.
func (r *reader) skipped() (string, error) {
	begin := r.pos
	end, fault := new(jsonscan.Skipper).Skip(r.text, r.pos)
	if fault != nil {
		return "", broken(fault)
	}
	r.pos = end
	if text := r.text[begin:end]; text != "null" {
		return text, nil
	}
	return "", nil
}

// texts reads an array of strings, or null.
func (r *reader) texts() (all []string, err error) {
	if r.at('n') {
		return nil, r.literal()
	}
	err = r.array(func(int) error {
		s, err := r.str()
		all = append(all, s)
		return err
	})
	return all, err
}

// Request reads the message that was sent; nil when there is none, or this
// package has none for the method. Its properties share the memory of the line.
// The error is that of [DecodeJSON]: a log of a newer engine may have members that
// this package does not know, which Options.DiscardUnknown skips.
func (c LoggedCall) Request(o Options) (Message, error) {
	m, _ := NewCall(c.Method)
	return c.message(o, m, func(t *loggedText) string { return t.request })
}

// Response is [LoggedCall.Request] for what came back. A call that failed, and one
// that has only started, has none.
func (c LoggedCall) Response(o Options) (Message, error) {
	_, m := NewCall(c.Method)
	return c.message(o, m, func(t *loggedText) string { return t.response })
}

func (c LoggedCall) message(o Options, m Message, of func(*loggedText) string) (Message, error) {
	text := c.text.Open()
	if text == nil || m == nil || of(text) == "" {
		return nil, nil
	}
	if err := decodeText(of(text), m, o); err != nil {
		return nil, err
	}
	return m, nil
}

// Failed reports whether the line has errors.
func (c LoggedCall) Failed() bool { return len(c.RevealErrors()) > 0 }

// RevealErrors returns the texts of the errors. What a provider put into them is
// shown in full, secrets too.
func (c LoggedCall) RevealErrors() []string {
	if text := c.text.Open(); text != nil {
		return append([]string(nil), text.errors...)
	}
	return nil
}

// String is one line such as "line 12: /pulumirpc.ResourceProvider/Diff: ended".
func (c LoggedCall) String() string {
	return "line " + strconv.Itoa(c.Line) + ": " + scan.Line(c.Method) + ": " + c.Progress.String()
}

// UnmarshalJSON returns an error that names rpc.ReadLog.
func (*LoggedCall) UnmarshalJSON([]byte) error { return refuse.JSON("rpc.LoggedCall", "rpc.ReadLog") }
