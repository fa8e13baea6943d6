package main

import (
	"memctl/cmd/command"
	"memctl/features/check"
	otherclients "memctl/features/clients"
	"memctl/features/completion"
	"memctl/features/doctor"
	"memctl/features/eval"
	"memctl/features/exchange"
	"memctl/features/git"
	"memctl/features/hub"
	"memctl/features/install"
	"memctl/features/mcp"
	"memctl/features/meaning"
	"memctl/features/observations"
	"memctl/features/proposals"
	"memctl/features/review"
	"memctl/features/roots"
	"memctl/features/sessions"
	"memctl/features/sync"
	"memctl/features/web"
)

// features are the parts of the program that hang on the core. To build memctl without one, delete its line and
// its folder.
func features() []command.Feature {
	return []command.Feature{
		otherclients.Feature(),
		check.Feature(),
		completion.Feature(),
		doctor.Feature(),
		eval.Feature(),
		exchange.Feature(),
		git.Feature(),
		hub.Feature(),
		install.Feature(),
		mcp.Feature(),
		meaning.Feature(),
		observations.Feature(),
		proposals.Feature(),
		review.Feature(),
		roots.Feature(),
		sessions.Feature(),
		sync.Feature(),
		web.Feature(),
		core(), // last, because the rules of the others say more
	}
}
