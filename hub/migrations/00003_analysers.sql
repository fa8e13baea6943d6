-- The terms of each version of the analyser are in a schema of their own: those of a new version are made beside
-- the old ones, and when these go, their space is free at once.

-- +goose Up

DROP TABLE hub, terms, term_changes, corpus, corpus_changes, postings; -- hub.Store.Analyse makes them again
ALTER TABLE memories DROP COLUMN positions;
CLUSTER memories USING memories_pkey; -- so that the space of the column is free, too
ALTER TABLE memories SET WITHOUT CLUSTER;

-- The versions of the analyser whose terms the hub has.
CREATE TABLE analysers (
    version  integer PRIMARY KEY, -- hub.AnalyserVersion
    schema   text NOT NULL UNIQUE,
    complete boolean NOT NULL DEFAULT false, -- once all memories had terms, these answer
    used_at  timestamptz NOT NULL DEFAULT now() -- when a hub of this version last ran, to the minute
);
GRANT SELECT, UPDATE (used_at) ON analysers TO memctl_hub;

-- Makes the tables of a version, if there are none. They have the terms of all memories only later.
-- +goose StatementBegin
CREATE FUNCTION add_analyser(wanted integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    base text := current_schema();
    own  text := base || '_terms_' || wanted;
    name text;
BEGIN
    INSERT INTO analysers (version, schema, complete)
    VALUES (wanted, own, NOT EXISTS (SELECT 1 FROM memories))
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', own); -- if somebody removed the row, so that all is made again
    EXECUTE format('CREATE SCHEMA %I', own);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO memctl_hub', own);
    PERFORM set_config('search_path', format('%I, %I', own, base), true);

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
    INSERT INTO corpus (memories, terms) VALUES (0, 0);

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

    -- Where the terms of a memory stand: the title from 1, the tags from 1001, the body from 2001. A memory
    -- whose row has another hash than memories has is not split yet; one without a memory is gone.
    CREATE TABLE positions (
        memory_id bigint PRIMARY KEY,
        repo_id   integer NOT NULL,
        hash      bytea NOT NULL,
        positions tsvector NOT NULL
    );
    CREATE INDEX positions_by_repository ON positions (repo_id);

    GRANT SELECT ON terms, term_changes, corpus, corpus_changes, postings, positions TO memctl_hub;
    GRANT INSERT, UPDATE, DELETE ON postings, positions, term_changes, corpus_changes TO memctl_hub;
    GRANT INSERT, UPDATE ON terms, corpus TO memctl_hub;
    FOREACH name IN ARRAY ARRAY['postings', 'positions'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY readable ON %I FOR SELECT TO memctl_hub
                USING (repo_id IN (SELECT a.repo_id FROM access a WHERE a.principal = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[])))
            $policy$, name);
        EXECUTE format($policy$
            CREATE POLICY published ON %I FOR ALL TO memctl_hub
                USING (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)))
                WITH CHECK (repo_id = (SELECT r.repo_id FROM repositories r WHERE r.name = current_setting('memctl.publishing', true)))
            $policy$, name);
    END LOOP;
END
$$;
-- +goose StatementEnd

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- The repositories that a version has not split as they are now. The service sees none of them by itself.
-- +goose StatementBegin
CREATE FUNCTION unanalysed(wanted integer) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN QUERY EXECUTE format('
        SELECT name
        FROM repositories
        WHERE repo_id IN (
            SELECT coalesce(m.repo_id, p.repo_id)
            FROM memories m
            FULL JOIN %I.positions p USING (memory_id)
            WHERE m.hash IS DISTINCT FROM p.hash)
        ORDER BY name', (SELECT schema FROM analysers WHERE version = wanted));
END
$$;
-- +goose StatementEnd

-- The terms of a version answer from now on.
-- +goose StatementBegin
CREATE FUNCTION complete_analyser(wanted integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    own text;
BEGIN
    UPDATE analysers SET complete = true WHERE version = wanted AND NOT complete RETURNING schema INTO own;
    IF FOUND THEN -- the first question needs the statistics
        EXECUTE format('ANALYZE %1$I.terms, %1$I.term_changes, %1$I.postings, %1$I.positions', own);
    END IF;
END
$$;
-- +goose StatementEnd

-- Removes the terms of other versions than that of a running hub: older ones an hour after the last hub that used
-- them, newer ones a week after, since somebody may have made them for an upgrade that is still to come.
-- +goose StatementBegin
CREATE FUNCTION drop_unused_analysers(running integer) RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    gone record;
BEGIN
    FOR gone IN
        DELETE FROM analysers a
        WHERE a.version <> running
            AND a.used_at < now() - CASE WHEN a.version < running THEN interval '1 hour' ELSE interval '7 days' END
            AND EXISTS (SELECT 1 FROM analysers r WHERE r.version = running AND r.complete)
        RETURNING a.version, a.schema
    LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', gone.schema);
        RETURN NEXT gone.version;
    END LOOP;
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION add_analyser, unanalysed, complete_analyser, drop_unused_analysers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unanalysed, complete_analyser, drop_unused_analysers TO memctl_hub;
