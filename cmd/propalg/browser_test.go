//go:build page && unix

package main_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium that is spoken to over a pipe, in the DevTools
// protocol: JSON messages that end with a zero byte.
type browser struct {
	t       *testing.T
	to      io.Writer
	from    <-chan message
	last    int
	session string
	said    []string // errors, warnings and everything else on the console
}

type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	In     string          `json:"sessionId,omitempty"`
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	name := ""
	for _, each := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(each); err == nil && name == "" {
			name = found
		}
	}
	if name == "" {
		t.Fatal("no chromium: .ci/page installs it")
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	back, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(name, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{theirs, answers}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	_ = answers.Close()
	heard := make(chan message, 1000)
	go func() {
		defer close(heard)
		r := bufio.NewReaderSize(back, 1<<16)
		for {
			text, err := r.ReadBytes(0)
			if err != nil {
				return
			}
			var m message
			if json.Unmarshal(text[:len(text)-1], &m) == nil {
				heard <- m
			}
		}
	}()
	b := &browser{t: t, to: ours, from: heard}
	t.Cleanup(func() {
		b.session = ""
		b.ask("Browser.close", nil, nil)
		_ = ours.Close()
		_ = c.Wait()
	})
	var target struct{ TargetID string }
	b.ask("Target.createTarget", map[string]string{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.ask(domain+".enable", nil, nil)
	}
	return b
}

// ask sends a command and waits for its answer, or fails the test.
func (b *browser) ask(method string, params, to any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(params)
	if err == nil {
		text, err = json.Marshal(message{ID: b.last, Method: method, Params: text, In: b.session})
	}
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	got := b.listen(func(m message) bool { return m.ID == b.last })
	if got.Error != nil {
		b.t.Fatalf("%s: %s", method, got.Error)
	}
	if to != nil {
		if err := json.Unmarshal(got.Result, to); err != nil {
			b.t.Fatal(err)
		}
	}
}

// listen waits for a message, and keeps what pages say meanwhile.
func (b *browser) listen(wanted func(message) bool) message {
	b.t.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case m, ok := <-b.from:
			if !ok {
				b.t.Fatal(errors.New("the browser is gone"))
			}
			if m.Method == "Log.entryAdded" || m.Method == "Runtime.consoleAPICalled" || m.Method == "Runtime.exceptionThrown" {
				b.said = append(b.said, string(m.Params))
			}
			if wanted(m) {
				return m
			}
		case <-limit:
			b.t.Fatal("the browser does not answer")
		}
	}
}

func (b *browser) window(width, height int, theme string) {
	b.t.Helper()
	b.ask("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.ask("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": theme}}}, nil)
}

func (b *browser) open(file string) {
	b.t.Helper()
	b.ask("Page.navigate", map[string]string{"url": "file://" + file}, nil)
	b.listen(func(m message) bool { return m.Method == "Page.loadEventFired" })
}

// eval is the value of an expression, as text.
func (b *browser) eval(js string) string {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.ask("Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true, "awaitPromise": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", js, got.ExceptionDetails)
	}
	return string(got.Result.Value)
}

// want is a row of a table: an expression and what it has to give, for a while
// at the latest.
func (b *browser) want(js, want string) {
	b.t.Helper()
	got := ""
	for range 50 {
		if got = b.eval(js); got == want {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.t.Errorf("%s: got %.300s, want %s", js, got, want)
}

// key presses a key, as a person would.
func (b *browser) key(key string) {
	b.t.Helper()
	codes := map[string]int{"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "End": 35, "Home": 36}
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
	if len(key) == 1 {
		down["text"] = key
	} else if key == "Enter" {
		down["text"] = "\r"
	}
	b.ask("Input.dispatchKeyEvent", down, nil)
	b.ask("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": codes[key]}, nil)
}

// shoot keeps a picture for people to look at, where PROPALG_SHOTS says.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("PROPALG_SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.ask("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	b.save(filepath.Join(dir, name+".png"), shot.Data)
}

// printed is how many bytes the page has as PDF.
func (b *browser) printed(name string) {
	b.t.Helper()
	var pdf struct{ Data string }
	b.ask("Page.printToPDF", map[string]any{"printBackground": false}, &pdf)
	if dir := os.Getenv("PROPALG_SHOTS"); dir != "" {
		b.save(filepath.Join(dir, name+".pdf"), pdf.Data)
	}
	if len(pdf.Data) < 1000 {
		b.t.Errorf("%s: a PDF of %d bytes", name, len(pdf.Data))
	}
}

func (b *browser) save(file, text string) {
	b.t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// quiet fails the test if anything was said on the console.
func (b *browser) quiet() {
	b.t.Helper()
	if len(b.said) > 0 {
		b.t.Errorf("on the console: %s", strings.Join(b.said, "\n"))
	}
	b.said = nil
}
