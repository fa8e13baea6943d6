-- The service holds the postings of all repositories in its memory. It reads those of a repository by itself as
-- somebody who publishes it, and needs to know which there are.

-- +goose Up

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- +goose StatementBegin
CREATE FUNCTION all_repositories() RETURNS TABLE (repo_id integer, name text, revision bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT repo_id, name, revision
    FROM repositories
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION all_repositories FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_repositories TO memctl_hub;
