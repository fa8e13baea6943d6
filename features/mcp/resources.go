package mcp

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	resourceScheme = "memctl://memory/"
	pageSize       = 50
	jsonType       = "application/json"
)

func (s *Server) addResources(server *sdk.Server) {
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name:        "memory",
		Description: "A memory as it is stored, by its id",
		URITemplate: resourceScheme + "{id}",
		MIMEType:    jsonType,
	}, s.readResource)
	// The SDK lists resources that were registered once. Memories come and go.
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if list, ok := req.(*sdk.ListResourcesRequest); ok {
				return s.listResources(ctx, list)
			}
			return next(ctx, method, req)
		}
	})
}

// listResources lists the active memories, a page at a time. The cursor is the number of
// memories on the pages before. The newest protocol has no way to ask a client for its
// roots here: until the client calls a tool or reads a resource, the list is that of the
// working folder. A project without a memory root has an empty list.
func (s *Server) listResources(ctx context.Context, req *sdk.ListResourcesRequest) (*sdk.ListResourcesResult, error) {
	start := 0
	if req.Params != nil && req.Params.Cursor != "" {
		var err error
		if start, err = strconv.Atoi(req.Params.Cursor); err != nil || start < 0 || start > 1e9 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
				Message: "cursor: expected one that resources/list gave"}
		}
	}
	out := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: "private"}}
	s.ask(ctx, req.Session, req.ClientCapabilities(), nil)
	st := s.open()
	root, err := st.Root()
	if errors.Is(err, files.ErrNoRoot) {
		return out, nil
	}
	if err != nil {
		return nil, resourceError(err)
	}
	err = st.Look(ctx, root, func(source retrieve.Source) error {
		filter := retrieve.Filter{Statuses: []schemas.Status{schemas.Active}, Limit: start + pageSize + 1}
		items, err := source.Alone().List(ctx, filter, "path")
		if err != nil {
			return err
		}
		items = items[min(start, len(items)):]
		if len(items) > pageSize {
			items = items[:pageSize]
			out.NextCursor = strconv.Itoa(start + pageSize)
		}
		ids, err := source.Alone().IDs(ctx, items)
		for i, id := range ids {
			out.Resources = append(out.Resources, resourceOf(id, items[i]))
		}
		return err
	})
	return out, resourceError(err)
}

func resourceOf(id string, m retrieve.ListEntry) *sdk.Resource {
	return &sdk.Resource{
		URI: resourceScheme + url.PathEscape(id), Name: id, Title: text.Printable(m.Title),
		Description: string(m.Category), MIMEType: jsonType,
	}
}

func (s *Server) readResource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	if ask := s.ask(ctx, req.Session, req.ClientCapabilities(), req.Params.InputResponses); ask != nil {
		return &sdk.ReadResourceResult{InputRequests: ask}, nil
	}
	uri := req.Params.URI
	id, err := url.PathUnescape(strings.TrimPrefix(uri, resourceScheme))
	if err != nil || id == "" {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	details, err := detailsOf(ctx, s.open(), []string{id})
	if err != nil {
		return nil, resourceError(err)
	}
	stored := string(text.EscapeJSON(details[0].Stored))
	return &sdk.ReadResourceResult{
		Cacheable: sdk.Cacheable{CacheScope: "private"},
		Contents:  []*sdk.ResourceContents{{URI: uri, MIMEType: jsonType, Text: stored}},
	}, nil
}
