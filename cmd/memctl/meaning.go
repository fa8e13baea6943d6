package main

import (
	"memctl/cmd/command"
	"memctl/features/meaning"
	"memctl/schemas"
)

func meaningFeature() command.Feature {
	return command.Feature{Name: "meaning", Confirmations: map[string]command.Confirmation{"meaning.endpoint": {
		With: []string{"meaning.rerank"},
		Sends: func(cfg schemas.Config) string {
			if cfg.Meaning.Endpoint == "" && cfg.Meaning.Rerank == "" {
				return ""
			}
			return meaning.Sent(cfg.Meaning)
		},
		Confirm:  func(cfg schemas.Config) error { return meaning.Confirm(cfg.Meaning) },
		Withdraw: meaning.Withdraw,
	}}}
}
