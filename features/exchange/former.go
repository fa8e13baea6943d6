package exchange

import (
	"context"
	"path"
	"strings"

	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
)

// notKept stands for what a source said at the last import, where nobody has it any more.
const notKept = "(not kept: git has no copy of the file as it was imported)"

// digits are the part of a record that changes with its number.
var digits = text.Pattern(`\d+`)

func numberless(phrase string) string {
	return strings.Trim(digits().ReplaceAllString(phrase, ""), "-_ \n")
}

// plainHash is the hash of a text without its numbers, "" for a text that is nothing else.
func plainHash(phrase string) string {
	if phrase = numberless(phrase); phrase == "" {
		return ""
	}
	return text.Hash(phrase, 8)
}

// lean puts a hash in the place of the text that a line of an earlier version has.
func lean(s files.ImportRecord) files.ImportRecord {
	if s.Text != "" && s.Plain == "" {
		s.Plain = plainHash(s.Text)
	}
	s.Text = ""
	return s
}

// blobIDs returns the ids under which git has, or would have, each of some files of the project. Candidates are those
// that a content may have (files.BlobIDs). There are none outside of a repository.
func blobIDs[K comparable](ctx context.Context, project string, candidates map[K][]string) map[K]string {
	if len(candidates) == 0 || !git.InRepository(project) {
		return nil
	}
	var all []string
	for _, ids := range candidates {
		all = append(all, ids...)
	}
	lacking, err := git.Lacking(ctx, project, all)
	if err != nil {
		return nil // what was imported is not known later, which import --update says
	}
	length := len(git.Head(ctx, project))
	found := map[K]string{}
	for of, ids := range candidates {
		for _, id := range ids {
			if !lacking[id] {
				found[of] = id
			} else if found[of] == "" && len(id) == length { // it will be committed
				found[of] = id
			}
		}
	}
	return found
}

// formerText returns the text that a source was imported with, of git's copy of its file, which is read again as it was
// read then.
func (im *Import) formerText(s *files.ImportRecord) (former string, known bool) {
	if s.Text != "" {
		return s.Text, true
	}
	format, _ := FormatNamed(im.Format)
	if s.Blob == "" || format.file == nil {
		return "", false
	}
	texts, read := im.former[s.Blob]
	if !read {
		texts = im.readFormer(s, format)
		im.former[s.Blob] = texts
	}
	former, known = texts[s.Hash]
	return former, known
}

// readFormer returns the texts of git's copy of a file by their hashes.
func (im *Import) readFormer(s *files.ImportRecord, format Format) map[string]string {
	texts := map[string]string{}
	var content []byte
	err := git.Blobs(im.ctx, im.w.Root.Project, []string{s.Blob}, schemas.MaxFileBytes,
		func(_ string, data []byte) error {
			content = data
			return nil
		})
	if err != nil || content == nil {
		return texts
	}
	src := *im.src
	src.former = content
	name := s.Path().String()
	if rest, below := cutFolder(name, src.shown); below {
		name = path.Join(".", rest)
	}
	then := &Import{Format: im.Format, Source: im.Source, options: im.options, w: im.w, src: &src}
	r := &reader{Import: then, ctx: im.ctx, src: &src, spans: map[string]span{}, dayFirst: map[bool]int{}}
	format.file(r, strings.TrimPrefix(name, "/"))
	for _, e := range then.Items {
		texts[hashOf(e.raw)] = e.raw
	}
	return texts
}
