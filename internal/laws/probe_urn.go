package laws

import "github.com/propalg/propalg/urn"

func urnProbes() []probe {
	return []probe{
		{"urn.Build", plainPath, func(s *scene) {
			s.say(urn.Build(urn.Parts{}))
			s.say(urn.Build(urn.Parts{Stack: s.text, Project: s.text, Parents: []string{s.text}, Type: s.text, Name: s.text}))
		}},
		{"urn.Parse", plainPath, func(s *scene) { s.say(urn.Parse(s.text)) }},
		{"urn.MustParse", plainPath, func(s *scene) { s.say(urn.MustParse("urn:pulumi:s::p::t::" + s.text)) }},
		{"urn.Error.Error", plainPath, func(s *scene) {
			_, err := urn.Parse("urn:" + s.text)
			s.say(err, (&urn.Error{}).Error(), (&urn.Error{Input: s.text, Offset: s.index}).Error())
		}},
		{"urn.Error.Unwrap", "", func(s *scene) { s.say((&urn.Error{}).Unwrap()) }},
		{"urn.URN.AppendText", plainPath, func(s *scene) { s.say(s.u.AppendText(nil)) }},
		{"urn.URN.CheckSpec", plainPath, func(s *scene) { s.say(s.u.CheckSpec(), urn.URN{}.CheckSpec()) }},
		{"urn.URN.CheckSpecNested", plainPath, func(s *scene) { s.say(s.u.CheckSpecNested(), urn.URN{}.CheckSpecNested()) }},
		{"urn.URN.Compare", "", func(s *scene) { s.say(s.u.Compare(urn.URN{})) }},
		{"urn.URN.Equal", "", func(s *scene) { s.say(s.u.Equal(urn.URN{})) }},
		{"urn.URN.IsZero", "", func(s *scene) { s.say(s.u.IsZero(), urn.URN{}.IsZero()) }},
		{"urn.URN.MarshalText", plainPath, func(s *scene) { s.say(s.u.MarshalText()) }},
		{"urn.URN.Module", plainPath, func(s *scene) { s.say(s.u.Module(), urn.URN{}.Module()) }},
		{"urn.URN.Name", plainPath, func(s *scene) { s.say(s.u.Name(), urn.URN{}.Name()) }},
		{"urn.URN.Package", plainPath, func(s *scene) { s.say(s.u.Package(), urn.URN{}.Package()) }},
		{"urn.URN.Parents", plainPath, func(s *scene) {
			for parent := range s.u.Parents() {
				s.say(parent)

				break
			}

			for parent := range (urn.URN{}).Parents() {
				s.say(parent)
			}
		}},
		{"urn.URN.Parts", plainPath, func(s *scene) { s.say(s.u.Parts(), urn.URN{}.Parts()) }},
		{"urn.URN.Project", plainPath, func(s *scene) { s.say(s.u.Project(), urn.URN{}.Project()) }},
		{"urn.URN.QualifiedType", plainPath, func(s *scene) { s.say(s.u.QualifiedType(), urn.URN{}.QualifiedType()) }},
		{"urn.URN.Stack", plainPath, func(s *scene) { s.say(s.u.Stack(), urn.URN{}.Stack()) }},
		{"urn.URN.String", plainPath, func(s *scene) { s.say(s.u.String(), urn.URN{}.String()) }},
		{"urn.URN.Type", plainPath, func(s *scene) { s.say(s.u.Type(), urn.URN{}.Type()) }},
		{"urn.URN.TypeName", plainPath, func(s *scene) { s.say(s.u.TypeName(), urn.URN{}.TypeName()) }},
		{"urn.URN.UnmarshalText", plainPath, func(s *scene) {
			u := s.u
			s.say(u.UnmarshalText([]byte(s.text)), u.UnmarshalText(nil))
		}},
	}
}
