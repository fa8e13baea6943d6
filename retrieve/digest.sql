-- The digest of a store: the active memories that a session's start gives, in their order,
-- as many as the tokens allow. What stands comes first (constraints of high severity, strong
-- preferences), then what names a file of this branch, then what was used last, then the
-- rest by its last change. A store that fits is given whole, but for decisions in whose place
-- others stand.
--
-- :first paths of memories that come before all others, those that fit a prompt;
-- :tokens the budget of the lines, :length the characters of a line at most, :most the
-- memories of a tier at most; :files the files of this branch and the folders above
-- them, :used paths of memories, the last one first
WITH candidates (memory_id, tier, place) AS (
    SELECT f.memory_id, 0, u.key
    FROM json_each(:first) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 1, -updated_unix
        FROM memories INDEXED BY memories_standing
        WHERE standing AND record_status = 'active'
        ORDER BY updated_unix DESC
        LIMIT :most
    )
    UNION ALL
    SELECT r.memory_id, 2, min(f.key)
    FROM json_each(:files) f
    CROSS JOIN related_files r ON r.file = f.value
    GROUP BY r.memory_id
    UNION ALL
    SELECT f.memory_id, 3, u.key
    FROM json_each(:used) u
    CROSS JOIN files f ON f.path = u.value
    UNION ALL
    SELECT * FROM (
        SELECT memory_id, 4, -updated_unix
        FROM memories
        WHERE record_status = 'active'
        ORDER BY updated_unix DESC
        LIMIT :most
    )
),

-- The tier of a memory is the first that it is in: SQLite takes place from the row of the
-- least tier (https://sqlite.org/lang_select.html#bareagg).
placed (memory_id, tier, place) AS (
    SELECT memory_id, min(tier), place
    FROM candidates
    GROUP BY memory_id
),

listed AS (
    SELECT
        m.memory_id,
        p.tier,
        p.place,
        -- "- ", the line and the line feed, four characters a token. The line is the title, ". " and
        -- the sentence, or the sentence alone if it has the title.
        sum((min(:length, CASE
            WHEN m.sentence = '' THEN length(m.title)
            WHEN instr(m.sentence, rtrim(m.title, '….')) > 0 THEN length(m.sentence)
            ELSE length(m.title) + 2 + length(m.sentence)
        END) + 6) / 4) OVER (
            ORDER BY p.tier, p.place, m.path
        ) AS spent
    FROM placed p
    CROSS JOIN memories m ON m.memory_id = p.memory_id
    WHERE m.record_status = 'active'
        AND NOT (m.category = 'decision' AND EXISTS (SELECT 1 FROM successors n WHERE n.memory_id = m.memory_id))
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
ORDER BY coalesce(k.priority, 10), l.tier, l.place, m.path
