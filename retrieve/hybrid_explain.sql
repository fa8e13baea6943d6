-- What each term of a prompt adds to the strength that hybrid.sql gives some memories.
--
-- Parameters: :terms, a JSON list of [kind, term, FTS5 query, weight, the term that
-- memories have: another one if that is mistyped]; :paths, a
-- JSON list; :pages as in hybrid.sql.
WITH
unit (points) AS MATERIALIZED (
    SELECT 2.2 * ln((:pages + 0.5) / 0.5)
),
chosen (memory_id, path) AS MATERIALIZED (
    SELECT memory_id, path FROM memories WHERE path IN (SELECT value FROM json_each(:paths))
),
found (term, memory_id, points) AS (
    SELECT t.value, memories_fts.rowid, -bm25(memories_fts, 3, 1.5, 0.6)
    FROM json_each(:terms) t
    CROSS JOIN memories_fts
    WHERE memories_fts MATCH '{title tags body} : ' || (t.value ->> 2)
        AND memories_fts.rowid IN (SELECT memory_id FROM chosen)
    UNION ALL
    SELECT t.value, memories_fts.rowid, bm25(memories_fts, 3, 1.5, 0.6, 0) - bm25(memories_fts, 3, 1.5, 0.6, 0.6)
    FROM json_each(:terms) t
    CROSS JOIN memories_fts
    WHERE memories_fts MATCH t.value ->> 2 AND memories_fts.rowid IN (SELECT memory_id FROM chosen)
),
hits (kind, term, matched, memory_id, points) AS MATERIALIZED (
    SELECT term ->> 0, term ->> 1, term ->> 4, memory_id, sum(points) * (term ->> 3)
    FROM found
    GROUP BY term, memory_id
)
SELECT
    c.path,
    h.kind,
    h.term AS token,
    h.matched,
    round(h.points / (SELECT points FROM unit), 2) AS points
FROM chosen c
JOIN hits h ON h.memory_id = c.memory_id
ORDER BY c.path, h.points DESC, h.term
