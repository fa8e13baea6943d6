-- The audit by months, with the request of each row; figures for the metrics; and administrators: who may change grants
-- and tokens through the API, so that nobody needs the owner's password for that.

-- +goose Up

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true), set_config('timezone', 'UTC', true);

ALTER TABLE audit ADD COLUMN request text;
UPDATE audit SET asked_at = now() WHERE asked_at > now(); -- a clock that was wrong; such a row would have no partition
CREATE TABLE audit_months (
    asked_at timestamptz NOT NULL DEFAULT now(),
    person   text NOT NULL DEFAULT coalesce(nullif(current_setting('memctl.person', true), ''), 'role:' || session_user),
    action   text NOT NULL,
    results  integer NOT NULL,
    detail   text,
    shown    text[],
    refused  text,
    request  text DEFAULT nullif(current_setting('memctl.request', true), '') -- X-Request-Id
) PARTITION BY RANGE (asked_at);

-- A partition is named by its month. That of this month has all rows before it, too.
-- +goose StatementBegin
DO $$
DECLARE
    first text := to_char(now(), '"audit_"YYYY_MM');
BEGIN
    EXECUTE format('ALTER INDEX audit_by_time RENAME TO %I', first || '_asked_at_idx');
    EXECUTE format('ALTER TABLE audit RENAME TO %I', first);
    EXECUTE format('REVOKE ALL ON %I FROM memctl_hub', first);
    ALTER TABLE audit_months RENAME TO audit;
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)',
        first, date_trunc('month', now()) + interval '1 month');
END
$$;
-- +goose StatementEnd
CREATE TABLE audit_default PARTITION OF audit DEFAULT; -- what no other partition takes is not lost
CREATE INDEX audit_by_time ON audit USING brin (asked_at);
CREATE INDEX audit_by_person ON audit (person, asked_at);
GRANT INSERT ON audit TO memctl_hub;

-- Removes the rows before a time, whole months as partitions, and returns how many. All that takes long comes before the
-- lock that keeps rows from being added; what waits for it gives up soon, since questions queue behind it.
-- +goose StatementBegin
CREATE FUNCTION drop_audit(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SET timezone = 'UTC' SET lock_timeout = '2s' SET search_path FROM CURRENT AS $$
DECLARE
    removed bigint := (SELECT count(*) FROM audit WHERE asked_at < before);
    months  regclass[] := ARRAY(
        SELECT inhrelid::regclass
        FROM pg_inherits
        JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'audit'::regclass
            AND to_date(substring(relname FROM '^audit_(\d{4}_\d\d)$'), 'YYYY_MM') + interval '1 month' <= before);
    month   regclass;
BEGIN
    DELETE FROM audit WHERE asked_at < before AND tableoid <> ALL (months);
    FOREACH month IN ARRAY months LOOP
        EXECUTE format('DROP TABLE %s', month);
    END LOOP;
    RETURN removed;
END
$$;
-- +goose StatementEnd

-- Removes rows that are older than some days, unless they are 0, and adds the partitions of this month and of the next
-- two. A service cannot remove what is younger than 7 days.
-- +goose StatementBegin
CREATE FUNCTION keep_audit(days integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET timezone = 'UTC' SET lock_timeout = '2s' SET search_path FROM CURRENT AS $$
DECLARE
    removed bigint := 0;
    month   timestamptz;
    name    text;
BEGIN
    LOCK TABLE ONLY audit IN SHARE UPDATE EXCLUSIVE MODE; -- one service at a time
    IF days >= 7 THEN
        removed := drop_audit(now() - make_interval(days => days));
    END IF;
    FOR month IN SELECT generate_series(date_trunc('month', now()), now() + interval '2 months', interval '1 month') LOOP
        name := to_char(month, '"audit_"YYYY_MM');
        -- A month that has begun in the default partition stays there.
        IF to_regclass(name) IS NULL
            AND NOT EXISTS (SELECT 1 FROM audit_default WHERE asked_at >= month AND asked_at < month + interval '1 month')
        THEN
            EXECUTE format('CREATE TABLE %I PARTITION OF audit FOR VALUES FROM (%L) TO (%L)',
                name, month, month + interval '1 month');
        END IF;
    END LOOP;
    RETURN removed;
END
$$;
-- +goose StatementEnd
SELECT keep_audit(0);

-- What the metrics show of tables that the service cannot read.
-- +goose StatementBegin
CREATE FUNCTION figures() RETURNS TABLE (
    repositories bigint, day bigint, week bigint, month bigint, quarter bigint, -- not published for so long
    oldest double precision, -- seconds since the publication that is the longest ago
    audit_bytes bigint
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT
        count(*),
        count(*) FILTER (WHERE age > interval '1 day'),
        count(*) FILTER (WHERE age > interval '7 days'),
        count(*) FILTER (WHERE age > interval '30 days'),
        count(*) FILTER (WHERE age > interval '90 days'),
        coalesce(extract(epoch FROM max(age)), 0),
        (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'audit'::regclass)
    FROM (SELECT now() - published_at AS age FROM repositories) r
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'memctl_hub_admin') THEN
        CREATE ROLE memctl_hub_admin NOLOGIN;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'a superuser has to run first: CREATE ROLE memctl_hub_admin NOLOGIN';
END
$$;
-- +goose StatementEnd

-- Only the owner writes it.
CREATE TABLE administrators (
    principal text COLLATE "C" PRIMARY KEY, -- user:NAME or group:NAME
    added_at  timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
CREATE FUNCTION has_administrator(principals text[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT EXISTS (SELECT 1 FROM administrators WHERE principal = ANY (principals))
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION drop_audit, keep_audit, figures, has_administrator FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_audit, figures, has_administrator TO memctl_hub;
GRANT EXECUTE ON FUNCTION has_administrator, is_denied TO memctl_hub_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON grants TO memctl_hub_admin;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON tokens TO memctl_hub_admin;
GRANT SELECT, INSERT, DELETE ON denied TO memctl_hub_admin;
GRANT SELECT, INSERT ON audit TO memctl_hub_admin;
GRANT SELECT ON repositories TO memctl_hub_admin;

-- The role alone is not enough: who asks must be an administrator.
-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['repositories', 'grants', 'tokens', 'denied', 'audit'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY administered ON %I FOR ALL TO memctl_hub_admin
                USING ((SELECT has_administrator(nullif(current_setting('memctl.principals', true), '')::text[])))
            $policy$, name);
    END LOOP;
END
$$;
-- +goose StatementEnd
CREATE POLICY added ON audit FOR INSERT TO memctl_hub WITH CHECK (true);
-- An administrator makes nobody an administrator, and no token valid again.
CREATE POLICY of_others ON tokens AS RESTRICTIVE FOR INSERT TO memctl_hub_admin
    WITH CHECK (NOT has_administrator(array_prepend('user:' || person, ARRAY(SELECT 'group:' || unnest(groups)))));
CREATE POLICY revoked ON tokens AS RESTRICTIVE FOR UPDATE TO memctl_hub_admin USING (true) WITH CHECK (revoked_at IS NOT NULL);

-- As before, but the audit has the person who asked for the change, if that was not the owner.
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
    INSERT INTO audit (action, results, detail)
    SELECT 'grant', 1, concat_ws(' ', lower(TG_OP), principal, pattern, CASE WHEN publish THEN 'publish' END)
    FROM changed;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_in_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    row jsonb := coalesce(to_jsonb(NEW), to_jsonb(OLD));
BEGIN
    INSERT INTO audit (action, results, detail)
    VALUES (TG_ARGV[0], 1, concat_ws(' ', row->>'token_id', row->>'person', row->>'name', row->>'principal'));
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER added AFTER INSERT ON administrators FOR EACH ROW EXECUTE FUNCTION keep_in_audit('add-admin');
CREATE TRIGGER removed AFTER DELETE ON administrators FOR EACH ROW EXECUTE FUNCTION keep_in_audit('remove-admin');
