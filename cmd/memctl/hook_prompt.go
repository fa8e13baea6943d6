package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"memctl/answers"
	"memctl/indexer"
	"memctl/retrieve"
)

const (
	// minPrompt is the shortest prompt, in code points, that says enough.
	minPrompt = 10
	// maxPrompt is the longest prompt, in bytes: a longer one is pasted data that
	// mentions everything.
	maxPrompt = 1 << 20
)

// Why a prompt is not searched at all.
const (
	errSwitchedOff = answers.Quiet("retrieval is switched off in memory-config.json")
	errNoTokens    = answers.Quiet("the prompt has no words to search for")
	errNoMatch     = answers.Quiet("no memory matches the prompt")
	errNotRelevant = answers.Quiet("no memory is relevant enough to the prompt")
)

// hookPrompt prints the memories that matter for a prompt. Whatever keeps it
// from printing any is its error: one line on stderr, for whoever wonders.
func hookPrompt(ctx context.Context, c *answers.Call) error {
	prompt := strings.TrimSpace(c.Event.Prompt)
	if err := worthAsking(prompt); err != nil {
		return err
	}
	root, err := c.Root()
	if err != nil {
		return err
	}
	cfg, err := loadConfig(root, c.Std)
	if err != nil {
		return err
	}
	if !cfg.Retrieval.Enabled || cfg.Retrieval.MaxInject == 0 {
		return errSwitchedOff
	}
	q := newAsker(root, cfg, c.Std).Prompt(prompt)
	if q.Empty() {
		return errNoTokens
	}
	if cfg.Retrieval.Disclosure == "smart" {
		return injectSmart(ctx, root, q, c.Std)
	}
	results, err := retrieve.FreshIn(ctx, root, indexer.Quick, q)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		if q.Floor > 0 {
			return errNotRelevant
		}
		return errNoMatch
	}
	_, err = fmt.Fprint(c.Std.Out, retrieve.Block(results, root.Shown, cfg.Descriptions))
	return err
}

// worthAsking turns down prompts that nobody typed or that say too little.
func worthAsking(prompt string) error {
	switch {
	case prompt == "":
		return errors.New("the event has no prompt")
	case len(prompt) > maxPrompt:
		return answers.Quiet(fmt.Sprintf("the prompt is %.1f MB, more than %d MB are not searched", float64(len(prompt))/1e6, maxPrompt>>20))
	case utf8.RuneCountInString(prompt) < minPrompt:
		return answers.Quiet(fmt.Sprintf("the prompt is shorter than %d characters", minPrompt))
	case isSlashCommand(prompt):
		return answers.Quiet("the prompt is a slash command")
	case strings.HasPrefix(prompt, "<task-notification>"):
		return answers.Quiet("the prompt is a task notification")
	}
	return nil
}

// isSlashCommand tells "/memplug:hello there" from "/usr/bin/env is missing".
func isSlashCommand(prompt string) bool {
	if !strings.HasPrefix(prompt, "/") {
		return false
	}
	name, _, _ := strings.Cut(prompt[1:], " ")
	name, _, _ = strings.Cut(name, "\n")
	return name != "" && !strings.ContainsAny(name, "/.")
}
