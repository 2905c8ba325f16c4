// Custom rules in TOML.

package scrub

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
)

// LoadRules reads custom rules from TOML:
//
//	[[rule]]
//	name = "acme-token"
//	description = "token of the build service"
//	pattern = 'acme_[0-9a-f]{32}'
//	literals = ["acme_"]
//
// The fields are those of Rule. name says in errors where the text is from.
// Errors match ErrRule; they say the line of what isn't TOML, and name fields
// that don't exist.
func LoadRules(name, text string) ([]Rule, error) {
	var file struct {
		Rule []Rule `toml:"rule"`
	}
	meta, err := toml.Decode(text, &file)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%w: %s: line %d: %s", ErrRule, name, at.Position.Line, at.Message)
		}
		return nil, fmt.Errorf("%w: %s: %w", ErrRule, name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%w: %s: there is no field %s", ErrRule, name, unknown[0])
	}
	seen := map[string]bool{}
	for i := range file.Rule {
		r := &file.Rule[i]
		if _, err := r.compile(); err != nil {
			return nil, fmt.Errorf("%s: rule %d: %w", name, i+1, err)
		}
		if seen[r.Name] {
			return nil, fmt.Errorf("%w: %s: two rules are called %s", ErrRule, name, r.Name)
		}
		seen[r.Name] = true
	}
	return file.Rule, nil
}
