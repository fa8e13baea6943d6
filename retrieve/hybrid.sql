-- The ranking of match_strategy "hybrid" (docs/ranking.md), whole.
--
--   points    = bm25 of the topics + bm25 of the plain words
--             + 0.4 * bm25 of the pairs + 0.4 * bm25 of the endings
--   evidence  = what of that is about something: a topic counts whole in the title or
--               among the tags, in the body by how often it is said; the pairs as above
--   strength  = points in units of what one word is worth that no memory has
--   order     = strength to two places, confidence, last update, path
--
-- bm25 (https://sqlite.org/fts5.html#the_bm25_function) weighs a word by its rarity
-- (idf) and saturates as it is repeated: idf * f * 2.2 / (f + 1.2 * length), where f is
-- the weighted number of times. Title, tags and body stand 5 : 2.5 : 1; all three are
-- scaled by 0.6, which has the effect of a k1 of 2 for bm25's fixed 1.2: a word said
-- again counts longer. With a weight of a million one mention is everything, f drops
-- out, and what is left is idf * 2.2: so the evidence of a title is exact.
--
-- Pairs count 0.4: they are made of words that count already, and two characters side
-- by side are often chance.
--
-- Each part has its own ORDER BY and LIMIT: bm25() cannot be grouped. What is not among
-- the best :pool of a part gets nothing from it.
--
-- Parameters: :topics, :plain, :pairs and :endings, FTS5 queries; :blank, rows of the full text
-- that are no memories; :floor, the least evidence; :any_status, false where :statuses is
-- active alone, so that others do not fill the pool; :pool and :shortlist, -1 for all; :statuses,
-- :categories, :tag and :limit as in rank.sql.
WITH
unit (points) AS MATERIALIZED (
    SELECT 2.2 * ln((coalesce(max(memory_id), 0) + :blank + 0.5) / 0.5) FROM memories
),

hits (memory_id, points, proof) AS (
    SELECT * FROM (
        SELECT rowid, -bm25(memories_fts, 3, 1.5, 0.6) AS points, -bm25(memories_fts, 1e6, 1e6, 1)
        FROM memories_fts
        WHERE memories_fts MATCH :topics
            AND (:any_status OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = memories_fts.rowid AND m.record_status <> 'active'))
        ORDER BY points DESC
        LIMIT 0 + :pool
    )
    UNION ALL
    SELECT * FROM (
        SELECT rowid, -bm25(memories_fts, 3, 1.5, 0.6) AS points, 0
        FROM memories_fts
        WHERE memories_fts MATCH :plain
            AND (:any_status OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = memories_fts.rowid AND m.record_status <> 'active'))
        ORDER BY points DESC
        LIMIT 0 + :pool
    )
    UNION ALL
    SELECT * FROM (
        SELECT rowid, -0.4 * bm25(memories_fts, 3, 1.5, 0.6) AS points, -0.4 * bm25(memories_fts, 3, 1.5, 0.6)
        FROM memories_fts
        WHERE memories_fts MATCH :pairs
            AND (:any_status OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = memories_fts.rowid AND m.record_status <> 'active'))
        ORDER BY points DESC
        LIMIT 0 + :pool
    )
    UNION ALL
    SELECT * FROM (
        SELECT rowid, -0.4 * bm25(memories_fts, 3, 1.5, 0.6) AS points, 0
        FROM memories_fts
        WHERE memories_fts MATCH :endings
            AND (:any_status OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.memory_id = memories_fts.rowid AND m.record_status <> 'active'))
        ORDER BY points DESC
        LIMIT 0 + :pool
    )
),

-- Ties are few: a shortlist a little longer than the answer is looked up.
sums (memory_id, strength, evidence) AS MATERIALIZED (
    SELECT memory_id, sum(points) / (SELECT points FROM unit) AS strength, sum(proof) / (SELECT points FROM unit) AS evidence
    FROM hits
    GROUP BY memory_id
    HAVING evidence >= :floor
    ORDER BY strength DESC
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
    s.strength,
    s.evidence,
    f.size_bytes,
    f.mtime_ns,
    f.read_ns
FROM sums s
CROSS JOIN memories m ON m.memory_id = s.memory_id
CROSS JOIN files f ON f.path = m.path
WHERE instr(:statuses, json_quote(m.record_status)) > 0
    AND (:categories IS NULL OR instr(:categories, json_quote(m.category)) > 0)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
ORDER BY round(s.strength, 2) DESC, coalesce(m.confidence, 0) DESC, m.updated_unix DESC, m.path
LIMIT 0 + :limit
