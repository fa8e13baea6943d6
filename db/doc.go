// Package db is the derived index over the memory files. Deleting it loses
// nothing: indexer.Rebuild recreates every row. It opens the database, runs
// transactions, owns one file per table, and turns SQLite's errors into
// sentinels. It does not scan folders and does not rank.
//
// What a row means:
//
//	meta            one fact about the index itself, such as when it was built
//	categories      one of the six categories: folder, name shown, tie-break priority
//	folders         one category folder as it stood when its files were last
//	                compared: while its mtime is the same, no file came or went
//	files           one *.json file of a category folder, readable or not: size,
//	                mtime and hash when it was read; problem is NULL or the reason
//	                why it is no memory
//	fingerprints    of one category folder, packed: for each of its files a 32-bit
//	                digest of path and inode and one of path, size and mtime
//	                (8 bytes each file, sorted)
//	memories        one readable memory of any status
//	tokens          one distinct title token or whole tag, perhaps one that no memory
//	                has any more: the next session start after a change removes those
//	postings        one token in one memory: in its title, among its tags, or both
//	changes         one entry of a memory's history, position 0 is the oldest
//	related_files   one file that a memory names
//	bodies          the text of a memory's content, one string a line
//	observation_files one file of observations: how far it was read, and the lines
//	                that are no observations
//	observations    one run of a tool: the payload as it was recorded, and columns
//	                that say again what stands in it
//	observations_fts FTS5 over one line about each observation (external content: the
//	                view observation_documents)
//	memories_fts    FTS5 over text.FullText of title, tags and body (external content:
//	                the view memory_documents); rows below zero are blank pages
//
// Views: tags (one whole tag of a memory, lower-cased: the tokens that stand among
// its tags), active_memories, memory_tokens, tag_counts, problems.
package db
