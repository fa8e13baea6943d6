package main

import "memctl/cmd/command"

// features are the parts of the program that hang on the core. To build memctl without one, delete its line and
// its folder.
func features() []command.Feature {
	return []command.Feature{
		doctorFeature(),
		exchangeFeature(),
		gitFeature(),
		hubFeature(),
		mcpFeature(),
		meaningFeature(),
		reviewFeature(),
		sessionsFeature(),
		webFeature(),
		core(), // last, because the rules of the others say more
	}
}
