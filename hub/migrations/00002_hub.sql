-- Grants of many repositories at once, names without case, an audit of what changes who sees what, and
-- people who are refused whatever token they have.

-- +goose Up

-- Two repositories whose names differ in case alone are one: the operator says which goes (memctl hub forget).
UPDATE repositories SET name = lower(name) WHERE name <> lower(name);
ALTER TABLE repositories ADD CONSTRAINT repositories_name_check CHECK (name = lower(name));
DELETE FROM grants g
WHERE pattern <> lower(pattern)
    AND EXISTS (SELECT 1 FROM grants o WHERE o.principal = g.principal AND o.pattern <> g.pattern AND lower(o.pattern) = lower(g.pattern) AND (o.publish, o.pattern) > (g.publish, g.pattern));
UPDATE grants SET pattern = lower(pattern), matches = lower(matches) WHERE pattern <> lower(pattern);

CREATE TABLE denied (
    person    text COLLATE "C" PRIMARY KEY,
    denied_at timestamptz NOT NULL DEFAULT now()
);

-- shown: the ids of the memories that an answer had. refused: the code of the error, NULL for an answer.
ALTER TABLE audit ADD COLUMN shown text[], ADD COLUMN refused text;

-- The SHA-256 of the program's version and of the memory's SHA-256 as it was sent, so that what has not changed
-- need not be sent; NULL if a secret was removed from it.
ALTER TABLE memories ADD COLUMN sent bytea;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- +goose StatementBegin
CREATE FUNCTION is_denied(name text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT 1 FROM denied WHERE person = name)
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION is_denied FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_denied TO memctl_hub;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION authenticate(token_hash bytea) RETURNS TABLE (person text, groups text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT t.person, t.groups
    FROM tokens t
    WHERE t.hash = token_hash
        AND t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > now())
        AND NOT is_denied(t.person)
$$;
-- +goose StatementEnd

-- The principal "repository" is whom a CI token names: it publishes the one repository that the token names, and
-- sees none.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION grant_new_repository() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    LOCK TABLE grants IN SHARE MODE; -- a grant that comes meanwhile waits, and then sees the repository
    INSERT INTO access (principal, repo_id, publish)
    SELECT g.principal, NEW.repo_id, bool_or(g.publish)
    FROM grants g
    WHERE NEW.name LIKE g.matches
        AND g.principal <> 'repository'
    GROUP BY g.principal;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Once for a statement, whatever the number of grants.
DROP TRIGGER granted ON grants;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION grants_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM access WHERE principal IN (SELECT principal FROM changed);
    INSERT INTO access (principal, repo_id, publish)
    SELECT principal, repo_id, bool_or(publish)
    FROM (
        SELECT g.principal, r.repo_id, g.publish
        FROM grants g
        JOIN repositories r ON r.name = g.pattern
        WHERE g.principal IN (SELECT principal FROM changed)
        UNION ALL
        SELECT g.principal, r.repo_id, g.publish
        FROM grants g
        JOIN repositories r ON r.name LIKE g.matches
        WHERE g.principal IN (SELECT principal FROM changed)
            AND strpos(g.pattern, '*') > 0
    ) g
    WHERE principal <> 'repository'
    GROUP BY principal, repo_id;
    INSERT INTO audit (person, action, results, detail)
    SELECT 'role:' || session_user, 'grant', 1, concat_ws(' ', lower(TG_OP), principal, pattern, CASE WHEN publish THEN 'publish' END)
    FROM changed;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER granted AFTER INSERT ON grants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION grants_changed();
CREATE TRIGGER regranted AFTER UPDATE ON grants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION grants_changed();
CREATE TRIGGER ungranted AFTER DELETE ON grants REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION grants_changed();

-- What the owner does to tokens, refused people and repositories. The argument of a trigger is the action.
-- +goose StatementBegin
CREATE FUNCTION keep_in_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    row jsonb := coalesce(to_jsonb(NEW), to_jsonb(OLD));
BEGIN
    INSERT INTO audit (person, action, results, detail)
    VALUES ('role:' || session_user, TG_ARGV[0], 1, concat_ws(' ', row->>'token_id', row->>'person', row->>'name'));
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER created AFTER INSERT ON tokens FOR EACH ROW EXECUTE FUNCTION keep_in_audit('token');
CREATE TRIGGER revoked AFTER UPDATE OR DELETE ON tokens FOR EACH ROW EXECUTE FUNCTION keep_in_audit('revoke');
CREATE TRIGGER denied AFTER INSERT ON denied FOR EACH ROW EXECUTE FUNCTION keep_in_audit('deny');
CREATE TRIGGER allowed AFTER DELETE ON denied FOR EACH ROW EXECUTE FUNCTION keep_in_audit('allow');
CREATE TRIGGER forgotten AFTER DELETE ON repositories FOR EACH ROW EXECUTE FUNCTION keep_in_audit('forget');
