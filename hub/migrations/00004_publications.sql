-- Publications that take longer than their clients wait, and what became of them.

-- +goose Up

CREATE TABLE publications (
    id         text PRIMARY KEY,
    person     text COLLATE "C" NOT NULL,
    repository text NOT NULL,
    commit_sha text NOT NULL,
    sequence   bigint NOT NULL,
    percent    integer NOT NULL DEFAULT 0,
    ended      jsonb, -- remote.Progress; NULL until then
    seen_at    timestamptz NOT NULL DEFAULT now() -- when its service last said that it is at it
);
CREATE INDEX publications_by_time ON publications (seen_at);

GRANT SELECT, INSERT, UPDATE ON publications TO memctl_hub;
ALTER TABLE publications ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON publications FOR ALL TO memctl_hub
    USING ('user:' || person = ANY ((SELECT nullif(current_setting('memctl.principals', true), '')::text[])::text[]));

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Nobody asks for one that ended yesterday.
-- +goose StatementBegin
CREATE FUNCTION drop_old_publications() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM publications WHERE seen_at < now() - interval '1 day';
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER added AFTER INSERT ON publications FOR EACH STATEMENT EXECUTE FUNCTION drop_old_publications();
