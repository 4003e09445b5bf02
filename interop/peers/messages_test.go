package peers_test

import (
	"strings"
	"testing"

	"github.com/propalg/propalg/codec/rpc"
	"github.com/propalg/propalg/value"
)

// holder is a struct of a caller, whose unexported fields' methods most printers cannot
// call.
type holder struct {
	hidden  rpc.CreateRequest
	Pointer *rpc.CreateRequest
	List    []rpc.ConfigureRequest
	Map     map[string]*rpc.ParametersValue
	Any     any
}

// messages holds one secret in every kind of hidden field, in everything that can hold a
// message.
func messages(secret string) holder {
	extra := rpc.Extra{Unrecognized: rpc.Hide([]byte(secret))}
	create := rpc.CreateRequest{
		URN: "shown", Properties: value.Object(value.Field("p", value.Secret(value.String(secret)))),
		ResourceStatusToken: rpc.Hide(secret), Extra: extra,
	}
	configure := rpc.ConfigureRequest{Variables: rpc.Hide(map[string]string{"a:config:" + secret: secret})}

	return holder{
		hidden: create, Pointer: &create, List: []rpc.ConfigureRequest{configure},
		Map: map[string]*rpc.ParametersValue{"k": {Name: "shown", Value: rpc.Hide([]byte(secret))}}, Any: configure,
	}
}

// TestMessagesKeepSecrets: what hides itself in a message is in no text of a printer for
// tests, as characters or as bytes, wherever the message is.
func TestMessagesKeepSecrets(t *testing.T) {
	one, two := messages("hunter2"), messages("letmein")
	bytes := strings.NewReplacer(",", " ", "\n", " ", "\t", " ", "0x", "", "uint8", "", "byte", "", "(", "", ")", "")

	for _, p := range testPrinters() {
		text, other := p.Both(one, two)
		if text == "" {
			t.Errorf("%s prints nothing", p.Name)
		}

		shown := strings.Join(strings.Fields(bytes.Replace(text+other)), " ")
		for _, trace := range []string{"hunter2", "letmein", "104 117 110 116", "68 75 6e 74", "108 101 116 109", "6c 65 74 6d"} {
			if strings.Contains(shown, trace) {
				t.Errorf("%s shows %s of a message", p.Name, trace)
			}
		}
	}
}
