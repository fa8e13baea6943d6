-- The ranking of match_strategy "hybrid" (docs/how-it-finds.md).
--
--   points    = bm25 of the words, and 0.5 * bm25 of the pairs
--   strength  = points in units of the worth of a word that no memory has
--   order     = for a prompt this folder's before the project's; strength to two places, a file
--               that the prompt names, confidence, last update, path
--
-- A prompt lists memories of a strength of :floor or more, which grows with the logarithm of the number of memories
-- times that of the prompt's words: so many words may be the same by chance.
--
-- bm25 (https://sqlite.org/fts5.html#the_bm25_function) weighs a word by its rarity
-- (idf) and saturates as it is repeated: idf * f * 2.2 / (f + 1.2 * length), where f is
-- the weighted number of occurrences. Title, tags and body are weighted 5 : 2.5 : 1. All
-- three are scaled by 0.6, which acts like a k1 of 2 instead of bm25's fixed 1.2, so that
-- repetition counts for longer. Pairs count less, because their words count already
-- and two neighbouring characters are often chance.
--
-- If the user has a model (docs/agents.md), its nearest memories come too, whatever their words, and before
-- the others: Query.fuse orders both by their ranks.
--
-- How rare a word is, is counted in the first page of each memory: title, tags and the beginning of the body
-- (migrations/00002_index.sql). A long text has most words, so it would make those of every title common. The rest of a
-- body adds to points what bm25 says of all of the memory, less what it says without the rest.
--
-- A memory gets nothing from a hit that is not among the best :pool.
--
-- All words are one query, all pairs another, and so is each word that stands for a mistyped one, at half the weight.
--
-- Parameters: :queries, a JSON list of [FTS5 query, weight]; :pages, the number of full text rows; :floor as above;
-- :gated, false to return memories below it too; :files, a JSON list; :near, a JSON list of [memory_id, cosine,
-- nearness], for which :shortlist and :limit leave room; :any_status, false if :statuses is active alone, so that other
-- memories do not fill the pool; :off, a JSON list of categories of which nothing is found, or NULL; :pool and
-- :shortlist, -1 for all; :statuses, :categories, :tag, :since, :place, :here and :limit as in rank.sql.
WITH
queries (match, weight) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1 FROM json_each(:queries)
),

found (memory_id, points) AS (
    SELECT memories_fts.rowid, -bm25(memories_fts, 3, 1.5, 0.6) * q.weight
    FROM queries q
    CROSS JOIN memories_fts ON memories_fts MATCH '{title tags body} : (' || q.match || ')'
    UNION ALL
    SELECT
        memories_fts.rowid,
        (bm25(memories_fts, 3, 1.5, 0.6, 0) - bm25(memories_fts, 3, 1.5, 0.6, 0.6)) * q.weight
    FROM queries q
    CROSS JOIN memories_fts ON memories_fts MATCH q.match
    WHERE (SELECT 1 FROM bodies WHERE length(body) > 480 LIMIT 1) -- EXISTS would be a join, for each row
        AND EXISTS (
            SELECT 1
            FROM bodies b INDEXED BY long_bodies
            WHERE b.memory_id = memories_fts.rowid AND length(b.body) > 480
        )
),

hits (memory_id, points) AS (
    SELECT f.memory_id, f.points
    FROM found f
    CROSS JOIN memories m ON m.memory_id = f.memory_id
    WHERE (:any_status OR m.record_status = 'active') AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
        AND (:here IS NULL OR m.folder = '' OR substr(:here, 1, length(m.folder) + 1) = m.folder || '/')
    ORDER BY f.points DESC
    LIMIT 0 + :pool
),

totals (memory_id, strength, cosine, nearness) AS (
    SELECT memory_id, sum(points) / (2.2 * ln((:pages + 0.5) / 0.5)), max(cosine), max(nearness)
    FROM (
        SELECT memory_id, points, NULL AS cosine, NULL AS nearness
        FROM hits
        UNION ALL
        SELECT m.memory_id, 0, n.value ->> 1, n.value ->> 2
        FROM json_each(:near) n
        CROSS JOIN memories m ON m.memory_id = n.value ->> 0
        WHERE (:any_status OR m.record_status = 'active') AND (:off IS NULL OR instr(:off, json_quote(m.category)) = 0)
            AND (:here IS NULL OR m.folder = '' OR substr(:here, 1, length(m.folder) + 1) = m.folder || '/')
    )
    GROUP BY memory_id
),

-- Ties are few, so a shortlist a little longer than the answer is enough.
sums (memory_id, strength, cosine, nearness) AS MATERIALIZED (
    SELECT memory_id, strength, cosine, coalesce(nearness, 0)
    FROM totals
    WHERE cosine IS NOT NULL OR (strength > 0 AND (NOT :gated OR strength >= :floor))
    ORDER BY cosine IS NULL, strength DESC
    LIMIT 0 + :shortlist
)

SELECT
    m.id,
    m.path,
    m.category,
    m.title,
    m.tags,
    m.record_status,
    m.updated_at,
    m.folder,
    CASE
        WHEN m.folder = '' OR :place IS NULL THEN 1
        WHEN substr(:place, 1, length(m.folder) + 1) = m.folder || '/' THEN 0
        ELSE 2
    END AS place,
    m.sentence,
    iif(m.category = 'decision',
        coalesce((SELECT n.path FROM successors n WHERE n.memory_id = m.memory_id LIMIT 1), ''), '') AS successor,
    s.strength,
    :floor AS needed,
    s.cosine,
    s.nearness,
    round(s.strength, 2) AS rounded,
    f.size_bytes,
    f.mtime_ns,
    f.read_ns
FROM sums s
CROSS JOIN memories m ON m.memory_id = s.memory_id
CROSS JOIN files f ON f.path = m.path
WHERE (:statuses IS NULL OR instr(:statuses, json_quote(m.record_status)) > 0)
    AND (:categories IS NULL OR instr(:categories, json_quote(m.category)) > 0)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
    AND (:since IS NULL OR m.updated_unix >= :since)
ORDER BY
    s.cosine IS NULL,
    place,
    rounded DESC,
    EXISTS (
        SELECT 1
        FROM related_files r
        JOIN json_each(:files) f
        WHERE r.memory_id = m.memory_id
            AND (r.file = f.value OR substr(r.file, -length(f.value) - 1) = '/' || f.value)
    ) DESC,
    coalesce(m.confidence, 0) DESC,
    m.updated_unix DESC,
    m.path
LIMIT 0 + :limit
