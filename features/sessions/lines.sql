-- The sessions of a pool of passages, ranked by these and by their best lines.
--
--   line  = the most points of a line of the passage: bm25 of the terms among the lines of the pool,
--           half of that for a line of the agent
--   score = points of the best passage + half of the points of the best line
--   order = score to two places, the end of the session, the latest first
--
-- A long answer touches many words. One line that has them together says more: among the lines of the
-- passages that match, the words that all of these have are worth little.
--
-- Parameters: :queries as in search.sql; :pool, a JSON list of [passage, transcript, turn, points];
-- :limit, how many sessions are returned.
WITH
queries (part, match, weight) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:queries)
),

pool (passage_id, transcript_id, turn, points) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:pool)
),

line_hits (line_id, passage_id, points) AS MATERIALIZED (
    SELECT f.rowid, f.passage_id, -bm25(lines) * q.weight * iif(f.side = 'agent', 0.5, 1)
    FROM queries q
    CROSS JOIN temp.lines f ON lines MATCH q.match
),

line_sums (line_id, passage_id, points) AS (
    SELECT line_id, passage_id, sum(points) FROM line_hits GROUP BY line_id
),

best_lines (passage_id, line_id, points) AS MATERIALIZED (
    SELECT passage_id, line_id, max(points) FROM line_sums GROUP BY passage_id
),

sessions (transcript_id, points, line, turn, line_id, best) AS (
    SELECT
        p.transcript_id,
        max(p.points) OVER (PARTITION BY p.transcript_id),
        max(coalesce(l.points, 0)) OVER (PARTITION BY p.transcript_id),
        p.turn,
        l.line_id,
        row_number() OVER (PARTITION BY p.transcript_id ORDER BY p.points + coalesce(l.points, 0) / 2 DESC, p.turn DESC)
    FROM pool p
    LEFT JOIN best_lines l ON l.passage_id = p.passage_id
)

SELECT
    s.transcript_id,
    s.turn,
    s.points AS passage_points,
    s.line AS line_points,
    s.points + s.line / 2 AS score,
    coalesce((SELECT l.said FROM temp.lines l WHERE l.rowid = s.line_id), '') AS line
FROM sessions s
CROSS JOIN transcripts t ON t.transcript_id = s.transcript_id
WHERE s.best = 1
ORDER BY round(score, 2) DESC, t.ended_at DESC, s.transcript_id
LIMIT 0 + :limit
