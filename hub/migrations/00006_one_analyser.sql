-- One set of tables has the terms of all repositories. The row of a repository says which version of the analyser made
-- its terms.

-- +goose Up

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT schema FROM analysers LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', name);
    END LOOP;
END
$$;
-- +goose StatementEnd
DROP TABLE analysers;
DROP FUNCTION add_analyser, unanalysed, complete_analyser, drop_unused_analysers, renew_statistics;

ALTER TABLE repositories
    ADD COLUMN analysed_by integer NOT NULL DEFAULT 0, -- hub.AnalyserVersion; 0: it has no terms yet
    ADD COLUMN revision    bigint  NOT NULL DEFAULT 0; -- when its postings changed, in microseconds

-- The terms: the title from 1, the tags from 1001, the body from 2001.
ALTER TABLE memories ADD COLUMN positions tsvector NOT NULL DEFAULT '';

-- How many memories have a term, of all repositories. term_changes has what is not in it yet:
-- publications that counted in the same rows would wait for each other.
CREATE TABLE terms (
    term_id  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    term     text COLLATE "C" NOT NULL UNIQUE,
    memories integer NOT NULL DEFAULT 0
);
CREATE TABLE term_changes (
    term_id  integer NOT NULL,
    memories integer NOT NULL
);
CREATE INDEX term_changes_by_term ON term_changes (term_id);

-- The number of memories, and of the terms in them, of all repositories.
CREATE TABLE corpus (
    memories bigint NOT NULL,
    terms    bigint NOT NULL
);
CREATE TABLE corpus_changes (
    memories bigint NOT NULL,
    terms    bigint NOT NULL
);
INSERT INTO corpus (memories, terms) SELECT count(*), 0 FROM memories;

-- One row for each term of a repository: what row security hides and a publication replaces.
-- Without foreign keys: to check them would double the time of a publication. What removes
-- a repository removes its postings (hub.Store.Forget).
-- An element is a memory that has the term:
--   memory_id << 32 | active << 31 | terms of the memory << 18 (13 bits)
--   | in the title << 13 (5 bits) | in the tags << 8 (5 bits) | in the body (8 bits)
CREATE TABLE postings (
    term_id integer NOT NULL,
    repo_id integer NOT NULL,
    packed  bigint[] NOT NULL,
    PRIMARY KEY (term_id, repo_id)
);
CREATE INDEX postings_by_repository ON postings (repo_id);

GRANT SELECT ON terms, term_changes, corpus, corpus_changes, postings, goose_db_version TO memctl_hub;
GRANT INSERT, UPDATE, DELETE ON postings, term_changes, corpus_changes TO memctl_hub;
GRANT INSERT, UPDATE ON terms, corpus TO memctl_hub;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON postings FOR SELECT TO memctl_hub
    USING (repo_id IN (SELECT a.repo_id FROM access a WHERE a.principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[])));
CREATE POLICY published ON postings FOR ALL TO memctl_hub
    USING (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)))
    WITH CHECK (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)));

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Makes the statistics of what a search reads. Kept plans are made again then.
-- +goose StatementBegin
CREATE FUNCTION renew_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    ANALYZE repositories, access, memories, terms, term_changes, postings;
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION renew_statistics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION renew_statistics TO memctl_hub;
