package meaning

import (
	"memctl/cmd/command"
	"memctl/files"
	"memctl/schemas"
)

func Feature() command.Feature {
	return command.Feature{Name: "meaning", UserModel: UserModel,
		Check: func(bool, bool) files.Check { return Check },
		Confirmations: map[string]command.Confirmation{"meaning.endpoint": {
			With: []string{"meaning.rerank"},
			Sends: func(cfg schemas.Config) string {
				if cfg.Meaning.Endpoint == "" && cfg.Meaning.Rerank == "" {
					return ""
				}
				return Disclosure(cfg.Meaning)
			},
			Confirm:  func(cfg schemas.Config) error { return Confirm(cfg.Meaning) },
			Withdraw: Withdraw,
		}}}
}
