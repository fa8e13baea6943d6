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
-- Parameters: :row, the memory; :id, its id; :phrase, what texts with the id match;
-- :ids, what may be an id in its own file, as JSON; :each, the most relations of a kind.
WITH
own (words) AS NOT MATERIALIZED (
    SELECT body
    FROM bodies
    WHERE memory_id = :row
    UNION ALL
    SELECT summary
    FROM changes
    WHERE memory_id = :row
    UNION ALL
    SELECT concat_ws(' ', retired_reason, archived_reason)
    FROM memories
    WHERE memory_id = :row
),

others (memory_id, words) AS NOT MATERIALIZED (
    SELECT memory_id, body
    FROM bodies
    WHERE memory_id IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH :phrase)
    UNION ALL
    SELECT memory_id, summary
    FROM changes
    UNION ALL
    SELECT memory_id, concat_ws(' ', retired_reason, archived_reason)
    FROM memories
    WHERE coalesce(retired_reason, archived_reason) IS NOT NULL
),

named (memory_id, by_own, words) AS MATERIALIZED (
    SELECT o.memory_id, true, lower(t.words)
    FROM own t
    CROSS JOIN memories o ON o.id IN (SELECT value FROM json_each(:ids)) AND instr(t.words, o.id) > 0
    WHERE o.memory_id <> :row
    UNION ALL
    SELECT memory_id, false, lower(words)
    FROM others
    WHERE instr(:id, '-') > 0 AND instr(words, :id) > 0 AND memory_id <> :row
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
