// Package db is the derived index over the memory files. Deleting it loses
// nothing: indexer.Rebuild recreates every row. The catalogue is such an index of many
// roots. The package opens the database, runs transactions, knows every table,
// and turns SQLite's errors into sentinels. It does not scan folders and does not rank.
//
// The rows:
//
//	meta            one fact about the index itself, such as when it was built
//	categories      one of the six categories: folder, name shown, tie-break priority
//	folders         one category folder as it was when memctl last compared its files:
//	                while its mtime is the same, no file was added, removed or renamed;
//	                problem is the reason why it cannot be read, or NULL
//	files           one *.json file of a category folder, readable or not: size,
//	                mtime and hash when memctl read it; problem is the reason why it is
//	                not a memory, or NULL
//	recorded        one file of a root with git.history: the blob that the last commit has
//	                of it, which commit changed it last and when, and how many did. The
//	                fact "recorded" in meta is that last commit
//	memories        one readable memory of any status; folder is the part of the project that it is for, or ''
//	tokens          one distinct title token or whole tag. A token that no memory has
//	                any more stays until the next session start after a change
//	postings        one token in one memory: in its title, among its tags, or both
//	changes         one entry of a memory's history; position 0 is the oldest
//	related_files   one file that a memory names
//	commands        one command that a memory is about: words that one space parts
//	forbidden_lines the expression that a memory's check has for lines, if the check applies
//	successions     one name that a decision gives to one that it supersedes, or by
//	                which it is superseded: a title or an id, in lower case
//	bodies          the text of a memory's content, one string a line
//	observation_files one file of observations: how far memctl read it, and how many
//	                lines are broken
//	observations    one run of a tool: the payload as it was recorded, and columns
//	                that repeat parts of it
//	observations_fts FTS5 over one line about each observation (external content: the
//	                view observation_documents)
//	vector_sets     what one model made of the texts of one kind, memories or observations:
//	                its name and prefixes, the dimension, the cosines of texts that are far
//	                from each other and near, the vector of a known sentence (package meaning), and
//	                whether none is missing
//	vectors         one text as the model sees it: a signed byte a dimension. The hash is
//	                that of the text as it was sent; an empty vector is a text that the
//	                server refused
//	vector_pages    the signs of as many vectors as fit a page, by vector_id: a bit a dimension
//	texts           one memory or observation, and the hash of its text
//	memories_fts    FTS5 over text.FullText of title, tags, the first page of the body and its
//	                rest (external content: the view memory_documents); rows below zero are
//	                blank pages
//
// The catalogue (catalogue.go) has one table more. Paths in it begin with a root's id:
//
//	roots           one memory root of the user: where it was last seen, its git
//	                repository, and the times that its folders had
//
// The database of past sessions (sessions.go) has its own tables:
//
//	transcripts     one session as its client keeps it: whose it is, its size and time when
//	                memctl read it, where its last turn begins, what a list shows of it; turns
//	                is 0 for one that was not read
//	passages        one turn of a session; text_hash changes with its texts
//	passages_fts    FTS5 over text.FullText of what the person wrote, the answer, what was
//	                pasted and what tools printed (contentless); rows below zero are blank pages
//
// It also has the tables of vectors; one of its texts is a passage.
//
// Views: tags (one whole tag of a memory, lower-cased), active_memories,
// memory_tokens, tag_counts, problems, successors (the active decision that stands in place
// of another one); in the catalogue catalogued_memories.
package db
