-- A memory and its neighbours in time, of the same repository, the oldest first. One without
-- a readable date has no neighbours, and is none.
--
-- Parameters: $1, the repository; $2, the path; $3, how many on each side.
WITH target AS MATERIALIZED (
    SELECT m.memory_id, m.repo_id, m.created_unix
    FROM memories m
    JOIN repositories r USING (repo_id)
    WHERE r.name = $1
        AND m.path = $2
),

around (memory_id, created_unix, side) AS (
    SELECT memory_id, created_unix, 0
    FROM target
    UNION ALL
    (
        SELECT m.memory_id, m.created_unix, -1
        FROM target t
        JOIN memories m ON m.repo_id = t.repo_id AND (m.created_unix, m.memory_id) < (t.created_unix, t.memory_id)
        ORDER BY m.created_unix DESC, m.memory_id DESC
        LIMIT $3
    )
    UNION ALL
    (
        SELECT m.memory_id, m.created_unix, 1
        FROM target t
        JOIN memories m ON m.repo_id = t.repo_id AND (m.created_unix, m.memory_id) > (t.created_unix, t.memory_id)
        ORDER BY m.created_unix, m.memory_id
        LIMIT $3
    )
)

SELECT
    m.id,
    m.repository,
    m.commit_sha,
    m.published_at,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.created_at,
    m.updated_at,
    m.tokens,
    a.side
FROM around a
JOIN memory_rows m USING (memory_id)
ORDER BY a.side, a.created_unix, a.memory_id
