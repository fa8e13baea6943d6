-- Active memories of a category that are too old or too many, the first to go
-- first. They are counted from the one updated last, so that what people keep up to
-- date stays. A memory without a readable date counts as the oldest but has no age.
--
-- Parameters: :category; :keep, the path of a memory that stays; :cutoff, unix
-- seconds (null: none is too old); :max (0: any number).
WITH active AS (
    SELECT
        path,
        title,
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
    coalesce(touched < :cutoff, false) AS too_old
FROM active
WHERE path <> :keep
    AND (touched < :cutoff OR :max > 0 AND position > :max)
ORDER BY position DESC
