package laws

import (
	"github.com/propalg/propalg/path"
	"github.com/propalg/propalg/value"
)

// contractProbes ask what of the protocol's contracts values do not keep.
func contractProbes() []probe {
	return []probe{
		{"value.Contract.String", "", func(s *scene) { s.say(value.Contract(200).String(), value.ResultContents.String()) }},
		{"value.Severity.String", "", func(s *scene) { s.say(value.Severity(200).String(), value.Breach.String()) }},
		{"value.Violation.String", "", func(s *scene) {
			s.say(value.Violation{At: path.Show(s.p, 0)}.String())

			for v := range value.StoredContents.Violations(s.w) {
				s.say(v.String())

				break
			}
		}},
		{"value.Contract.Violations", "", func(s *scene) {
			s.each(func(v value.Value) {
				for c := range value.ResultContents + 2 {
					seen := 0

					for found := range c.Violations(v) {
						everyVerb(s, found)

						if seen++; seen > partsSeen {
							break
						}
					}
				}
			})
		}},
	}
}
