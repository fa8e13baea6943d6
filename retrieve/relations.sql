-- The relations of a memory to others.
--
--   superseded_by  one of the two says that the other superseded or replaced this one
--   supersedes     one of the two says that this one superseded or replaced the other
--   same_files     both name the same file
--   same_tags      they share two tags, or all the tags that one of them has
--
-- A memory says so if a reason, an entry of its history or its content has both the
-- words and the id of the other. An id without a hyphen does not count, because it may
-- be an ordinary word.
--
-- Parameters: :row, the memory; :each, the most relations of a kind.
WITH
texts (memory_id, words) AS NOT MATERIALIZED (
    SELECT memory_id, body
    FROM bodies
    UNION ALL
    SELECT memory_id, summary
    FROM changes
    UNION ALL
    SELECT memory_id, retired_reason
    FROM memories
    WHERE retired_reason IS NOT NULL
    UNION ALL
    SELECT memory_id, archived_reason
    FROM memories
    WHERE archived_reason IS NOT NULL
),

named (memory_id, by_own, words) AS MATERIALIZED (
    SELECT o.memory_id, true, lower(t.words)
    FROM texts t
    CROSS JOIN memories o ON instr(o.id, '-') > 0 AND instr(t.words, o.id) > 0
    WHERE t.memory_id = :row AND o.memory_id <> :row
    UNION ALL
    SELECT t.memory_id, false, lower(t.words)
    FROM memories own
    CROSS JOIN texts t ON instr(t.words, own.id) > 0
    WHERE own.memory_id = :row AND instr(own.id, '-') > 0 AND t.memory_id <> :row
),

pairs (kind, place, memory_id, shared) AS (
    SELECT DISTINCT iif(by_own, 'superseded_by', 'supersedes'), 1, memory_id, NULL
    FROM named
    WHERE instr(words, 'superseded by') > 0 OR instr(words, 'replaced by') > 0
    UNION
    SELECT DISTINCT iif(by_own, 'supersedes', 'superseded_by'), 1, memory_id, NULL
    FROM named
    WHERE instr(words, 'supersedes') > 0 OR instr(words, 'replaces') > 0
    UNION ALL
    SELECT 'same_files', 3, b.memory_id, group_concat(b.file, ', ')
    FROM related_files a
    CROSS JOIN related_files b ON b.file = a.file AND b.memory_id <> a.memory_id
    WHERE a.memory_id = :row
    GROUP BY b.memory_id
    UNION ALL
    SELECT 'same_tags', 4, b.memory_id, group_concat(b.tag, ', ')
    FROM tags a
    CROSS JOIN tags b ON b.tag = a.tag AND b.memory_id <> a.memory_id
    CROSS JOIN memories own ON own.memory_id = a.memory_id
    CROSS JOIN memories o ON o.memory_id = b.memory_id
    WHERE a.memory_id = :row
    GROUP BY b.memory_id
    HAVING count(*) >= min(
        2,
        1 + length(own.tags) - length(replace(own.tags, ',', '')),
        1 + length(o.tags) - length(replace(o.tags, ',', ''))
    )
)

SELECT kind, id, category, shared, title
FROM (
    SELECT
        p.kind,
        p.place,
        m.id,
        m.category,
        m.title,
        coalesce(p.shared, '') AS shared,
        row_number() OVER (PARTITION BY p.kind
            ORDER BY length(p.shared) - length(replace(p.shared, ',', '')) DESC, m.path) AS nth
    FROM pairs p
    JOIN memories m ON m.memory_id = p.memory_id
)
WHERE nth <= :each
ORDER BY place, nth
