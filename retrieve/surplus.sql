-- Active memories of a category for which its limits leave no room, the first to
-- go first. Memories are counted from the one touched last, so that what people
-- keep alive stays; one without a usable date counts as the oldest but has no age.
--
-- :category, :keep (a path that is not looked at)
-- :cutoff (unix seconds; 0: no retention), :max (0: no limit)
WITH active AS (
    SELECT
        path,
        title,
        updated_at,
        coalesce(updated_unix, created_unix) AS touched,
        row_number() OVER (
            ORDER BY path = :keep DESC, coalesce(updated_unix, created_unix, 0) DESC, created_unix DESC, path DESC
        ) AS position
    FROM memories
    WHERE category = :category
        AND record_status = 'active'
)
SELECT
    path,
    title,
    updated_at,
    touched IS NOT NULL AND touched < :cutoff AS aged
FROM active
WHERE path <> :keep
    AND (touched < :cutoff OR :max > 0 AND position > :max)
ORDER BY position DESC
