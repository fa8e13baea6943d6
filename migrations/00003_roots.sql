-- What the catalogue has besides the tables of an index. The path of a file begins with
-- the id of its root: 3/decisions/use-kafka.json.

-- +goose Up
CREATE TABLE roots (
    root_id    INTEGER PRIMARY KEY,
    path       TEXT NOT NULL,
    repository TEXT NOT NULL,
    place      TEXT NOT NULL,
    remote     TEXT NOT NULL,
    state      TEXT NOT NULL,
    UNIQUE (repository, place)
);

CREATE VIEW catalogued_memories AS
SELECT
    r.root_id,
    r.path || substr(m.path, instr(m.path, '/')) AS path,
    m.memory_id,
    m.id,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.updated_at
FROM memories m
JOIN roots r ON r.root_id = CAST(m.path AS INTEGER);

-- The full text merges as it is written: nothing does it later.
INSERT INTO memories_fts (memories_fts, rank)
VALUES
    ('automerge', 4),
    ('crisismerge', 16);
