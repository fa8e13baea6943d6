-- The ranking of match_strategy "title_tags".
--
--   text        = 2 for each prompt token in the title
--               + 3 for each prompt token that is a tag (both may count)
--               + 1 for each other prompt token of 4 letters or more that begins
--                   a title token or a tag
--   description = at most 2: 1 for each prompt token in the description of the
--                 memory's category, 1/2 for each that begins one of its tokens
--   score       = text + description + 1 if updated after :recent_after
--   order       = for a prompt this folder's before the project's; score, category priority,
--                 text + description, title, path
--
-- Tags count most because people choose them for finding. A prefix counts least
-- because "auth" also begins "author". Recency adds one point only, so that it does
-- not outweigh a better match.
--
-- Parameters: :prompt, a JSON list of distinct tokens; :described, a JSON object
-- from category to its description's tokens; :recent_after, unix seconds (null:
-- recency does not count); :place, the folder below the project in which a prompt asks,
-- with a slash at its end, and :here, the same if nothing is wanted of other folders (null:
-- folders do not count); :statuses and :categories, JSON lists (null:
-- all); :tag, a whole tag or null; :since, a Unix time or null; :untitled, true to leave the title out of
-- the order; :limit, at least 1; :pool, how many of the best by text
-- are looked up, -1 for all.
WITH
description (category, points) AS MATERIALIZED (
    SELECT category, min(2, CAST(sum(points) AS INTEGER)) AS points
    FROM (
        SELECT c.key AS category, max(CASE WHEN t.value = w.value THEN 1.0 ELSE 0.5 END) AS points
        FROM json_each(:described) c
        CROSS JOIN json_each(c.value) t
        CROSS JOIN json_each(:prompt) w ON substr(t.value, 1, length(w.value)) = w.value
        WHERE t.value = w.value OR length(w.value) >= 4
        GROUP BY c.key, w.value
    )
    GROUP BY category
    HAVING CAST(sum(points) AS INTEGER) > 0
),

-- If many memories match, most cannot be shown and need not be looked up.
pool (memory_id, text) AS MATERIALIZED (
    SELECT memory_id, sum(points) AS text
    FROM (
        SELECT p.memory_id, 2 * p.in_title + 3 * p.in_tags AS points
        FROM json_each(:prompt) w
        CROSS JOIN tokens t ON t.token = w.value
        CROSS JOIN postings p ON p.token_id = t.token_id
        UNION ALL
        -- A prompt token that begins several tokens of a memory counts once, and
        -- not at all if the memory has the token itself.
        SELECT p.memory_id, 1
        FROM json_each(:prompt) w
        CROSS JOIN tokens t ON t.token > w.value AND t.token < w.value || char(1114111)
        CROSS JOIN postings p ON p.token_id = t.token_id
        WHERE length(w.value) >= 4
            AND NOT EXISTS (
                SELECT 1
                FROM tokens e
                CROSS JOIN postings x ON x.token_id = e.token_id AND x.memory_id = p.memory_id
                WHERE e.token = w.value
            )
        GROUP BY w.value, p.memory_id
        UNION ALL
        -- A category whose description matches brings in all its memories.
        SELECT m.memory_id, 0
        FROM description d
        CROSS JOIN memories m ON m.category = d.category
    )
    GROUP BY memory_id
    ORDER BY text DESC
    LIMIT 0 + :pool
)

SELECT
    m.id,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.updated_at,
    c.text,
    coalesce(d.points, 0) AS description,
    coalesce(m.updated_unix > :recent_after, 0) AS recent,
    c.text + coalesce(d.points, 0) + coalesce(m.updated_unix > :recent_after, 0) AS score,
    f.size_bytes,
    f.mtime_ns,
    f.read_ns,
    (SELECT count(*) FROM pool) AS pooled,
    (SELECT min(text) FROM pool) AS pool_floor,
    iif(m.category = 'decision',
        coalesce((SELECT n.path FROM successors n WHERE n.memory_id = m.memory_id LIMIT 1), ''), '') AS successor,
    m.folder,
    CASE
        WHEN m.folder = '' OR :place IS NULL THEN 1
        WHEN substr(:place, 1, length(m.folder) + 1) = m.folder || '/' THEN 0
        ELSE 2
    END AS place
FROM pool c
CROSS JOIN memories m ON m.memory_id = c.memory_id
CROSS JOIN files f ON f.path = m.path
LEFT JOIN categories k ON k.category = m.category
LEFT JOIN description d ON +d.category = m.category
WHERE (:statuses IS NULL OR instr(:statuses, json_quote(m.record_status)) > 0)
    AND (:categories IS NULL OR instr(:categories, json_quote(m.category)) > 0)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
    AND (:since IS NULL OR m.updated_unix >= :since)
    AND (:here IS NULL OR m.folder = '' OR substr(:here, 1, length(m.folder) + 1) = m.folder || '/')
ORDER BY place, score DESC, coalesce(k.priority, 10), c.text + coalesce(d.points, 0) DESC,
    iif(:untitled, NULL, m.title_key), m.path
LIMIT 0 + :limit
