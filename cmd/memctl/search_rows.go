package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// row is what every answer for programs says of a memory.
type row struct {
	ID        string           `json:"id"`
	Path      string           `json:"path"`
	Title     string           `json:"title"`
	Category  schemas.Category `json:"category"`
	Status    schemas.Status   `json:"status"`
	Tags      []string         `json:"tags"`
	UpdatedAt string           `json:"updated_at"`
}

// found is one result for programs.
type found struct {
	row
	// Score is a whole number for title_tags, between 0 and 1 for hybrid.
	Score float64 `json:"score"`
}

func foundOf(root memdir.Root, results []retrieve.Result) []found {
	list := make([]found, len(results))
	for i, r := range results {
		list[i] = found{row{r.ID, root.Shown + "/" + r.Path, r.Title, r.Category, r.Status, splitTags(r.Tags), r.UpdatedAt}, r.Shown()}
	}
	return list
}

func (o searchOptions) answer(ctx context.Context, out, errOut io.Writer, source retrieve.Source, q retrieve.Query, results []retrieve.Result) error {
	if o.batch {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(foundOf(source.Root, results))
	}
	rows, err := source.Index(ctx, q, results)
	switch {
	case err != nil:
		return err
	case o.smart:
		return o.disclose(ctx, out, source, rows)
	case o.json:
		return writeJSON(out, indexedOf(source.Root, rows, results))
	case len(rows) == 0:
		_, err := fmt.Fprintln(errOut, "memctl: no memory matches")
		return err
	}
	printIndex(out, source.Root, rows, results)
	return nil
}

func (o searchOptions) disclose(ctx context.Context, out io.Writer, source retrieve.Source, rows []retrieve.Row) error {
	d, err := source.Disclose(ctx, rows, o.budget)
	switch {
	case err != nil:
		return err
	case o.json:
		return writeJSON(out, d)
	}
	_, err = io.WriteString(out, d.Text)
	return err
}

// indexed is one row of the index for programs. An observation has no tags and no
// score.
type indexed struct {
	found
	Type      string  `json:"type"`
	Relevance float64 `json:"relevance"`
	Summary   string  `json:"summary"`
	Tokens    int     `json:"tokens"`
}

func indexedOf(root memdir.Root, rows []retrieve.Row, results []retrieve.Result) []indexed {
	memories := foundOf(root, results)
	list := make([]indexed, len(rows))
	for i, r := range rows {
		list[i] = indexed{Type: r.Type, Relevance: r.Relevance, Summary: r.Summary, Tokens: r.Tokens}
		if r.Type == retrieve.MemoryType {
			list[i].found = memories[i]
			continue
		}
		list[i].found.row = row{ID: r.ID, Title: r.Summary, Category: schemas.Category(r.Category), Tags: []string{}, UpdatedAt: r.Timestamp}
	}
	return list
}

func printIndex(out io.Writer, root memdir.Root, rows []retrieve.Row, results []retrieve.Result) {
	for i, row := range rows {
		if row.Type != retrieve.MemoryType {
			fmt.Fprintf(out, "   -  %-15s %s\n      %-15s relevance %.2f, %s, %s\n", row.Category, row.Summary, row.Type, row.Relevance, day(row.Timestamp), row.ID)
			continue
		}
		r := results[i]
		fmt.Fprintf(out, "%s  %-15s %s%s\n      %-15s %s%s\n      %-15s relevance %.2f, %s: %s\n", shownScore(r.Shown()), r.Category, text.Printable(r.Title), statusNote(r.Status),
			"", text.Printable(root.Shown+"/"+r.Path), tagNote(r.Tags), "", row.Relevance, day(row.Timestamp), row.Summary)
	}
}

// shownScore is four characters wide: "  12", or "0.83".
func shownScore(score float64) string {
	if score == math.Trunc(score) {
		return fmt.Sprintf("%4.0f", score)
	}
	return fmt.Sprintf("%.2f", score)
}

func statusNote(status schemas.Status) string {
	if status == schemas.Active {
		return ""
	}
	return " (" + text.Printable(string(status)) + ")"
}

func tagNote(tags string) string {
	if tags == "" {
		return ""
	}
	return "  #" + text.Printable(strings.ReplaceAll(tags, ",", " #"))
}
