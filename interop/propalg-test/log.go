package main

import (
	"encoding/json"
	"io"

	"github.com/propalg/propalg/codec/rpc"
)

// callLog writes calls as engines do to the file that PULUMI_DEBUG_GRPC names.
type callLog struct {
	to   io.Writer // nil: there is no log
	mask *mask
	err  error // the first
}

type logLine struct {
	Method   string          `json:"method"`
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
	Errors   []string        `json:"errors,omitempty"`
	Progress string          `json:"progress"`
}

func (l *callLog) add(method string, request, response any, err error) {
	if l.to == nil || l.err != nil {
		return
	}

	line := logLine{Method: "/pulumirpc.ResourceProvider/" + method, Request: messageJSON(request), Progress: "response_completed"}
	if err != nil {
		line.Errors = []string{err.Error()}
	} else {
		line.Response = messageJSON(response)
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = io.WriteString(l.to, l.mask.text(string(text))+"\n")
	}
	l.err = err
}

// messageJSON returns the JSON of a message. SECRETS ARE IN IT.
func messageJSON(m any) json.RawMessage {
	own, ok := m.(rpc.Message)
	if !ok {
		return nil
	}
	text, err := rpc.AppendJSON(nil, own, rpc.Options{})
	if err != nil {
		return nil
	}
	return text
}
