package main

import (
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// filterFlags are those that search and list share.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		categoryFlag(),
		&cli.StringSliceFlag{Name: "status", Usage: "only memories of status `S`: active (default), retired, archived, all; may be repeated"},
		&cli.BoolFlag{Name: "include-retired", Usage: "retired memories too"},
		&cli.StringFlag{Name: "tag", Usage: "only memories with the tag `T`"},
	}
}

func categoryFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "category", Usage: "only memories of category `C`; may be repeated"}
}

// categoriesArg returns the categories named; none where the flag is not given.
func categoriesArg(c *cli.Context) ([]schemas.Category, error) {
	var categories []schemas.Category
	for _, name := range c.StringSlice("category") {
		category, ok := categoryNamed(name)
		if !ok {
			return nil, usagef("--category: expected one of %s, got %q", categoryNames(), name)
		}
		categories = append(categories, category)
	}
	return categories, nil
}

type filters struct {
	categories []schemas.Category
	statuses   []schemas.Status
	tag        string
}

func readFilters(c *cli.Context) (filters, error) {
	categories, err := categoriesArg(c)
	if err != nil {
		return filters{}, err
	}
	f := filters{categories: categories, tag: text.Lower(strings.TrimSpace(c.String("tag")))}
	for _, name := range c.StringSlice("status") {
		status := schemas.Status(strings.ToLower(name))
		switch {
		case status == "all":
			f.statuses = append(f.statuses, schemas.Statuses...)
		case slices.Contains(schemas.Statuses, status):
			f.statuses = append(f.statuses, status)
		default:
			return f, usagef("--status: expected active, retired, archived or all, got %q", name)
		}
	}
	if len(f.statuses) == 0 {
		f.statuses = []schemas.Status{schemas.Active}
	}
	if c.Bool("include-retired") {
		f.statuses = append(f.statuses, schemas.Retired)
	}
	return f, nil
}

// categoryNamed takes a category's name or its folder's, in any case.
func categoryNamed(name string) (schemas.Category, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if category, ok := schemas.CategoryOfFolder(name); ok {
		return category, true
	}
	info, ok := schemas.Category(strings.ReplaceAll(name, "-", "_")).Info()
	return info.Category, ok
}

func categoryNames() string {
	var names []string
	for _, info := range schemas.Categories {
		names = append(names, string(info.Category))
	}
	return strings.Join(names, ", ")
}

// splitTags undoes the index's joining.
func splitTags(joined string) []string {
	if joined == "" {
		return []string{}
	}
	return strings.Split(joined, ",")
}
