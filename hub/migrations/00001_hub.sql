-- The hub: the memories of many repositories (PostgreSQL 15 or later, no extension). All of
-- it but grants, tokens and audit can be published again from the repositories.
--
-- The tables belong to the role that migrates. The service acts as memctl_hub, to which row
-- security applies: it reads the repositories that the settings memctl.principals and access
-- allow, and writes the one that memctl.publishing names. Both are set for a transaction.

-- +goose Up

-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'memctl_hub') THEN -- roles belong to all databases
        CREATE ROLE memctl_hub NOLOGIN;
    END IF;
    IF NOT pg_has_role(CURRENT_USER, 'memctl_hub', 'USAGE') THEN
        GRANT memctl_hub TO CURRENT_USER; -- what the owner asks, it asks as memctl_hub
    END IF;
END
$$;
-- +goose StatementEnd

-- One row: which analyser made the terms (hub.AnalyserVersion).
CREATE TABLE hub (
    one              boolean PRIMARY KEY DEFAULT true CHECK (one),
    analyser_version integer NOT NULL
);

CREATE TABLE repositories (
    repo_id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text COLLATE "C" NOT NULL UNIQUE,
    commit_sha   text NOT NULL,
    sequence     bigint NOT NULL,
    published_at timestamptz NOT NULL,
    published_by text NOT NULL,
    memories     integer NOT NULL
);

-- matches is the pattern as LIKE takes it.
CREATE TABLE grants (
    principal text COLLATE "C" NOT NULL, -- user:NAME, group:NAME or everyone
    pattern   text COLLATE "C" NOT NULL, -- a repository; * stands for any characters
    matches   text COLLATE "C" NOT NULL,
    publish   boolean NOT NULL,          -- may publish, too
    PRIMARY KEY (principal, pattern)
);

-- The grants for each repository that there is. Triggers keep it.
CREATE TABLE access (
    principal text COLLATE "C" NOT NULL,
    repo_id   integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
    publish   boolean NOT NULL,
    PRIMARY KEY (principal, repo_id)
);

-- A token is stored as its SHA-256 alone.
CREATE TABLE tokens (
    token_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash       bytea NOT NULL UNIQUE,
    person     text NOT NULL,
    groups     text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);

CREATE TABLE audit (
    asked_at  timestamptz NOT NULL DEFAULT now(),
    person    text NOT NULL,
    action    text NOT NULL, -- search, get, timeline, repositories, publish
    results   integer NOT NULL,
    detail    text           -- what was read or published; the query only if the hub is told to keep queries
);
CREATE INDEX audit_by_time ON audit USING brin (asked_at);

CREATE TABLE memories (
    memory_id     bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 2147483647) PRIMARY KEY,
    repo_id       integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
    path          text COLLATE "C" NOT NULL,
    category      text NOT NULL,
    title         text NOT NULL,
    tags          text[] NOT NULL,
    record_status text NOT NULL,
    created_at    text NOT NULL, -- as written in the memory
    updated_at    text NOT NULL,
    created_unix  bigint,
    updated_unix  bigint,
    confidence    real,
    hash          bytea NOT NULL, -- of document
    document      text NOT NULL,  -- the memory, as the repository has it
    positions     tsvector NOT NULL, -- the terms: the title from 1, the tags from 1001, the body from 2001
    UNIQUE (repo_id, path)
);
CREATE INDEX memories_by_time ON memories (repo_id, created_unix, memory_id);

-- A memory as lists show it (remote.Row), to those who may see it.
CREATE VIEW memory_rows WITH (security_invoker = true) AS
SELECT
    m.memory_id,
    r.name || ':' || left(m.path, -length('.json')) AS id,
    r.name AS repository,
    r.commit_sha,
    r.published_at,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.created_at,
    m.updated_at,
    (octet_length(m.document) + 3) / 4 AS tokens, -- text.CostOf
    m.document
FROM memories m
JOIN repositories r USING (repo_id);

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

-- The functions below act as the owner. A temporary table of the service must not stand in
-- for one of theirs.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Whose token has a hash, so that the service need not read the table.
-- +goose StatementBegin
CREATE FUNCTION authenticate(token_hash bytea) RETURNS TABLE (person text, groups text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT t.person, t.groups
    FROM tokens t
    WHERE t.hash = token_hash
        AND t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > now())
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION authenticate FROM PUBLIC;
GRANT EXECUTE ON FUNCTION authenticate TO memctl_hub;

-- +goose StatementBegin
CREATE FUNCTION grant_new_repository() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    LOCK TABLE grants IN SHARE MODE; -- a grant that comes meanwhile waits, and then sees the repository
    INSERT INTO access (principal, repo_id, publish)
    SELECT g.principal, NEW.repo_id, bool_or(g.publish)
    FROM grants g
    WHERE NEW.name LIKE g.matches
    GROUP BY g.principal;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER granted AFTER INSERT ON repositories FOR EACH ROW EXECUTE FUNCTION grant_new_repository();

-- +goose StatementBegin
CREATE FUNCTION grants_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    changed text := coalesce(NEW.principal, OLD.principal);
BEGIN
    DELETE FROM access WHERE principal = changed;
    INSERT INTO access (principal, repo_id, publish)
    SELECT g.principal, r.repo_id, bool_or(g.publish)
    FROM grants g
    JOIN repositories r ON r.name LIKE g.matches
    WHERE g.principal = changed
    GROUP BY g.principal, r.repo_id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER granted AFTER INSERT OR UPDATE OR DELETE ON grants FOR EACH ROW EXECUTE FUNCTION grants_changed();

GRANT SELECT ON hub, repositories, access, memories, memory_rows, terms, term_changes, corpus, corpus_changes, postings TO memctl_hub;
GRANT INSERT, UPDATE, DELETE ON repositories, memories, postings, term_changes, corpus_changes TO memctl_hub;
GRANT INSERT, UPDATE ON terms, corpus TO memctl_hub;
GRANT INSERT ON audit TO memctl_hub;
GRANT SELECT ON grants TO memctl_hub;

-- The principals of who asks, as text of a text[]; not set: none.
ALTER TABLE repositories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE postings ENABLE ROW LEVEL SECURITY;
ALTER TABLE grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE access ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON grants FOR SELECT TO memctl_hub
    USING (principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[]));
CREATE POLICY own ON access FOR SELECT TO memctl_hub
    USING (principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[]));
CREATE POLICY readable ON repositories FOR SELECT TO memctl_hub
    USING (repo_id IN (SELECT a.repo_id FROM access a WHERE a.principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[])));
CREATE POLICY readable ON memories FOR SELECT TO memctl_hub
    USING (repo_id IN (SELECT a.repo_id FROM access a WHERE a.principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[])));
CREATE POLICY readable ON postings FOR SELECT TO memctl_hub
    USING (repo_id IN (SELECT a.repo_id FROM access a WHERE a.principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[])));
CREATE POLICY published ON repositories FOR ALL TO memctl_hub
    USING (name = current_setting('memctl.publishing', true))
    WITH CHECK (name = current_setting('memctl.publishing', true));
CREATE POLICY published ON memories FOR ALL TO memctl_hub
    USING (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)))
    WITH CHECK (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)));
CREATE POLICY published ON postings FOR ALL TO memctl_hub
    USING (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)))
    WITH CHECK (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)));

INSERT INTO corpus (memories, terms) VALUES (0, 0);
-- The analyser version is written by hub.Migrate.
