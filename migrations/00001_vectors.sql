-- Vectors of texts, if the user has a model for them (db/vectors.go). Each kind of database has a
-- table of its own that says which texts it has.

-- +goose Up
CREATE TABLE vector_sets (
    set_id          INTEGER PRIMARY KEY,
    kind            TEXT NOT NULL,
    model           TEXT NOT NULL,
    document_prefix TEXT NOT NULL,
    query_prefix    TEXT NOT NULL,
    dimension       INTEGER NOT NULL,
    far             REAL NOT NULL,
    near            REAL NOT NULL,
    probe           BLOB NOT NULL,
    complete        INTEGER NOT NULL,
    UNIQUE (kind, model, document_prefix)
);

CREATE TABLE vectors (
    vector_id INTEGER PRIMARY KEY,
    set_id    INTEGER NOT NULL REFERENCES vector_sets (set_id) ON DELETE CASCADE,
    text_hash BLOB NOT NULL,
    vector    BLOB NOT NULL,
    UNIQUE (set_id, text_hash)
);

CREATE TABLE vector_pages (
    set_id INTEGER NOT NULL REFERENCES vector_sets (set_id) ON DELETE CASCADE,
    page   INTEGER NOT NULL,
    signs  BLOB NOT NULL,
    PRIMARY KEY (set_id, page)
);
