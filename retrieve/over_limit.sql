-- Active memories of a category, the first to go first: those that were not updated for
-- longest, so that what people keep up to date stays. A memory without a readable date
-- counts as the oldest but has no age. Imported ones come last: only their age counts.
--
-- Parameters: :category; :keep, the path of a memory that stays; :cutoff, unix seconds (null:
-- none is too old); :limit, how many at most.
SELECT
    path,
    title,
    coalesce(coalesce(updated_unix, created_unix) < :cutoff, false) AS too_old
FROM memories
WHERE category = :category
    AND record_status = 'active'
    AND path <> :keep
ORDER BY ',' || tags || ',' LIKE '%,imported,%', coalesce(updated_unix, created_unix, 0), created_unix, path
LIMIT :limit
