-- What a person types into a search box (typed.go). A memory matches a word in its title, its
-- tags or its body, by the full text, and by the tokens of title and tags, whose beginnings
-- the full text does not know: it has their stems.
--
--   points = bm25, title, tags and body weighted 5 : 2.5 : 1
--            + 6 for a token of the title, 4 for one of the tags, in proportion to how much
--              of it was typed
--            + 5 if the title begins with all that was typed
--
-- Parameters: :words, a JSON list of [FTS5 query, first token, first token beyond, length];
-- :typed, all of it in lower case; :categories, :tag, :statuses and :since as in rank.sql. The
-- filters by category and tag are columns, because the facets count without them.
WITH
words (n, match, low, high, size) AS MATERIALIZED (
    SELECT key, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:words)
),

hits (memory_id, n, points) AS (
    SELECT f.rowid, w.n, -bm25(memories_fts, 3, 1.5, 0.6)
    FROM words w
    CROSS JOIN memories_fts f ON memories_fts MATCH w.match
    UNION ALL
    SELECT p.memory_id, w.n, iif(p.in_title, 6.0, 4.0) * w.size / length(t.token)
    FROM words w
    CROSS JOIN tokens t ON t.token >= w.low AND t.token < w.high
    CROSS JOIN postings p ON p.token_id = t.token_id
),

totals (memory_id, matched, points) AS (
    SELECT memory_id, count(DISTINCT n), sum(points)
    FROM hits
    GROUP BY memory_id
)

SELECT
    m.memory_id,
    m.category,
    :tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag) AS tagged,
    h.matched,
    h.points + iif(substr(m.title_key, 1, length(:typed)) = :typed, 5, 0) AS points,
    coalesce(m.updated_unix, -1 << 62) AS updated_unix
FROM totals h
CROSS JOIN memories m ON m.memory_id = h.memory_id
WHERE (:statuses IS NULL OR record_status IN (SELECT value FROM json_each(:statuses)))
    AND (:since IS NULL OR updated_unix >= :since)
