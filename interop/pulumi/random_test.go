package pulumi_test

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/propalg/propalg/internal/test/messages"
)

// drawMessage draws a message of one of the SDK's types; with json, one that the JSON
// form can hold.
func drawMessage(t *rapid.T, mt protoreflect.MessageType, json bool) proto.Message {
	m := mt.New()
	messages.Fill(t, m, json)
	return m.Interface()
}
