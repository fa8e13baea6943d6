// Package quality evaluates the ranking strategies on testdata/quality. A store is a
// folder there with notes.jsonl and lists of prompts, some of which expect silence:
//
//	real     prompts as people typed them in five public repositories, with a README; each
//	         repository is a folder with memories.jsonl and prompts.jsonl (real_test.go), two
//	         have commands.jsonl for a day of an agent, too (day_test.go)
//	podcast  an invented podcast host
//	shop     an invented web shop, with short commands and with tasks of any project.
//	         prompts.jsonl and later.jsonl were in view when the ranking was tuned,
//	         fresh.jsonl was written afterwards
//
// It makes a scratch project of the notes, runs `memctl eval` for each strategy and list,
// and leaves nothing behind.
// Run it with "make quality".
//
// The sets are small: they show that a change of the ranking breaks nothing, not how
// good the ranking is.
package quality
