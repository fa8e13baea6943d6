package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	defaultRows = 10
	maxRows     = 50
	maxIDs      = 10
)

func (s *Server) addTools(server *sdk.Server) {
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true}
	sdk.AddTool(server, &sdk.Tool{
		Name:        "search",
		InputSchema: s.searchSchema(),
		Description: "Step 1. Find memories and tool observations: one row each, " +
			"with relevance (1 is best) and the tokens that get would cost.",
		Annotations: reads,
	}, answer(s, s.search))
	sdk.AddTool(server, &sdk.Tool{
		Name:        "timeline",
		Description: "Step 2, when the order of events matters. Shows what happened around ids from search.",
		Annotations: reads,
	}, answer(s, s.timeline))
	sdk.AddTool(server, &sdk.Tool{
		Name:        "get",
		Description: "Step 3. Returns the full text of the ids you need. Each costs the tokens in its row.",
		Annotations: reads,
	}, answer(s, s.get))
	sdk.AddTool(server, &sdk.Tool{
		Name: "save",
		Description: "Remember what the next session must know; category and text suffice. " +
			"If a memory already says it, nothing is saved and that one is named; a similar one is only " +
			"named. " +
			"Use scope user for memories that apply to every project: the user's style, tools, language.",
	}, answer(s, s.save))
	if s.Why == nil {
		return
	}
	sdk.AddTool(server, &sdk.Tool{
		Name:        "why",
		Description: "Why is code so? Memories, commits and past sessions behind it.",
		Annotations: reads,
	}, answer(s, s.why))
}

type whyInput struct {
	Place string `json:"place" jsonschema:"FILE or FILE:12,20"`
}

func (s *Server) why(ctx context.Context, st *store.Store, in whyInput) (any, error) {
	return s.Why(ctx, st, in.Place)
}

// answer makes a tool of run. Its errors become results, so that the model sees them.
func answer[In any](s *Server, run func(context.Context, *store.Store, In) (any, error)) sdk.ToolHandlerFor[In, any] {
	return func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		if ask := s.ask(ctx, req.Session, req.ClientCapabilities(), req.Params.InputResponses); ask != nil {
			return &sdk.CallToolResult{InputRequests: ask}, nil, nil
		}
		st := s.open()
		if params := req.Session.InitializeParams(); params != nil && params.ClientInfo != nil {
			st.Client = params.ClientInfo.Name
		}
		out, err := run(ctx, st, in)
		if errors.As(err, new(*store.ConfigError)) {
			s.Warn(err.Error())
		}
		if err != nil {
			return nil, nil, pathless(err)
		}
		data, err := schemas.EncodeJSON(out)
		return nil, json.RawMessage(text.PrintableJSON(data)), err
	}
}

type searchInput struct {
	Query    string `json:"query" jsonschema:"words, not a sentence"`
	Limit    int    `json:"limit,omitempty" jsonschema:"1 to 50, default 10"`
	Category string `json:"category,omitempty"`
	Scope    string `json:"scope,omitempty"`
	AsOf     string `json:"as_of,omitempty" jsonschema:"what held then: 2026-03-02"`
}

// searchSchema is the schema of searchInput with the scopes that the server has.
func (s *Server) searchSchema() *jsonschema.Schema {
	schema, err := jsonschema.For[searchInput](nil)
	if err != nil {
		panic(err) // as the SDK does
	}
	words := "all: every project, if the user allows it; get does not read those"
	if s.Hub != nil {
		words += ". hub: the company's hub too"
	}
	if s.OpenSessions != nil {
		words += ". sessions: what was said in past sessions, which get reads"
	}
	schema.Properties["scope"].Description = words
	return schema
}

// scopes are the names of those that the server has.
func (s *Server) scopes() []string {
	names := []string{scopeAll}
	if s.Hub != nil {
		names = append(names, scopeHub)
	}
	if s.OpenSessions != nil {
		names = append(names, scopeSessions)
	}
	return names
}

type searchOutput[Row any] struct {
	Rows []Row `json:"rows"`
}

// The scopes of a search.
const (
	scopeAll      = "all"
	scopeHub      = "hub"      // the project and the user's hub
	scopeSessions = "sessions" // past ones of the project
)

// Scopes says who may use a scope of a search. Whoever speaks to the server is an agent, whatever it calls itself.
var Scopes = map[string]store.Access{
	"":            {Who: store.Anyone, Touches: store.ThisProject},
	scopeAll:      store.AllProjects,
	scopeHub:      {Who: store.Anyone, Touches: store.Network},
	scopeSessions: {Who: store.Anyone, Touches: store.ThisProject},
}

func (s *Server) search(ctx context.Context, st *store.Store, in searchInput) (any, error) {
	limit := cmp.Or(in.Limit, defaultRows)
	if limit < 1 || limit > maxRows {
		return nil, fmt.Errorf("limit: expected 1 to %d, got %d", maxRows, limit)
	}
	if in.Scope != "" && !slices.Contains(s.scopes(), in.Scope) {
		return nil, fmt.Errorf("scope: expected %s or none, got %q", strings.Join(s.scopes(), ", "), in.Scope)
	}
	if err := Scopes[in.Scope].RefuseAgent(); err != nil {
		return nil, err
	}
	if in.Scope == scopeSessions {
		return s.searchSessions(ctx, st, in.Query, limit)
	}
	filter := retrieve.Filter{Statuses: []schemas.Status{schemas.Active}, Limit: limit}
	if in.AsOf != "" {
		var isDate bool
		if filter.AsOf, isDate = schemas.AsOfDate(in.AsOf); !isDate || in.Scope != "" {
			return nil, fmt.Errorf("as_of: expected a day such as 2026-03-02 and no scope, got %q", in.AsOf)
		}
	}
	if in.Category != "" {
		category, err := categoryNamed(in.Category)
		if err != nil {
			return nil, err
		}
		filter.Categories = []schemas.Category{category}
	}
	roots, err := st.Roots()
	if errors.Is(err, files.ErrNoRoot) && in.Scope == scopeHub {
		err = nil
	}
	cfg := schemas.DefaultConfig()
	if len(roots) > 0 {
		cfg, err = st.Config(roots[0])
	}
	if err != nil {
		return nil, err
	}
	switch in.Scope {
	case scopeAll:
		return searchAll(ctx, st, roots[0], cfg, in.Query, filter)
	case scopeHub:
		return s.searchHub(ctx, st, roots, cfg, in.Query, filter)
	}
	rows, err := searchRoots(ctx, st, roots, in.Query, filter)
	return searchOutput[retrieve.Row]{rows}, err
}

func searchRoots(
	ctx context.Context, st *store.Store, roots []files.Root, words string, f retrieve.Filter,
) ([]retrieve.Row, error) {
	searcher, err := st.Searcher(roots[0])
	if err != nil {
		return nil, err
	}
	rows := []retrieve.Row{}
	err = st.Ask(ctx, roots, func(sources retrieve.Sources) error {
		list, err := searcher.Rows(ctx, sources, words, f)
		rows = append(rows, list...)
		return err
	})
	return rows, err
}

type timelineInput struct {
	IDs    []string `json:"ids" jsonschema:"1 to 10; a clear beginning will do"`
	Window *int     `json:"window,omitempty" jsonschema:"events on each side, default 3"`
}

type timelineOutput struct {
	Timelines []retrieve.Timeline `json:"timelines"`
}

func (s *Server) timeline(ctx context.Context, st *store.Store, in timelineInput) (any, error) {
	window := retrieve.DefaultWindow
	if in.Window != nil {
		window = *in.Window
	}
	if window < 0 || window > retrieve.MaxWindow {
		return nil, fmt.Errorf("window: expected 0 to %d, got %d", retrieve.MaxWindow, window)
	}
	out := timelineOutput{}
	if err := checkIDs(in.IDs); err != nil {
		return out, err
	}
	err := each(ctx, st, in.IDs, func(sources retrieve.Sources, ref retrieve.Ref) error {
		t, err := sources.Timeline(ctx, ref, window)
		out.Timelines = append(out.Timelines, t)
		return err
	})
	return out, err
}

type getInput struct {
	IDs []string `json:"ids" jsonschema:"1 to 10"`
}

type getOutput struct {
	Details []any `json:"details"` // in the order of the ids
}

func (s *Server) get(ctx context.Context, st *store.Store, in getInput) (any, error) {
	if err := checkIDs(in.IDs); err != nil {
		return nil, err
	}
	var local, ofHub, past []string
	for _, id := range in.IDs {
		switch {
		case s.OpenSessions != nil && isSession(id):
			past = append(past, id)
		case s.Hub != nil && s.Hub.IsID(id):
			ofHub = append(ofHub, id)
		default:
			local = append(local, id)
		}
	}
	sessions, err := s.getSessions(ctx, st, past)
	if err != nil {
		return nil, err
	}
	fromHub, err := s.getHub(ctx, ofHub)
	if err != nil {
		return nil, err
	}
	details, err := detailsOf(ctx, st, local)
	byID := map[string]any{}
	for i, id := range past {
		byID[id] = sessions[i]
	}
	for i, id := range ofHub {
		byID[id] = fromHub[i]
	}
	for i := range details {
		byID[local[i]] = details[i]
	}
	out := getOutput{}
	for _, id := range in.IDs {
		out.Details = append(out.Details, byID[id])
	}
	return out, err
}

func detailsOf(ctx context.Context, st *store.Store, ids []string) (details []retrieve.Detail, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = each(ctx, st, ids, func(sources retrieve.Sources, ref retrieve.Ref) error {
		d, err := sources.Detail(ctx, ref)
		details = append(details, d)
		if err == nil && ref.Type == retrieve.MemoryType {
			st.NoteOpened("", ref.Root, ref.Path)
		}
		return err
	})
	return details, err
}

func each(ctx context.Context, st *store.Store, ids []string, fn func(retrieve.Sources, retrieve.Ref) error) error {
	roots, err := st.Roots()
	if err != nil {
		return err
	}
	return st.Ask(ctx, roots, func(sources retrieve.Sources) error {
		for _, id := range ids {
			ref, err := sources.Lookup(ctx, id)
			if err == nil {
				err = fn(sources, ref)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func checkIDs(ids []string) error {
	if len(ids) == 0 || len(ids) > maxIDs {
		return fmt.Errorf("ids: expected 1 to %d, got %d", maxIDs, len(ids))
	}
	return nil
}

func categoryNamed(name string) (schemas.Category, error) {
	if info, ok := schemas.Category(name).Info(); ok {
		return info.Category, nil
	}
	return "", errors.New("category: expected one of " + strings.Join(schemas.CategoryNames(), " "))
}
