-- The database of past sessions. db/doc.go says what a row means.

-- +goose Up
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE transcripts (
    transcript_id INTEGER PRIMARY KEY,
    path          TEXT NOT NULL UNIQUE,
    client        TEXT NOT NULL,
    session       TEXT NOT NULL,
    folder        TEXT NOT NULL,
    project       TEXT NOT NULL,
    size_bytes    INTEGER NOT NULL,
    mtime_ns      INTEGER NOT NULL,
    resume_at     INTEGER NOT NULL,
    resume_mark   TEXT NOT NULL,
    started_at    TEXT NOT NULL,
    ended_at      TEXT NOT NULL,
    first_prompt  TEXT NOT NULL,
    turns         INTEGER NOT NULL,
    files         TEXT NOT NULL,
    problem       TEXT NOT NULL
);

CREATE INDEX transcripts_by_project ON transcripts (project, ended_at);

-- The id of a passage is transcript_id << 16 | turn, so that a hit of the full text says whose it is.
CREATE TABLE passages (
    passage_id INTEGER PRIMARY KEY,
    said_at    TEXT NOT NULL,
    prompt     TEXT NOT NULL,
    answer     TEXT NOT NULL,
    tools      TEXT NOT NULL,
    text_hash  TEXT NOT NULL
);

CREATE INDEX passages_by_time ON passages (said_at);

CREATE TABLE texts (
    text_hash  BLOB NOT NULL,
    passage_id INTEGER UNIQUE REFERENCES passages (passage_id) ON DELETE CASCADE
);
CREATE INDEX texts_by_hash ON texts (text_hash, passage_id);

CREATE VIRTUAL TABLE passages_fts USING fts5 (
    own,
    answer,
    pasted,
    tools,
    content = '',
    contentless_delete = 1,
    tokenize = 'porter unicode61'
);

-- A word of the first passage counts as rare (as in an index: db/fulltext.go).
WITH RECURSIVE pages (page) AS (
    VALUES (-1)
    UNION ALL
    SELECT page - 1
    FROM pages
    WHERE page > -16
)
INSERT INTO passages_fts (rowid, own, answer, pasted, tools)
SELECT page, '', replace(hex(zeroblob(40)), '0', 'blankpage '), '', ''
FROM pages;
