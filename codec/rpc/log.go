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
	"github.com/propalg/propalg/internal/scan"
	"github.com/propalg/propalg/internal/veil"
)

// The errors of a log. Errors of JSON text are those of package codec.
var (
	ErrLog       = errors.New("not a provider call log")
	ErrTruncated = errors.New("truncated last line")
)

const opLog = "read log"

var errNoReader = errors.New("nil reader")

// LoggedCall is one line of a log. Its text shows nothing of the messages. The zero
// LoggedCall has no messages.
type LoggedCall struct {
	Method string // the full name, such as "/pulumirpc.ResourceProvider/Diff"
	Line   int    // counted from 1
	Offset int64  // of the first byte of the line

	// Started is true if the line has the request alone; the line of the ended call
	// repeats the request. Ended is true if it has the request, and the response or the
	// errors: older engines log only ended calls, and a streaming method logs one such line
	// per message. Both are false for a stage that this package does not know.
	Started, Ended bool

	text veil.Pointer[loggedText]
}

// loggedText is the undecoded text of a line.
type loggedText struct {
	request, response string // empty if absent
	errors            []string
}

// ReadLog reads an engine's log of its calls and yields one call per line.
//
// An engine writes such a log to the file that PULUMI_DEBUG_GRPC names: a line of
// JSON when a call starts, and another when it ends. ReadLog holds one line in memory
// at a time. Messages are not decoded before [LoggedCall.Request] or
// [LoggedCall.Response] is called. Empty lines and unknown members are skipped.
//
// An error ends the iteration and is yielded with a zero call. It is an [*Error] that
// names the line and wraps
//
//   - [ErrLog] if the line is other JSON, or longer than 512 MiB without leading
//     white space,
//   - [ErrTruncated] if the last line is incomplete, because the engine is still
//     writing it or was killed,
//   - a sentinel of package codec if the line is not JSON, or
//   - the error of the reader.
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
				c, err = readLogged(string(line), whole)
				c.Line, c.Offset = l.number, l.begin
				if err == nil && !yield(c, nil) {
					return
				}
			}
			if err != nil {
				yield(LoggedCall{}, finish(inField(err, "line "+strconv.Itoa(l.number)), opLog, nil))
				return
			}

			if !whole {
				return
			}
		}
	}
}

// logLines splits a stream into lines.
type logLines struct {
	from    *bufio.Reader
	long    []byte // the parts of a line that is longer than from's buffer
	longest int    // the limit on the bytes of a line
	number  int
	begin   int64 // offset of the current line
	end     int64 // offset of the next line
}

// next returns the next line, which is valid until the next call, and whether it
// ends with a newline.
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
			part = bytes.TrimLeft(part, " \t\r") // it may be endless
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

// readLogged reads a line. A line that is not whole may be truncated.
func readLogged(line string, whole bool) (LoggedCall, error) {
	c := LoggedCall{Ended: true}
	var text loggedText
	r := &reader{text: line}
	r.space()
	begin := r.pos
	named, err := r.logged(&c, &text)
	r.space()
	if err == nil && named && r.pos < len(r.text) {
		err = r.unexpected("end of line")
	}

	var e *Error
	isTruncated := !whole && line[begin] == '{' && errors.As(err, &e) && e.Offset >= len(line)
	switch {
	case isTruncated:
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
		// If this is JSON at all, the error is ErrLog and not a syntax error.
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
			c.Started = progress == "request_started"
			c.Ended = progress == "response_completed" || progress == ""
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

// skipped skips a value and returns its text, or "" for null.
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

// Request reads the request. It returns nil if the line has none, or null, or if this package
// has no message for the method. Its properties share the memory of the line. A line of List,
// which streams, has the request or one response.
//
// The error is that of [DecodeJSON]: a log of a newer engine may have members that
// this package does not know, which Options.DiscardUnknown skips.
func (c LoggedCall) Request(o Options) (Message, error) {
	m, _ := c.messages()
	return c.message(o, m, func(t *loggedText) string { return t.request })
}

// Response reads the response, as [LoggedCall.Request] does the request. A call that
// failed or has only started has none.
func (c LoggedCall) Response(o Options) (Message, error) {
	_, m := c.messages()
	return c.message(o, m, func(t *loggedText) string { return t.response })
}

// messages returns an empty request and an empty response, those of List too.
func (c LoggedCall) messages() (request, response Message) {
	if c.Method == "/pulumirpc.ResourceProvider/List" {
		return &ListRequest{}, &ListResponse{}
	}
	return NewCall(c.Method)
}

func (c LoggedCall) message(o Options, m Message, of func(*loggedText) string) (Message, error) {
	text := c.text.Open()
	if text == nil || m == nil || of(text) == "" || of(text) == "null" {
		return nil, nil
	}
	if err := decodeText(of(text), m, o); err != nil {
		return nil, err
	}

	return m, nil
}

// Failed reports whether the line has errors.
func (c LoggedCall) Failed() bool { return len(c.RevealErrors()) > 0 }

// RevealErrors returns the texts of the errors in full. They hold any secret that a
// provider put into them.
func (c LoggedCall) RevealErrors() []string {
	if text := c.text.Open(); text != nil {
		return append([]string(nil), text.errors...)
	}
	return nil
}

// String returns one line such as "line 12: /pulumirpc.ResourceProvider/Diff".
func (c LoggedCall) String() string {
	return "line " + strconv.Itoa(c.Line) + ": " + scan.Line(c.Method)
}
