package main

import (
	"slices"
	"strings"

	"memctl/retrieve"
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

// categoriesArg returns the categories of the flag, none if it is not given.
func categoriesArg(c *cli.Context) ([]schemas.Category, error) {
	var categories []schemas.Category
	for _, name := range c.StringSlice("category") {
		category, err := readCategory(name)
		if err != nil {
			return nil, err
		}
		categories = append(categories, category)
	}
	return categories, nil
}

// readFilter reads the filterFlags.
func readFilter(c *cli.Context) (f retrieve.Filter, err error) {
	f.Tag = text.Lower(strings.TrimSpace(c.String("tag")))
	if f.Categories, err = categoriesArg(c); err != nil {
		return f, err
	}
	for _, name := range c.StringSlice("status") {
		status := schemas.Status(strings.ToLower(name))
		switch {
		case status == "all":
			f.Statuses = append(f.Statuses, schemas.Statuses...)
		case slices.Contains(schemas.Statuses, status):
			f.Statuses = append(f.Statuses, status)
		default:
			return f, usagef("--status: expected active, retired, archived or all, got %q", name)
		}
	}
	if len(f.Statuses) == 0 {
		f.Statuses = []schemas.Status{schemas.Active}
	}
	if c.Bool("include-retired") {
		f.Statuses = append(f.Statuses, schemas.Retired)
	}
	return f, nil
}

// readCategory takes the name of a category or of its folder, in any case.
func readCategory(name string) (schemas.Category, error) {
	plain := strings.ToLower(strings.TrimSpace(name))
	if category, ok := schemas.CategoryOfFolder(plain); ok {
		return category, nil
	}
	info, ok := schemas.Category(strings.ReplaceAll(plain, "-", "_")).Info()
	if !ok {
		return "", usagef("--category: expected one of %s, got %q", categoryNames(), name)
	}
	return info.Category, nil
}

func categoryNames() string {
	var names []string
	for _, info := range schemas.Categories {
		names = append(names, string(info.Category))
	}
	return strings.Join(names, ", ")
}
