-- The digest of a store: the active memories that a session's start gives, as many as the
-- tokens allow. Of a store that does not fit, a quarter of the tokens is for what is new and was
-- hardly given yet, half for what stands (constraints of high severity, strong preferences; first
-- those of which it is certain that the user said so), a quarter for memories that name a file of
-- this branch, a quarter for memories that were used, as long as there are tokens.
-- The tokens that these leave are for those that found no room, in that order, then for the rest.
-- Shorter lines come first, because more memories fit; of what is new, the newest. A decision
-- in whose place another stands is left out.
--
-- :first paths of memories that come before all others, those that fit a prompt;
-- :tokens the budget of the lines, :most the memories of a tier at most; :since the time after
-- which a memory is new, :known paths of new memories that were given often enough; :files the
-- files of this branch and the folders above them, :used paths of memories, the last one first; :off a JSON
-- list of the categories to leave out, or NULL
WITH candidates (memory_id, tier) AS (
    SELECT f.memory_id, 0
    FROM json_each(:first) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 1
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
        SELECT memory_id, 2
        FROM memories INDEXED BY memories_standing
        WHERE standing AND record_status = 'active' AND (:off IS NULL OR instr(:off, json_quote(category)) = 0)
        ORDER BY coalesce(confidence, 0) < 0.9, line_length
        LIMIT :most
    )
    UNION ALL
    SELECT r.memory_id, 3
    FROM json_each(:files) f
    CROSS JOIN related_files r ON r.file = f.value
    UNION ALL
    SELECT f.memory_id, 4
    FROM json_each(:used) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 5
        FROM memories INDEXED BY memories_short
        WHERE record_status = 'active' AND (:off IS NULL OR instr(:off, json_quote(category)) = 0)
        ORDER BY line_length
        LIMIT :most
    )
),

placed (memory_id, tier) AS (
    SELECT memory_id, min(tier)
    FROM candidates
    GROUP BY memory_id
),

-- "- ", the line and the line feed, four characters a token
priced AS (
    SELECT
        m.memory_id,
        m.path,
        p.tier,
        (m.line_length + 6) / 4 AS cost,
        CASE p.tier WHEN 1 THEN -m.created_unix WHEN 2 THEN coalesce(m.confidence, 0) < 0.9 ELSE 0 END AS place
    FROM placed p
    CROSS JOIN memories m ON m.memory_id = p.memory_id
    WHERE m.record_status = 'active'
        AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
        AND NOT (m.category = 'decision' AND EXISTS (SELECT 1 FROM successors n WHERE n.memory_id = m.memory_id))
),

shared AS (
    SELECT
        *,
        sum(cost) OVER (PARTITION BY tier ORDER BY place, cost, path)
            > CASE tier WHEN 0 THEN :tokens WHEN 2 THEN :tokens / 2 WHEN 5 THEN 0 ELSE :tokens / 4 END AS is_over
    FROM priced
),

listed AS (
    SELECT
        *,
        sum(cost) OVER (ORDER BY is_over, tier, place, cost, path) AS spent
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
