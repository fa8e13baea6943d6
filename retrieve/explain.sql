-- What each prompt token adds to the scores that rank.sql gives some memories. The
-- points of one memory add up to text + description, but description is neither
-- rounded down nor capped at 2.
--
-- Parameters: :prompt and :described as in rank.sql; :paths, a JSON list.
WITH
prompt (token) AS MATERIALIZED (
    SELECT value FROM json_each(:prompt)
),
chosen (memory_id, path, category) AS MATERIALIZED (
    SELECT m.memory_id, m.path, m.category
    FROM memories m
    WHERE m.path IN (SELECT value FROM json_each(:paths))
),
equal (memory_id, token, in_title, in_tags) AS MATERIALIZED (
    SELECT c.memory_id, w.token, p.in_title, p.in_tags
    FROM prompt w
    CROSS JOIN tokens t ON t.token = w.token
    CROSS JOIN chosen c
    CROSS JOIN postings p ON p.token_id = t.token_id AND p.memory_id = c.memory_id
),
begun (memory_id, token, whole) AS (
    SELECT c.memory_id, w.token, min(t.token)
    FROM prompt w
    CROSS JOIN tokens t ON t.token > w.token AND t.token < w.token || char(1114111)
    CROSS JOIN chosen c
    CROSS JOIN postings p ON p.token_id = t.token_id AND p.memory_id = c.memory_id
    WHERE length(w.token) >= 4
        AND NOT EXISTS (SELECT 1 FROM equal e WHERE e.memory_id = c.memory_id AND e.token = w.token)
    GROUP BY c.memory_id, w.token
),
described (category, token) AS MATERIALIZED (
    SELECT c.key, t.value
    FROM json_each(:described) c, json_each(c.value) t
),
description (category, token, whole, points) AS (
    SELECT d.category, w.token, min(d.token), max(CASE WHEN d.token = w.token THEN 1.0 ELSE 0.5 END)
    FROM prompt w
    JOIN described d ON d.token = w.token
        OR (length(w.token) >= 4 AND substr(d.token, 1, length(w.token)) = w.token)
    GROUP BY d.category, w.token
)
SELECT c.path, 'title' AS kind, e.token, e.token AS matched, 2.0 AS points
FROM chosen c JOIN equal e ON e.memory_id = c.memory_id WHERE e.in_title
UNION ALL
SELECT c.path, 'tag', e.token, e.token, 3.0
FROM chosen c JOIN equal e ON e.memory_id = c.memory_id WHERE e.in_tags
UNION ALL
SELECT c.path, 'prefix', b.token, b.whole, 1.0
FROM chosen c JOIN begun b ON b.memory_id = c.memory_id
UNION ALL
SELECT c.path, 'description', d.token, d.whole, d.points
FROM chosen c JOIN description d ON d.category = c.category
ORDER BY path, points DESC, kind, token
