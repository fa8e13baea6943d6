-- The passages of past sessions that say most of what is asked for.
--
--   points = bm25 of the terms, times the weight of their part, and of what is near in meaning
--            0.6 * (nearness - 0.25) in units of the worth of a word that no passage has
--
-- bm25 (https://sqlite.org/fts5.html#the_bm25_function) weighs what the person wrote six times as
-- high as what the agent answered, and what was pasted or printed half as high. A passage whose
-- person asks for a thing says more of it than a long answer that mentions it.
--
-- If the user has a model (docs/agents.md), the nearness of a passage counts from 0.25 on, and little: a
-- long turn has a vector of its beginning alone.
--
-- Parameters: :queries, a JSON list of [part, FTS5 query, weight]; :projects, a JSON list, NULL for all;
-- :near, a JSON list of [passage, nearness, cosine]; :pool, how many passages are returned.
WITH
queries (part, match, weight) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:queries)
),

scope (transcript_id) AS MATERIALIZED (
    SELECT transcript_id
    FROM transcripts
    WHERE :projects IS NULL OR project IN (SELECT value FROM json_each(:projects))
),

hits (passage_id, points, cosine) AS MATERIALIZED (
    SELECT f.rowid, -bm25(passages_fts, 6, 1, 0.5, 0.5) * q.weight, NULL
    FROM queries q
    CROSS JOIN passages_fts f ON passages_fts MATCH q.match
    WHERE f.rowid >> 16 IN (SELECT transcript_id FROM scope)
    UNION ALL
    SELECT
        value ->> 0,
        0.6 * ((value ->> 1) - 0.25) * 2.2 * ln(((SELECT count(*) FROM passages) + 16.5) / 0.5),
        value ->> 2
    FROM json_each(:near)
    WHERE value ->> 1 > 0.25
        AND (value ->> 0) >> 16 IN (SELECT transcript_id FROM scope)
),

best (passage_id, points, cosine) AS MATERIALIZED (
    SELECT passage_id, sum(points) AS points, coalesce(max(cosine), 0)
    FROM hits
    GROUP BY passage_id
    ORDER BY points DESC, passage_id
    LIMIT 0 + :pool
)

SELECT
    b.passage_id,
    b.passage_id >> 16 AS transcript_id,
    b.passage_id & 65535 AS turn,
    p.said_at,
    p.prompt,
    p.answer,
    p.tools,
    b.points,
    b.cosine
FROM best b
CROSS JOIN passages p ON p.passage_id = b.passage_id
ORDER BY b.points DESC, b.passage_id
