package bench

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"memctl/hooks"
)

// BenchmarkBudget prints what each part of a prompt takes, for each size of store.
func BenchmarkBudget(t *testing.B) {
	b, err := newBed(t, *memctl)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	empty := filepath.Join(b.dir, "empty.exe")
	build := exec.CommandContext(b.ctx, "go", "build", "-o", empty, "memctl/tools/bench/empty")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		t.Fatal(err)
	}
	parts := map[int]*budget{}
	for _, size := range []int{small, large} {
		parts[size] = &budget{taken: map[string][]float64{}}
		prompt := b.prompt(b.stores[size].hybrid)
		for range 1 + *rounds {
			if err := parts[size].measure(b, empty, prompt); err != nil {
				t.Fatal(err)
			}
		}
	}
	printBudget(os.Stdout, parts[small], parts[large])
}

// budget is what the parts of a prompt took in each round, in milliseconds. They pass in the order of names.
type budget struct {
	names []string
	taken map[string][]float64
}

func (p *budget) add(name string, ms float64) {
	if len(p.taken[name]) == 0 {
		p.names = append(p.names, name)
	}
	p.taken[name] = append(p.taken[name], ms)
}

const (
	wholePart = "whole process"
	restPart  = "the rest: the kernel loads a larger program, and the process ends"
)

// stepParts are the parts that a run notes in its trace.
var stepParts = map[string]string{
	"read":   "main, the command line, the event",
	"ask":    "the root, its settings, the words of the question",
	"open":   "the index: opened, its schema checked, folders compared",
	"rank":   "the statements that rank, prepared and run",
	"judge":  "which memories are new",
	"render": "the lines, and what the session has had",
	"answer": "the reminder to save, the answer, a line in the log",
}

var (
	inited  = regexp.MustCompile(`(?m)^init \S+ @\S+ ms, (\S+) ms clock`)
	stepped = regexp.MustCompile(` ([a-z]+)=([0-9.]+[mµn]?s)\b`)
)

// measure runs an empty process, and two prompts: one says what the packages do before main, the other its steps.
func (p *budget) measure(b *bed, empty string, prompt process) error {
	nothing, err := b.run(process{command: []string{empty}})
	if err != nil {
		return err
	}
	inits, err := b.output(prompt, "GODEBUG=inittrace=1")
	if err != nil {
		return err
	}
	trace := filepath.Join(b.dir, "trace")
	prompt.env = append(prompt.env, hooks.TraceVariable+"="+trace)
	whole, err := b.run(prompt)
	if err != nil {
		return err
	}
	steps, err := os.ReadFile(trace)
	if err == nil {
		err = os.Remove(trace)
	}
	if err != nil {
		return err
	}
	sum := nothing.wall
	p.add("an empty Go process", nothing.wall)
	before := 0.0
	for _, m := range inited.FindAllStringSubmatch(inits, -1) {
		d, err := time.ParseDuration(m[1] + "ms")
		if err != nil {
			return err
		}
		before += milliseconds(d)
	}
	p.add("what packages do before main", before)
	sum += before
	for _, m := range stepped.FindAllStringSubmatch(string(steps), -1) {
		if d, err := time.ParseDuration(m[2]); err == nil && stepParts[m[1]] != "" {
			p.add(stepParts[m[1]], milliseconds(d))
			sum += milliseconds(d)
		}
	}
	p.add(restPart, whole.wall-sum)
	p.add(wholePart, whole.wall)
	return nil
}

// output runs a process with one more variable and returns its stderr.
func (b *bed) output(p process, variable string) (string, error) {
	var messages string
	p.env, p.stderr = append(p.env, variable), &messages
	_, err := b.run(p)
	return messages, err
}

// printBudget prints the parts of both sizes as a Markdown table.
func printBudget(w io.Writer, small, large *budget) {
	fmt.Fprintln(w, "| part of a prompt, elapsed | ms at 600 | ms at 10,000 |")
	fmt.Fprintln(w, "|---|--:|--:|")
	for _, name := range small.names {
		fmt.Fprintf(w, "| %s | %.2f | %.2f |\n", name, median(small.taken[name]), median(large.taken[name]))
	}
}
