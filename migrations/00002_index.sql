-- The derived index. db/doc.go says what each row means. Names are for a person at a
-- sqlite3 prompt, and most times are there twice: in ISO form and in unix seconds.

-- +goose Up
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE categories (
    category TEXT PRIMARY KEY,
    folder   TEXT NOT NULL,
    display  TEXT NOT NULL,
    priority INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE folders (
    folder    TEXT PRIMARY KEY,
    mtime_ns  INTEGER NOT NULL,
    listed_ns INTEGER NOT NULL,
    problem   TEXT
) WITHOUT ROWID;

-- Clustered by path: the files of a folder are one range of one b-tree.
CREATE TABLE files (
    path       TEXT PRIMARY KEY,
    memory_id  INTEGER,
    size_bytes INTEGER NOT NULL,
    mtime_ns   INTEGER NOT NULL,
    read_ns    INTEGER NOT NULL,
    sha256     TEXT NOT NULL,
    problem    TEXT
) WITHOUT ROWID;
CREATE INDEX files_by_problem ON files (path) WHERE problem IS NOT NULL;

-- What git's log says of the files, where git.history is true.
CREATE TABLE recorded (
    path         TEXT PRIMARY KEY,
    blob         TEXT NOT NULL,
    last_commit  TEXT NOT NULL,
    changed_unix INTEGER NOT NULL,
    times        INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE memories (
    memory_id       INTEGER PRIMARY KEY,
    id              TEXT NOT NULL,
    path            TEXT NOT NULL,
    category        TEXT NOT NULL,
    title           TEXT NOT NULL,
    title_key       TEXT NOT NULL,
    title_words     REAL NOT NULL,
    tags            TEXT NOT NULL,
    record_status   TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    created_unix    INTEGER,
    updated_at      TEXT NOT NULL,
    updated_unix    INTEGER,
    times_updated   INTEGER NOT NULL,
    confidence      REAL,
    sentence        TEXT NOT NULL,
    standing        INTEGER NOT NULL,
    line_length     INTEGER NOT NULL,
    retired_at      TEXT,
    retired_unix    INTEGER,
    retired_reason  TEXT,
    archived_at     TEXT,
    archived_unix   INTEGER,
    archived_reason TEXT
);
CREATE INDEX memories_by_category ON memories (category, record_status, updated_unix);
CREATE INDEX memories_by_id ON memories (id);
CREATE INDEX memories_by_title ON memories (title_key);
CREATE INDEX memories_standing ON memories (coalesce(confidence, 0) < 0.9, line_length) WHERE standing AND record_status = 'active';
CREATE INDEX memories_short ON memories (line_length) WHERE record_status = 'active';

CREATE TABLE tokens (
    token_id INTEGER PRIMARY KEY,
    token    TEXT NOT NULL UNIQUE
);

-- Clustered by token: the memories of one token are one range of one b-tree.
CREATE TABLE postings (
    token_id  INTEGER NOT NULL,
    memory_id INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    in_title  INTEGER NOT NULL,
    in_tags   INTEGER NOT NULL,
    PRIMARY KEY (token_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX postings_by_memory ON postings (memory_id);

CREATE TABLE changes (
    memory_id INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    position  INTEGER NOT NULL,
    date      TEXT NOT NULL,
    summary   TEXT NOT NULL,
    field     TEXT,
    old_value TEXT,
    new_value TEXT,
    PRIMARY KEY (memory_id, position)
) WITHOUT ROWID;

CREATE TABLE related_files (
    memory_id INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    file      TEXT NOT NULL,
    PRIMARY KEY (memory_id, file)
) WITHOUT ROWID;
CREATE INDEX related_files_by_file ON related_files (file);

CREATE TABLE commands (
    memory_id INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    command   TEXT NOT NULL,
    PRIMARY KEY (memory_id, command)
) WITHOUT ROWID;

CREATE TABLE forbidden_lines (
    memory_id  INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    expression TEXT NOT NULL,
    PRIMARY KEY (memory_id)
) WITHOUT ROWID;

CREATE TABLE successions (
    memory_id  INTEGER NOT NULL REFERENCES memories (memory_id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    supersedes INTEGER NOT NULL,
    PRIMARY KEY (memory_id, name, supersedes)
) WITHOUT ROWID;
CREATE INDEX successions_by_name ON successions (name) WHERE supersedes;

CREATE TABLE bodies (
    memory_id INTEGER PRIMARY KEY REFERENCES memories (memory_id) ON DELETE CASCADE,
    body      TEXT NOT NULL
);

CREATE INDEX long_bodies ON bodies (memory_id) WHERE length(body) > 480;

-- The first page of a memory ends with its body's 80th word or so, as the blank pages do. The ranking counts how
-- rare a word is among first pages alone: a long text has most words.
CREATE VIEW memory_documents AS
SELECT m.memory_id, m.title, m.tags, substr(b.body, 1, b.page) AS body, substr(b.body, b.page + 1) AS rest
FROM memories m
JOIN (
    SELECT memory_id, body, 480 + instr(substr(body, 481) || ' ', ' ') AS page
    FROM bodies
) b ON b.memory_id = m.memory_id;

CREATE VIRTUAL TABLE memories_fts USING fts5 (
    title,
    tags,
    body,
    rest,
    content = 'memory_documents',
    content_rowid = 'memory_id',
    tokenize = 'porter unicode61'
);

-- Write few segments for a bulk load without holding it all in memory, and merge only
-- on request (db/fulltext.go).
-- https://sqlite.org/fts5.html#configuration_options
INSERT INTO memories_fts (memories_fts, rank)
VALUES
    ('hashsize', 2097152),
    ('automerge', 0),
    ('crisismerge', 500);

-- Blank pages, so that a word of the first memory counts as rare (db/fulltext.go).
WITH RECURSIVE pages (page, word) AS (
    VALUES (-1, 1)
    UNION ALL
    SELECT iif(word < 80, page, page - 1), iif(word < 80, word + 1, 1)
    FROM pages
    WHERE page >= -16
)
INSERT INTO memories_fts (rowid, title, tags, body, rest)
SELECT page, '', '', group_concat('blankpage', ' '), ''
FROM pages
WHERE page >= -16
GROUP BY page;

-- The active decisions that stand in place of others. A plus keeps SQLite from reading all
-- decisions instead of those of a name (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
CREATE VIEW successors AS
SELECT s.memory_id, n.memory_id AS successor_id, n.path
FROM successions s
CROSS JOIN memories n ON (n.title_key = s.name OR n.id = s.name) AND n.memory_id <> s.memory_id
WHERE NOT s.supersedes AND +n.category = 'decision' AND +n.record_status = 'active'
UNION ALL
SELECT o.memory_id, n.memory_id, n.path
FROM memories o
CROSS JOIN successions s ON s.name IN (o.title_key, o.id) AND s.memory_id <> o.memory_id
CROSS JOIN memories n ON n.memory_id = s.memory_id
WHERE s.supersedes AND o.category = 'decision' AND n.record_status = 'active'
    AND (n.updated_unix >= o.updated_unix OR n.created_unix > o.created_unix);

CREATE VIEW active_memories AS
SELECT memory_id, id, path, category, title, tags, created_at, updated_at, times_updated, confidence
FROM memories
WHERE record_status = 'active';

CREATE VIEW memory_tokens AS
SELECT t.token, p.memory_id, p.in_title, p.in_tags
FROM tokens t
JOIN postings p ON p.token_id = t.token_id;

CREATE VIEW tags AS
SELECT p.memory_id, t.token AS tag
FROM tokens t
CROSS JOIN postings p ON p.token_id = t.token_id
WHERE p.in_tags;

CREATE VIEW tag_counts AS
SELECT t.tag, count(*) AS memories, sum(m.record_status = 'active') AS active
FROM tags t
JOIN memories m ON m.memory_id = t.memory_id
GROUP BY t.tag;

CREATE VIEW problems AS
SELECT path, problem AS reason, size_bytes
FROM files
WHERE problem IS NOT NULL
UNION ALL
SELECT folder, problem, 0
FROM folders
WHERE problem IS NOT NULL;

-- What tools did (db/observations.go). The columns after tool_index repeat parts of the
-- payload.
CREATE TABLE observation_files (
    path        TEXT PRIMARY KEY,
    read_bytes  INTEGER NOT NULL,
    tail        INTEGER NOT NULL,
    size_bytes  INTEGER NOT NULL,
    mtime_ns    INTEGER NOT NULL,
    inode       INTEGER NOT NULL,
    broken      INTEGER NOT NULL,
    problem     TEXT
) WITHOUT ROWID;

CREATE TABLE observations (
    observation_id INTEGER PRIMARY KEY,
    path           TEXT NOT NULL,
    event_id       TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    timestamp      TEXT NOT NULL,
    prompt_index   INTEGER NOT NULL,
    tool_index     INTEGER NOT NULL,
    tool_name      TEXT NOT NULL,
    success        INTEGER, -- NULL if unknown
    duration_ms    INTEGER,
    error_message  TEXT,
    file_path      TEXT,
    command        TEXT,
    exit_code      INTEGER,
    pattern        TEXT,
    prompt_id      TEXT,
    tool_use_id    TEXT,
    payload        TEXT NOT NULL
);
CREATE INDEX observations_by_path ON observations (path, tool_use_id);
CREATE INDEX observations_by_file ON observations (file_path) WHERE file_path IS NOT NULL;
CREATE INDEX observations_by_failure ON observations (timestamp) WHERE NOT success;

CREATE VIEW observation_documents AS
SELECT
    observation_id,
    'Tool: ' || tool_name
        || coalesce(' / File: ' || file_path, '')
        || coalesce(' / Command: ' || command, '')
        || coalesce(' / Pattern: ' || pattern, '')
        || ' / Result: ' || CASE success
            WHEN 0 THEN 'Failure' || coalesce(' ' || substr(error_message, 1, 500), '')
            WHEN 1 THEN 'Success'
            ELSE 'Unknown'
        END AS document
FROM observations;

CREATE VIRTUAL TABLE observations_fts USING fts5 (
    document,
    content = 'observation_documents',
    content_rowid = 'observation_id',
    tokenize = 'porter unicode61'
);

-- The texts that vectors are of (00001_vectors.sql).
CREATE TABLE texts (
    text_hash      BLOB NOT NULL,
    memory_id      INTEGER UNIQUE REFERENCES memories (memory_id) ON DELETE CASCADE,
    observation_id INTEGER UNIQUE REFERENCES observations (observation_id) ON DELETE CASCADE
);
CREATE INDEX texts_by_hash ON texts (text_hash, memory_id, observation_id);
