package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// editPage is the form of a memory, stored or new.
type editPage struct {
	URL       string // of the memory; "" for a new one
	Action    string // below the base
	Hash      string // of the file that the form was made from
	Category  schemas.Category
	About     string   // what the category is for
	Roots     []choice // where a new memory can go, if there is more than one root
	Form      *input
	Refused   bool
	Problems  []string // that belong to no input
	Conflict  *conflict
	Duplicate *memoryLink // that says what the new one says
	Merge     *memoryLink // that is retired once this one says all of it
}

// newPage asks for a sentence, or for the category of a form.
type newPage struct {
	Text      string
	From      int // the item of the work list that it is made of, 0 for none
	Place     string
	Roots     []choice
	Problem   string
	Duplicate *memoryLink
}

// conflict says what has changed in a file since it was shown.
type conflict struct {
	Fields  []schemas.Difference
	Unknown bool // memctl does not remember the file as it was shown
}

// editor edits one memory in a form.
type editor struct {
	*Server
	v        *visit
	stored   *stored // nil for a new memory
	category schemas.Category
	memory   *schemas.Memory // as the form has it
	// undone takes back what was saved with the memory, nil for nothing.
	undone func(context.Context, *writer.Writer) error
}

// answer is the page with the form.
func (e editor) answer(status int, fill func(*editPage)) (answer, error) {
	form := schemas.FormOf(e.category)
	p := editPage{
		Action: "/new", Category: e.category, About: form.Description, Form: inputOf(form.Field(), "",
			e.memory.Values()),
	}
	title := e.v.t("new.title")
	if e.stored != nil {
		p.URL, p.Hash = e.stored.Address(), e.stored.Detail.Hash
		p.Action = p.URL + "/edit"
		title = e.v.t("edit.title", e.stored.Memory.Title)
	} else {
		p.Roots = e.rootsFor(e.v)
	}
	if fill != nil {
		fill(&p)
	}
	return answer{page: "edit", title: title, data: p, status: status}, nil
}

// submit has save write what the form sent. A form with mistakes is shown again with them,
// and one whose file has changed meanwhile with what the file says now.
func (e editor) submit(
	root place, save func(*store.Store, *writer.Writer, writer.Input) (writer.Saved, error),
) (answer, error) {
	problems := readForm(schemas.FormOf(e.category), e.v.PostForm, e.memory)
	data, err := e.memory.Encode()
	if err != nil {
		return answer{}, err
	}
	stale := e.stored != nil && e.stored.Detail.Hash != e.v.PostFormValue("hash")
	var a answer
	if !stale && len(problems) == 0 {
		a, err = e.change(root.Root, func(st *store.Store, w *writer.Writer) (outcome, error) {
			saved, err := save(st, w, writer.Input{Name: "form", Data: data})
			m := e.saved(e.v, root, e.stored, e.category, saved)
			if e.undone != nil {
				m = m.undoing(e.undone)
			}
			return m, err
		})
		problems = writer.Problems(err, nil)
	}
	duplicate := new(store.DuplicateError)
	switch {
	case stale || isConflict(err):
		return e.conflict()
	case errors.As(err, &duplicate):
		return e.answer(http.StatusConflict, func(p *editPage) {
			p.Duplicate = knownOf(root, duplicate)
		})
	case len(problems) > 0:
		return e.answer(http.StatusUnprocessableEntity, func(p *editPage) {
			p.Refused, p.Problems = true, p.Form.mark(problems)
		})
	}
	return a, err
}

// conflict shows the form next to what the file says now. Nothing is saved.
func (e editor) conflict() (answer, error) {
	m, now, err := e.open(e.v)
	if err != nil {
		return answer{}, err
	}
	e.stored = &m
	return e.answer(http.StatusConflict, func(p *editPage) {
		p.Form.compare(now.Values())
		p.Conflict = e.conflictSince(e.v.PostFormValue("hash"), now)
	})
}

// isConflict reports whether a change was refused because the file has changed.
func isConflict(err error) bool {
	var refused *writer.Error
	return errors.As(err, &refused) && refused.Code == writer.OCCConflict
}

// conflictSince compares the file as it was shown with what it says now.
func (s *Server) conflictSince(hash string, now *schemas.Memory) *conflict {
	before, err := schemas.DecodeDraft(s.shown.get(hash))
	if err != nil {
		return &conflict{Unknown: true}
	}
	return &conflict{Fields: toShow(schemas.Differences(before, now))}
}

// open finds the memory of an address, which may be changed, and decodes its file.
func (s *Server) open(v *visit) (m stored, doc *schemas.Memory, err error) {
	err = s.find(v, func(memory stored, _ retrieve.Source) error {
		m = memory
		return nil
	})
	if err == nil && m.Place.ReadOnly() {
		err = errReadOnly
	}
	if err != nil {
		return m, nil, err
	}
	doc, err = schemas.DecodeDraft(m.Detail.Stored)
	return m, doc, err
}

func (s *Server) editForm(v *visit) (answer, error) {
	m, doc, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	other, err := s.merged(v, m, v.URL.Query().Get("merge"))
	if err != nil {
		return answer{}, err
	}
	e := editor{Server: s, v: v, stored: &m, category: m.Memory.Category, memory: doc}
	return e.answer(http.StatusOK, func(p *editPage) { p.mergeWith(other) })
}

// merged is the other memory of a merge, by the address of its page; nil if there is none.
func (s *Server) merged(v *visit, m stored, address string) (*stored, error) {
	parts := strings.Split(strings.TrimPrefix(address, "/memories/"), "/")
	if address == "" || len(parts) != 2 {
		return nil, nil
	}
	request := v.Clone(v.Context())
	request.SetPathValue("folder", parts[0])
	request.SetPathValue("id", parts[1])
	other, _, err := s.open(&visit{Request: request})
	if err == nil && (other.Ref.Path == m.Ref.Path || !other.Place.Is(m.Place.Root)) {
		err = errNoPage
	}
	return &other, err
}

// mergeWith shows what another memory says beside each field.
func (p *editPage) mergeWith(other *stored) {
	if other == nil {
		return
	}
	p.Form.compare(other.Memory.Values())
	p.Merge = &memoryLink{other.Memory.Title, other.Address()}
}

func (s *Server) edit(v *visit) (answer, error) {
	m, doc, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	other, err := s.merged(v, m, v.PostFormValue("merge"))
	if err != nil {
		return answer{}, err
	}
	e := editor{Server: s, v: v, stored: &m, category: m.Memory.Category, memory: doc}
	var retired string // the hash of the other memory's file
	if other != nil {
		e.undone = func(ctx context.Context, w *writer.Writer) error {
			return w.Undo(ctx, other.Ref.Path, retired, other.Ref.Path, other.Detail.Stored)
		}
	}
	a, err := e.submit(m.Place, func(_ *store.Store, w *writer.Writer, in writer.Input) (writer.Saved, error) {
		w.Read = true
		saved, err := w.Edit(v.Context(), m.Ref.Shown(), in, m.Detail.Hash)
		if err == nil && other != nil {
			_, err = w.Move(v.Context(), writer.Retire, other.Ref.Shown(), "merged into "+m.Ref.ID)
			retired = hashNow(m.Place.Root, other.Ref.Path)
		}
		return saved, err
	})
	if p, ok := a.data.(editPage); ok && p.Conflict == nil {
		p.mergeWith(other)
		a.data = p
	}
	return a, err
}

func (s *Server) newForm(v *visit) (answer, error) {
	doc, err := s.draft(v)
	if err != nil {
		return answer{}, err
	}
	if doc.Category == "" {
		p, err := s.ofItem(v.URL.Query().Get("from"))
		if err != nil {
			return answer{}, err
		}
		return s.sentenceForm(v, p, http.StatusOK), nil
	}
	if _, known := doc.Category.Info(); !known {
		return answer{}, errNoPage
	}
	return editor{Server: s, v: v, category: doc.Category, memory: doc}.answer(http.StatusOK, nil)
}

// rootsFor are the options where a new memory can go, nil if there is only one.
func (s *Server) rootsFor(v *visit) []choice {
	writable := slices.DeleteFunc(s.places(), place.ReadOnly)
	if len(writable) < 2 {
		return nil
	}
	return rootChoices(v.lang, writable, cmp.Or(v.PostFormValue("root"), writable[0].Name))
}

// sentenceForm is the page of a new memory.
func (s *Server) sentenceForm(v *visit, p newPage, status int) answer {
	p.Roots = s.rootsFor(v)
	return answer{page: "new", title: v.t("new.title"), data: p, status: status}
}

// addSentence makes a memory of a sentence, as "memctl add" does.
func (s *Server) addSentence(v *visit) (answer, error) {
	root, err := s.placeFor(v.PostFormValue("root"))
	if err != nil {
		return answer{}, err
	}
	p, err := s.ofItem(v.PostFormValue("from"))
	if err != nil {
		return answer{}, err
	}
	p.Text = v.PostFormValue("text")
	note, settle, err := s.noteOf(p)
	if err != nil {
		return answer{}, err
	}
	a, err := s.change(root.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		saved, err := st.Add(v.Context(), policyOf(v), note)
		if err == nil {
			err = settle(v.Context(), saved.ID)
		}
		m := s.saved(v, root, nil, saved.Category, saved.Saved)
		if p.From != 0 {
			m.page = "/waiting"
		}
		return m, err
	})
	if status := p.refused(v.lang, root, err); status != 0 {
		return s.sentenceForm(v, p, status), nil
	}
	return a, err
}

// knownOf leads to the memory that says a new one already.
func knownOf(root place, duplicate *store.DuplicateError) *memoryLink {
	return &memoryLink{duplicate.Other.Title, root.address(duplicate.Other.Path)}
}

// draft is the initial content of the form of a new memory: empty, or a runbook for
// something that failed and then worked.
func (s *Server) draft(v *visit) (*schemas.Memory, error) {
	values := v.URL.Query()
	session := values.Get("session")
	if session == "" {
		return &schemas.Memory{Category: schemas.Category(values.Get("category"))}, nil
	}
	fixes, err := s.fixes(v.Context(), retrieve.ObservationFilter{Session: session})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(fixes, func(f observe.Fix) bool { return f.FixedAt == values.Get("fixed") })
	if i < 0 {
		return nil, errNoPage
	}
	return fixes[i].Runbook(), nil
}

func (s *Server) create(v *visit) (answer, error) {
	category := schemas.Category(v.PostFormValue("category"))
	if _, known := category.Info(); !known {
		return answer{}, errNoPage
	}
	root, err := s.placeFor(v.PostFormValue("root"))
	if err != nil {
		return answer{}, err
	}
	e := editor{Server: s, v: v, category: category, memory: &schemas.Memory{Category: category}}
	return e.submit(root, func(st *store.Store, _ *writer.Writer, in writer.Input) (writer.Saved, error) {
		return st.Save(v.Context(), policyOf(v), func(w *writer.Writer) (writer.Saved, error) {
			return w.Create(v.Context(), category, "", in)
		})
	})
}
