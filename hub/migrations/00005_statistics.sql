-- A connection keeps the plan of its searches (hub.Store.keepPlan). One that was made while a hub had few memories is
-- hundreds of times too slow for many, until autovacuum looks at the tables, which takes a minute or more.

-- +goose Up

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Makes the statistics of what a search by the terms of a version reads. Kept plans are made again then.
-- +goose StatementBegin
CREATE FUNCTION renew_statistics(wanted integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format('ANALYZE repositories, access, memories, %1$I.terms, %1$I.term_changes, %1$I.postings, %1$I.positions',
        (SELECT schema FROM analysers WHERE version = wanted));
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION renew_statistics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION renew_statistics TO memctl_hub;
