-- The digest of a store: the active memories that a session's start gives, as many as the
-- tokens allow. Of a store that does not fit, half of the tokens is for what stands (constraints of high severity,
-- strong preferences; first those of which it is certain that the user said so), a quarter for what was used, the
-- most often first, and a quarter for what is new and was hardly given yet, the newest first, then for memories that
-- name a file of this branch. What these leave is for all others. The shortest come first unless said otherwise,
-- because more memories fit: in a store whose dates were drawn at random, age says nothing about what will be needed.
-- A decision in whose place another stands is left out.
--
-- What is for the folder of the session comes before all others, and what is for other folders does not come.
--
-- :place as in rank.sql; :first paths of memories that come before all others, those that fit a prompt;
-- :tokens the budget of the lines, :most the memories of a tier at most; :since the time after
-- which a memory is new, :known paths of new memories that were given often enough; :files the
-- files of this branch and the folders above them, :used paths of memories, the one used most often first; :off a JSON
-- list of the categories to leave out, or NULL
WITH candidates (memory_id, tier, place) AS (
    SELECT f.memory_id, 0, 0
    FROM json_each(:first) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT memory_id, 0, 1
    FROM memories INDEXED BY memories_by_folder
    WHERE folder <> '' AND substr(:place, 1, length(folder) + 1) = folder || '/'
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 1, -created_unix
        FROM memories INDEXED BY memories_by_category
        WHERE category IN ('decision', 'constraint', 'preference', 'runbook', 'tech_debt')
            AND record_status = 'active' AND (:off IS NULL OR instr(:off, json_quote(category)) = 0)
            AND updated_unix >= :since
            AND created_unix >= :since
            AND path NOT IN (SELECT value FROM json_each(:known))
        ORDER BY created_unix DESC, line_length
        LIMIT :most
    )
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 2, coalesce(confidence, 0) < 0.9
        FROM memories INDEXED BY memories_standing
        WHERE standing AND record_status = 'active' AND (:off IS NULL OR instr(:off, json_quote(category)) = 0)
        ORDER BY coalesce(confidence, 0) < 0.9, line_length
        LIMIT :most
    )
    UNION ALL
    SELECT f.memory_id, 3, u.key
    FROM json_each(:used) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT r.memory_id, 4, 0
    FROM json_each(:files) f
    CROSS JOIN related_files r ON r.file = f.value
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 5, 0
        FROM memories INDEXED BY memories_short
        WHERE record_status = 'active' AND (:off IS NULL OR instr(:off, json_quote(category)) = 0)
        ORDER BY line_length
        LIMIT :most
    )
),

placed (memory_id, tier, place) AS (
    SELECT memory_id, min(tier), place
    FROM candidates
    GROUP BY memory_id
),

-- "- ", the line and the line feed, four characters a token
priced AS (
    SELECT
        m.memory_id,
        m.path,
        p.tier,
        p.place,
        iif(p.tier = 4, 1, p.tier) AS share,
        (m.line_length + 6) / 4 AS cost
    FROM placed p
    CROSS JOIN memories m ON m.memory_id = p.memory_id
    WHERE m.record_status = 'active'
        AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
        AND (m.folder = '' OR :place IS NULL OR substr(:place, 1, length(m.folder) + 1) = m.folder || '/')
        AND NOT (m.category = 'decision' AND EXISTS (SELECT 1 FROM successors n WHERE n.memory_id = m.memory_id))
),

shared AS (
    SELECT
        *,
        sum(cost) OVER (PARTITION BY share ORDER BY tier, place, cost, path)
            > CASE share WHEN 0 THEN :tokens WHEN 2 THEN :tokens / 2 WHEN 5 THEN 0 ELSE :tokens / 4 END AS is_over
    FROM priced
),

listed AS (
    SELECT
        *,
        sum(cost) OVER (ORDER BY is_over, iif(is_over, 0, tier), iif(is_over, 0, place), cost, path) AS spent
    FROM shared
)

SELECT
    m.id,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.updated_at,
    m.sentence,
    f.size_bytes,
    f.mtime_ns,
    f.read_ns,
    l.tier
FROM listed l
CROSS JOIN memories m ON m.memory_id = l.memory_id
CROSS JOIN files f ON f.path = m.path
LEFT JOIN categories k ON k.category = m.category
WHERE l.spent <= :tokens
ORDER BY coalesce(k.priority, 10), l.tier, l.cost, m.path
