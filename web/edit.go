package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

// editPage is the form of a memory, stored or new.
type editPage struct {
	URL      string // of the memory; "" for a new one
	Action   string
	Token    string
	Hash     string // of the file that the form was made from
	Category schemas.Category
	About    string   // what the category is for
	Roots    []choice // where a new memory can go, if there is more than one root
	Head     []input
	Content  []input
	Problems []string // that belong to no input
	Refused  bool
	Conflict *conflict
	Known    *knownMemory // that says what the new one says
}

func (s *Server) formOf(v *visit, doc *schemas.Memory, category schemas.Category, action string) (editPage, error) {
	form, err := schemas.FormOf(category)
	return editPage{
		Action:   action,
		Token:    s.access.formToken(action),
		Category: category,
		About:    form.Description,
		Head:     inputs(v.lang, form.Head, "", doc.Values()),
		Content:  inputs(v.lang, form.Content, "content.", doc.ContentValues()),
	}, err
}

// knownMemory is a memory that says what a new one says, or says it otherwise.
type knownMemory struct {
	URL       string
	Title     string
	Otherwise bool
}

// refuse marks the inputs that are wrong.
func (p *editPage) refuse(found problems) {
	p.Refused = true
	all := slices.Concat(p.Head, p.Content)
	p.Problems = found.mark(all)
	copy(p.Head, all)
	copy(p.Content, all[len(p.Head):])
}

// open finds the memory of an address, which may be changed, and decodes its file.
func (s *Server) open(v *visit) (m stored, doc *schemas.Memory, err error) {
	err = s.find(v, func(found stored, _ retrieve.Source) error {
		m = found
		return nil
	})
	if err == nil && m.place.ReadOnly() {
		err = errReadOnly
	}
	if err != nil {
		return m, nil, err
	}
	doc, err = schemas.DecodeDraft(m.detail.Stored)
	return m, doc, err
}

func (s *Server) editForm(v *visit) (answer, error) {
	m, doc, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	p, err := s.formOfMemory(v, m, doc)
	return answer{page: "edit", title: v.t("edit.title", m.memory.Title), data: p}, err
}

func (s *Server) formOfMemory(v *visit, m stored, doc *schemas.Memory) (editPage, error) {
	address := s.url(m)
	p, err := s.formOf(v, doc, m.memory.Category, address+"/edit")
	p.URL, p.Hash = address, m.detail.Hash
	return p, err
}

// edit saves a form. If the file has changed since the form was made, it shows both sides
// and saves nothing.
func (s *Server) edit(v *visit) (answer, error) {
	m, doc, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	form, err := schemas.FormOf(m.memory.Category)
	if err != nil {
		return answer{}, err
	}
	now, err := schemas.DecodeDraft(m.detail.Stored)
	if err != nil {
		return answer{}, err
	}
	hash := v.PostFormValue("hash")
	found := readForm(form, v.PostForm, doc)
	if hash != m.detail.Hash {
		return s.editConflict(v, m, doc, now, hash)
	}
	var done writer.Saved
	var told []string
	if len(found) == 0 {
		done, told, found, err = save(m.place.Root, doc, func(st *store.Store, in writer.Input) (writer.Saved, error) {
			w, err := st.Writer()
			if err != nil {
				return writer.Saved{}, err
			}
			return w.Edit(v.Context(), m.ref.Shown(), in, hash)
		})
	}
	switch {
	case isConflict(err): // it has changed just now
		if m, now, err = s.open(v); err != nil {
			return answer{}, err
		}
		return s.editConflict(v, m, doc, now, hash)
	case err != nil:
		return answer{}, err
	case len(found) > 0:
		p, err := s.formOfMemory(v, m, doc)
		p.refuse(found)
		return answer{page: "edit", title: v.t("edit.title", m.memory.Title), data: p, status: http.StatusUnprocessableEntity}, err
	}
	return s.after(m.place, folderOf(m.ref.Path)+"/"+done.ID, v.t("saved."+done.Status), told), nil
}

func (s *Server) editConflict(v *visit, m stored, mine, now *schemas.Memory, hash string) (answer, error) {
	p, err := s.formOfMemory(v, m, mine)
	compare(p.Head, now.Values(), "")
	compare(p.Content, now.ContentValues(), "content.")
	p.Conflict = s.conflictSince(hash, now)
	return answer{page: "edit", title: v.t("edit.title", m.memory.Title), data: p, status: http.StatusConflict}, err
}

// save has the writer of a root save a memory. It returns what the writer has to tell, and what is
// wrong with the fields.
func save(root memdir.Root, doc *schemas.Memory, change func(*store.Store, writer.Input) (writer.Saved, error)) (writer.Saved, []string, problems, error) {
	data, err := doc.Encode()
	if err != nil {
		return writer.Saved{}, nil, nil, err
	}
	st, told := openStore(root)
	done, err := change(st, writer.Input{Name: "form", Data: data})
	if found := problemsOf(err, data); len(found) > 0 {
		return done, nil, found, nil
	}
	return done, *told, nil, err
}

// openStore returns the store for one change of a root, and the list of what it tells.
func openStore(root memdir.Root) (*store.Store, *[]string) {
	told := &[]string{}
	return store.At(root, store.Options{Lasting: true, Notify: func(notice writer.Notice) {
		*told = append(*told, notice.Text())
	}}), told
}

// after leads to the page of a memory that was changed, which says so.
func (s *Server) after(at place, path, done string, told []string) answer {
	return answer{goTo: at.address(path) + "?note=" + s.notices.put(append([]string{done}, told...))}
}

func (s *Server) newForm(v *visit) (answer, error) {
	doc, err := s.draft(v)
	if err != nil {
		return answer{}, err
	}
	if doc.Category == "" {
		return answer{page: "new", title: v.t("new.title"), data: schemas.Categories}, nil
	}
	if _, known := doc.Category.Info(); !known {
		return answer{}, errNoPage
	}
	p, err := s.formOfNew(v, doc, doc.Category)
	return answer{page: "edit", title: v.t("new.title"), data: p}, err
}

// formOfNew is the form of a new memory. It asks whose the memory is.
func (s *Server) formOfNew(v *visit, doc *schemas.Memory, category schemas.Category) (editPage, error) {
	p, err := s.formOf(v, doc, category, s.access.base+"/new")
	if writable := slices.DeleteFunc(s.places(), place.ReadOnly); len(writable) > 1 {
		chosen := named(writable, v.PostFormValue("root"))[0]
		p.Roots = rootChoices(v.lang, writable, chosen.Name)
	}
	return p, err
}

// placeFor returns the root for a new memory: the one with a name, the first for no name.
func (s *Server) placeFor(name string) (place, error) {
	places := s.places()
	i := slices.IndexFunc(places, func(p place) bool { return name == "" || p.Name == name })
	switch {
	case i < 0:
		return place{}, errNoPage
	case places[i].ReadOnly():
		return place{}, errReadOnly
	}
	return places[i], nil
}

// draft is what the form of a new memory begins with: nothing, or a runbook for
// something that failed and then worked.
func (s *Server) draft(v *visit) (*schemas.Memory, error) {
	values := v.URL.Query()
	doc := &schemas.Memory{Category: schemas.Category(values.Get("category"))}
	if values.Get("session") == "" {
		return doc, nil
	}
	fixes, err := s.fixes(v.Context(), values.Get("session"))
	if err != nil {
		return doc, err
	}
	i := slices.IndexFunc(fixes, func(f observe.Fix) bool { return f.FixedAt == values.Get("fixed") })
	if i < 0 {
		return doc, errNoPage
	}
	return fixes[i].Runbook(), nil
}

func (s *Server) create(v *visit) (answer, error) {
	category := schemas.Category(v.PostFormValue("category"))
	form, err := schemas.FormOf(category)
	if err != nil {
		return answer{}, errNoPage
	}
	doc := &schemas.Memory{Category: category}
	found := readForm(form, v.PostForm, doc)
	at, err := s.placeFor(v.PostFormValue("root"))
	if err != nil {
		return answer{}, err
	}
	var done writer.Saved
	var told []string
	if len(found) == 0 {
		policy := store.Refuse
		if v.PostFormValue("anyway") != "" {
			policy = store.Anyway
		}
		done, told, found, err = save(at.Root, doc, func(st *store.Store, in writer.Input) (writer.Saved, error) {
			return st.Save(v.Context(), policy, func(w *writer.Writer) (writer.Saved, error) {
				return w.Create(v.Context(), category, "", in)
			})
		})
	}
	if already := new(store.Already); errors.As(err, &already) {
		p, err := s.formOfNew(v, doc, category)
		p.Known = &knownMemory{s.access.base + at.address(already.Other.Path), already.Other.Title, already.Standing == retrieve.Changes}
		return answer{page: "edit", title: v.t("new.title"), data: p, status: http.StatusConflict}, err
	}
	if err != nil {
		return answer{}, err
	}
	if len(found) > 0 {
		p, err := s.formOfNew(v, doc, category)
		p.refuse(found)
		return answer{page: "edit", title: v.t("new.title"), data: p, status: http.StatusUnprocessableEntity}, err
	}
	if n := len(done.Retired); n > 0 {
		told = append(told, v.t("saved.room", n))
	}
	info, _ := category.Info()
	return s.after(at, info.Folder+"/"+done.ID, v.t("saved.created"), told), nil
}

// moveFunc is the writer's method for a change of status.
type moveFunc func(w *writer.Writer, ctx context.Context, target, reason string) (writer.Moved, error)

// moveNamed returns the method for the last part of an address, nil if there is none.
func moveNamed(name string) moveFunc {
	switch name {
	case "retire":
		return (*writer.Writer).Retire
	case "restore":
		return (*writer.Writer).Restore
	case "archive":
		return (*writer.Writer).Archive
	case "unarchive":
		return (*writer.Writer).Unarchive
	}
	return nil
}

// move changes the status of a memory that is still as it was shown.
func (s *Server) move(v *visit) (answer, error) {
	change := moveNamed(v.PathValue("move"))
	hash := v.PostFormValue("hash")
	if change == nil || hash == "" {
		return answer{}, errNoPage
	}
	m, _, err := s.open(v)
	if err != nil {
		return answer{}, err
	}
	st, told := openStore(m.place.Root)
	w, err := st.Writer()
	if err != nil {
		return answer{}, err
	}
	w.Hash = hash
	done, err := change(w, v.Context(), m.ref.Shown(), v.PostFormValue("reason"))
	if isConflict(err) {
		_, now, err := s.open(v)
		if err != nil {
			return answer{}, err
		}
		a, err := s.memoryAnswer(v, s.conflictSince(hash, now))
		a.status = http.StatusConflict
		return a, err
	}
	if err != nil {
		return answer{}, err
	}
	return s.after(m.place, m.ref.Path, v.t("saved."+done.Status), *told), nil
}

// moved leads to the memory, for a person who reloads the address of a change.
func (s *Server) moved(v *visit) (answer, error) {
	if moveNamed(v.PathValue("move")) == nil {
		return answer{}, errNoPage
	}
	return answer{goTo: "/memories/" + url.PathEscape(v.PathValue("folder")) + "/" + url.PathEscape(v.PathValue("id"))}, nil
}

// folderOf is the folder of a memory's path.
func folderOf(path string) string {
	info, _ := infoOf(path)
	return info.Folder
}

func infoOf(path string) (schemas.CategoryInfo, bool) {
	category, _ := schemas.CategoryOfPath(path)
	return category.Info()
}

// number reads a number of an address, or returns what applies without one.
func number(s string, otherwise float64) float64 {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return n
	}
	return otherwise
}
